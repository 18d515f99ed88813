//! CE-Bench on the command line.

use std::path::PathBuf;

use serde::Serialize;
use sfc_bench::papers::ce_bench::metric::Reading;
use sfc_bench::papers::ce_bench::{self, Settings, bound};
use sfc_bench::toy_model::DICTIONARIES;
use sfc_bench::{Problem, object};

use crate::format::{Failed, Format, Output, Rows, json, maybe, number};
use crate::given;
use crate::model_metrics::StoryArgs;
use crate::parameters::Parameters;

/// What files of a folder are taken: of results, and of one's own pairs.
const RESULTS: [&str; 1] = ["results.json"];
const PAIRS: [&str; 6] = [".json", ".jsonl", ".npy", ".npz", ".safetensors", ".csv"];

#[derive(Debug, clap::Args)]
pub struct CeBench {
    /// Score every shipped autoencoder, and the controls
    #[arg(long)]
    all: bool,
    /// Rank results.json files of CE-Bench instead, by the share of what their widths allow
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with_all = ["all", "own", "Knobs"])]
    results: Vec<PathBuf>,
    /// Score your own story pairs instead: activations of both stories, marks or stories with tags, told by their
    /// names
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with_all = ["all", "Knobs"])]
    own: Vec<PathBuf>,
    #[command(flatten)]
    model: StoryArgs,
    #[command(flatten)]
    knobs: Parameters<Settings>,
    #[command(flatten)]
    output: Output,
}

impl CeBench {
    pub fn text(&self) -> Result<String, Failed> {
        self.model.of.check()?;
        if let Some(path) = &self.model.of.model.model {
            let others = [
                ("all", self.all),
                ("results", !self.results.is_empty()),
                ("own", !self.own.is_empty()),
            ];
            if let Some((name, _)) = others.iter().find(|(_, given)| *given) {
                return Err(Problem::new(name, "given", "no value with --model").into());
            }
            return self.model.text(path, &self.knobs, self.output.format());
        }
        match (self.results.is_empty(), self.own.is_empty()) {
            (false, _) => self.ranked(),
            (_, false) => self.given(),
            _ => self.shipped(),
        }
    }

    fn ranked(&self) -> Result<String, Failed> {
        let report = ce_bench::own::results(given::files(&self.results, &RESULTS)?)?;
        let mut notes = vec![report.claim.sentence()];
        notes.extend_from_slice(&report.notes);
        given::print(self.output.format(), &report, report.tables(), &notes)
    }

    fn given(&self) -> Result<String, Failed> {
        let report = ce_bench::own::read(given::files(&self.own, &PAIRS)?)?;
        given::print(self.output.format(), &report, report.tables(), &report.notes)
    }

    fn shipped(&self) -> Result<String, Failed> {
        let settings = self.knobs.settings()?;
        let names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        let others = if self.all { &names[..] } else { &[] };
        let report = ce_bench::run(&settings, others, &mut |_, _| {})?;
        let format = self.output.format();
        if format == Format::Json {
            #[derive(Serialize)]
            struct All<'a, S> {
                settings: &'a Settings,
                #[serde(flatten)]
                opened: Option<&'a S>,
                #[serde(skip_serializing_if = "<[_]>::is_empty")]
                others: &'a [S],
                /// The readings whose independence is of no marks.
                independence_without_marks: &'a [Reading],
            }
            let subjects: Vec<_> = report
                .subjects
                .iter()
                .map(|subject| {
                    object! {
                        sae: &subject.name,
                        latents: subject.latents,
                        trained: subject.trained,
                        readings: subject.readings,
                        winner_about_the_contrast: subject.about,
                    }
                })
                .collect();
            let (opened, others) = match subjects.split_first() {
                Some((opened, others)) => (Some(opened), others),
                None => (None, &[][..]),
            };
            let unmarked: Vec<Reading> =
                Reading::ALL.into_iter().filter(|reading| !reading.reads_marks()).collect();
            let independence_without_marks = &unmarked;
            return json(&All { settings: &settings, opened, others, independence_without_marks });
        }
        let mut rows = Rows::new(&[
            "autoencoder",
            "latents",
            "reading",
            "marks",
            "contrastive",
            "independence",
            "interpretability",
            "contrastive / bound",
        ]);
        for subject in &report.subjects {
            for reading in Reading::ALL {
                let totals = subject.readings.of(reading);
                let share = bound(reading, subject.latents).map(|most| totals.contrastive / most);
                rows.push(vec![
                    subject.name.clone(),
                    subject.latents.to_string(),
                    reading.name().to_owned(),
                    ce_bench::figures::marks(reading).to_owned(),
                    number(format, totals.contrastive),
                    number(format, totals.independence),
                    number(format, totals.interpretability),
                    maybe(format, share),
                ]);
            }
        }
        let Settings { pairs, seed, .. } = settings;
        rows.print(format, |table| {
            format!("means over {pairs} story pairs of seed {seed}\n{table}")
        })
    }
}

//! CE-Bench on the command line.

use std::path::PathBuf;

use serde::Serialize;
use sfc_bench::Problem;
use sfc_bench::papers::ce_bench::metric::Reading;
use sfc_bench::papers::ce_bench::{self, About, Readings, Settings, bound};
use sfc_bench::toy_model::DICTIONARIES;

use crate::format::{Failed, Format, Output, Rows, json, number};
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

/// An autoencoder as JSON has it.
#[derive(Serialize)]
struct JsonOutput<'a> {
    sae: &'a str,
    latents: usize,
    trained: bool,
    readings: Readings,
    winner_about_the_contrast: About,
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
        match self.output.format() {
            Format::Json => json(&report),
            Format::Csv => Ok(given::csv(&report.tables())),
            Format::Table => {
                let sentence = [report.claim.sentence()];
                let notes: Vec<String> = sentence.iter().chain(&report.notes).cloned().collect();
                Ok(given::text(report.tables(), &notes))
            }
        }
    }

    fn given(&self) -> Result<String, Failed> {
        let report = ce_bench::own::read(given::files(&self.own, &PAIRS)?)?;
        match self.output.format() {
            Format::Json => json(&report),
            Format::Csv => Ok(given::csv(&report.tables())),
            Format::Table => Ok(given::text(report.tables(), &report.notes)),
        }
    }

    fn shipped(&self) -> Result<String, Failed> {
        let settings = self.knobs.settings()?;
        let names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        let others = if self.all { &names[..] } else { &[] };
        let report = ce_bench::run(&settings, others, &mut |_, _| {})?;
        let subjects: Vec<JsonOutput> = report
            .subjects
            .iter()
            .map(|subject| JsonOutput {
                sae: &subject.name,
                latents: subject.latents,
                trained: subject.trained,
                readings: subject.readings,
                winner_about_the_contrast: subject.about,
            })
            .collect();
        let format = self.output.format();
        if format == Format::Json {
            #[derive(Serialize)]
            struct All<'a> {
                settings: &'a Settings,
                #[serde(flatten)]
                opened: Option<&'a JsonOutput<'a>>,
                #[serde(skip_serializing_if = "<[_]>::is_empty")]
                others: &'a [JsonOutput<'a>],
                /// The readings whose independence is of no marks.
                independence_without_marks: &'a [Reading],
            }
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
        for found in &subjects {
            for reading in Reading::ALL {
                let totals = found.readings.of(reading);
                let share = bound(reading, found.latents).map(|most| totals.contrastive / most);
                rows.push(vec![
                    found.sae.to_owned(),
                    found.latents.to_string(),
                    reading.name().to_owned(),
                    ce_bench::figures::marks(reading).to_owned(),
                    number(format, totals.contrastive),
                    number(format, totals.independence),
                    number(format, totals.interpretability),
                    share.map_or_else(|| "–".to_owned(), |share| number(format, share)),
                ]);
            }
        }
        if format == Format::Csv {
            return rows.csv();
        }
        Ok(format!(
            "means over {} story pairs of seed {}\n{}",
            settings.pairs,
            settings.seed,
            rows.table()
        ))
    }
}

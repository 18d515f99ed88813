//! CE-Bench on the command line.

use std::path::PathBuf;

use serde::Serialize;
use sfc_bench::papers::ce_bench::metric::Reading;
use sfc_bench::papers::ce_bench::{self, Settings, score_bound};
use sfc_bench::toy_model::DICTIONARIES;
use sfc_bench::{Problem, object};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, format_optional, to_json};
use crate::model_metrics::StoryArgs;
use crate::parameters::ParameterArgs;
use crate::small_files;

/// What files of a folder are taken: of results, and of one's own pairs.
const RESULT_FILES: [&str; 1] = ["results.json"];
const PAIR_FILE_ENDINGS: [&str; 6] = [".json", ".jsonl", ".npy", ".npz", ".safetensors", ".csv"];

#[derive(Debug, clap::Args)]
pub struct CeBenchArgs {
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
    knobs: ParameterArgs<Settings>,
    #[command(flatten)]
    output: OutputArgs,
}

impl CeBenchArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        self.model.of.check()?;
        if let Some(path) = &self.model.of.model.model {
            let others = [("all", self.all), ("results", !self.results.is_empty()), ("own", !self.own.is_empty())];
            if let Some((name, _)) = others.iter().find(|(_, given)| *given) {
                return Err(Problem::new(name, "given", "no value with --model").into());
            }
            return self.model.run(path, &self.knobs, self.output.format());
        }
        match (self.results.is_empty(), self.own.is_empty()) {
            (false, _) => self.rank_results(),
            (_, false) => self.score_user_pairs(),
            _ => self.score_shipped(),
        }
    }

    fn rank_results(&self) -> Result<String, BoxError> {
        let report = ce_bench::user_files::read_results(small_files::read_files(&self.results, &RESULT_FILES)?)?;
        let mut notes = vec![report.claim.describe()];
        notes.extend_from_slice(&report.notes);
        small_files::format_tables(self.output.format(), &report, report.tables(), &notes)
    }

    fn score_user_pairs(&self) -> Result<String, BoxError> {
        let report = ce_bench::user_files::score_files(small_files::read_files(&self.own, &PAIR_FILE_ENDINGS)?)?;
        small_files::format_tables(self.output.format(), &report, report.tables(), &report.notes)
    }

    fn score_shipped(&self) -> Result<String, BoxError> {
        let settings = self.knobs.settings()?;
        let names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        let others = if self.all { &names[..] } else { &[] };
        let report = ce_bench::run(&settings, others, &mut |_, _| {})?;
        let format = self.output.format();
        if format == Format::Json {
            #[derive(Serialize)]
            struct ShippedScores<'a, S> {
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
            let unmarked: Vec<Reading> = Reading::ALL.into_iter().filter(|reading| !reading.reads_marks()).collect();
            let independence_without_marks = &unmarked;
            return to_json(&ShippedScores { settings: &settings, opened, others, independence_without_marks });
        }
        let mut rows = TextTable::new(&[
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
                let totals = subject.readings.get(reading);
                let share = score_bound(reading, subject.latents).map(|most| totals.contrastive / most);
                rows.push(vec![
                    subject.name.clone(),
                    subject.latents.to_string(),
                    reading.name().to_owned(),
                    ce_bench::figures::describe_marks(reading).to_owned(),
                    format_number(format, totals.contrastive),
                    format_number(format, totals.independence),
                    format_number(format, totals.interpretability),
                    format_optional(format, share),
                ]);
            }
        }
        let Settings { pairs, seed, .. } = settings;
        rows.render(format, |table| format!("means over {pairs} story pairs of seed {seed}\n{table}"))
    }
}

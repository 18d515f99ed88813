//! FADE on the command line.

use std::path::PathBuf;

use serde::Serialize;
use sfc_bench::papers::fade::{self, Feature, Settings};
use sfc_bench::{Problem, object};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_optional, to_json};
use crate::model_metrics::FadeArgs;
use crate::parameters::ParameterArgs;
use crate::small_files;

/// What files of a folder are taken.
const FILE_ENDINGS: [&str; 5] = [".json", ".npy", ".npz", ".safetensors", ".csv"];

#[derive(Debug, clap::Args)]
pub struct FadeCommandArgs {
    /// Rate bad descriptions too: of wrong concepts, too broad or narrow, of dead and dense latents
    #[arg(long)]
    bad: bool,
    /// Score your own files instead: activations with labels and ratings, told by their names, and the folders that
    /// FADE writes; of the options below only --rated and --norm, and --sample, --top and --seed of a sample
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with = "bad")]
    own: Vec<PathBuf>,
    #[command(flatten)]
    model: FadeArgs,
    #[command(flatten)]
    knobs: ParameterArgs<Settings>,
    #[command(flatten)]
    output: OutputArgs,
}

/// A feature as JSON has it: of each score the code's reading, and clarity's other one.
fn feature_json(feature: &Feature) -> impl Serialize {
    let steered = feature.steered.as_ref();
    object! {
        concept: &feature.concept,
        case: feature.case,
        latent: feature.latent,
        f1: feature.f1,
        clarity: feature.clarity.code,
        clarity_document: feature.clarity.document,
        clarity_ceiling: feature.ceiling,
        responsiveness: feature.responsiveness.code,
        responsiveness_document: feature.responsiveness.document,
        purity: feature.purity.code,
        purity_document: feature.purity.document,
        purity_by_chance: feature.prevalence,
        gate: feature.gate,
        /// How many natural texts are rated.
        rated: feature.rated.as_ref().map_or(feature.natural.len(), Vec::len),
        /// The scores of texts under every choice of rated texts and of the norm.
        variants: &feature.variants,
        faithfulness: steered.map(|steered| steered.faithfulness),
        best_factor: steered.and_then(|steered| steered.best_factor),
        shares: steered.map_or(&[][..], |steered| &steered.shares),
    }
}

impl FadeCommandArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        self.model.of.check()?;
        if self.model.of.model.model.is_some() && (self.bad || !self.own.is_empty()) {
            let given = if self.bad { "bad" } else { "own" };
            return Err(Problem::new(given, "given", "no value with --model").into());
        }
        match &self.model.of.model.model {
            Some(path) => self.model.run(path, &self.knobs, self.output.format()),
            None if self.own.is_empty() => self.score_shipped(),
            None => self.score_user_files(),
        }
    }

    fn score_user_files(&self) -> Result<String, BoxError> {
        let settings = fade::user_files::parse_settings(self.knobs.draft())?;
        let report = fade::user_files::score_files(small_files::read_files(&self.own, &FILE_ENDINGS)?, &settings)?;
        let notes = report.folders.iter().flat_map(|folder| &folder.notes);
        let notes: Vec<String> = report.notes.iter().chain(notes).cloned().collect();
        small_files::format_tables(self.output.format(), &report, report.tables(), &notes)
    }

    fn score_shipped(&self) -> Result<String, BoxError> {
        let settings = self.knobs.settings()?;
        let mut report = fade::run(&settings, &mut |_, _| {})?;
        if !self.bad {
            report.features.retain(|feature| feature.case == fade::DescriptionCase::Best);
        }
        let format = self.output.format();
        if format == Format::Json {
            let features: Vec<_> = report.features.iter().map(feature_json).collect();
            return to_json(&object! {
                settings: &settings,
                latents: report.latents,
                dead: report.dead,
                means: report.means(),
                features,
            });
        }
        let mut rows = TextTable::new(&[
            "concept",
            "case",
            "latent",
            "clarity",
            "clarity (note)",
            "responsiveness",
            "purity",
            "faithfulness",
            "at factor",
            "gate",
        ]);
        for feature in &report.features {
            let steered = feature.steered.as_ref();
            let factor = steered.and_then(|steered| steered.best_factor);
            rows.push(vec![
                feature.concept.clone(),
                feature.case.label().to_owned(),
                feature.latent.to_string(),
                format_optional(format, feature.clarity.code),
                format_optional(format, feature.clarity.document),
                format_optional(format, feature.responsiveness.code),
                format_optional(format, feature.purity.code),
                format_optional(format, steered.map(|steered| steered.faithfulness)),
                factor.map_or_else(|| "–".to_owned(), |factor| factor.to_string()),
                if feature.gate { "passed" } else { "–" }.to_owned(),
            ]);
        }
        let means = report.means();
        rows.render(format, |table| {
            format!(
                "{}: {} latents, {} of them dead; means over the concepts: clarity {:.3}, responsiveness \
                 {:.3}, purity {:.3}, faithfulness {:.3}; {} of {} pass the gate.{}\n{table}",
                settings.sae,
                report.latents,
                report.dead,
                means.clarity,
                means.responsiveness,
                means.purity,
                means.faithfulness.unwrap_or(0.0),
                means.gate,
                report.best_features().count(),
                fade::figures::describe_choices(&settings),
            )
        })
    }
}

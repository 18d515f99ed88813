//! FADE on the command line.

use std::path::PathBuf;

use serde::Serialize;
use sfc_bench::Problem;
use sfc_bench::papers::fade::{self, Feature, Settings};

use crate::format::{Failed, Format, Output, Rows, json, number};
use crate::given;
use crate::model_metrics::FadeArgs;
use crate::parameters::Parameters;

/// What files of a folder are taken.
const ENDINGS: [&str; 5] = [".json", ".npy", ".npz", ".safetensors", ".csv"];

#[derive(Debug, clap::Args)]
pub struct Fade {
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
    knobs: Parameters<Settings>,
    #[command(flatten)]
    output: Output,
}

/// A feature as JSON has it: of each score the code's reading, and clarity's other one.
#[derive(Serialize)]
struct JsonOutput<'a> {
    concept: &'a str,
    case: fade::Case,
    latent: usize,
    f1: f64,
    clarity: Option<f64>,
    clarity_document: Option<f64>,
    clarity_ceiling: f64,
    responsiveness: Option<f64>,
    responsiveness_document: Option<f64>,
    purity: Option<f64>,
    purity_document: Option<f64>,
    purity_by_chance: f64,
    gate: bool,
    /// How many natural texts are rated.
    rated: usize,
    /// The scores of texts under every choice of rated texts and of the norm.
    variants: &'a [fade::Variant],
    faithfulness: Option<f64>,
    best_factor: Option<f64>,
    shares: &'a [f64],
}

impl<'a> JsonOutput<'a> {
    fn of(feature: &'a Feature) -> Self {
        let steered = feature.steered.as_ref();
        Self {
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
            rated: feature.rated.as_ref().map_or(feature.natural.len(), Vec::len),
            variants: &feature.variants,
            faithfulness: steered.map(|steered| steered.faithfulness),
            best_factor: steered.and_then(|steered| steered.best_factor),
            shares: steered.map_or(&[], |steered| &steered.shares),
        }
    }
}

impl Fade {
    pub fn text(&self) -> Result<String, Failed> {
        self.model.of.check()?;
        if self.model.of.model.model.is_some() && (self.bad || !self.own.is_empty()) {
            let given = if self.bad { "bad" } else { "own" };
            return Err(Problem::new(given, "given", "no value with --model").into());
        }
        match &self.model.of.model.model {
            Some(path) => self.model.text(path, &self.knobs, self.output.format()),
            None if self.own.is_empty() => self.shipped(),
            None => self.given(),
        }
    }

    fn given(&self) -> Result<String, Failed> {
        let settings = fade::own::settings(self.knobs.draft())?;
        let report = fade::own::read(given::files(&self.own, &ENDINGS)?, &settings)?;
        match self.output.format() {
            Format::Json => json(&report),
            Format::Csv => Ok(given::csv(&report.tables())),
            Format::Table => {
                let notes = report.folders.iter().flat_map(|folder| &folder.notes);
                let notes: Vec<String> = report.notes.iter().chain(notes).cloned().collect();
                Ok(given::text(report.tables(), &notes))
            }
        }
    }

    fn shipped(&self) -> Result<String, Failed> {
        let settings = self.knobs.settings()?;
        let mut report = fade::run(&settings, &mut |_, _| {})?;
        if !self.bad {
            report.features.retain(|feature| feature.case == fade::Case::Best);
        }
        let format = self.output.format();
        if format == Format::Json {
            #[derive(Serialize)]
            struct All<'a> {
                settings: &'a Settings,
                latents: usize,
                dead: usize,
                means: fade::Means,
                features: Vec<JsonOutput<'a>>,
            }
            return json(&All {
                settings: &settings,
                latents: report.latents,
                dead: report.dead,
                means: report.means(),
                features: report.features.iter().map(JsonOutput::of).collect(),
            });
        }
        let mut rows = Rows::new(&[
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
        let shown = |value: Option<f64>| {
            value.map_or_else(|| "–".to_owned(), |value| number(format, value))
        };
        for feature in &report.features {
            let found = JsonOutput::of(feature);
            rows.push(vec![
                found.concept.to_owned(),
                found.case.label().to_owned(),
                found.latent.to_string(),
                shown(found.clarity),
                shown(found.clarity_document),
                shown(found.responsiveness),
                shown(found.purity),
                shown(found.faithfulness),
                found.best_factor.map_or_else(|| "–".to_owned(), |factor| factor.to_string()),
                if found.gate { "passed" } else { "–" }.to_owned(),
            ]);
        }
        if format == Format::Csv {
            return rows.csv();
        }
        let means = report.means();
        Ok(format!(
            "{}: {} latents, {} of them dead; means over the concepts: clarity {:.3}, responsiveness \
             {:.3}, purity {:.3}, faithfulness {:.3}; {} of {} pass the gate.{}\n{}",
            settings.sae,
            report.latents,
            report.dead,
            means.clarity,
            means.responsiveness,
            means.purity,
            means.faithfulness.unwrap_or(0.0),
            means.gate,
            report.best().count(),
            fade::figures::choices(&settings),
            rows.table()
        ))
    }
}

//! A paper's metric on a language model as the page and Python ask for it: a request, steps, and a report.

use serde::{Deserialize, Serialize};

use super::{
    CeBenchOptions, CeBenchReport, CeBenchRun, CircuitOptions, CircuitReport, CircuitRun, FadeOptions, FadeReport,
    FadeRun, MuiOptions, MuiReport, MuiRun, StoryPair, template_pairs,
};
use crate::io::EscapedText;
use crate::model::{Hook, LanguageModel, ModelError, Tokenizer};
use crate::papers::ce_bench::user_files::read_story_pairs;
use crate::sae::latents::{Concept, ConceptError, DEFAULT_CONCEPTS, SAMPLE_TEXT};
use crate::sae::{Autoencoder, SpliceError};
use crate::study::user_file::UserFile;
use crate::study::{Failure, impl_failure_from};

/// Which metric, and of what: texts and rules that are not given are those that are built in, pairs of stories those that
/// are made by templates, the hook the one that the autoencoder's configuration names.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "metric", rename_all = "kebab-case", deny_unknown_fields)]
pub enum MetricRequest {
    /// FADE (arXiv:2502.16994) of the latents that separate concepts best.
    Fade {
        /// TransformerLens' name or Hugging Face's.
        hook: Option<String>,
        /// Natural texts, parted by blank lines.
        texts: Option<String>,
        /// Rules of concepts, a line each.
        rules: Option<String>,
        /// How latents are rated.
        #[serde(default)]
        options: FadeOptions,
    },
    /// CE-Bench (arXiv:2509.00691) of the whole autoencoder.
    CeBench {
        /// As for FADE.
        hook: Option<String>,
        /// Pairs of stories.
        stories: Option<StoryFile>,
        /// How stories are read.
        #[serde(default)]
        options: CeBenchOptions,
    },
    /// The Model Utilization Index (arXiv:2504.07440) of the model.
    Mui {
        /// How the index is measured.
        #[serde(default)]
        options: MuiOptions,
    },
    /// Measurement theory's metrics of circuits of the model's heads.
    Circuits {
        /// How circuits are found and measured.
        #[serde(default)]
        options: CircuitOptions,
    },
}

/// A file of pairs of stories, as [`read_story_pairs`] reads it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryFile {
    /// Its name: a .csv, .json or .jsonl.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A paper's metric on a model, step by step.
pub enum MetricRun {
    /// FADE.
    Fade(Box<FadeRun>),
    /// CE-Bench.
    CeBench(Box<CeBenchRun>),
    /// The Model Utilization Index.
    Mui(Box<MuiRun>),
    /// Circuits of heads.
    Circuits(Box<CircuitRun>),
}

/// What there is of one.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum MetricReport {
    /// FADE.
    Fade(Box<FadeReport>),
    /// CE-Bench.
    CeBench(Box<CeBenchReport>),
    /// The Model Utilization Index.
    Mui(Box<MuiReport>),
    /// Circuits of heads.
    Circuits(Box<CircuitReport>),
}

impl_failure_from!(
    ModelError: |error| match error {
        ModelError::Size { field, .. } | ModelError::Value { field, .. } => Some(field),
        _ => None,
    },
    SpliceError: |_| None,
    ConceptError: |_| Some("concepts")
);

/// The tokenizer of a model.
///
/// # Errors
/// `tokenizer.absent` where it has none.
pub fn require_tokenizer(model: &LanguageModel) -> Result<&Tokenizer, Failure> {
    model.tokenizer().ok_or_else(|| {
        let message = "the model has no tokenizer: give tokens by their numbers";
        Failure::new("tokenizer.absent", &message, Some("text"))
    })
}

/// The place of an autoencoder in a model: by a name, or the one that its configuration names.
///
/// # Errors
/// `model.hook` where the model has no such place, or none is named.
pub fn resolve_hook(model: &LanguageModel, autoencoder: &Autoencoder, name: Option<&str>) -> Result<Hook, Failure> {
    let architecture = model.decoder().architecture();
    let refuse = |found: &str, allowed: &str| {
        let message = format!("hook = {}; allowed: {allowed}", EscapedText(found));
        Failure::new("model.hook", &message, Some("hook"))
    };
    match name {
        Some(name) => architecture.parse_hook(name).map_err(|allowed| refuse(&format!("{name:?}"), &allowed)),
        None => autoencoder.hook(architecture).ok_or_else(|| {
            let found = autoencoder.recognised().hook.as_deref().unwrap_or("nothing");
            refuse(found, "a hook of the model’s: the autoencoder does not name one")
        }),
    }
}

fn require_autoencoder(autoencoder: Option<&Autoencoder>) -> Result<&Autoencoder, Failure> {
    let none = || Failure::new("splice.absent", &"no autoencoder has been opened", None);
    autoencoder.ok_or_else(none)
}

impl MetricRun {
    /// Cuts texts into tokens; nothing is run yet.
    ///
    /// # Errors
    /// With the code of whatever does not fit: texts, rules, pairs, the hook, options; a tokenizer or an autoencoder that is
    /// missing.
    pub fn new(
        model: &LanguageModel,
        autoencoder: Option<&Autoencoder>,
        request: MetricRequest,
    ) -> Result<Self, Failure> {
        let tokenizer = require_tokenizer(model)?;
        Ok(match request {
            MetricRequest::Fade { hook, texts, rules, options } => {
                let rules = rules.as_deref().unwrap_or(DEFAULT_CONCEPTS);
                let concepts = Concept::parse(rules)?;
                let texts = (texts.as_deref().unwrap_or(SAMPLE_TEXT), concepts);
                let autoencoder = require_autoencoder(autoencoder)?;
                let hook = resolve_hook(model, autoencoder, hook.as_deref())?;
                let run = FadeRun::new(model, tokenizer, autoencoder, hook, texts, options);
                Self::Fade(Box::new(run?))
            }
            MetricRequest::CeBench { hook, stories, options } => {
                let pairs = match stories {
                    None => template_pairs(),
                    Some(StoryFile { name, text }) => {
                        let file = UserFile { name, bytes: text.into_bytes() };
                        let pairs = read_story_pairs(&file)?;
                        let named = |(name, stories)| StoryPair { name, stories };
                        pairs.into_iter().map(named).collect()
                    }
                };
                let autoencoder = require_autoencoder(autoencoder)?;
                let hook = resolve_hook(model, autoencoder, hook.as_deref())?;
                let run = CeBenchRun::new(model, tokenizer, autoencoder, hook, &pairs, options);
                Self::CeBench(Box::new(run?))
            }
            MetricRequest::Mui { options } => {
                let run = MuiRun::new(model, tokenizer, options);
                Self::Mui(Box::new(run?))
            }
            MetricRequest::Circuits { options } => {
                let run = CircuitRun::new(model, tokenizer, options);
                Self::Circuits(Box::new(run?))
            }
        })
    }

    /// How many steps there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        match self {
            Self::Fade(run) => run.steps(),
            Self::CeBench(run) => run.steps(),
            Self::Mui(run) => run.steps(),
            Self::Circuits(run) => run.steps(),
        }
    }

    /// Takes the next step; how many have been taken. One that is cancelled can be taken again.
    ///
    /// # Errors
    /// With the code of what the model or the autoencoder could not do.
    pub fn step(&mut self, model: &LanguageModel, autoencoder: Option<&Autoencoder>) -> Result<usize, Failure> {
        match self {
            Self::Fade(run) => Ok(run.step(model, require_tokenizer(model)?, require_autoencoder(autoencoder)?)?),
            Self::CeBench(run) => run.step(model, require_autoencoder(autoencoder)?).map_err(Failure::from),
            Self::Mui(run) => run.step(model).map_err(Failure::from),
            Self::Circuits(run) => run.step(model).map_err(Failure::from),
        }
    }

    /// What there is of it so far.
    ///
    /// # Errors
    /// Where latents or differences of answers are no finite numbers.
    pub fn report(&self) -> Result<MetricReport, Failure> {
        Ok(match self {
            Self::Fade(run) => MetricReport::Fade(Box::new(run.report())),
            Self::CeBench(run) => {
                let report = run.report();
                let wrong = |error| Failure::new("evaluate.row", &error, None);
                MetricReport::CeBench(Box::new(report.map_err(wrong)?))
            }
            Self::Mui(run) => MetricReport::Mui(Box::new(run.report())),
            Self::Circuits(run) => {
                let report = run.report()?;
                MetricReport::Circuits(Box::new(report))
            }
        })
    }
}

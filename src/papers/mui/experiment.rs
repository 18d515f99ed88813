//! What the paper's corollaries ask, done on the toy model's shipped checkpoints.

mod ablation_curves;
mod contamination;
mod correctness;
mod difficulty;
mod diversity;
mod domains;
mod draws;
mod features;
mod judgement;
mod length;
mod masking;
mod models;
mod selection;

use serde::{Deserialize, Serialize};

pub use ablation_curves::{AblationCurve, AblationCurves, AblationPoint, RandomAblationPoint};
pub use contamination::ContaminationResult;
pub use correctness::CorrectnessResult;
pub use difficulty::{DifficultyGrade, DifficultyResult};
pub use diversity::{DiversityResult, GrowthCurve, GrowthParts};
pub(super) use draws::format_percent;
pub use draws::{Band, DRAW_COUNT, SET_COUNT};
pub use features::{DictionaryResult, FeaturesResult};
pub use judgement::ClaimJudgement;
pub use length::LengthResult;
pub use masking::{MaskingPoint, MaskingResult};
pub use models::{ModelRanking, RankAgreement, RankedModel, TaskMeans, mean_harder_accuracy, scale_k};
pub use selection::{Agreement, SelectionResult, SelectionRule};

use super::baselines::BASELINES_FILE;
use super::settings::Settings;
use crate::toy_model::{DICTIONARIES, FINAL_CHECKPOINT, ToyModelError};

macro_rules! experiments {
    ($($(#[$doc:meta])* $name:ident $field:ident $found:ty, $figures:expr, $run:path;)*) => {
        /// An experiment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Experiment { $($(#[$doc])* $name,)* }

        impl Experiment {
            /// All of them.
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($field),)* }
            }

            /// The figures that show what it finds.
            #[must_use]
            pub const fn figures(self) -> &'static [&'static str] {
                match self { $(Self::$name => &$figures,)* }
            }
        }

        /// What was found, as far as it was asked for.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiExperiments"))]
        #[serde(default)]
        pub struct Experiments { $($(#[$doc])* pub $field: Option<$found>,)* }

        impl Experiments {
            /// Takes what others have found.
            pub fn take(&mut self, other: Self) {
                $(self.$field = other.$field.or(self.$field.take());)*
            }
        }

        /// Does one.
        ///
        /// # Errors
        /// [`ToyModelError`].
        pub fn experiment(settings: &Settings, which: Experiment) -> Result<Experiments, ToyModelError> {
            let mut found = Experiments::default();
            match which { $(Experiment::$name => found.$field = Some($run(settings)?),)* }
            Ok(found)
        }
    };
}

experiments! {
    /// More kinds of tasks, as many answers (Fig. 9).
    Diversity diversity DiversityResult, ["mui-diversity", "mui-parts"], diversity::run;
    /// More topics of stories, as many answers (Fig. 9).
    Domains domains DiversityResult, ["mui-domains"], domains::run;
    /// Harder tests (Fig. 19).
    Difficulty difficulty Vec<DifficultyResult>, ["mui-difficulty"], difficulty::run;
    /// Short prompts against long ones (Fig. 16 to 18).
    Length length Vec<LengthResult>, ["mui-length"], length::run;
    /// The selected neurons switched off, against random ones (Fig. 11).
    Masking masking MaskingResult, ["mui-masking"], masking::run;
    /// The same, selected by each score (Fig. 22 to 26).
    Scores scores AblationCurves, ["mui-scores"], ablation_curves::curves_by_score;
    /// The same, selected by each kind of threshold (Fig. 22 to 26).
    Cutoffs cutoffs AblationCurves, ["mui-cutoffs"], ablation_curves::curves_by_threshold;
    /// How scores and thresholds order tasks and checkpoints (Tables 11 to 17).
    Selection selection SelectionResult, ["mui-selection", "mui-ways"], selection::run;
    /// Test items seen in training (Fig. 8).
    Contamination contamination Vec<ContaminationResult>, ["mui-contamination"], contamination::run;
    /// Right answers against wrong ones (Fig. 10).
    Correctness correctness Vec<CorrectnessResult>, ["mui-correctness"], correctness::run;
    /// Models of several sizes, seeds and lengths of training, ranked (Table 1).
    Models models ModelRanking, ["mui-models", "mui-ranked"], models::run;
    /// The index by features of autoencoders (App. B.1).
    Features features FeaturesResult, ["mui-features"], features::run;
}

impl Experiment {
    /// By its name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|which| which.name() == name)
    }

    /// Those that a figure shows something of.
    #[must_use]
    pub fn for_figure(figure: &str) -> Vec<Self> {
        let shows = |which: &Self| {
            // Topics stand below tasks there.
            which.figures().contains(&figure) || (*which == Self::Domains && figure == "mui-parts")
        };
        Self::ALL.into_iter().filter(shows).collect()
    }

    /// The shipped files that it takes.
    #[must_use]
    pub fn required_files(self, settings: &Settings) -> Vec<String> {
        let files: Vec<&str> = match self {
            Self::Contamination => contamination::COMPARED_CHECKPOINTS.to_vec(),
            Self::Selection => {
                let mut names = selection::trained_checkpoints();
                if !names.contains(&settings.checkpoint.as_str()) {
                    names.push(&settings.checkpoint);
                }
                names
            }
            Self::Features => {
                let files = DICTIONARIES.iter().map(|known| known.file);
                let mut names = vec![FINAL_CHECKPOINT];
                for file in files.filter(|file| !file.is_empty()) {
                    if !names.contains(&file) {
                        names.push(file);
                    }
                }
                names
            }
            Self::Models => {
                let mut names = vec![BASELINES_FILE];
                names.extend(models::TOY_CHECKPOINTS);
                names
            }
            _ => vec![&settings.checkpoint],
        };
        files.into_iter().map(str::to_owned).collect()
    }
}

impl Experiments {
    /// What the numbers say of the paper's claims, in the order of the experiments.
    #[must_use]
    pub fn judgements(&self) -> Vec<ClaimJudgement> {
        let mut all = Vec::new();
        if let Some(found) = &self.diversity {
            all.push(found.judge_growth("mui-diversity", "task"));
            all.push(found.judge_halves("mui-parts", "task"));
        }
        if let Some(found) = &self.domains {
            all.push(found.judge_growth("mui-domains", "topic"));
        }
        all.extend(self.difficulty.as_deref().map(difficulty::judge_claim));
        all.extend(self.length.as_deref().map(length::judge_claim));
        all.extend(self.masking.as_ref().map(MaskingResult::judge_claim));
        all.extend(self.scores.as_ref().map(|found| found.judge_claim("mui-scores")));
        all.extend(self.cutoffs.as_ref().map(|found| found.judge_claim("mui-cutoffs")));
        all.extend(self.selection.as_ref().map(SelectionResult::judge_claim));
        all.extend(self.contamination.as_deref().map(contamination::judge_claim));
        all.extend(self.correctness.as_deref().map(correctness::judge_claim));
        all.extend(self.models.as_ref().map(ModelRanking::judge_claim));
        all.extend(self.features.as_ref().map(FeaturesResult::judge_claim));
        all
    }

    /// What they say of the one that a figure is about; empty where it is not there.
    #[must_use]
    pub fn describe_figure(&self, figure: &str) -> String {
        let all = self.judgements();
        let own = all.iter().filter(|of| of.figure == figure);
        own.map(ClaimJudgement::sentence).collect::<Vec<_>>().join(" ")
    }
}

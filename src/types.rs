//! The plain data of this crate in TypeScript, for the package's users and the page's own checks.
//!
//! `www/types/core.d.ts` is written from the Rust types, by their serde attributes, and kept with the
//! source; the test below fails where the two part. `SFC_BENCH_TYPES=write cargo types`
//! writes the file anew.

use std::path::Path;

use ts_rs::{Config, TS};

use crate::io::{DType, Description};
use crate::lab::ensemble::Varied;
use crate::lab::evaluate;
use crate::lab::families;
use crate::lab::language_model;
use crate::lab::{audit, synth};
use crate::link;
use crate::papers::sfc;
use crate::papers::sfc::Preset;
use crate::papers::sfc::metric::completeness::CompletenessReading;
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::papers::sfc::metric::score::Weights;
use crate::papers::sfc::settings::Settings;
use crate::papers::sfc::simplex;
use crate::papers::sfc::{Cell, CellValue, Curve, Point, Report};
use crate::papers::{ce_bench, fade, measurement, mui};
use crate::pareto::Hypervolume;
use crate::plot;
use crate::sae::recovery::Matching;
use crate::sae::train;
use crate::settings;
use crate::settings::Problem;
use crate::study::user_file;
use crate::synthetic;
use crate::synthetic::Shape;
use crate::toy_model;

const HEAD: &str = "/* What crosses the border between JavaScript and the core. Written from the Rust types by
   `SFC_BENCH_TYPES=write cargo types`; a test fails where the two part. */
";

/// The declaration of a type, exported, with its doc comment.
fn declaration<T: TS>(config: &Config) -> String {
    let docs = T::docs().unwrap_or_default();
    format!("\n{docs}export {}\n", T::decl(config))
}

/// Everything, each type once, by name.
fn declarations() -> String {
    let config = Config::default();
    macro_rules! all {
        ($($type:ty),* $(,)?) => {
            [$((<$type>::ident(&config), declaration::<$type>(&config))),*]
        };
    }
    let mut found = all![
        CompletenessReading,
        FidelityMode,
        Problem,
        Settings,
        Preset,
        Shape,
        Weights,
        Point,
        Curve,
        Report,
        Cell,
        CellValue,
        sfc::printed::Tally,
        sfc::printed::Verdict,
        simplex::Region,
        simplex::Border,
        simplex::Standing,
        simplex::Slide,
        simplex::Flip,
        simplex::Divided,
        Varied,
        Hypervolume,
        crate::study::Figure,
        link::State,
        link::Seeds,
        link::Hidden,
        link::Colours,
        link::FrameId,
        link::Figure,
        link::Study,
        link::Files,
        link::Version,
        link::Parsed,
        link::Change,
        link::Verdict,
        link::Digest,
        link::DigestGroup,
        settings::Choice,
        settings::FormField,
        settings::Limit,
        plot::DataTable,
        plot::DataColumn,
        plot::DataCell,
        plot::Align,
        plot::Status,
        plot::Grid,
        plot::GridColumn,
        plot::Layout,
        plot::Mark,
        plot::PlotRect,
        synthetic::World,
        synthetic::Network,
        synthetic::Nonlinear,
        synthetic::Superposition,
        crate::synthetic::UserActivations,
        train::Family,
        train::TrainConfig,
        train::Metrics,
        train::TrainerState,
        Matching,
        train::Parameters,
        families::Method,
        families::MethodRole,
        families::FamiliesConfig,
        families::Job,
        families::JobResult,
        families::Readings,
        families::SeedSpread,
        families::PointReport,
        families::MethodReport,
        families::Choices,
        families::MethodChoice,
        families::FamilyChoice,
        families::HypervolumeDifference,
        families::Coverage,
        families::Quantity,
        families::Warning,
        families::FamiliesReport,
        language_model::CeBenchPair,
        language_model::CeBenchReport,
        language_model::CeBenchScores,
        language_model::ReadingIntervals,
        language_model::ScoreIntervals,
        language_model::CircuitOptions,
        language_model::CircuitPrompt,
        language_model::CircuitReport,
        language_model::CircuitTask,
        language_model::CircuitVerdict,
        language_model::AnswerDifference,
        language_model::Estimate,
        language_model::HeadAblationKind,
        language_model::HeadCircuit,
        language_model::HeadEffect,
        language_model::HeadOrder,
        language_model::LeftOutTask,
        language_model::MeasuredPrompt,
        language_model::OrderedCircuits,
        language_model::SkippedPrompts,
        language_model::TaskCircuits,
        language_model::MuiChange,
        language_model::MuiDirections,
        language_model::MuiModelStep,
        language_model::MuiTaskLaw,
        language_model::MuiTaskStep,
        language_model::ConceptFade,
        language_model::FadeFeature,
        language_model::FadeIntervals,
        language_model::FadeOptions,
        language_model::FadeReport,
        language_model::SteeredFeatures,
        language_model::MuiAnswer,
        language_model::MuiOptions,
        language_model::MuiReport,
        language_model::MuiTask,
        language_model::TaskKind,
        crate::model::PredictionEffect,
        crate::sae::LatentEdit,
        crate::sae::SpliceControl,
        crate::sae::SpliceOptions,
        crate::sae::SpliceReport,
        measurement::metric::Dif,
        measurement::metric::DifGroup,
        measurement::metric::DifPair,
        measurement::metric::DPrime,
        measurement::metric::FaithfulnessArea,
        measurement::metric::Weber,
        ce_bench::metric::Scores,
        mui::metric::Direction,
        DType,
        Description,
        evaluate::ArrayChoice,
        evaluate::SaeFileNames,
        crate::sae::layout::Recognised,
        evaluate::Request,
        evaluate::WorldRequest,
        evaluate::Options,
        evaluate::SkipRules,
        evaluate::SkippedRowCounts,
        evaluate::FormNumber,
        evaluate::FormNumbers,
        evaluate::CodesBy,
        crate::lab::Reading,
        evaluate::Variance,
        evaluate::Phase,
        evaluate::Progress,
        evaluate::InputFile,
        evaluate::Sparsity,
        evaluate::Fidelity,
        evaluate::Completeness,
        evaluate::Histogram,
        evaluate::FeatureActivity,
        evaluate::DirectionSimilarity,
        evaluate::DecoderNorms,
        evaluate::WorstRow,
        evaluate::EvaluationReport,
        evaluate::DecompositionRole,
        evaluate::DecompositionRow,
        evaluate::DecompositionConsistency,
        evaluate::DecompositionsReport,
        toy_model::ShippedFile,
        toy_model::NamedDictionary,
        toy_model::LatentKind,
        toy_model::DictionaryRole,
        toy_model::task::TaskScore,
        toy_model::task::TaskHeadEffect,
        toy_model::training::TrainingOptions,
        toy_model::view::TextView,
        toy_model::view::NextWord,
        toy_model::view::NeuronOnText,
        toy_model::view::LatentOnText,
        fade::Settings,
        fade::DescriptionCase,
        fade::metric::RatedTexts,
        fade::metric::Norm,
        fade::ScoreByReading,
        fade::ScoreVariant,
        fade::SteeringResult,
        fade::TopText,
        fade::Feature,
        fade::MeanScores,
        fade::Report,
        measurement::Settings,
        measurement::claims::ClaimStatus,
        measurement::claims::Claim,
        measurement::validation::Subject,
        measurement::validation::Testbed,
        measurement::validation::MeasurementRecord,
        measurement::validation::Verdict,
        measurement::detail_view::Cell,
        measurement::detail_view::Limit,
        measurement::detail_view::NamedValues,
        measurement::detail_view::PlaneSeries,
        measurement::detail_view::PanelContent,
        measurement::detail_view::Panel,
        measurement::detail_view::Quantity,
        measurement::detail_view::DetailView,
        measurement::report::PartResult,
        measurement::Report,
        crate::sae::synth_sae_bench::SynthScores,
        synth::Settings,
        synth::SynthJobResult,
        synth::Report,
        synth::EvaluationOptions,
        synth::EvaluationResult,
        synth::PrintedRow,
        audit::Kind,
        audit::World,
        audit::Group,
        audit::Subject,
        audit::MetricValue,
        audit::SubjectRow,
        audit::Preset,
        audit::Better,
        audit::AccessLevel,
        audit::Settings,
        audit::report::CompletedJob,
        audit::Report,
        audit::user_files::PublishedAssessment,
        audit::user_files::AuditedFiles,
        audit::VerdictWord,
        audit::Edition,
        audit::StabilityEvidence,
        audit::TruthEvidence,
        audit::LimitSensitivity,
        audit::Advice,
        audit::PassCounts,
        audit::TestCount,
        audit::Column,
        audit::Estimate,
        audit::Cell,
        audit::Reliability,
        audit::ControlOutcome,
        audit::ControlEvidence,
        audit::DoseEvidence,
        audit::Validity,
        audit::ChangeEvidence,
        audit::Reach,
        audit::Cost,
        audit::Evidence,
        audit::MetricEntry,
        audit::Correlations,
        audit::Table,
        mui::Settings,
        mui::claims::Verdict,
        mui::claims::Claim,
        mui::tables::DerivedCell,
        mui::TaskMeasurement,
        mui::CheckpointMeasurement,
        mui::GrowthCurves,
        mui::settings::TrainingData,
        mui::training::TrainingRequest,
        mui::training::TrainingEvaluation,
        mui::training::TrainingHistory,
        mui::training::TrainingState,
        mui::experiment::Band,
        mui::experiment::GrowthCurve,
        mui::experiment::DiversityResult,
        mui::experiment::CorrectnessResult,
        mui::measure::TaskPoint,
        mui::experiment::ContaminationResult,
        mui::experiment::MaskingPoint,
        mui::experiment::RankedModel,
        mui::experiment::ModelRanking,
        mui::experiment::MaskingResult,
        mui::experiment::DifficultyGrade,
        mui::experiment::DifficultyResult,
        mui::experiment::LengthResult,
        mui::experiment::AblationPoint,
        mui::experiment::RandomAblationPoint,
        mui::experiment::AblationCurve,
        mui::experiment::AblationCurves,
        mui::experiment::SelectionRule,
        mui::experiment::SelectionResult,
        mui::experiment::DictionaryResult,
        mui::experiment::FeaturesResult,
        mui::experiment::ClaimJudgement,
        mui::experiment::Experiments,
        mui::Report,
        mui::user_files::ModelPoint,
        mui::user_files::LawResult,
        mui::user_files::UserLaw,
        mui::user_files::LawRow,
        mui::user_files::OptionsDraft,
        mui::user_files::FileContents,
        mui::user_files::EqualCountMui,
        mui::user_files::GrowthPoint,
        mui::user_files::ThresholdResult,
        mui::user_files::NeuronsResult,
        mui::user_files::FileComparison,
        mui::user_files::ProportionRow,
        mui::user_files::UserResults,
        ce_bench::Settings,
        ce_bench::MeanScores,
        ce_bench::ScoresByReading,
        ce_bench::WinnerRelevance,
        ce_bench::SubjectScores,
        ce_bench::Story,
        ce_bench::PairScores,
        ce_bench::Report,
        user_file::GivenRow,
        user_file::Refused,
        user_file::Verdict,
        user_file::Reported,
        fade::user_files::UserScore,
        fade::user_files::LabelCounts,
        fade::user_files::UserDose,
        fade::user_files::UserFeature,
        fade::user_files::FolderReport,
        fade::user_files::UserReport,
        ce_bench::user_files::ResultRow,
        ce_bench::user_files::SumClaim,
        ce_bench::user_files::ResultsReport,
        ce_bench::user_files::MarksSource,
        ce_bench::user_files::ReadingScores,
        ce_bench::user_files::UserPair,
        ce_bench::user_files::ReadingMeans,
        ce_bench::user_files::UserReport,
    ];
    found.sort();
    for pair in found.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "two types of one name");
    }
    let all: String = found.into_iter().map(|(_, text)| text).collect();
    let lines = HEAD.lines().chain(all.lines()).map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// The attributes of an element, which it must know before the core is there.
fn element_keys() -> String {
    let list = |keys: &mut dyn Iterator<Item = link::Key>| -> String {
        keys.map(|row| format!("  '{}',\n", row.key)).collect()
    };
    let framed = ["theme", "id"];
    format!(
        "// @ts-check
/**
 * The names of an <sfc-bench>'s attributes. Written from the rows of the core by
 * `SFC_BENCH_TYPES=write cargo types`; a test fails where the two part.
 */

/** The settings' keys of a link, which `pin.` may stand before. */
const SETTING_KEYS = [
{}];

/** Keys by which a framed page is dressed and named: an element has attributes of its own for both. */
export const FRAME_ONLY_KEYS = ['{}'];

/** Every other key of a link, in its order. */
export const LINK_KEYS = [
  ...SETTING_KEYS,
{}];

/** Keys that stand before the settings that are pinned. */
export const PINNED_KEYS = SETTING_KEYS.map((key) => `pin.${{key}}`);

/** Attributes of a study of families: element-state.js makes one of them. */
export const STUDY_ATTRIBUTES = ['preset', 'world', 'completeness'];

/** The attributes that are no keys of a link. */
export const ELEMENT_ATTRIBUTES = ['figure', 'profile', 'theme', 'controls', 'page', 'of', ...STUDY_ATTRIBUTES];
",
        list(&mut link::setting_keys::<Settings>()),
        framed.join("', '"),
        list(&mut link::VIEW_KEYS.into_iter().filter(|row| !framed.contains(&row.key))),
    )
}

#[track_caller]
fn keep(path: &str, wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var("SFC_BENCH_TYPES").as_deref() == Ok("write") {
        std::fs::write(&file, wanted).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == wanted, "{path} is not what the core says: run SFC_BENCH_TYPES=write cargo types");
}

#[test]
fn the_types_of_the_package_are_those_of_the_core() {
    keep("www/types/core.d.ts", &declarations());
}

#[test]
fn the_attributes_of_an_element_are_the_keys_of_a_link() {
    keep("www/element/element-attributes.js", &element_keys());
}

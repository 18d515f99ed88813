//! The plain data of this crate in TypeScript, for the package's users and the page's own checks.
//!
//! `www/types/core.d.ts` is written from the Rust types, by their serde attributes, and kept with the
//! source; the test below fails where the two part. `SFC_BENCH_TYPES=write cargo test --lib types`
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

const HEAD: &str =
    "/* What crosses the border between JavaScript and the core. Written from the Rust types by
   `SFC_BENCH_TYPES=write cargo test --lib types`; a test fails where the two part. */
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
        link::Group,
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
        crate::synthetic::Own,
        train::Family,
        train::TrainConfig,
        train::Metrics,
        train::State,
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
        families::Difference,
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
        language_model::Difference,
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
        language_model::FadeSteer,
        language_model::MuiAnswer,
        language_model::MuiOptions,
        language_model::MuiReport,
        language_model::MuiTask,
        language_model::TaskKind,
        crate::model::Effect,
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
        evaluate::Choice,
        evaluate::FolderNames,
        crate::sae::layout::Recognised,
        evaluate::Request,
        evaluate::WorldRequest,
        evaluate::Options,
        evaluate::Skip,
        evaluate::Skipped,
        evaluate::Bounded,
        evaluate::Numbers,
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
        evaluate::Features,
        evaluate::Similarity,
        evaluate::DecoderNorms,
        evaluate::WorstRow,
        evaluate::OwnReport,
        evaluate::Role,
        evaluate::DecompositionRow,
        evaluate::DecompositionConsistency,
        evaluate::DecompositionsReport,
        toy_model::Shipped,
        toy_model::Named,
        toy_model::Kind,
        toy_model::Role,
        toy_model::task::Score,
        toy_model::task::Effect,
        toy_model::training::TrainingOptions,
        toy_model::view::View,
        toy_model::view::Next,
        toy_model::view::Neuron,
        toy_model::view::Latent,
        fade::Settings,
        fade::Case,
        fade::metric::RatedTexts,
        fade::metric::Norm,
        fade::Readings,
        fade::Variant,
        fade::Steered,
        fade::TopText,
        fade::Feature,
        fade::Means,
        fade::Report,
        measurement::Settings,
        measurement::claims::Standing,
        measurement::claims::Claim,
        measurement::validation::Subject,
        measurement::validation::Ground,
        measurement::validation::Line,
        measurement::validation::Verdict,
        measurement::detail_view::Cell,
        measurement::detail_view::Limit,
        measurement::detail_view::NamedValues,
        measurement::detail_view::PlaneSeries,
        measurement::detail_view::PanelContent,
        measurement::detail_view::Panel,
        measurement::detail_view::Quantity,
        measurement::detail_view::Picture,
        measurement::report::PartResult,
        measurement::Report,
        crate::sae::synth_sae_bench::SynthScores,
        synth::Settings,
        synth::JobFound,
        synth::Report,
        synth::EvaluationOptions,
        synth::EvaluationFound,
        synth::PrintedRow,
        audit::Kind,
        audit::World,
        audit::Group,
        audit::Subject,
        audit::Value,
        audit::Row,
        audit::Preset,
        audit::Better,
        audit::Needs,
        audit::Settings,
        audit::report::JobFound,
        audit::Report,
        audit::user_files::Published,
        audit::user_files::Given,
        audit::Word,
        audit::Edition,
        audit::StabilityFound,
        audit::TruthFound,
        audit::SensitivityFound,
        audit::Advice,
        audit::Counts,
        audit::TestCount,
        audit::Column,
        audit::Estimate,
        audit::Cell,
        audit::Reliability,
        audit::ControlOutcome,
        audit::ControlFound,
        audit::DoseFound,
        audit::Validity,
        audit::ChangeFound,
        audit::Reach,
        audit::Cost,
        audit::Evidence,
        audit::Entry,
        audit::Correlations,
        audit::Table,
        mui::Settings,
        mui::claims::Verdict,
        mui::claims::Claim,
        mui::tables::Derived,
        mui::TaskIndex,
        mui::CheckpointIndices,
        mui::Growth,
        mui::settings::TrainingData,
        mui::training::TrainingRequest,
        mui::training::Point,
        mui::training::Trained,
        mui::training::State,
        mui::experiment::Band,
        mui::experiment::Growing,
        mui::experiment::Diversity,
        mui::experiment::Correctness,
        mui::measure::TaskPoint,
        mui::experiment::Contaminated,
        mui::experiment::Masked,
        mui::experiment::Ranked,
        mui::experiment::Models,
        mui::experiment::Masking,
        mui::experiment::Grade,
        mui::experiment::Difficulty,
        mui::experiment::Length,
        mui::experiment::AblationPoint,
        mui::experiment::RandomCut,
        mui::experiment::Curve,
        mui::experiment::AblationCurves,
        mui::experiment::SelectionRule,
        mui::experiment::Selection,
        mui::experiment::Features,
        mui::experiment::Featured,
        mui::experiment::Judgement,
        mui::experiment::Experiments,
        mui::Report,
        mui::user_files::ModelPoint,
        mui::user_files::LawResult,
        mui::user_files::OwnLaw,
        mui::user_files::LawRow,
        mui::user_files::OptionsDraft,
        mui::user_files::Holds,
        mui::user_files::Equally,
        mui::user_files::GrowthPoint,
        mui::user_files::ThresholdResult,
        mui::user_files::NeuronsResult,
        mui::user_files::StepResult,
        mui::user_files::Proportion,
        mui::user_files::OwnResults,
        ce_bench::Settings,
        ce_bench::Totals,
        ce_bench::Readings,
        ce_bench::About,
        ce_bench::Subject,
        ce_bench::Story,
        ce_bench::PairScores,
        ce_bench::Report,
        user_file::GivenRow,
        user_file::Refused,
        user_file::Verdict,
        user_file::Reported,
        fade::user_files::Score,
        fade::user_files::Labels,
        fade::user_files::UserDose,
        fade::user_files::UserFeature,
        fade::user_files::Folder,
        fade::user_files::OwnReport,
        ce_bench::user_files::ResultRow,
        ce_bench::user_files::SumClaim,
        ce_bench::user_files::ResultsReport,
        ce_bench::user_files::MarksFrom,
        ce_bench::user_files::PairScores,
        ce_bench::user_files::OwnPair,
        ce_bench::user_files::OwnReading,
        ce_bench::user_files::OwnReport,
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
 * `SFC_BENCH_TYPES=write cargo test --lib types`; a test fails where the two part.
 */

/** The settings' keys of a link, which `pin.` may stand before. */
const SETTINGS = [
{}];

/** Keys by which a framed page is dressed and named: an element has attributes of its own for both. */
export const FRAMED = ['{}'];

/** Every other key of a link, in its order. */
export const KEYS = [
  ...SETTINGS,
{}];

/** Keys that stand before the settings that are pinned. */
export const PINNED = SETTINGS.map((key) => `pin.${{key}}`);

/** Attributes of a study of families: element-state.js makes one of them. */
export const STUDY = ['preset', 'world', 'completeness'];

/** The attributes that are no keys of a link. */
export const OWN = ['figure', 'profile', 'theme', 'controls', 'page', 'of', ...STUDY];
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
    assert!(
        kept == wanted,
        "{path} is not what the core says: run SFC_BENCH_TYPES=write cargo test --lib types"
    );
}

#[test]
fn the_types_of_the_package_are_those_of_the_core() {
    keep("www/types/core.d.ts", &declarations());
}

#[test]
fn the_attributes_of_an_element_are_the_keys_of_a_link() {
    keep("www/element/element-attributes.js", &element_keys());
}

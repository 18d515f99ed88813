//! One metric opened: what is measured of what the settings choose, with the pictures of it as data.

mod adaptive_sparsity;
mod architecture_duality;
mod audit;
mod circuits;
mod core_stability;
mod d_prime;
mod dif;
mod faithfulness_curve;
mod matryoshka;
mod parts;
mod polysemanticity;
mod reproducibility;
mod safety_sve;
mod superposition;
mod weber;
mod word_lists;

use serde::{Deserialize, Serialize};

use super::metric::METRICS;
use super::settings::Settings;
use crate::papers::measurement::MeasurementError;
use crate::toy_model::{CHECKPOINTS, DICTIONARIES};

/// The checkpoint before any training, whose numbers are a control.
pub const UNTRAINED_CHECKPOINT: &str = CHECKPOINTS[0];
/// Random directions and a permuted decoder, whose numbers are controls.
pub const CONTROL_DICTIONARIES: [&str; 2] = ["random256", "topk256_permdec"];

/// Measures the metric that the settings name of what they choose, and its controls.
///
/// # Errors
/// [`MeasurementError`]: for a metric, checkpoint or autoencoder that there is not, a file that is not loaded yet (see
/// [`required_files`]), and parameters that are not allowed.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::detail_view::build_detail_view;
/// use sfc_bench::papers::measurement::Settings;
/// let found = build_detail_view(&Settings { metric: "ex1".to_owned(), n_prompts: 32, ..Settings::default() })?;
/// let circuit = found.value_by_name("found circuit", "dprime");
/// assert!(circuit > found.value_by_name("no head", "dprime"));
/// # Ok::<(), sfc_bench::papers::measurement::MeasurementError>(())
/// ```
pub fn build_detail_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    match settings.metric.as_str() {
        "m07" => architecture_duality::m07_view(settings),
        "m08" => word_lists::m08_view(settings),
        "m09" => core_stability::m09_view(settings),
        "m10" => polysemanticity::m10_view(settings),
        "m11" => matryoshka::m11_view(settings),
        "m12" => adaptive_sparsity::m12_view(settings),
        "m13" => superposition::m13_view(settings),
        "m14" => safety_sve::m14_view(settings),
        "ex1" => d_prime::ex1_view(settings),
        "ex2" => dif::ex2_view(settings),
        "ex11" => weber::ex11_view(settings),
        "ex24" => audit::ex24_view(settings),
        "ex25" => reproducibility::ex25_view(settings),
        "ex34" => word_lists::ex34_view(settings),
        "mib" => faithfulness_curve::mib_view(settings),
        _ => Err(MeasurementError::UnknownMetric {
            found: settings.metric.clone(),
            allowed: METRICS.map(|about| about.id).join(", "),
        }),
    }
}

/// The shipped files that a picture takes, by their names; of a metric that there is not, the checkpoint's.
#[must_use]
pub fn required_files(settings: &Settings) -> Vec<&'static str> {
    let Settings { sae, beside, small, .. } = settings;
    let dictionaries: Vec<&str> = match settings.metric.as_str() {
        "m07" => [&[sae.as_str(), beside], CONTROL_DICTIONARIES.as_slice()].concat(),
        "m08" | "m10" | "m13" | "ex34" => [&[sae.as_str()], CONTROL_DICTIONARIES.as_slice()].concat(),
        "m11" => vec![sae, small, matryoshka::RANDOM_DICTIONARY],
        "m12" => vec![sae, adaptive_sparsity::RANDOM_DICTIONARY],
        _ => Vec::new(),
    };
    let untrained = matches!(settings.metric.as_str(), "m13" | "m14" | "ex1" | "ex2" | "ex11");
    let checkpoint = CHECKPOINTS.into_iter().filter(|name| *name == settings.checkpoint);
    let files = dictionaries.into_iter().filter_map(|name| {
        let named = DICTIONARIES.iter().find(|named| named.name == name)?;
        (!named.file.is_empty()).then_some(named.file)
    });
    let mut found = Vec::new();
    for file in checkpoint.chain(untrained.then_some(UNTRAINED_CHECKPOINT)).chain(files) {
        if !found.contains(&file) {
            found.push(file);
        }
    }
    found
}

/// A metric, opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementPicture"))]
pub struct DetailView {
    /// Its id: "m07".
    pub metric: String,
    /// What was found: quantities by the names that the metric's result and its conditions have, both readings.
    pub quantities: Vec<Quantity>,
    /// Pictures, the one that says most first; one to three.
    pub panels: Vec<Panel>,
}

impl DetailView {
    /// A quantity of a subject, by its name; none where there is none.
    #[must_use]
    pub fn value_by_name(&self, subject: &str, name: &str) -> Option<f64> {
        let of = |found: &&Quantity| found.subject == subject && found.name == name;
        self.quantities.iter().find(of).and_then(|found| found.value)
    }
}

/// A number by its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementQuantity"))]
pub struct Quantity {
    /// Its name: "agreement_code".
    pub name: String,
    /// What it is measured of: "topk256", "random256", "found circuit".
    pub subject: String,
    /// The number; none where there is none.
    pub value: Option<f64>,
}

/// One picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementPanel"))]
pub struct Panel {
    /// A heading: "Where each feature's nearest stands".
    pub title: String,
    /// One sentence with its key numbers.
    pub summary: String,
    /// What is shown, and how to read it.
    pub caption: String,
    /// The data.
    pub shown: PanelContent,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementShown"))]
pub enum PanelContent {
    /// Points or lines, one quantity against another.
    Plane {
        /// The horizontal axis.
        x: String,
        /// The vertical one.
        y: String,
        /// What is drawn.
        series: Vec<PlaneSeries>,
        /// Limits that the metric holds values of the vertical axis against.
        limits: Vec<Limit>,
    },
    /// How often values fall where.
    Histogram {
        /// What the values are.
        x: String,
        /// Each with its values.
        series: Vec<NamedValues>,
        /// Limits that the metric holds the values against.
        limits: Vec<Limit>,
    },
    /// Rows of words and numbers.
    Table {
        /// Headings.
        columns: Vec<String>,
        /// Each as long as there are columns.
        rows: Vec<Vec<Cell>>,
    },
}

/// A series of a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementSeries"))]
pub struct PlaneSeries {
    /// Its name.
    pub name: String,
    /// Whether its points are joined, in their order.
    pub joined: bool,
    /// Whether it is a control or a chance level: drawn in grey.
    pub control: bool,
    /// Points, with what each one is where there is something to say.
    pub points: Vec<(f64, f64, String)>,
}

/// Values with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementValues"))]
pub struct NamedValues {
    /// Their name.
    pub name: String,
    /// Whether they are a control or a chance level.
    pub control: bool,
    /// The values.
    pub values: Vec<f64>,
}

/// A limit, or another number to hold values against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementLimit"))]
pub struct Limit {
    /// What it is: "passes above", "Welch bound".
    pub name: String,
    /// Where.
    pub at: f64,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementCell"))]
pub enum Cell {
    /// A number, written to three decimals.
    Number(f64),
    /// Words.
    Words(String),
}

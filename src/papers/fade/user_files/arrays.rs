use std::collections::HashMap;

use super::report::{LabelCounts, UserDose, UserFeature, UserScore};
use crate::papers::fade::Settings;
use crate::papers::fade::metric::{
    Faithfulness, Norm, RatedDose, RatedTexts, Reading, Sample, clarity, faithfulness, is_above_gate, purity,
    responsiveness,
};
use crate::study::user_file::{UserArray, UserFileError, split_words};

/// Most texts of an array, natural or made.
pub const TEXTS_MAX: usize = 1 << 20;
/// Most features that are scored.
pub const FEATURES_MAX: usize = 65_536;
/// Stands for a text without a label: the scores look at 0 and 2 alone.
pub(super) const UNRATED_LABEL: u8 = u8::MAX;

/// What an array is, by a word of its name.
const ROLE_WORDS: [(&str, &[&str]); 5] = [
    ("labels", &["labels", "label"]),
    ("factors", &["factors", "factor"]),
    ("ratings", &["ratings", "rating", "doses", "dose"]),
    ("synthetic", &["synthetic", "made", "generated"]),
    ("activations", &["activations", "activation", "acts", "natural"]),
];

fn array_role(name: &str) -> Option<&'static str> {
    let words = split_words(name);
    let mut roles = ROLE_WORDS.iter();
    let found = roles.find(|(_, usual)| words.iter().any(|word| usual.contains(&word.as_str())));
    found.map(|(name, _)| *name)
}

/// Where texts' labels come from.
#[derive(Debug, Default)]
enum TextLabels {
    #[default]
    None,
    /// An array: N, or N × F.
    Given(UserArray),
    /// FADE's ratings of the texts: N.
    Rated(Vec<u8>),
}

/// The arrays that were given, each for what it is.
#[derive(Debug, Default)]
pub(super) struct ArrayCollector {
    activations: Option<UserArray>,
    labels: TextLabels,
    made: Option<UserArray>,
    ratings: Option<UserArray>,
    factors: Option<UserArray>,
}

impl ArrayCollector {
    /// Keeps an array for what its name, or else its file's, says it is; nothing where neither does.
    pub fn add_array(&mut self, array: UserArray) -> Result<Option<&'static str>, UserFileError> {
        let Some(name) = array_role(&array.name).or_else(|| array_role(&array.file_stem)) else {
            return Ok(None);
        };
        let twice = |first: &UserArray| Err(UserFileError::duplicate(name, &first.label, &array.label));
        let slot = match name {
            "labels" => {
                if let TextLabels::Given(first) = &self.labels {
                    return twice(first);
                }
                self.labels = TextLabels::Given(array);
                return Ok(Some(name));
            }
            "factors" => &mut self.factors,
            "ratings" => &mut self.ratings,
            "synthetic" => &mut self.made,
            _ => &mut self.activations,
        };
        if let Some(first) = slot {
            return twice(first);
        }
        *slot = Some(array);
        Ok(Some(name))
    }

    /// The activations, where no labels of theirs were given.
    pub fn unlabelled_activations(&self) -> Option<&UserArray> {
        let unlabelled = matches!(self.labels, TextLabels::None);
        self.activations.as_ref().filter(|_| unlabelled)
    }

    /// Labels the texts, one each.
    pub fn set_labels(&mut self, labels: Vec<u8>) {
        self.labels = TextLabels::Rated(labels);
    }

    /// The scores of every feature. Where there `must` be something to score, nothing is refused.
    pub fn score_features(&self, must: bool, settings: &Settings) -> Result<Vec<UserFeature>, UserFileError> {
        let doses = self.read_doses()?;
        let columns = self.activations.as_ref().map(|array| array.cols);
        let Some(count) = columns.or_else(|| (!doses.is_empty()).then_some(doses.len())) else {
            if must || self.made.is_some() || matches!(self.labels, TextLabels::Given(_)) {
                let allowed = "a file or an array of that name is needed, or ratings at several factors";
                return Err(UserFileError::missing("activations", allowed));
            }
            return Ok(Vec::new());
        };
        self.check_shapes(count)?;
        let feature = |feature| self.score_feature(feature, doses.get(feature), settings);
        Ok((0..count).map(feature).collect())
    }

    /// Why no sample is drawn, where one was asked for.
    pub fn no_sample_reason(&self, settings: &Settings) -> Option<String> {
        if settings.rated == RatedTexts::All {
            return None;
        }
        let texts = self.activations.as_ref().map_or(0, |array| array.rows);
        Some(match &self.labels {
            TextLabels::Rated(_) => "No sample was drawn: FADE’s ratings are of one already.".to_owned(),
            TextLabels::Given(_) if texts > settings.sample => return None,
            TextLabels::Given(_) => {
                format!("All {texts} texts are rated: a sample of {} leaves none of them out.", settings.sample)
            }
            TextLabels::None => "No sample was drawn: it takes labels of all texts.".to_owned(),
        })
    }

    /// Holds shapes and labels against what they may be.
    fn check_shapes(&self, count: usize) -> Result<(), UserFileError> {
        if let Some(array) = &self.activations {
            if count > FEATURES_MAX {
                return Err(array.shape_error(format!("at most {FEATURES_MAX} features")));
            }
            if array.rows > TEXTS_MAX {
                return Err(array.shape_error(format!("at most {TEXTS_MAX} texts")));
            }
            if let TextLabels::Given(labels) = &self.labels {
                if labels.rows != array.rows || (labels.cols != 1 && labels.cols != count) {
                    let columns = if count == 1 { "1".to_owned() } else { format!("1 or {count}") };
                    let allowed = format!("{} × {columns}, as the activations have", array.rows);
                    return Err(labels.shape_error(allowed));
                }
                for (at, value) in labels.values.iter().enumerate() {
                    parse_label(labels, at, labels.cols, value)?;
                }
            }
        }
        if let Some(made) = self.made.as_ref().filter(|made| made.cols != count) {
            return Err(made.shape_error(format!("{count} columns, as the activations have")));
        }
        if let Some(made) = self.made.as_ref().filter(|made| made.rows > TEXTS_MAX) {
            return Err(made.shape_error(format!("at most {TEXTS_MAX} texts")));
        }
        Ok(())
    }

    fn score_feature(&self, feature: usize, doses: Option<&Vec<RatedDose>>, settings: &Settings) -> UserFeature {
        let column = |array: &UserArray| -> Vec<f64> { array.column(feature).collect() };
        let (natural, made) = (self.activations.as_ref().map(column), self.made.as_ref().map(column));
        let labels: Option<Vec<u8>> = match &self.labels {
            TextLabels::None => None,
            TextLabels::Given(array) => {
                let column = if array.cols == 1 { 0 } else { feature };
                // They were checked: 0, 1 and 2.
                Some(array.column(column).map(|label| label as u8).collect())
            }
            TextLabels::Rated(labels) => Some(labels.clone()),
        };
        let natural = natural.as_deref();
        let drawn = settings.rated == RatedTexts::Sampled && matches!(self.labels, TextLabels::Given(_));
        let sample = natural.filter(|_| drawn).and_then(|natural| settings.draw_sample(natural));
        let clarity = score_clarity(natural, made.as_deref(), settings.norm);
        let [responsiveness, purity] = score_by_labels(natural, labels.as_deref(), sample.as_ref(), settings.norm);
        let counts = natural.map(|natural| match &labels {
            Some(labels) => LabelCounts::from_labels(labels.iter().copied()),
            None => LabelCounts { unrated: natural.len(), ..LabelCounts::default() },
        });
        let (doses, found) = score_doses(doses.map_or(&[], Vec::as_slice));
        let faithfulness = match &found {
            None => UserScore::missing("ratings at several factors were not given"),
            Some(found) => UserScore::from_faithfulness(found),
        };
        let found = found.and_then(Result::ok);
        UserFeature {
            feature,
            labels: counts,
            made: made.as_ref().map(Vec::len),
            gate: clarity.code.zip(responsiveness.code).map(|(clear, answers)| is_above_gate(clear, answers)),
            clarity,
            responsiveness,
            purity,
            purity_by_chance: match (&sample, &labels) {
                (Some(sample), Some(labels)) => {
                    LabelCounts::from_labels(sample.select(labels, Reading::Code).into_iter()).chance_purity()
                }
                _ => counts.and_then(LabelCounts::chance_purity),
            },
            rated: sample
                .map(|sample| [Reading::Document, Reading::Code].map(|reading| sample.text_indices(reading).len())),
            faithfulness,
            doses,
            best_factor: found.as_ref().and_then(|found| found.best_factor),
            largest_factor: found.and_then(|found| found.largest_factor),
        }
    }

    /// Ratings by feature and factor.
    fn read_doses(&self) -> Result<Vec<Vec<RatedDose>>, UserFileError> {
        match (&self.ratings, &self.factors) {
            (None, None) => Ok(Vec::new()),
            (None, Some(_)) => {
                let allowed = "factors belong to a file or an array of that name";
                Err(UserFileError::missing("ratings", allowed))
            }
            (Some(ratings), Some(factors)) => self.read_dose_blocks(ratings, factors),
            (Some(ratings), None) => self.read_dose_rows(ratings),
        }
    }

    /// Factors × continuations, a block a feature.
    fn read_dose_blocks(&self, ratings: &UserArray, factors: &UserArray) -> Result<Vec<Vec<RatedDose>>, UserFileError> {
        if factors.cols != 1 {
            return Err(factors.shape_error("one column, or one row".to_owned()));
        }
        let count = factors.rows;
        // One factor alone: a row of continuations.
        let (rows, cols) = if count == 1 { ratings.file_shape() } else { (ratings.rows, ratings.cols) };
        let known = self.activations.as_ref().map(|array| array.cols);
        let features = known.unwrap_or(rows / count.max(1));
        if !(1..=FEATURES_MAX).contains(&features) || count.checked_mul(features) != Some(rows) {
            return Err(ratings.shape_error(format!("{count} rows a feature, one a factor")));
        }
        let mut all = Vec::with_capacity(features);
        let mut rated = ratings.values.iter().enumerate();
        for _ in 0..features {
            let mut doses = Vec::with_capacity(count);
            for factor in factors.shortest_decimals() {
                let row = rated.by_ref().take(cols);
                let labels = row.map(|(at, value)| parse_label(ratings, at, cols, value));
                doses.push(RatedDose { factor, labels: labels.collect::<Result<_, _>>()? });
            }
            all.push(doses);
        }
        Ok(all)
    }

    /// Rows of factor, label and feature.
    fn read_dose_rows(&self, ratings: &UserArray) -> Result<Vec<Vec<RatedDose>>, UserFileError> {
        let (_, cols) = ratings.file_shape();
        let known = self.activations.as_ref().map(|array| array.cols);
        if cols != 3 && (cols != 2 || known.is_some_and(|features| features > 1)) {
            let allowed = match known {
                Some(2..) => "3 columns: factor, label, feature",
                _ => "2 columns (factor, label), 3 with the feature, or factors beside it",
            };
            return Err(ratings.shape_error(allowed.to_owned()));
        }
        let most = known.unwrap_or(FEATURES_MAX);
        let mut all: Vec<Vec<RatedDose>> = vec![Vec::new(); known.unwrap_or(1)];
        let mut places: HashMap<(usize, u64), usize> = HashMap::new();
        for row in 0..ratings.values.len() / cols {
            let at = row * cols;
            let (Some(factor), Some(rated)) = (ratings.values.get_shortest_decimal(at), ratings.values.get(at + 1))
            else {
                continue;
            };
            let feature = if cols > 2 { ratings.values.get(at + 2).unwrap_or_default() } else { 0.0 };
            if feature.fract() != 0.0 || !(0.0..most as f64).contains(&feature) {
                let allowed = format!("a feature from 0 to {}", most - 1);
                return Err(ratings.entry_error(at + 2, cols, &feature.to_string(), &allowed));
            }
            let rated = parse_label(ratings, at + 1, cols, rated)?;
            let feature = feature as usize;
            if all.len() <= feature {
                all.resize(feature + 1, Vec::new());
            }
            let Some(doses) = all.get_mut(feature) else { continue };
            // Zero has one sign here.
            let factor = factor + 0.0;
            let place = *places.entry((feature, factor.to_bits())).or_insert(doses.len());
            if place == doses.len() {
                doses.push(RatedDose { factor, labels: Vec::new() });
            }
            if let Some(dose) = doses.get_mut(place) {
                dose.labels.push(rated);
            }
        }
        Ok(all)
    }
}

/// Why the note's formula has no value where its ‖A‖₀ is taken literally.
const ZERO_NORM_REASON: &str =
    "the activations of one of the two sets are all 0: the paper’s formula would divide by 0";

/// Clarity, or why there is none.
fn score_clarity(natural: Option<&[f64]>, made: Option<&[f64]>, norm: Norm) -> UserScore {
    match (natural, made) {
        (Some(natural), Some(made)) => {
            UserScore::from_readings(|reading| clarity(made, natural, reading, norm), ZERO_NORM_REASON)
        }
        (None, _) => UserScore::missing("activations were not given"),
        (_, None) => {
            UserScore::missing("activations of texts that were made from the concept (synthetic) were not given")
        }
    }
}

/// Responsiveness and purity, or why there are none.
fn score_by_labels(
    natural: Option<&[f64]>,
    labels: Option<&[u8]>,
    sample: Option<&Sample>,
    norm: Norm,
) -> [UserScore; 2] {
    let missing = |why| [(); 2].map(|()| UserScore::missing(why));
    let Some(natural) = natural else { return missing("activations were not given") };
    let Some(labels) = labels else { return missing("labels were not given") };
    let rated = |reading| match sample {
        Some(sample) => (sample.select(natural, reading), sample.select(labels, reading)),
        None => (natural.to_vec(), labels.to_vec()),
    };
    let [document, code] = [Reading::Document, Reading::Code].map(rated);
    let of = |reading| if reading == Reading::Code { &code } else { &document };
    let absent =
        [&document, &code].into_iter().find_map(|(_, labels)| match [0, 2].map(|wanted| labels.contains(&wanted)) {
            [true, true] => None,
            [false, false] => Some("no text is labelled 0 or 2"),
            [false, true] => Some("no text is labelled 0"),
            [true, false] => Some("no text is labelled 2"),
        });
    let none = absent.unwrap_or(ZERO_NORM_REASON);
    [
        UserScore::from_readings(
            |reading| {
                let (activations, labels) = of(reading);
                responsiveness(activations, labels, reading, norm)
            },
            none,
        ),
        UserScore::from_readings(
            |reading| {
                let (activations, labels) = of(reading);
                purity(activations, labels, reading)
            },
            none,
        ),
    ]
}

type FaithfulnessResult = Result<Faithfulness, crate::statistics::StatisticsError>;

/// What was rated, and the faithfulness of it; nothing without ratings.
pub(super) fn score_doses(doses: &[RatedDose]) -> (Vec<UserDose>, Option<FaithfulnessResult>) {
    let found = (!doses.is_empty()).then(|| faithfulness(doses));
    (doses.iter().map(UserDose::from_dose).collect(), found)
}

/// A label of an array's entry.
fn parse_label(array: &UserArray, at: usize, cols: usize, value: f64) -> Result<u8, UserFileError> {
    match value {
        0.0 => Ok(0),
        1.0 => Ok(1),
        2.0 => Ok(2),
        _ => Err(array.entry_error(at, cols, &value.to_string(), "a label: 0, 1 or 2")),
    }
}

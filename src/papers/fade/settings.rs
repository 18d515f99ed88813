//! What a run of FADE on the toy model is made of.

use super::metric::{DEFAULT_FACTORS, Norm, RatedTexts, Sample};
use crate::settings::{
    Choice, FieldKind, FormGroup, ListSpan, NameCondition, NamePart, Problem, Problems, Range, check, choice,
    impl_parameter_by_name, parameters, part_if_changed,
};
use crate::toy_model::{DICTIONARIES, dictionary_choices};

/// Natural texts that are rated.
pub const TEXTS_RANGE: Range = Range::integer("texts", 20, 2_000);
/// Texts made from each description.
pub const MADE_TEXTS_RANGE: Range = Range::integer("made", 5, 200);
/// Continuations written at each factor.
pub const CONTINUATIONS_RANGE: Range = Range::integer("continuations", 1, 128);
/// Share of wrong labels, and of made texts that are not of the concept.
pub const RATER_ERROR_RANGE: Range = Range::real("error", 0.0, 0.5);
/// Texts of a sample.
pub const SAMPLE_SIZE_RANGE: Range = Range::integer("sample", 1, 2_000);
/// Share of a sample that comes from the top.
pub const TOP_SHARE_RANGE: Range = Range::real("top", 0.0, 1.0);
/// Factors by which a feature's largest activation is multiplied.
pub const FACTORS_SPAN: ListSpan = ListSpan { min: -100.0, upper_bound: 100.5, count_max: 15 };

const SUBJECT_GROUP: FormGroup = FormGroup { name: "subject", heading: "What is rated" };
const TEXTS_GROUP: FormGroup = FormGroup { name: "texts", heading: "Texts" };
const STEERING_GROUP: FormGroup = FormGroup { name: "steering", heading: "Steering" };
const RATER_GROUP: FormGroup = FormGroup { name: "rater", heading: "Rater" };
const FORMULA_GROUP: FormGroup = FormGroup { name: "formula", heading: "The paper’s formula" };

/// Without the residual stream, which is no dictionary.
const SAE_CHOICES: [Choice; DICTIONARIES.len()] = dictionary_choices(true);

const RATED_TEXTS_CHOICES: [Choice; 2] = [
    choice(RatedTexts::All.name(), "all", "Every natural text"),
    choice(
        RatedTexts::Sampled.name(),
        "a sample",
        "As the reference code does: from bands of a latent’s activations, and the most active ones; purity, \
               which depends on the mix, then is mostly higher",
    ),
];

const NORM_CHOICES: [Choice; 2] = [
    choice(Norm::Elements.name(), "elements", "All activations: a share of pairs, at most 1"),
    choice(
        Norm::Nonzero.name(),
        "non-zeros",
        "Literally the ℓ0 norm: no share of pairs any more, so that scores can exceed 1",
    ),
];

parameters! {
    /// What a run of FADE is made of. Out-of-range values cannot be held: it is made by [`Draft::parse`].
    pub struct Settings of "fade", in TypeScript "FadeSettings", where factors gives way;

    /// The autoencoder's name.
    sae: String = "topk256".to_owned(), ("sae", SUBJECT_GROUP, "Autoencoder", "Autoencoder whose latents are rated"),
        FieldKind::Choice(&SAE_CHOICES), NamePart { rank: 0, prefix: "-", condition: NameCondition::Always };
    /// Natural texts that are rated.
    texts: usize = 600, ("n", TEXTS_GROUP, "Natural texts", "Natural texts: all of them are rated, or a sample"),
        FieldKind::Number(TEXTS_RANGE), part_if_changed(1, "-n");
    /// Texts made from each description.
    made: usize = 50, ("made", TEXTS_GROUP, "Synthetic texts", "Texts generated from each description"),
        FieldKind::Number(MADE_TEXTS_RANGE), part_if_changed(2, "-made");
    /// Seed of the natural texts.
    seed: u32 = 2, ("seed", TEXTS_GROUP, "Seed", "Seed of the natural texts, and of a sample of them"),
        FieldKind::Seed, part_if_changed(3, "-seed");
    /// Continuations written at each factor.
    continuations: usize = 32, ("cont", STEERING_GROUP, "Continuations", "Continuations written at each factor"),
        FieldKind::Number(CONTINUATIONS_RANGE), part_if_changed(4, "-cont");
    /// Multiples of a feature's largest activation, 0 among them.
    factors: Vec<f64> = DEFAULT_FACTORS.to_vec(), ("factors", STEERING_GROUP, "Factors",
        "Multiples of a feature’s largest activation that it is set to, separated by commas; 0 among them"),
        FieldKind::List(FACTORS_SPAN), part_if_changed(5, "-factors");
    /// Share of wrong labels.
    error: f64 = 0.0, ("error", RATER_GROUP, "Error rate",
        "Share of labels that are wrong, and of made texts that are any natural text"),
        FieldKind::Number(RATER_ERROR_RANGE), part_if_changed(6, "-error");
    /// Natural texts that responsiveness and purity are of.
    rated: RatedTexts = RatedTexts::All,
        ("rated", RATER_GROUP, "Rated texts", "Natural texts that responsiveness and purity are of"),
        FieldKind::Choice(&RATED_TEXTS_CHOICES), part_if_changed(7, "-rated-");
    /// Texts of a sample, whether it is what is rated or stands beside that.
    sample: usize = 500,
        ("sample", RATER_GROUP, "Sample", "Texts of a sample, whether it is what is rated or stands beside that"),
        FieldKind::Number(SAMPLE_SIZE_RANGE), part_if_changed(8, "-sample");
    /// Share of a sample that comes from the most active texts, from 0 to 1.
    top: f64 = 0.1, ("top", RATER_GROUP, "Top share", "Share of a sample that comes from the most active texts"),
        FieldKind::Number(TOP_SHARE_RANGE), part_if_changed(9, "-top");
    /// What the note's formula of clarity and responsiveness divides by.
    norm: Norm = Norm::Elements, ("norm", FORMULA_GROUP, "‖A‖₀ counts",
        "What the paper’s clarity and responsiveness divide by for each set; the implementation’s divide by none"),
        FieldKind::Choice(&NORM_CHOICES), part_if_changed(10, "-norm-");

    {
        fn problem(&self) -> Option<Problem> {
            let shown = || self.factors.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
            let none = !self.factors.contains(&0.0);
            none.then(|| {
                Problem::new(
                    "factors",
                    shown(),
                    "a list with 0 in it: that is what the others are held against",
                )
            })
        }
    }
}

impl Draft {
    /// Settings of a draft.
    ///
    /// # Errors
    /// All refused fields together.
    pub fn parse(&self) -> Result<Settings, Problems> {
        check(self)
    }
}

impl Settings {
    /// The sample of natural texts by a latent's activations of them; nothing where it would be all.
    pub(super) fn draw_sample(&self, activations: &[f64]) -> Option<Sample> {
        Sample::draw(activations, self.sample, self.top, self.seed)
    }
}

impl_parameter_by_name! {
    RatedTexts, else All;
    Norm, else Elements;
}

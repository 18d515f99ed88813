use super::description::{Case, Description};
use super::metric::{Dose, Reading, clarity, faithfulness, gate, pooled, purity, responsiveness};
use super::report::{Feature, Means, Readings, Report, Steered, TopText};
use super::settings::Settings;
use crate::little::stream::{Codes, residual};
use crate::little::{self, Dictionary, FINAL, LAYER, LittleError};
use crate::model::{Batch, Hook, Hooks, Model, Seen, Site};
use crate::order::falling;
use crate::statistics::StatisticsError;
use crate::world::language::{CONTEXT, Concept, Draws, START, Token, texts, token};

/// Tokens of a prefix that the model continues, its first one among them.
const PREFIX: usize = 8;
/// Tokens that it writes.
const WRITTEN: usize = 12;
/// Texts that are shown of each feature.
const SHOWN: usize = 12;
/// Continuations that are kept of each factor.
const KEPT: usize = 4;
/// Seeds: of the texts made from a description, of the prefixes, of the draws while writing, of the rater's
/// errors. Those of descriptions have their number added.
const SEEDS: [u32; 4] = [100, 9, 5_000, 7_000];

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FadeError {
    /// The little model or an autoencoder cannot be had.
    #[error(transparent)]
    Little(#[from] LittleError),
    /// A score refuses.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// There is no such feature.
    #[error("feature = {found}; allowed: 0 to {last}")]
    Feature {
        /// Its place.
        found: usize,
        /// The last one's.
        last: usize,
    },
}

impl From<crate::model::ModelError> for FadeError {
    fn from(error: crate::model::ModelError) -> Self {
        Self::Little(error.into())
    }
}

impl FadeError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Little(error) => error.code(),
            Self::Statistics(_) => "fade.statistics",
            Self::Feature { .. } => "fade.feature",
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Little(error) => error.field(),
            Self::Statistics(_) => None,
            Self::Feature { .. } => Some("feature"),
        }
    }
}

/// The natural texts and what an autoencoder makes of them.
struct Natural {
    texts: Vec<Vec<Token>>,
    codes: Codes,
    /// Which tokens each latent is active on: of each latent, token numbers in order.
    active: Vec<Vec<u32>>,
}

impl Natural {
    fn read(
        model: &Model,
        dictionary: &Dictionary,
        settings: &Settings,
    ) -> Result<Self, FadeError> {
        let texts = texts(settings.seed, settings.texts);
        let codes = Codes::of(dictionary, &residual(model, &texts)?, CONTEXT - 1);
        let mut active = vec![Vec::new(); codes.latents()];
        for (at, latents) in codes.tokens().enumerate() {
            for (latent, value) in latents.iter().enumerate() {
                if *value > 0.0 {
                    active[latent].push(at as u32);
                }
            }
        }
        Ok(Self { texts, codes, active })
    }

    /// Which tokens express a description, the first of each text left out.
    fn expressing(&self, description: Description) -> Vec<bool> {
        self.texts.iter().flat_map(|text| description.tokens(text).into_iter().skip(1)).collect()
    }

    /// The latent whose being active tells a description's tokens best, and its F1; the first of equal ones.
    fn best(&self, description: Description) -> (usize, f64) {
        let truth = self.expressing(description);
        let expressing = truth.iter().filter(|expresses| **expresses).count();
        let mut best = (0, f64::NEG_INFINITY);
        for (latent, active) in self.active.iter().enumerate() {
            let right = active.iter().filter(|at| truth[**at as usize]).count();
            let of = active.len() + expressing;
            let f1 = if of == 0 { 0.0 } else { 2.0 * right as f64 / of as f64 };
            if f1 > best.1 {
                best = (latent, f1);
            }
        }
        best
    }

    /// F1 of one latent.
    fn f1(&self, latent: usize, description: Description) -> f64 {
        let truth = self.expressing(description);
        let active = self.active.get(latent).map_or(&[][..], Vec::as_slice);
        let right = active.iter().filter(|at| truth[**at as usize]).count();
        let of = active.len() + truth.iter().filter(|expresses| **expresses).count();
        if of == 0 { 0.0 } else { 2.0 * right as f64 / of as f64 }
    }

    fn dead(&self) -> impl Iterator<Item = usize> {
        (0..self.active.len()).filter(|latent| self.active[*latent].is_empty())
    }

    /// The latent that is active on the most tokens.
    fn dense(&self) -> Option<usize> {
        falling(self.active.iter().map(|active| active.len() as f64)).first().copied()
    }
}

/// What is rated: the concepts with their best latents, and descriptions that are bad on purpose.
fn cases(natural: &Natural) -> Vec<(Case, Description, usize)> {
    use Concept::{Music, Negation, Number, Person, Place, Positive, Refusal, Sea};
    let concept = Description::Concept;
    let best = |of: Description| natural.best(of).0;
    let mut cases: Vec<_> =
        Concept::ALL.map(|of| (Case::Best, concept(of), best(concept(of)))).to_vec();
    let latent = |of: Concept| cases.get(of as usize).map_or(0, |case| case.2);
    let mut bad = vec![
        (Case::Wrong, concept(Music), latent(Sea)),
        (Case::Wrong, concept(Place), latent(Number)),
        (Case::Broad, concept(Negation), latent(Refusal)),
    ];
    let words = [("happy", Positive), ("ann", Person)];
    for (word, of) in words {
        if let Some(token) = token(word) {
            bad.push((Case::Broad, concept(of), best(Description::Word(token))));
        }
    }
    for (word, of) in [("two", Number), ("park", Place)] {
        if let Some(token) = token(word) {
            bad.push((Case::Narrow, Description::Word(token), latent(of)));
        }
    }
    bad.extend(natural.dead().next().map(|dead| (Case::Dead, concept(Sea), dead)));
    bad.extend(natural.dense().map(|dense| (Case::Dense, concept(Person), dense)));
    cases.extend(bad);
    cases
}

/// The rater: right but for a share of labels, which become one of the other two.
struct Rater {
    error: f64,
    draws: Draws,
}

impl Rater {
    fn new(settings: &Settings, description: Description, more: u32) -> Self {
        let seed = SEEDS[3].wrapping_add(description.number()).wrapping_add(more);
        Self { error: settings.error, draws: Draws::new(seed) }
    }

    fn label(&mut self, description: Description, text: &[Token]) -> u8 {
        let label = description.label(text);
        if self.error > 0.0 && self.draws.sample() < self.error {
            return (label + 1 + self.draws.below(2) as u8) % 3;
        }
        label
    }
}

/// Clarity, responsiveness and purity of every concept's best latent and of the bad descriptions. Nothing is
/// steered.
///
/// # Errors
/// [`FadeError`].
pub fn scores(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, FadeError> {
    let (model, dictionary) = (little::model(FINAL)?, little::dictionary(&settings.sae)?);
    tell("natural texts", 0.0);
    let natural = Natural::read(&model, &dictionary, settings)?;
    let cases = cases(&natural);
    let mut features = Vec::with_capacity(cases.len());
    for (done, (case, description, latent)) in cases.iter().enumerate() {
        tell("made texts", (done + 1) as f64 / (cases.len() + 1) as f64);
        let made = Made { model: &model, dictionary: &dictionary, settings };
        features.push(rated(&natural, &made, (*case, *description, *latent))?);
    }
    let dead = natural.dead().count();
    Ok(Report { settings: settings.clone(), latents: dictionary.latents(), dead, features })
}

/// What texts are made with.
struct Made<'a> {
    model: &'a Model,
    dictionary: &'a Dictionary,
    settings: &'a Settings,
}

/// Each text's activation of a latent.
fn by_text(codes: &Codes, latent: usize) -> Vec<f64> {
    codes.columns(latent).map(|column| pooled(&column).unwrap_or(0.0)).collect()
}

fn rated(
    natural: &Natural,
    made: &Made<'_>,
    (case, description, latent): (Case, Description, usize),
) -> Result<Feature, FadeError> {
    let Made { model, dictionary, settings } = *made;
    let mut rater = Rater::new(settings, description, 0);
    let labels: Vec<u8> = natural.texts.iter().map(|text| rater.label(description, text)).collect();
    let seed = SEEDS[0].wrapping_add(description.number());
    let made = description.texts(settings.made, seed, settings.error, &mut rater.draws);
    let codes = Codes::of(dictionary, &residual(model, &made)?, CONTEXT - 1);
    let (made, activations) = (by_text(&codes, latent), by_text(&natural.codes, latent));

    let both = |of: &dyn Fn(Reading) -> Result<Option<f64>, StatisticsError>| {
        let [document, code] = [of(Reading::Document)?, of(Reading::Code)?];
        Ok::<_, StatisticsError>(Readings { document, code })
    };
    let clear = both(&|reading| clarity(&made, &activations, reading).map(Some))?;
    let responsive = both(&|reading| responsiveness(&activations, &labels, reading))?;
    let pure = both(&|reading| purity(&activations, &labels, reading))?;
    let share = |some: usize| some as f64 / labels.len().max(1) as f64;
    let of = |wanted: u8| labels.iter().filter(|label| **label == wanted).count();
    let [none, clearly] = [of(0), of(2)];
    let truth: Vec<f64> =
        natural.texts.iter().map(|text| f64::from(description.label(text) > 0)).collect();
    let ceiling = clarity(&vec![1.0; settings.made], &truth, Reading::Code)?;
    let order = falling(activations.iter().map(|activation| activation.abs()));
    let top = order.into_iter().take(SHOWN).map(|text| TopText {
        tokens: natural.texts[text].clone(),
        activations: natural.codes.column(text, latent),
        expressed: description.tokens(&natural.texts[text]),
        label: labels[text],
    });
    let top = top.collect();
    Ok(Feature {
        concept: description.name(),
        case,
        latent,
        f1: natural.f1(latent, description),
        gate: gate(clear.code.unwrap_or(0.0), responsive.code.unwrap_or(0.0)),
        clarity: clear,
        responsiveness: responsive,
        purity: pure,
        ceiling,
        prevalence: clearly as f64 / (none + clearly).max(1) as f64,
        active: share(activations.iter().filter(|activation| **activation != 0.0).count()),
        largest: activations.iter().fold(0.0, |most: f64, next| most.max(next.abs())),
        natural: activations,
        labels,
        made,
        top,
        steered: None,
    })
}

/// A feature set to its largest activation times a factor, prompt by prompt, at every position.
struct Steering<'a> {
    dictionary: &'a Dictionary,
    latent: usize,
    /// What it is set to, of each prompt.
    wanted: Vec<f32>,
}

impl Hooks for Steering<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == Hook::Block(LAYER, Site::ResidPost)
    }

    fn at(&mut self, _: Hook, seen: &mut Seen<'_>) {
        let codes = self.dictionary.encode(seen.values);
        let direction = self.dictionary.direction(self.latent);
        let rows = seen.values.chunks_exact_mut(self.dictionary.width());
        let found = codes.iter().skip(self.latent).step_by(self.dictionary.latents());
        for (at, (row, found)) in rows.zip(found).enumerate() {
            let wanted = self.wanted.get(at / seen.positions.max(1)).copied().unwrap_or(*found);
            let more = wanted - found;
            row.iter_mut().zip(direction).for_each(|(x, direction)| *x += more * direction);
        }
    }
}

/// Faithfulness of one feature of a report: what the model writes while the feature is set to each factor,
/// rated.
///
/// # Errors
/// [`FadeError`].
pub fn steered(settings: &Settings, feature: &Feature) -> Result<Steered, FadeError> {
    let (model, dictionary) = (little::model(FINAL)?, little::dictionary(&settings.sae)?);
    let description =
        described(&feature.concept).ok_or(FadeError::Feature { found: 0, last: 0 })?;
    let each = settings.continuations;
    let prefixes: Vec<Vec<Token>> =
        texts(SEEDS[1], each).into_iter().map(|text| text[..PREFIX].to_vec()).collect();
    let rows: Vec<&Vec<Token>> = settings.factors.iter().flat_map(|_| &prefixes).collect();
    let factors = settings.factors.iter().flat_map(|factor| std::iter::repeat_n(*factor, each));
    let wanted = factors.map(|factor| (factor * feature.largest) as f32).collect();
    let mut steering = Steering { dictionary: &dictionary, latent: feature.latent, wanted };
    let mut draws = Draws::new(SEEDS[2].wrapping_add(description.number()));
    let rows = model.sample(&Batch::new(&rows)?, WRITTEN, START, &mut draws, &mut steering)?;
    let mut rater = Rater::new(settings, description, 1 << 16);
    let doses: Vec<Dose> = settings
        .factors
        .iter()
        .zip(rows.chunks_exact(each))
        .map(|(factor, rows)| Dose {
            factor: *factor,
            labels: rows.iter().map(|row| rater.label(description, &row[PREFIX..])).collect(),
        })
        .collect();
    let found = faithfulness(&doses)?;
    let counted = |dose: &Dose| {
        [0, 1, 2].map(|wanted| dose.labels.iter().filter(|label| **label == wanted).count())
    };
    Ok(Steered {
        labels: doses.iter().map(counted).collect(),
        shares: found.shares.iter().map(|share| share.unwrap_or(0.0)).collect(),
        faithfulness: found.value,
        best_factor: found.best_factor,
        largest_factor: found.largest_factor,
        saturated: found.saturated,
        written: rows
            .chunks_exact(each)
            .map(|rows| rows.iter().take(KEPT).cloned().collect())
            .collect(),
    })
}

/// The description of that name.
fn described(name: &str) -> Option<Description> {
    let concept = Concept::ALL.into_iter().find(|concept| concept.name() == name);
    concept.map(Description::Concept).or_else(|| {
        let quoted = name.strip_prefix('“')?.strip_suffix('”')?;
        token(quoted).map(Description::Word)
    })
}

/// All scores of all features, faithfulness among them.
///
/// # Errors
/// [`FadeError`].
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, FadeError> {
    let mut report = scores(settings, &mut |stage, part| tell(stage, part * 0.3))?;
    let count = report.features.len();
    for at in 0..count {
        tell("steering", 0.3 + 0.7 * at as f64 / count as f64);
        report.features[at].steered = Some(steered(settings, &report.features[at])?);
    }
    Ok(report)
}

/// Mean scores over the concepts, of some settings; faithfulness only if it is asked for.
///
/// # Errors
/// [`FadeError`].
pub fn means(settings: &Settings, steer: bool) -> Result<Means, FadeError> {
    let mut report = scores(settings, &mut |_, _| {})?;
    report.features.retain(|feature| feature.case == Case::Best);
    if steer {
        for feature in &mut report.features {
            feature.steered = Some(steered(settings, feature)?);
        }
    }
    Ok(report.means())
}

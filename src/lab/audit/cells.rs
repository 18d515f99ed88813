use super::entry::{Cell, ControlEvidence, ControlOutcome, Evidence};
use super::evidence::can_pass_and_fail;
use super::metric::Metric;
use super::redundancy::are_same_metric;
use super::rule::{Column, Rule, VerdictWord};
use super::subject::Kind;
use crate::papers::measurement::metric::Condition;
use crate::papers::measurement::validation::ReadingSource;
use crate::plot::format::{capitalise_name, fixed, format_seconds, format_trimmed, join_with_and};

/// A word with the number behind it and the sentence that says it.
pub(super) struct CellVerdict {
    pub(super) word: VerdictWord,
    pub(super) value: Option<f64>,
    pub(super) interval: Option<[f64; 2]>,
    pub(super) sentence: String,
}

impl CellVerdict {
    pub(super) fn new(word: VerdictWord, value: Option<f64>, says: String) -> Self {
        Self { word, value, interval: None, sentence: says }
    }

    fn unknown(says: &str) -> Self {
        Self::new(VerdictWord::Unknown, None, says.to_owned())
    }
}

/// What each column says of a metric.
pub(super) fn verdict_cells(metric: &Metric, metrics: &[Metric], evidence: &Evidence, rule: &Rule) -> Vec<Cell> {
    let cell = |column| {
        let said = match column {
            Column::Reliability => reliability_verdict(evidence, rule),
            Column::Discrimination => discrimination_verdict(metric, evidence),
            Column::Validity => validity_verdict(evidence, rule),
            Column::Invariance => invariance_verdict(evidence, rule),
            Column::Reach => reach_verdict(metric, evidence),
            Column::Redundancy => redundancy_verdict(metric, metrics, evidence, &|_, _| false, rule),
            Column::Cost => cost_verdict(evidence, rule),
        };
        let CellVerdict { word, value, interval, sentence: says } = said;
        Cell { column, word, value, interval, says }
    };
    Column::ALL.map(cell).to_vec()
}

const UNMEASURED_SENTENCE: &str = "It was not measured.";

fn reliability_verdict(evidence: &Evidence, rule: &Rule) -> CellVerdict {
    let found = &evidence.reliability;
    if evidence.reach.is_none() {
        return CellVerdict::unknown(UNMEASURED_SENTENCE);
    }
    if found.seeds < 2 {
        return CellVerdict::unknown("Variation over seeds needs at least two seeds.");
    }
    let (word, varies) = match found.cv_seeds {
        Some(cv) => {
            let word = match cv {
                cv if cv <= rule.cv_holds => VerdictWord::Holds,
                cv if cv <= rule.cv_partly => VerdictWord::Partly,
                _ => VerdictWord::Fails,
            };
            (word, format!("Varies by {} of its mean over {} seeds", format_percent(cv), found.seeds))
        }
        None => (VerdictWord::Fails, format!("Varies about 0 over {} seeds", found.seeds)),
    };
    let also =
        |cv: Option<f64>, what: &str| cv.map_or_else(String::new, |cv| format!(", by {} {what}", format_percent(cv)));
    let tell = match found.seeds_to_tell {
        Some(seeds) => {
            format!("; {} seeds separate the reference from its nearest control", format_trimmed(seeds))
        }
        None if evidence.controls.is_empty() => String::new(),
        None => "; no number of seeds separates the reference from its nearest control".to_owned(),
    };
    let samples = also(found.cv_samples, "over other data");
    let own = also(found.cv_own, "over seeds of its own");
    CellVerdict::new(word, found.cv_seeds, format!("{varies}{samples}{own}{tell}."))
}

fn discrimination_verdict(metric: &Metric, evidence: &Evidence) -> CellVerdict {
    let controls = &evidence.controls;
    if controls.is_empty() {
        return CellVerdict::unknown("No control of it was measured.");
    }
    let named = |word: ControlOutcome| -> Vec<String> {
        let of = controls.iter().filter(|control| control.word == word);
        of.map(|control| describe_control(metric.kind(), &control.name)).collect()
    };
    let [told, reversed, unseen, unknown] =
        [ControlOutcome::Separated, ControlOutcome::Reversed, ControlOutcome::NotSeen, ControlOutcome::Unknown]
            .map(named);
    let word = match told.len() {
        all if all == controls.len() => VerdictWord::Holds,
        0 if unknown.is_empty() => VerdictWord::Fails,
        0 => VerdictWord::Unknown,
        _ => VerdictWord::Partly,
    };
    let reference = match metric.kind() {
        Kind::Decomposition => "what was trained",
        Kind::Circuit => "the circuit",
        Kind::Model => "the trained model",
        Kind::Scores => "scores without noise",
    };
    let part =
        |names: &[String], say: &dyn Fn(String) -> String| (!names.is_empty()).then(|| say(join_with_and(names)));
    let parts = [
        part(&told, &|names| format!("separates {reference} from {names}")),
        part(&reversed, &|names| format!("scores {names} above {reference}")),
        part(&unseen, &|names| format!("does not separate {names}")),
        part(&unknown, &|names| format!("inconclusive for {names}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let least = controls.iter().min_by(|a: &&ControlEvidence, b| a.auc.total_cmp(&b.auc));
    CellVerdict {
        word,
        value: least.map(|control| control.auc),
        interval: least.and_then(|control| control.auc_interval),
        sentence: to_sentence(&parts.join(", ")),
    }
}

/// What a control is, in a sentence.
pub(super) fn describe_control(kind: Kind, name: &str) -> String {
    let words = match (kind, name) {
        (Kind::Decomposition, "random") => "random directions",
        (Kind::Decomposition, "permuted") => "a permuted decoder",
        (Kind::Decomposition, "untrained") => "untrained weights",
        (Kind::Decomposition, "structureless") => "training on data without structure",
        (Kind::Decomposition, "pca") => "principal components",
        (Kind::Decomposition, "k-means") => "k-means clusters",
        (Kind::Decomposition, "frozen-decoder") => "a frozen random decoder",
        (Kind::Circuit, "random") => "random heads",
        (Kind::Circuit, "empty") => "no heads",
        (Kind::Circuit, "full") => "all heads",
        (Kind::Model, "untrained") => "an untrained one",
        (Kind::Scores, "shifted") => "shifted groups",
        _ => name,
    };
    words.to_owned()
}

fn validity_verdict(evidence: &Evidence, rule: &Rule) -> CellVerdict {
    if evidence.reach.is_none() {
        return CellVerdict::unknown(UNMEASURED_SENTENCE);
    }
    if !evidence.validity.known {
        return CellVerdict::new(
            VerdictWord::None,
            None,
            "Nothing is known of its subjects that it could follow.".to_owned(),
        );
    }
    let Some(found) = evidence.validity.rho else {
        return CellVerdict::unknown("Too few subjects differ in what is known of them.");
    };
    let Some([low, high]) = found.interval else {
        let rho = fixed(found.mean, 2);
        let says = format!("Inconclusive with one seed: ρ with ground truth is {rho}.");
        return CellVerdict::new(VerdictWord::Unknown, Some(found.mean), says);
    };
    let (word, follows) = match (low, high) {
        (low, _) if low > rule.rho => (VerdictWord::Holds, "Tracks ground truth"),
        (low, _) if low > 0.0 => (VerdictWord::Partly, "Tracks ground truth, weakly"),
        (_, high) if high < rule.rho && high < 0.0 => (VerdictWord::Fails, "Runs against ground truth"),
        (_, high) if high < rule.rho => (VerdictWord::Fails, "Does not track ground truth"),
        _ => (VerdictWord::Unknown, "Inconclusive whether it tracks ground truth"),
    };
    let given = [("size", evidence.validity.given_size), ("width", evidence.validity.given_width)];
    let given = given.iter().filter_map(|(what, rho)| rho.map(|rho| format!("; given {what} {}", fixed(rho.mean, 2))));
    let given: String = given.collect();
    let rho = format!("ρ = {} [{}, {}]", fixed(found.mean, 2), fixed(low, 2), fixed(high, 2));
    let says = format!("{follows}: {rho}{given}.");
    CellVerdict { word, value: Some(found.mean), interval: found.interval, sentence: says }
}

fn invariance_verdict(evidence: &Evidence, rule: &Rule) -> CellVerdict {
    let changes = &evidence.changes;
    let largest = changes.iter().max_by(|a, b| a.change.mean.total_cmp(&b.change.mean));
    let Some(largest) = largest else {
        return CellVerdict::unknown("Nothing was changed that should not matter.");
    };
    let named = |stays: bool| -> Vec<String> {
        let of = changes.iter().filter(|found| (found.change.mean <= rule.change) == stays);
        of.map(|found| describe_change(&found.name)).collect()
    };
    let (stays, moves) = (named(true), named(false));
    let far = fixed(largest.change.mean, 2);
    let by = format!("by up to {far} of its distance from random under {}", join_with_and(&moves));
    let (word, says) = if moves.is_empty() {
        (VerdictWord::Holds, format!("Stays within {far} of its distance from random under {}.", join_with_and(&stays)))
    } else if stays.is_empty() {
        (VerdictWord::Fails, format!("Moves {by}."))
    } else {
        (VerdictWord::Partly, format!("Stays under {}, but moves {by}.", join_with_and(&stays)))
    };
    CellVerdict { word, value: Some(largest.change.mean), interval: largest.change.interval, sentence: says }
}

/// What was changed, in a sentence.
pub(super) fn describe_change(name: &str) -> String {
    let words = match name {
        "reordered" => "reordering",
        "scaled" => "scaling",
        "duplicated" => "a latent's doubling",
        "widened" => "latents that are never active",
        "fewer-rows" => "fewer rows",
        "fewer-prompts" => "fewer prompts",
        "rotated" => "rotation",
        _ => name,
    };
    words.to_owned()
}

pub(super) fn reach_verdict(metric: &Metric, evidence: &Evidence) -> CellVerdict {
    let Some(condition) = metric.condition else {
        return CellVerdict::new(VerdictWord::None, None, "Its paper says of no value that it passes.".to_owned());
    };
    let stated = format_condition(&condition);
    let found = evidence.reach.as_ref();
    let by_formula = can_pass_and_fail(&condition, metric.value_range);
    let can_pass = found.and_then(|found| found.formula_can_pass).unwrap_or(by_formula.0);
    let can_fail = found.and_then(|found| found.formula_can_fail).unwrap_or(by_formula.1);
    let share = found.and_then(|found| found.share);
    if !can_pass || !can_fail {
        let never = if can_fail { "pass" } else { "fail" };
        return CellVerdict::new(VerdictWord::Fails, share, format!("By its formula it can never {never} ({stated})."));
    }
    let Some(found) = found else { return CellVerdict::unknown(UNMEASURED_SENTENCE) };
    let span = format!("values from {} to {}", format_number(found.least), format_number(found.greatest));
    let (word, says) = match (found.passes == Some(true), found.fails == Some(true)) {
        (true, true) => (VerdictWord::Holds, format!("Its condition ({stated}) passes and fails: {span}.")),
        (true, false) => {
            (VerdictWord::Partly, format!("Nothing was found that fails its condition ({stated}): {span}."))
        }
        _ => (VerdictWord::Partly, format!("Nothing was found that passes its condition ({stated}): {span}.")),
    };
    CellVerdict::new(word, share, says)
}

/// A condition with its quantity and limit: "agreement > 0.3".
fn format_condition(condition: &Condition) -> String {
    format!("{} {} {}", condition.quantity, condition.relation.symbol(), format_trimmed(condition.limit))
}

/// What others say the same.
pub(super) struct RedundantMetrics<'a> {
    /// The nearest of all, and ρ with it.
    nearest: (&'a Metric, f64),
    /// Of those that say the same, its own other readings.
    own: Vec<&'a Metric>,
    /// Those whose saying the same is no failure.
    agreeing: Vec<&'a Metric>,
    /// All others.
    others: Vec<&'a Metric>,
}

impl<'a> RedundantMetrics<'a> {
    /// `agrees` says of two metrics by their ids whether their saying the same is no failure. None where no other metric
    /// varies on the same subjects.
    pub(super) fn find(
        metric: &Metric,
        metrics: &'a [Metric],
        evidence: &Evidence,
        agrees: &dyn Fn(&str, &str) -> bool,
        rule: &Rule,
    ) -> Option<Self> {
        let known = |(id, rho): &(String, f64)| {
            let other = metrics.iter().find(|other| other.id == id)?;
            Some((other, *rho))
        };
        let alike: Vec<(&Metric, f64)> = evidence.alike.iter().filter_map(known).collect();
        let nearest = *alike.first()?;
        let same = alike.iter().filter(|(_, rho)| rho.abs() >= rule.same);
        let (own, others): (Vec<&Metric>, Vec<&Metric>) =
            same.map(|(other, _)| *other).partition(|other| are_same_metric(metric, other));
        let (agreeing, others) = others.into_iter().partition(|other| agrees(metric.id, other.id));
        Some(Self { nearest, own, agreeing, others })
    }

    pub(super) fn redundancy_word(&self) -> VerdictWord {
        if !self.others.is_empty() {
            VerdictWord::Fails
        } else if !self.agreeing.is_empty() || !self.own.is_empty() {
            VerdictWord::Partly
        } else {
            VerdictWord::Holds
        }
    }
}

/// As [`RedundantMetrics::find`], in a sentence.
pub(super) fn redundancy_verdict(
    metric: &Metric,
    metrics: &[Metric],
    evidence: &Evidence,
    agrees: &dyn Fn(&str, &str) -> bool,
    rule: &Rule,
) -> CellVerdict {
    let Some(alike) = RedundantMetrics::find(metric, metrics, evidence, agrees, rule) else {
        return CellVerdict::unknown("No other metric was found to vary on the same subjects.");
    };
    let word = alike.redundancy_word();
    let RedundantMetrics { nearest: (nearest, rho), own, agreeing, others } = alike;
    let named = |metrics: &[&Metric]| {
        let mut names: Vec<String> = metrics.iter().take(NAMES_MAX).map(|other| metric_label(other)).collect();
        if let Some(more) = metrics.len().checked_sub(NAMES_MAX).filter(|more| *more > 0) {
            names.push(format!("{more} more"));
        }
        join_with_and(&names)
    };
    let says = if !others.is_empty() {
        let say = if others.len() == 1 { "says" } else { "say" };
        format!("Says what {} {say}", named(&others))
    } else if !agreeing.is_empty() {
        format!("Agrees with {}: each follows the same truth", named(&agreeing))
    } else if !own.is_empty() {
        format!("Says what its own other reading says, {}", named(&own))
    } else {
        format!("Says what no other metric says, {} the nearest", metric_label(nearest))
    };
    CellVerdict::new(word, Some(rho.abs()), format!("{says}: ρ = {}.", fixed(rho, 2)))
}

/// How many metrics a sentence names.
const NAMES_MAX: usize = 3;

/// A metric in a sentence, with its reading where text and code part.
fn metric_label(metric: &Metric) -> String {
    match metric.attribution {
        ReadingSource::Both => metric.name.to_owned(),
        says => format!("{} ({})", metric.name, says.label()),
    }
}

pub(super) fn cost_verdict(evidence: &Evidence, rule: &Rule) -> CellVerdict {
    let Some(found) = evidence.cost else { return CellVerdict::unknown(UNMEASURED_SENTENCE) };
    let word = match found.seconds {
        seconds if seconds <= rule.seconds_holds => VerdictWord::Holds,
        seconds if seconds <= rule.seconds_partly => VerdictWord::Partly,
        _ => VerdictWord::Fails,
    };
    let (took, evaluations) = (format_seconds(found.seconds), format_number(found.evaluations));
    CellVerdict::new(word, Some(found.seconds), format!("Takes {took} and {evaluations} evaluations a subject."))
}

/// A share in percent.
pub(super) fn format_percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

/// A number of any size, in few digits.
pub(super) fn format_number(value: f64) -> String {
    let size = value.abs();
    if size > 0.0 && size < 1e-3 { format!("{value:.1e}").replace('-', "−") } else { format_trimmed(value) }
}

/// With a capital and a full stop.
fn to_sentence(text: &str) -> String {
    format!("{}.", capitalise_name(text))
}

//! FADE's figures: the scores of every feature, one feature opened, the controls.

use std::iter;

use super::description::Case;
use super::metric::{GATE, Norm, RatedTexts, precision_recall};
use super::report::{Feature, Means, Readings, Report, Variant};
use super::settings::Settings;
use crate::plot::cells::{self, columns, number};
use crate::plot::format::{fixed, fixed3, trimmed};
use crate::plot::{
    Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Body, Chart, Datum, DotRow, Dots, HeatRow,
    Heatmap, Lines, Marker, Place, Reference, Role, Series, Stroke, TableCell, extent,
};
use crate::statistics::plain_mean;
use crate::study::{FigureSpec, of_lab};
use crate::toy_model::{DICTIONARIES, Role as MethodRole};

/// Below this a purity is called impure here; the note names no bound.
pub const IMPURE: f64 = 0.5;
/// Below this a faithfulness is called inert here; the note names no bound.
pub const INERT: f64 = 0.1;
/// Bins of the densities.
const BINS: usize = 24;

/// Mean scores of an autoencoder under a seed of the natural texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The autoencoder's name.
    pub sae: String,
    /// The seed.
    pub seed: u32,
    /// What came of it.
    pub means: Means,
}

/// What is drawn.
pub struct Source<'a> {
    /// The report.
    pub report: &'a Report,
    /// The feature that is opened.
    pub opened: Option<&'a Feature>,
    /// Means of several autoencoders and seeds.
    pub runs: &'a [Run],
}

type Build = fn(&Source<'_>) -> Chart;

/// A column of scores: its label and detail, the choices that they are under, and its cell.
type VariantColumn = (&'static str, &'static str, RatedTexts, Norm, fn(&Variant) -> TableCell);

/// The figures of FADE.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<Build>] = &[
    of_lab("fade-scores", "fade", |source| source.scores()),
    of_lab("fade-table", "fade", |source| source.table()),
    of_lab("fade-densities", "fade-feature-title", |source| source.densities()),
    of_lab("fade-precision", "fade-feature-title", |source| source.precision()),
    of_lab("fade-dose", "fade-feature-title", |source| source.doses()),
    of_lab("fade-sampling", "fade-readings-title", |source| source.sampling()),
    of_lab("fade-norm", "fade-readings-title", |source| source.norms()),
    of_lab("fade-clarity", "fade-truth", |source| source.control(&SCORES[0])),
    of_lab("fade-responsiveness", "fade-truth", |source| source.control(&SCORES[1])),
    of_lab("fade-purity", "fade-truth", |source| source.control(&SCORES[2])),
    of_lab("fade-faithfulness", "fade-truth", |source| source.control(&SCORES[3])),
    of_lab("fade-tells", "fade-truth", |source| source.tells()),
];

/// A score, as figures name it.
struct Score {
    id: &'static str,
    name: &'static str,
    /// Of a feature, in the code's reading.
    of: fn(&Feature) -> Option<f64>,
    /// Its mean over the concepts.
    mean: fn(&Means) -> Option<f64>,
    /// What a perfect detector of the concept's texts would have.
    perfect: fn(&Feature) -> Option<f64>,
    /// What to know when reading it.
    note: &'static str,
}

const SCORES: [Score; 4] = [
    Score {
        id: "fade-clarity",
        name: "clarity",
        of: |feature| feature.clarity.code,
        mean: |means| Some(means.clarity),
        perfect: |feature| Some(feature.ceiling),
        note: "It is held down by how common a concept is: natural texts that have it count \
               against a perfect detector, too.",
    },
    Score {
        id: "fade-responsiveness",
        name: "responsiveness",
        of: |feature| feature.responsiveness.code,
        mean: |means| Some(means.responsiveness),
        perfect: |_| Some(1.0),
        note: "Natural texts with the concept against those without.",
    },
    Score {
        id: "fade-purity",
        name: "purity",
        of: |feature| feature.purity.code,
        mean: |means| Some(means.purity),
        perfect: |_| Some(1.0),
        note: "By chance it is the share of texts with the concept, which is high for common ones.",
    },
    Score {
        id: "fade-faithfulness",
        name: "faithfulness",
        of: |feature| feature.steered.as_ref().map(|steered| steered.faithfulness),
        mean: |means| means.faithfulness,
        perfect: |_| None,
        note: "Factors of ±50 break the text: a word repeated forever scores, whoever says it.",
    },
];

/// What is wrong with a feature's description, by the code's readings.
#[must_use]
pub fn failures(feature: &Feature) -> Vec<&'static str> {
    let below = |score: Option<f64>, bound: f64| score.is_some_and(|score| score < bound);
    let inert = feature.steered.as_ref().is_some_and(|steered| steered.faithfulness < INERT);
    [
        (below(feature.clarity.code, GATE), "unclear"),
        (below(feature.responsiveness.code, GATE), "not responsive"),
        (below(feature.purity.code, IMPURE), "impure"),
        (inert, "inert"),
    ]
    .into_iter()
    .filter(|(is, _)| *is)
    .map(|(_, word)| word)
    .collect()
}

/// Its concept, with its latent and what its description is.
fn described(feature: &Feature) -> TableCell {
    TableCell {
        detail: Some(format!("{}, {}", feature.latent, feature.case.label())),
        ..cells::text(&feature.concept)
    }
}

/// "latent 63 as person".
pub(crate) fn name(feature: &Feature) -> String {
    format!("latent {} as {}", feature.latent, feature.concept)
}

fn label_of(sae: &str) -> &str {
    DICTIONARIES.iter().find(|known| known.name == sae).map_or("trained here", |known| known.label)
}

pub(crate) fn is_trained(sae: &str) -> bool {
    let known = DICTIONARIES.iter().find(|known| known.name == sae);
    known.is_none_or(|known| known.role == MethodRole::Trained)
}

impl Source<'_> {
    /// Whether every feature was steered.
    fn whole(&self) -> bool {
        self.report.features.iter().all(|feature| feature.steered.is_some())
    }

    fn steered(&self) -> String {
        let done = self.report.features.iter().filter(|feature| feature.steered.is_some()).count();
        match self.report.features.len() {
            all if done == all => String::new(),
            all => format!(" Faithfulness so far: {done} of {all} features."),
        }
    }

    fn choices(&self) -> String {
        choices(&self.report.settings)
    }

    /// The features that pass, in a sentence.
    pub(super) fn headline(&self) -> String {
        let means = self.report.means();
        let best = self.report.best().count();
        let faithful = match means.faithfulness {
            Some(value) => format!(" and faithfulness {}", fixed3(value)),
            None => String::new(),
        };
        format!(
            "{}: over {best} concepts, each with its best-matching latent, the means are \
             clarity {}, responsiveness {}, purity {}{faithful}; {} of {best} pass the implementation’s gate.{}",
            label_of(&self.report.settings.sae),
            fixed3(means.clarity),
            fixed3(means.responsiveness),
            fixed3(means.purity),
            means.gate,
            self.steered()
        )
    }

    fn scores(&self) -> Chart {
        let shown = if self.whole() { &SCORES[..] } else { &SCORES[..3] };
        let columns = shown.iter().map(|score| score.name.to_owned()).collect();
        // Concepts by the score that the page's claim is about; bad descriptions stay after them.
        let mut features: Vec<&Feature> = self.report.features.iter().collect();
        if self.whole() {
            let faithful = |feature: &Feature| {
                feature.steered.as_ref().map_or(0.0, |steered| steered.faithfulness)
            };
            let best = features.iter().filter(|feature| feature.case == Case::Best).count();
            features[..best].sort_by(|a, b| faithful(b).total_cmp(&faithful(a)));
        }
        let rows = features.into_iter().map(|feature| HeatRow {
            label: feature.concept.clone(),
            detail: Some(match feature.case {
                Case::Best => format!("{}", feature.latent),
                case => format!("{}, {}", feature.latent, case.label()),
            }),
            values: shown.iter().map(|score| (score.of)(feature).unwrap_or(0.0)).collect(),
            best: None,
        });
        let map = Heatmap {
            x_title: "score".to_owned(),
            y_title: "description (latent)".to_owned(),
            value_title: "score".to_owned(),
            columns,
            rows: rows.collect(),
            min: 0.0,
            max: 1.0,
            decimals: 2,
        };
        let by = if self.whole() { ", by faithfulness" } else { "" };
        let caption = format!(
            "Each planted concept with the latent that tells its words best{by}, then descriptions that \
             are bad on purpose; as implemented. A score that has no value is shown as 0.{}{}",
            self.choices(),
            self.steered()
        );
        Chart::new(
            "fade-scores",
            "Four scores of every feature",
            self.headline(),
            caption,
            Body::Heatmap(map),
        )
    }

    fn table(&self) -> Chart {
        let row = |feature: &Feature| {
            let steered = feature.steered.as_ref();
            let failures = failures(feature);
            vec![
                described(feature),
                number(feature.clarity.code, 3),
                number(feature.ceiling, 3),
                number(feature.clarity.document, 3),
                number(feature.responsiveness.code, 3),
                number(feature.purity.code, 3),
                number(feature.prevalence, 3),
                number(steered.map(|steered| steered.faithfulness), 3),
                cells::text(steered.map_or_else(
                    || "–".to_owned(),
                    |s| s.best_factor.map_or_else(|| "none".to_owned(), trimmed),
                )),
                cells::text(if failures.is_empty() {
                    "–".to_owned()
                } else {
                    failures.join(", ")
                }),
            ]
        };
        let columns = columns(
            "description ~ latent | >clarity | >clarity ~ at best | >clarity ~ as in the paper | \
             >responsive | >purity | >purity ~ by chance | >faithful | >factor | what fails",
        );
        let rows = self.report.features.iter().map(row).collect();
        let caption = format!(
            "Clarity as implemented (a tie counts half), with what a perfect detector of the \
             concept would have, and in the paper’s (a tie counts nothing); purity with what any ranking \
             would have. The implementation’s gate stops at what is unclear or not responsive, below {GATE}. Impure below {IMPURE} and inert below {INERT} are bounds of ours.{}{}",
            self.choices(),
            self.steered()
        );
        let said = [self.headline(), caption];
        cells::table("fade-table", "Every feature, in numbers", said, columns, rows)
    }

    /// A table of a row each feature: its description, then what columns have of its scores under their choices.
    fn variants(
        &self,
        id: &str,
        title: &str,
        said: [String; 2],
        columns: &[VariantColumn],
    ) -> Chart {
        let headings = columns.iter().map(|(label, detail, ..)| format!(">{label} ~ {detail}"));
        let headings: Vec<String> =
            iter::once("description ~ latent".to_owned()).chain(headings).collect();
        let cells = |feature: &Feature| {
            let cell = |&(_, _, rated, norm, of): &VariantColumn| match feature.variant(rated, norm)
            {
                Some(variant) => of(variant),
                None => number(None, 3),
            };
            iter::once(described(feature)).chain(columns.iter().map(cell)).collect()
        };
        let rows = self.report.features.iter().map(cells).collect();
        cells::table(id, title, said, cells::columns(&headings.join(" | ")), rows)
    }

    /// Scores of all natural texts beside those of a sample.
    fn sampling(&self) -> Chart {
        let [all, sample] = [RatedTexts::All, RatedTexts::Sampled];
        let norm = Norm::Elements;
        let texts =
            |one: &Variant| cells::text(format!("{} / {}", one.document_texts, one.code_texts));
        let columns: [VariantColumn; 8] = [
            ("responsive", "all", all, norm, |one| number(one.responsiveness.code, 3)),
            ("responsive", "sample", sample, norm, |one| number(one.responsiveness.code, 3)),
            ("purity", "all", all, norm, |one| number(one.purity.code, 3)),
            ("by chance", "all", all, norm, |one| number(one.prevalence.code, 3)),
            ("purity", "sample", sample, norm, |one| number(one.purity.code, 3)),
            ("by chance", "sample", sample, norm, |one| number(one.prevalence.code, 3)),
            ("purity", "paper’s sample", sample, norm, |one| number(one.purity.document, 3)),
            ("sample", "note / code", sample, norm, texts),
        ];
        let settings = &self.report.settings;
        let mean = |rated| {
            let of = |feature: &Feature| feature.variant(rated, Norm::Elements)?.purity.code;
            mean(&self.report.best().filter_map(of).collect::<Vec<_>>())
        };
        let summary = match (mean(RatedTexts::All), mean(RatedTexts::Sampled)) {
            (Some(all), Some(sample)) => format!(
                "Over the concepts the mean purity is {} of all texts and {} of a sample.",
                fixed3(all),
                fixed3(sample)
            ),
            _ => "No concept has a purity.".to_owned(),
        };
        let caption = format!(
            "As implemented, of all {} natural texts and of a sample: {} texts asked for, {} of them from the top and \
             the rest from bands of activations (0, 50, 75, 95, 100 %). The implementation’s sample is smaller where the top was \
             drawn already, and is all texts where the bands leave nothing to the top; the paper’s is as large as was \
             asked for.{}",
            settings.texts,
            settings.sample,
            percent(settings.top),
            if settings.texts <= settings.sample { " Here it is all texts." } else { "" }
        );
        self.variants("fade-sampling", "All texts or a sample", [summary, caption], &columns)
    }

    /// The note's formula with the number of elements for its norm, and with that of elements other than 0.
    fn norms(&self) -> Chart {
        let rated = self.report.settings.rated;
        let [elements, nonzero] = [Norm::Elements, Norm::Nonzero];
        let columns: [VariantColumn; 6] = [
            ("clarity", "code", rated, elements, |one| number(one.clarity.code, 3)),
            ("clarity", "note, elements", rated, elements, |one| number(one.clarity.document, 3)),
            ("clarity", "note, not 0", rated, nonzero, |one| number(one.clarity.document, 3)),
            ("responsive", "code", rated, elements, |one| number(one.responsiveness.code, 3)),
            ("responsive", "note, elements", rated, elements, |one| {
                number(one.responsiveness.document, 3)
            }),
            ("responsive", "note, not 0", rated, nonzero, |one| {
                number(one.responsiveness.document, 3)
            }),
        ];
        let above = self.report.features.iter().filter(|feature| {
            feature.variant(rated, nonzero).is_some_and(|one| {
                [one.clarity, one.responsiveness].iter().any(|score| score.document > Some(1.0))
            })
        });
        let summary = format!(
            "With ‖A‖₀ taken literally, {} of {} descriptions have a clarity or a responsiveness above 1.",
            above.count(),
            self.report.features.len()
        );
        let caption = "The note divides its count of pairs by ‖A‖₀ of both sets. The number of elements makes a share \
                       of it, at most 1. Literally ‖A‖₀ is the number of elements other than 0: what is divided by \
                       fewer pairs than were counted is no share, and where all are 0 there is no value (–). The code \
                       takes the area under the ROC curve and has no norm."
            .to_owned();
        self.variants("fade-norm", "Two readings of ‖A‖₀", [summary, caption], &columns)
    }

    /// A chart of the opened feature, or one that says that there is none.
    fn of_feature(
        &self,
        id: &str,
        title: &str,
        build: impl Fn(&Feature) -> (String, String, Body),
    ) -> Chart {
        match self.opened {
            Some(feature) => {
                let (summary, caption, body) = build(feature);
                Chart::new(id, &format!("{title}: {}", name(feature)), summary, caption, body)
            }
            None => {
                let said = ["No feature is opened.".to_owned(), String::new()];
                cells::table(id, title, said, columns("feature"), vec![vec![cells::text("none")]])
            }
        }
    }

    fn densities(&self) -> Chart {
        self.of_feature("fade-densities", "Activations by label", |feature| {
            let all = feature.natural.iter().chain(&feature.made).copied();
            let (least, most) = all.fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            let width = if most > least { (most - least) / BINS as f64 } else { 1.0 };
            let density = |values: Vec<f64>| {
                let mut counts = [0_usize; BINS];
                for value in &values {
                    counts[(((value - least) / width) as usize).min(BINS - 1)] += 1;
                }
                let share = |count: usize| count as f64 / values.len().max(1) as f64;
                let points = counts.into_iter().enumerate().map(|(bin, count)| {
                    let from = least + bin as f64 * width;
                    let label = format!("{} to {}", fixed3(from), fixed3(from + width));
                    Datum { x: from + width / 2.0, y: share(count), label }
                });
                points.collect::<Vec<_>>()
            };
            let (activations, labels) = feature.rated();
            let labelled = |wanted: u8| {
                let both = activations.iter().zip(&labels);
                both.filter(|(_, label)| **label == wanted).map(|(a, _)| *a).collect::<Vec<f64>>()
            };
            let of = |name: &str, values: Vec<f64>, role, stroke, marker| {
                let name = format!("{name} ({})", values.len());
                Series::new(&name, role, stroke, marker, density(values))
            };
            let mut shown = vec![
                of("0, not expressed", labelled(0), Role::Neutral, Stroke::Dotted, Marker::None),
                of("1, by one word", labelled(1), Role::Fidelity, Stroke::Dashed, Marker::None),
                of("2, clearly", labelled(2), Role::Completeness, Stroke::Strong, Marker::None),
                of("made from it", feature.made.clone(), Role::Score, Stroke::Solid, Marker::None),
            ];
            shown.retain(|series| !series.name.ends_with("(0)"));
            let x = Axis::around("activation of the text", "a", [least, most]);
            let y = Axis::unit("share of the label’s texts", "share", []);
            let silent = feature.natural.iter().filter(|a| **a == 0.0).count();
            let summary = format!(
                "{} of {} natural texts leave it silent; its largest activation is {}.",
                silent,
                feature.natural.len(),
                fixed3(feature.largest)
            );
            let caption = format!(
                "The activation of a text is the largest of its tokens. {BINS} bins of equal width; \
                 silent texts are in the first one, at 0.{}",
                self.choices()
            );
            (summary, caption, Body::Lines(Lines::plain(x, y, shown)))
        })
    }

    fn precision(&self) -> Chart {
        self.of_feature("fade-precision", "Precision and recall", |feature| {
            let (activations, labels) = feature.rated();
            let points = precision_recall(&activations, &labels);
            let data = points.iter().map(|point| Datum {
                x: point.recall,
                y: point.precision,
                label: format!("activation ≥ {}", fixed3(point.threshold)),
            });
            let curve =
                Series::new("this latent", Role::Score, Stroke::Strong, Marker::None, data.collect());
            let chance = Reference {
                name: format!("chance, {}", fixed3(feature.prevalence)),
                place: Place::Horizontal(feature.prevalence),
            };
            let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), fixed3);
            let Readings { document, code } = feature.purity;
            let summary = format!(
                "Purity {} as implemented, {} as in the paper; by chance {}.",
                shown(code),
                shown(document),
                fixed3(feature.prevalence)
            );
            let caption = format!(
                "Texts labelled 2 among those labelled 0 and 2, by falling activation; texts of one activation \
                 enter together. Purity is the area below, in steps.{}",
                self.choices()
            );
            let x = Axis::unit("recall", "recall", []);
            let y = Axis::unit("precision", "precision", []);
            let lines = Lines { references: vec![chance], ..Lines::plain(x, y, vec![curve]) };
            (summary, caption, Body::Lines(lines))
        })
    }

    fn doses(&self) -> Chart {
        let factors = &self.report.settings.factors;
        self.of_feature("fade-dose", "What the model writes", |feature| {
            let group = |factor: &f64| BarGroup {
                label: trimmed(*factor),
                detail: (*factor == 0.0).then(|| "off".to_owned()),
                role: None,
            };
            let each = self.report.settings.continuations as f64;
            let bars = |label: usize| -> Vec<Option<Bar>> {
                let share = |counts: &[usize; 3]| {
                    let value = counts[label] as f64 / each;
                    // A bar of no height says so itself.
                    let text = if value > 0.0 { fixed(value, 2) } else { String::new() };
                    Some(Bar { value, text, best: false })
                };
                match &feature.steered {
                    Some(steered) => steered.labels.iter().map(share).collect(),
                    None => vec![None; factors.len()],
                }
            };
            let shown = vec![
                BarSeries::new("2, clearly", Role::Completeness, BarFill::Solid, bars(2)),
                BarSeries::new("1, by one word", Role::Fidelity, BarFill::Hollow, bars(1)),
            ];
            let summary = match &feature.steered {
                None => "Not steered yet.".to_owned(),
                Some(steered) => {
                    let at = match steered.best_factor {
                        Some(factor) => format!("reached at factor {}", trimmed(factor)),
                        None => "no factor says more of it than 0".to_owned(),
                    };
                    let largest = match (steered.best_factor, steered.largest_factor) {
                        (Some(best), Some(largest)) if best != largest => format!(
                            " The code reports the largest factor of all, {}, in its place.",
                            trimmed(largest)
                        ),
                        _ => String::new(),
                    };
                    let saturated = if steered.saturated {
                        " All continuations at 0 express it: the implementation has no number here."
                    } else {
                        ""
                    };
                    format!("Faithfulness {}, {at}.{largest}{saturated}", fixed3(steered.faithfulness))
                }
            };
            let caption = format!(
                "The latent is set to factor × {} (its largest activation) at every position while the \
                 model continues {} prefixes of 8 words by 12; shares of the continuations by label.",
                fixed3(feature.largest),
                self.report.settings.continuations
            );
            let bars = Bars {
                x_title: "factor".to_owned(),
                y: Axis::unit("share of continuations", "share", []),
                groups: factors.iter().map(group).collect(),
                series: shown,
            };
            (summary, caption, Body::Bars(bars))
        })
    }

    /// Of each autoencoder in the order of the shipped ones, its runs.
    fn subjects(&self) -> Vec<(&str, Vec<&Run>)> {
        let mut names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        for run in self.runs {
            if !names.contains(&run.sae.as_str()) {
                names.push(&run.sae);
            }
        }
        let of = |name: &str| self.runs.iter().filter(|run| run.sae == name).collect::<Vec<_>>();
        names
            .into_iter()
            .map(|name| (name, of(name)))
            .filter(|(_, runs)| !runs.is_empty())
            .collect()
    }

    fn control(&self, score: &Score) -> Chart {
        let mut rows = Vec::new();
        let perfect: Option<Vec<f64>> = self.report.best().map(score.perfect).collect();
        if let Some(mean) = perfect.and_then(|values| mean(&values)) {
            rows.push(DotRow {
                label: "a perfect detector".to_owned(),
                detail: Some("planted truth".to_owned()),
                role: Role::GroundTruth,
                marker: Marker::Diamond,
                value: mean,
                spread: (mean, mean),
            });
        }
        for (name, runs) in self.subjects() {
            let values: Vec<f64> = runs.iter().filter_map(|run| (score.mean)(&run.means)).collect();
            let Some(value) = mean(&values) else { continue };
            let trained = is_trained(name);
            rows.push(DotRow::of_subject(label_of(name), trained, value, extent(values)));
        }
        let seeds = self.seeds();
        let summary = match rows.is_empty() {
            true => "Nothing has been computed yet.".to_owned(),
            false => {
                let said = rows.iter().map(|row| format!("{} {}", row.label, fixed3(row.value)));
                format!("Mean {}: {}.", score.name, said.collect::<Vec<_>>().join("; "))
            }
        };
        let caption = format!(
            "Means over the concepts, each with its best latent; points are means over {seeds}, bars \
             reach from the lowest to the highest. {}{}",
            score.note,
            self.choices()
        );
        let dots = Dots {
            rows_title: "autoencoder".to_owned(),
            spread_title: "over the seeds".to_owned(),
            x: Axis::unit(&format!("mean {}", score.name), score.name, []),
            rows,
        };
        Chart::new(
            score.id,
            &format!("Controls: {}", score.name),
            summary,
            caption,
            Body::Dots(dots),
        )
    }

    /// "3 seeds of the natural texts".
    fn seeds(&self) -> String {
        let mut seeds: Vec<u32> = self.runs.iter().map(|run| run.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        match seeds.len() {
            1 => "one seed of the natural texts".to_owned(),
            count => format!("{count} seeds of the natural texts"),
        }
    }

    /// Of each score whether the lowest trained autoencoder is above the highest control of random
    /// directions.
    fn tells(&self) -> Chart {
        let subjects = self.subjects();
        let row = |score: &Score| {
            let range = |wanted: fn(&str) -> bool| {
                let of = |(_, runs): &&(&str, Vec<&Run>)| {
                    runs.iter().filter_map(|run| (score.mean)(&run.means)).collect::<Vec<_>>()
                };
                let values: Vec<f64> =
                    subjects.iter().filter(|(name, _)| wanted(name)).flat_map(|s| of(&s)).collect();
                (!values.is_empty()).then(|| extent(values))
            };
            let trained = range(is_trained);
            let random = range(|name| name.starts_with("random"));
            let permuted = range(|name| name.ends_with("permdec"));
            let apart = match (trained, random) {
                (Some((low, _)), Some((_, high))) if low > high => "yes",
                (Some((_, high)), Some((low, _))) if high < low => "no: reversed",
                (Some(_), Some(_)) => "no: they overlap",
                _ => "–",
            };
            vec![
                cells::text(score.name),
                cells::range(trained),
                cells::range(random),
                cells::range(permuted),
                cells::text(apart),
            ]
        };
        let rows: Vec<Vec<TableCell>> = SCORES.iter().map(row).collect();
        let telling = rows.iter().filter(|row| row.last().is_some_and(|cell| cell.text == "yes"));
        let summary = format!(
            "{} of {} scores put every trained autoencoder above every one of random directions.",
            telling.count(),
            SCORES.len()
        );
        let caption = format!(
            "From the lowest to the highest mean over {}. A permuted decoder has the same latents: only \
             faithfulness can tell it from the autoencoder that it was made of.{}",
            self.seeds(),
            self.choices()
        );
        let columns = columns(
            "score | >trained | >random | >decoder permuted | separates trained from random",
        );
        let title = "Which scores separate them";
        cells::table("fade-tells", title, [summary, caption], columns, rows)
    }
}

/// Which texts are rated and how the note's formula is read, in sentences that begin with a space; empty where both
/// are as in the default settings.
#[must_use]
pub fn choices(settings: &Settings) -> String {
    let mut out = String::new();
    let Settings { texts, sample, .. } = settings;
    if settings.rated == RatedTexts::Sampled && texts <= sample {
        out += &format!(
            " All {texts} natural texts are rated: a sample of {sample} leaves none of them out."
        );
    } else if settings.rated == RatedTexts::Sampled {
        out += &format!(
            " Responsiveness and purity are of a sample by activation: {sample} texts asked for, {} of them from \
             the top.",
            percent(settings.top)
        );
    }
    if settings.norm == Norm::Nonzero {
        out += " The paper’s ‖A‖₀ counts activations other than 0: its clarity and responsiveness can exceed 1.";
    }
    out
}

/// "10 %".
fn percent(share: f64) -> String {
    format!("{} %", trimmed(100.0 * share))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| plain_mean(values))
}

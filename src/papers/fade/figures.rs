//! FADE's figures: the scores of every feature, one feature opened, the controls.

use std::iter;

use super::description::DescriptionCase;
use super::metric::{GATE_MIN, Norm, RatedTexts, precision_recall_curve};
use super::report::{Feature, MeanScores, Report, ScoreByReading, ScoreVariant};
use super::settings::Settings;
use crate::plot::cells::{self, number_cell, parse_columns};
use crate::plot::format::{fixed, fixed3, format_trimmed};
use crate::plot::{
    Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Chart, ChartBody, ColourRole, Datum, DotRow, Dots, HeatRow, Heatmap,
    Lines, Marker, ReferenceLine, ReferencePosition, Series, Stroke, TableCell, min_max,
};
use crate::statistics::mean_or_nan;
use crate::study::{FigureSpec, lab_only};
use crate::toy_model::{DICTIONARIES, DictionaryRole};

/// Below this a purity is called impure here; the note names no bound.
pub const PURITY_MIN: f64 = 0.5;
/// Below this a faithfulness is called inert here; the note names no bound.
pub const FAITHFULNESS_MIN: f64 = 0.1;
/// Bins of the densities.
const BIN_COUNT: usize = 24;

/// Mean scores of an autoencoder under a seed of the natural texts.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedRun {
    /// The autoencoder's name.
    pub sae: String,
    /// The seed.
    pub seed: u32,
    /// What came of it.
    pub means: MeanScores,
}

/// What is drawn.
pub struct FadeSource<'a> {
    /// The report.
    pub report: &'a Report,
    /// The feature that is opened.
    pub selected_feature: Option<&'a Feature>,
    /// Means of several autoencoders and seeds.
    pub runs: &'a [SeedRun],
}

type BuildChart = fn(&FadeSource<'_>) -> Chart;

/// A column of scores: its label and detail, the choices that they are under, and its cell.
type VariantColumn = (&'static str, &'static str, RatedTexts, Norm, fn(&ScoreVariant) -> TableCell);

/// The figures of FADE.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("fade-scores", "fade", |source| source.scores_chart()),
    lab_only("fade-table", "fade", |source| source.scores_table()),
    lab_only("fade-densities", "fade-feature-title", |source| source.densities_chart()),
    lab_only("fade-precision", "fade-feature-title", |source| source.precision_recall_chart()),
    lab_only("fade-dose", "fade-feature-title", |source| source.doses_chart()),
    lab_only("fade-sampling", "fade-readings-title", |source| source.sampling_chart()),
    lab_only("fade-norm", "fade-readings-title", |source| source.norms_chart()),
    lab_only("fade-clarity", "fade-truth", |source| source.control_chart(&SCORES[0])),
    lab_only("fade-responsiveness", "fade-truth", |source| source.control_chart(&SCORES[1])),
    lab_only("fade-purity", "fade-truth", |source| source.control_chart(&SCORES[2])),
    lab_only("fade-faithfulness", "fade-truth", |source| source.control_chart(&SCORES[3])),
    lab_only("fade-tells", "fade-truth", |source| source.separation_chart()),
];

/// A score, as figures name it.
struct ScoreSpec {
    id: &'static str,
    name: &'static str,
    /// Of a feature, in the code's reading.
    of: fn(&Feature) -> Option<f64>,
    /// Its mean over the concepts.
    mean: fn(&MeanScores) -> Option<f64>,
    /// What a perfect detector of the concept's texts would have.
    perfect: fn(&Feature) -> Option<f64>,
    /// What to know when reading it.
    note: &'static str,
}

const SCORES: [ScoreSpec; 4] = [
    ScoreSpec {
        id: "fade-clarity",
        name: "clarity",
        of: |feature| feature.clarity.code,
        mean: |means| Some(means.clarity),
        perfect: |feature| Some(feature.ceiling),
        note: "It is held down by how common a concept is: natural texts that have it count \
               against a perfect detector, too.",
    },
    ScoreSpec {
        id: "fade-responsiveness",
        name: "responsiveness",
        of: |feature| feature.responsiveness.code,
        mean: |means| Some(means.responsiveness),
        perfect: |_| Some(1.0),
        note: "Natural texts with the concept against those without.",
    },
    ScoreSpec {
        id: "fade-purity",
        name: "purity",
        of: |feature| feature.purity.code,
        mean: |means| Some(means.purity),
        perfect: |_| Some(1.0),
        note: "By chance it is the share of texts with the concept, which is high for common ones.",
    },
    ScoreSpec {
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
pub fn description_failures(feature: &Feature) -> Vec<&'static str> {
    let below = |score: Option<f64>, bound: f64| score.is_some_and(|score| score < bound);
    let inert = feature.steered.as_ref().is_some_and(|steered| steered.faithfulness < FAITHFULNESS_MIN);
    [
        (below(feature.clarity.code, GATE_MIN), "unclear"),
        (below(feature.responsiveness.code, GATE_MIN), "not responsive"),
        (below(feature.purity.code, PURITY_MIN), "impure"),
        (inert, "inert"),
    ]
    .into_iter()
    .filter(|(is, _)| *is)
    .map(|(_, word)| word)
    .collect()
}

/// Its concept, with its latent and what its description is.
fn description_cell(feature: &Feature) -> TableCell {
    TableCell {
        detail: Some(format!("{}, {}", feature.latent, feature.case.label())),
        ..cells::text_cell(&feature.concept)
    }
}

/// "latent 63 as person".
pub(crate) fn feature_label(feature: &Feature) -> String {
    format!("latent {} as {}", feature.latent, feature.concept)
}

fn sae_label(sae: &str) -> &str {
    DICTIONARIES.iter().find(|known| known.name == sae).map_or("trained here", |known| known.label)
}

pub(crate) fn is_trained(sae: &str) -> bool {
    let known = DICTIONARIES.iter().find(|known| known.name == sae);
    known.is_none_or(|known| known.role == DictionaryRole::Trained)
}

impl FadeSource<'_> {
    /// Whether every feature was steered.
    fn is_fully_steered(&self) -> bool {
        self.report.features.iter().all(|feature| feature.steered.is_some())
    }

    fn describe_steered(&self) -> String {
        let done = self.report.features.iter().filter(|feature| feature.steered.is_some()).count();
        match self.report.features.len() {
            all if done == all => String::new(),
            all => format!(" Faithfulness so far: {done} of {all} features."),
        }
    }

    fn describe_choices(&self) -> String {
        describe_choices(&self.report.settings)
    }

    /// The features that pass, in a sentence.
    pub(super) fn headline(&self) -> String {
        let means = self.report.means();
        let best = self.report.best_features().count();
        let faithful = match means.faithfulness {
            Some(value) => format!(" and faithfulness {}", fixed3(value)),
            None => String::new(),
        };
        format!(
            "{}: over {best} concepts, each with its best-matching latent, the means are \
             clarity {}, responsiveness {}, purity {}{faithful}; {} of {best} pass the implementation’s gate.{}",
            sae_label(&self.report.settings.sae),
            fixed3(means.clarity),
            fixed3(means.responsiveness),
            fixed3(means.purity),
            means.gate,
            self.describe_steered()
        )
    }

    fn scores_chart(&self) -> Chart {
        let shown = if self.is_fully_steered() { &SCORES[..] } else { &SCORES[..3] };
        let columns = shown.iter().map(|score| score.name.to_owned()).collect();
        // Concepts by the score that the page's claim is about; bad descriptions stay after them.
        let mut features: Vec<&Feature> = self.report.features.iter().collect();
        if self.is_fully_steered() {
            let faithful = |feature: &Feature| feature.steered.as_ref().map_or(0.0, |steered| steered.faithfulness);
            let best = features.iter().filter(|feature| feature.case == DescriptionCase::Best).count();
            features[..best].sort_by(|a, b| faithful(b).total_cmp(&faithful(a)));
        }
        let rows = features.into_iter().map(|feature| HeatRow {
            label: feature.concept.clone(),
            detail: Some(match feature.case {
                DescriptionCase::Best => format!("{}", feature.latent),
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
        let by = if self.is_fully_steered() { ", by faithfulness" } else { "" };
        let caption = format!(
            "Each planted concept with the latent that tells its words best{by}, then descriptions that \
             are bad on purpose; as implemented. A score that has no value is shown as 0.{}{}",
            self.describe_choices(),
            self.describe_steered()
        );
        Chart::new("fade-scores", "Four scores of every feature", self.headline(), caption, ChartBody::Heatmap(map))
    }

    fn scores_table(&self) -> Chart {
        let row = |feature: &Feature| {
            let steered = feature.steered.as_ref();
            let failures = description_failures(feature);
            vec![
                description_cell(feature),
                number_cell(feature.clarity.code, 3),
                number_cell(feature.ceiling, 3),
                number_cell(feature.clarity.document, 3),
                number_cell(feature.responsiveness.code, 3),
                number_cell(feature.purity.code, 3),
                number_cell(feature.prevalence, 3),
                number_cell(steered.map(|steered| steered.faithfulness), 3),
                cells::text_cell(steered.map_or_else(
                    || "–".to_owned(),
                    |s| s.best_factor.map_or_else(|| "none".to_owned(), format_trimmed),
                )),
                cells::text_cell(if failures.is_empty() { "–".to_owned() } else { failures.join(", ") }),
            ]
        };
        let columns = parse_columns(
            "description ~ latent | >clarity | >clarity ~ at best | >clarity ~ as in the paper | \
             >responsive | >purity | >purity ~ by chance | >faithful | >factor | what fails",
        );
        let rows = self.report.features.iter().map(row).collect();
        let caption = format!(
            "Clarity as implemented (a tie counts half), with what a perfect detector of the \
             concept would have, and in the paper’s (a tie counts nothing); purity with what any ranking \
             would have. The implementation’s gate stops at what is unclear or not responsive, below {GATE_MIN}. Impure below {PURITY_MIN} and inert below {FAITHFULNESS_MIN} are bounds of ours.{}{}",
            self.describe_choices(),
            self.describe_steered()
        );
        let said = [self.headline(), caption];
        cells::table_chart("fade-table", "Every feature, in numbers", said, columns, rows)
    }

    /// A table of a row each feature: its description, then what columns have of its scores under their choices.
    fn variants_chart(&self, id: &str, title: &str, said: [String; 2], columns: &[VariantColumn]) -> Chart {
        let headings = columns.iter().map(|(label, detail, ..)| format!(">{label} ~ {detail}"));
        let headings: Vec<String> = iter::once("description ~ latent".to_owned()).chain(headings).collect();
        let cells = |feature: &Feature| {
            let cell = |&(_, _, rated, norm, of): &VariantColumn| match feature.variant(rated, norm) {
                Some(variant) => of(variant),
                None => number_cell(None, 3),
            };
            iter::once(description_cell(feature)).chain(columns.iter().map(cell)).collect()
        };
        let rows = self.report.features.iter().map(cells).collect();
        cells::table_chart(id, title, said, cells::parse_columns(&headings.join(" | ")), rows)
    }

    /// Scores of all natural texts beside those of a sample.
    fn sampling_chart(&self) -> Chart {
        let [all, sample] = [RatedTexts::All, RatedTexts::Sampled];
        let norm = Norm::Elements;
        let texts = |one: &ScoreVariant| cells::text_cell(format!("{} / {}", one.document_texts, one.code_texts));
        let columns: [VariantColumn; 8] = [
            ("responsive", "all", all, norm, |one| number_cell(one.responsiveness.code, 3)),
            ("responsive", "sample", sample, norm, |one| number_cell(one.responsiveness.code, 3)),
            ("purity", "all", all, norm, |one| number_cell(one.purity.code, 3)),
            ("by chance", "all", all, norm, |one| number_cell(one.prevalence.code, 3)),
            ("purity", "sample", sample, norm, |one| number_cell(one.purity.code, 3)),
            ("by chance", "sample", sample, norm, |one| number_cell(one.prevalence.code, 3)),
            ("purity", "paper’s sample", sample, norm, |one| number_cell(one.purity.document, 3)),
            ("sample", "note / code", sample, norm, texts),
        ];
        let settings = &self.report.settings;
        let mean = |rated| {
            let of = |feature: &Feature| feature.variant(rated, Norm::Elements)?.purity.code;
            mean_or_none(&self.report.best_features().filter_map(of).collect::<Vec<_>>())
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
            format_percent(settings.top),
            if settings.texts <= settings.sample { " Here it is all texts." } else { "" }
        );
        self.variants_chart("fade-sampling", "All texts or a sample", [summary, caption], &columns)
    }

    /// The note's formula with the number of elements for its norm, and with that of elements other than 0.
    fn norms_chart(&self) -> Chart {
        let rated = self.report.settings.rated;
        let [elements, nonzero] = [Norm::Elements, Norm::Nonzero];
        let columns: [VariantColumn; 6] = [
            ("clarity", "code", rated, elements, |one| number_cell(one.clarity.code, 3)),
            ("clarity", "note, elements", rated, elements, |one| number_cell(one.clarity.document, 3)),
            ("clarity", "note, not 0", rated, nonzero, |one| number_cell(one.clarity.document, 3)),
            ("responsive", "code", rated, elements, |one| number_cell(one.responsiveness.code, 3)),
            ("responsive", "note, elements", rated, elements, |one| number_cell(one.responsiveness.document, 3)),
            ("responsive", "note, not 0", rated, nonzero, |one| number_cell(one.responsiveness.document, 3)),
        ];
        let above = self.report.features.iter().filter(|feature| {
            feature
                .variant(rated, nonzero)
                .is_some_and(|one| [one.clarity, one.responsiveness].iter().any(|score| score.document > Some(1.0)))
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
        self.variants_chart("fade-norm", "Two readings of ‖A‖₀", [summary, caption], &columns)
    }

    /// A chart of the opened feature, or one that says that there is none.
    fn feature_chart(&self, id: &str, title: &str, build: impl Fn(&Feature) -> (String, String, ChartBody)) -> Chart {
        match self.selected_feature {
            Some(feature) => {
                let (summary, caption, body) = build(feature);
                Chart::new(id, &format!("{title}: {}", feature_label(feature)), summary, caption, body)
            }
            None => {
                let said = ["No feature is opened.".to_owned(), String::new()];
                cells::table_chart(id, title, said, parse_columns("feature"), vec![vec![cells::text_cell("none")]])
            }
        }
    }

    fn densities_chart(&self) -> Chart {
        self.feature_chart("fade-densities", "Activations by label", |feature| {
            let all = feature.natural.iter().chain(&feature.made).copied();
            let (least, most) = all.fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            let width = if most > least { (most - least) / BIN_COUNT as f64 } else { 1.0 };
            let density = |values: Vec<f64>| {
                let mut counts = [0_usize; BIN_COUNT];
                for value in &values {
                    counts[(((value - least) / width) as usize).min(BIN_COUNT - 1)] += 1;
                }
                let share = |count: usize| count as f64 / values.len().max(1) as f64;
                let points = counts.into_iter().enumerate().map(|(bin, count)| {
                    let from = least + bin as f64 * width;
                    let label = format!("{} to {}", fixed3(from), fixed3(from + width));
                    Datum { x: from + width / 2.0, y: share(count), label }
                });
                points.collect::<Vec<_>>()
            };
            let (activations, labels) = feature.rated_texts();
            let labelled = |wanted: u8| {
                let both = activations.iter().zip(&labels);
                both.filter(|(_, label)| **label == wanted).map(|(a, _)| *a).collect::<Vec<f64>>()
            };
            let of = |name: &str, values: Vec<f64>, role, stroke, marker| {
                let name = format!("{name} ({})", values.len());
                Series::new(&name, role, stroke, marker, density(values))
            };
            let mut shown = vec![
                of("0, not expressed", labelled(0), ColourRole::Neutral, Stroke::Dotted, Marker::None),
                of("1, by one word", labelled(1), ColourRole::Fidelity, Stroke::Dashed, Marker::None),
                of("2, clearly", labelled(2), ColourRole::Completeness, Stroke::Strong, Marker::None),
                of("made from it", feature.made.clone(), ColourRole::Score, Stroke::Solid, Marker::None),
            ];
            shown.retain(|series| !series.name.ends_with("(0)"));
            let x = Axis::around_values("activation of the text", "a", [least, most]);
            let y = Axis::unit_range("share of the label’s texts", "share", []);
            let silent = feature.natural.iter().filter(|a| **a == 0.0).count();
            let summary = format!(
                "{} of {} natural texts leave it silent; its largest activation is {}.",
                silent,
                feature.natural.len(),
                fixed3(feature.largest)
            );
            let caption = format!(
                "The activation of a text is the largest of its tokens. {BIN_COUNT} bins of equal width; \
                 silent texts are in the first one, at 0.{}",
                self.describe_choices()
            );
            (summary, caption, ChartBody::Lines(Lines::curves_only(x, y, shown)))
        })
    }

    fn precision_recall_chart(&self) -> Chart {
        self.feature_chart("fade-precision", "Precision and recall", |feature| {
            let (activations, labels) = feature.rated_texts();
            let points = precision_recall_curve(&activations, &labels);
            let data = points.iter().map(|point| Datum {
                x: point.recall,
                y: point.precision,
                label: format!("activation ≥ {}", fixed3(point.threshold)),
            });
            let curve = Series::new("this latent", ColourRole::Score, Stroke::Strong, Marker::None, data.collect());
            let chance = ReferenceLine {
                name: format!("chance, {}", fixed3(feature.prevalence)),
                place: ReferencePosition::Horizontal(feature.prevalence),
            };
            let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), fixed3);
            let ScoreByReading { document, code } = feature.purity;
            let summary = format!(
                "Purity {} as implemented, {} as in the paper; by chance {}.",
                shown(code),
                shown(document),
                fixed3(feature.prevalence)
            );
            let caption = format!(
                "Texts labelled 2 among those labelled 0 and 2, by falling activation; texts of one activation \
                 enter together. Purity is the area below, in steps.{}",
                self.describe_choices()
            );
            let x = Axis::unit_range("recall", "recall", []);
            let y = Axis::unit_range("precision", "precision", []);
            let lines = Lines { references: vec![chance], ..Lines::curves_only(x, y, vec![curve]) };
            (summary, caption, ChartBody::Lines(lines))
        })
    }

    fn doses_chart(&self) -> Chart {
        let factors = &self.report.settings.factors;
        self.feature_chart("fade-dose", "What the model writes", |feature| {
            let group = |factor: &f64| BarGroup {
                label: format_trimmed(*factor),
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
                BarSeries::new("2, clearly", ColourRole::Completeness, BarFill::Solid, bars(2)),
                BarSeries::new("1, by one word", ColourRole::Fidelity, BarFill::Hollow, bars(1)),
            ];
            let summary = match &feature.steered {
                None => "Not steered yet.".to_owned(),
                Some(steered) => {
                    let at = match steered.best_factor {
                        Some(factor) => format!("reached at factor {}", format_trimmed(factor)),
                        None => "no factor says more of it than 0".to_owned(),
                    };
                    let largest = match (steered.best_factor, steered.largest_factor) {
                        (Some(best), Some(largest)) if best != largest => format!(
                            " The code reports the largest factor of all, {}, in its place.",
                            format_trimmed(largest)
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
                y: Axis::unit_range("share of continuations", "share", []),
                groups: factors.iter().map(group).collect(),
                series: shown,
            };
            (summary, caption, ChartBody::Bars(bars))
        })
    }

    /// Of each autoencoder in the order of the shipped ones, its runs.
    fn runs_by_sae(&self) -> Vec<(&str, Vec<&SeedRun>)> {
        let mut names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        for run in self.runs {
            if !names.contains(&run.sae.as_str()) {
                names.push(&run.sae);
            }
        }
        let of = |name: &str| self.runs.iter().filter(|run| run.sae == name).collect::<Vec<_>>();
        names.into_iter().map(|name| (name, of(name))).filter(|(_, runs)| !runs.is_empty()).collect()
    }

    fn control_chart(&self, score: &ScoreSpec) -> Chart {
        let mut rows = Vec::new();
        let perfect: Option<Vec<f64>> = self.report.best_features().map(score.perfect).collect();
        if let Some(mean) = perfect.and_then(|values| mean_or_none(&values)) {
            rows.push(DotRow {
                label: "a perfect detector".to_owned(),
                detail: Some("planted truth".to_owned()),
                role: ColourRole::GroundTruth,
                marker: Marker::Diamond,
                value: mean,
                spread: (mean, mean),
            });
        }
        for (name, runs) in self.runs_by_sae() {
            let values: Vec<f64> = runs.iter().filter_map(|run| (score.mean)(&run.means)).collect();
            let Some(value) = mean_or_none(&values) else { continue };
            let trained = is_trained(name);
            rows.push(DotRow::for_subject(sae_label(name), trained, value, min_max(values)));
        }
        let seeds = self.describe_seeds();
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
            self.describe_choices()
        );
        let dots = Dots {
            rows_title: "autoencoder".to_owned(),
            spread_title: "over the seeds".to_owned(),
            x: Axis::unit_range(&format!("mean {}", score.name), score.name, []),
            rows,
        };
        Chart::new(score.id, &format!("Controls: {}", score.name), summary, caption, ChartBody::Dots(dots))
    }

    /// "3 seeds of the natural texts".
    fn describe_seeds(&self) -> String {
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
    fn separation_chart(&self) -> Chart {
        let subjects = self.runs_by_sae();
        let row = |score: &ScoreSpec| {
            let range = |wanted: fn(&str) -> bool| {
                let of = |(_, runs): &&(&str, Vec<&SeedRun>)| {
                    runs.iter().filter_map(|run| (score.mean)(&run.means)).collect::<Vec<_>>()
                };
                let values: Vec<f64> = subjects.iter().filter(|(name, _)| wanted(name)).flat_map(|s| of(&s)).collect();
                (!values.is_empty()).then(|| min_max(values))
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
                cells::text_cell(score.name),
                cells::range_cell(trained),
                cells::range_cell(random),
                cells::range_cell(permuted),
                cells::text_cell(apart),
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
            self.describe_seeds(),
            self.describe_choices()
        );
        let columns = parse_columns("score | >trained | >random | >decoder permuted | separates trained from random");
        let title = "Which scores separate them";
        cells::table_chart("fade-tells", title, [summary, caption], columns, rows)
    }
}

/// Which texts are rated and how the note's formula is read, in sentences that begin with a space; empty where both
/// are as in the default settings.
#[must_use]
pub fn describe_choices(settings: &Settings) -> String {
    let mut out = String::new();
    let Settings { texts, sample, .. } = settings;
    if settings.rated == RatedTexts::Sampled && texts <= sample {
        out += &format!(" All {texts} natural texts are rated: a sample of {sample} leaves none of them out.");
    } else if settings.rated == RatedTexts::Sampled {
        out += &format!(
            " Responsiveness and purity are of a sample by activation: {sample} texts asked for, {} of them from \
             the top.",
            format_percent(settings.top)
        );
    }
    if settings.norm == Norm::Nonzero {
        out += " The paper’s ‖A‖₀ counts activations other than 0: its clarity and responsiveness can exceed 1.";
    }
    out
}

/// "10 %".
fn format_percent(share: f64) -> String {
    format!("{} %", format_trimmed(100.0 * share))
}

fn mean_or_none(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| mean_or_nan(values))
}

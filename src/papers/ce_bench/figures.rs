//! CE-Bench's figures: scores by reading, what they say of controls, the pairs of one autoencoder.

use std::collections::BTreeSet;

use super::metric::Reading;
use super::report::{MeanScores, PairScores, Report, SubjectScores, score_bound};
use crate::plot::cells::{self, number_cell, parse_columns};
use crate::plot::format::{fixed3, format_with_noun, join_with_and};
use crate::plot::{
    Axis, Bin, Chart, ChartBody, ColourRole, DotRow, Dots, Histogram, Marker, Rule, Stroke, TableCell, min_max,
};
use crate::statistics::{mean, spearman};
use crate::study::{FigureSpec, lab_only};

/// What is drawn.
pub struct CeBenchSource<'a> {
    /// The report, of the first seed.
    pub report: &'a Report,
    /// The reading that is opened.
    pub reading: Reading,
    /// The pair that is opened.
    pub pair: Option<&'a PairScores>,
    /// Scores under other seeds of the stories.
    pub other_seeds: &'a [(u32, Vec<SubjectScores>)],
}

type BuildChart = fn(&CeBenchSource<'_>) -> Chart;

/// The figures of CE-Bench.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("ce-scores", "ce-bench-scores", |source| source.scores_chart()),
    lab_only("ce-readings", "ce-bench-scores", |source| source.readings_chart()),
    lab_only("ce-definitions", "ce-bench-controls", |source| source.definitions_chart()),
    lab_only("ce-contrastive", "ce-bench-controls", |source| source.score_dots_chart(&SCORES[0])),
    lab_only(INDEPENDENCE_ID, "ce-bench-controls", |source| source.score_dots_chart(&SCORES[1])),
    lab_only("ce-interpretability", "ce-bench-controls", |source| source.score_dots_chart(&SCORES[2])),
    lab_only("ce-tells", "ce-bench-controls", |source| source.separation_chart()),
    lab_only("ce-about", "ce-bench-truth", |source| source.relevance_chart()),
    lab_only("ce-pairs", "ce-bench-pairs", |source| source.pairs_chart()),
    lab_only("ce-pair", "ce-bench-pairs", |source| source.pair_chart()),
];

/// A score, as figures name it.
struct ScoreSpec {
    id: &'static str,
    name: &'static str,
    of: fn(&MeanScores) -> f64,
}

const INDEPENDENCE_ID: &str = "ce-independence";

const SCORES: [ScoreSpec; 3] = [
    ScoreSpec { id: "ce-contrastive", name: "contrastive", of: |totals| totals.contrastive },
    ScoreSpec { id: INDEPENDENCE_ID, name: "independence", of: |totals| totals.independence },
    ScoreSpec { id: "ce-interpretability", name: "interpretability", of: |totals| totals.interpretability },
];

/// What a reading is, for people.
#[must_use]
pub fn reading_label(reading: Reading) -> &'static str {
    match reading {
        Reading::V1Marked => "the older code",
        Reading::CodeHead => "the newest code",
        Reading::Readme => "the README’s words",
        Reading::Paper => "the abstract’s words",
    }
}

/// The same for a column of a table, as the page's choice of a reading has it.
fn reading_short_label(reading: Reading) -> &'static str {
    match reading {
        Reading::V1Marked => "Older code",
        Reading::CodeHead => "Newest code",
        Reading::Readme => "README",
        Reading::Paper => "Abstract",
    }
}

/// What independence is where a reading reads no marks.
pub const WITHOUT_MARKS: &str = "without marks";

/// Whether independence is of marks, for the column of a table.
#[must_use]
pub fn describe_marks(reading: Reading) -> &'static str {
    if reading.reads_marks() { "with marks" } else { WITHOUT_MARKS }
}

/// [`WITHOUT_MARKS`], of such a reading.
fn marks_detail(reading: Reading) -> Option<String> {
    (!reading.reads_marks()).then(|| WITHOUT_MARKS.to_owned())
}

/// A reading's name, and what its independence is where that has no part with marks.
fn reading_cell(reading: Reading) -> TableCell {
    let detail = marks_detail(reading).map(|detail| format!("independence {detail}"));
    TableCell { detail, ..cells::text_cell(reading.name()) }
}

impl ScoreSpec {
    /// Its name in a reading: "independence without marks".
    fn label_in(&self, reading: Reading) -> String {
        match marks_detail(reading).filter(|_| self.id == INDEPENDENCE_ID) {
            Some(detail) => format!("{} {detail}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// The heading of its column in a table of one reading, as [`columns`] has it.
    fn heading(&self, reading: Reading) -> String {
        match marks_detail(reading).filter(|_| self.id == INDEPENDENCE_ID) {
            Some(detail) => format!(" | >{} ~ {detail}", self.name),
            None => format!(" | >{}", self.name),
        }
    }
}

/// Whether the subject's latents are random directions.
fn is_random(subject: &SubjectScores) -> bool {
    subject.name.starts_with("random")
}

impl CeBenchSource<'_> {
    fn describe_stories(&self) -> String {
        format_with_noun(self.report.settings.pairs, "story pair")
    }

    pub(super) fn headline(&self) -> String {
        let Some(first) = self.report.subjects.first() else { return String::new() };
        let totals = first.readings.get(self.reading);
        format!(
            "{}, by {}: contrastive {}, {} {}, interpretability {}, means over {}.",
            first.label,
            reading_label(self.reading),
            fixed3(totals.contrastive),
            SCORES[1].label_in(self.reading),
            fixed3(totals.independence),
            fixed3(totals.interpretability),
            self.describe_stories()
        )
    }

    fn scores_chart(&self) -> Chart {
        let bounded = score_bound(self.reading, 2).is_some();
        let scores = SCORES.each_ref().map(|score| score.heading(self.reading)).concat();
        let shares =
            if bounded { " | >bound | >contr. ~ ÷ bound | >indep. ~ ÷ bound | >interp. ~ ÷ bound" } else { "" };
        let columns = parse_columns(&format!("autoencoder ~ latents{scores}{shares}"));
        let row = |subject: &SubjectScores| {
            let totals = subject.readings.get(self.reading);
            let most = score_bound(self.reading, subject.latents);
            let kind = if subject.trained { "trained" } else { "control" };
            let mut row = vec![TableCell {
                detail: Some(format!("{}, {kind}", subject.latents)),
                ..cells::text_cell(subject.label.clone())
            }];
            row.extend(SCORES.iter().map(|score| number_cell((score.of)(&totals), 3)));
            if let Some(most) = most {
                let shares = totals.divided_by_bound(most);
                row.push(number_cell(most, 3));
                row.extend(SCORES.iter().map(|score| number_cell((score.of)(&shares), 3)));
            }
            row
        };
        let rows = self.report.subjects.iter().map(row).collect();
        let note = if bounded {
            "A z-score over D latents cannot exceed its bound, so that wide dictionaries have more room: \
             divided by the bound, widths can be compared."
        } else {
            "These scores have no bound; what the latents are multiplied by, they are."
        };
        let caption = format!("Means over {}, by {}. {note}", self.describe_stories(), reading_label(self.reading));
        let said = [self.headline(), caption];
        cells::table_chart("ce-scores", "Scores of every autoencoder", said, columns, rows)
    }

    /// The opened autoencoder in all readings.
    fn readings_chart(&self) -> Chart {
        let Some(subject) = self.report.subjects.first() else {
            return self.empty_chart("ce-readings");
        };
        let row = |reading: Reading| {
            let totals = subject.readings.get(reading);
            let sum = totals.contrastive + totals.independence;
            let mut row = vec![reading_cell(reading), cells::text_cell(reading_label(reading))];
            row.extend(SCORES.iter().map(|score| number_cell((score.of)(&totals), 3)));
            row.push(number_cell(sum, 3));
            row.push(number_cell(score_bound(reading, subject.latents), 3));
            row
        };
        let rows = Reading::ALL.map(row).to_vec();
        let columns = parse_columns(
            "reading | after | >contrastive | >independence | >interpretability | >sum of the two | \
             >bound",
        );
        let summary = format!("{} in four readings of the same three scores.", subject.label);
        let caption = "The README says that interpretability is the sum of the other two; both codes \
                       take the largest entry of a sum of vectors, which is another number."
            .to_owned();
        let said = [summary, caption];
        cells::table_chart("ce-readings", "One autoencoder, four readings", said, columns, rows)
    }

    fn empty_chart(&self, id: &str) -> Chart {
        let said = ["Nothing is here yet.".to_owned(), String::new()];
        let rows = vec![vec![cells::text_cell("nothing is here yet")]];
        cells::table_chart(id, "Nothing yet", said, parse_columns("nothing"), rows)
    }

    /// A subject's values of a score over the seeds.
    fn values_over_seeds(&self, name: &str, score: &ScoreSpec) -> Vec<f64> {
        let of = |subjects: &[SubjectScores]| {
            let found = subjects.iter().find(|subject| subject.name == name);
            found.map(|subject| (score.of)(&subject.readings.get(self.reading)))
        };
        let more = self.other_seeds.iter().filter_map(|(_, subjects)| of(subjects));
        of(&self.report.subjects).into_iter().chain(more).collect()
    }

    fn describe_seeds(&self) -> String {
        format_with_noun(1 + self.other_seeds.len(), "seed") + " of the stories"
    }

    fn score_dots_chart(&self, score: &ScoreSpec) -> Chart {
        let rows: Vec<DotRow> = self
            .report
            .subjects
            .iter()
            .filter_map(|subject| {
                let values = self.values_over_seeds(&subject.name, score);
                let value = mean(&values).ok().filter(|value| value.is_finite())?;
                Some(DotRow::for_subject(&subject.label, subject.trained, value, min_max(values)))
            })
            .collect();
        let said = rows.iter().map(|row| format!("{} {}", row.label, fixed3(row.value)));
        let summary = format!(
            "{} by {}: {}.",
            score.label_in(self.reading),
            reading_label(self.reading),
            said.collect::<Vec<_>>().join("; ")
        );
        let caption = format!(
            "Means over {} a seed; points are means over {}, bars reach from the lowest to the highest.",
            self.describe_stories(),
            self.describe_seeds()
        );
        let most = rows.iter().map(|row| row.spread.1).fold(0.0, f64::max);
        let name = score.label_in(self.reading);
        let dots = Dots {
            rows_title: "autoencoder".to_owned(),
            spread_title: "over the seeds".to_owned(),
            x: Axis::from_zero(&name, most).with_symbol(score.name),
            rows,
        };
        let title = format!("Controls: {name}");
        Chart::new(score.id, &title, summary, caption, ChartBody::Dots(dots))
    }

    /// The subject of the highest interpretability under this reading; none where no score is a number.
    fn best_subject(&self) -> Option<&SubjectScores> {
        let [.., interpretability] = &SCORES;
        let scored = self.report.subjects.iter().filter_map(|subject| {
            let value = mean(&self.values_over_seeds(&subject.name, interpretability)).ok()?;
            value.is_finite().then_some((subject, value))
        });
        scored.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(subject, _)| subject)
    }

    /// A score's lowest and highest value among those wanted; none where there are none.
    fn score_range(&self, score: &ScoreSpec, wanted: impl Fn(&SubjectScores) -> bool) -> Option<(f64, f64)> {
        let subjects = self.report.subjects.iter().filter(|subject| wanted(subject));
        let values: Vec<f64> = subjects.flat_map(|s| self.values_over_seeds(&s.name, score)).collect();
        (!values.is_empty()).then(|| min_max(values))
    }

    /// Whether a score puts every trained autoencoder above every random one of its width; none where no width has both.
    fn separates_trained(&self, score: &ScoreSpec) -> Option<bool> {
        let widths: BTreeSet<usize> = self.report.subjects.iter().map(|subject| subject.latents).collect();
        let apart = widths.iter().filter_map(|width| {
            let of = |s: &SubjectScores| s.latents == *width;
            let trained = self.score_range(score, |s| of(s) && s.trained)?;
            let random = self.score_range(score, |s| of(s) && is_random(s))?;
            Some(trained.0 > random.1)
        });
        apart.reduce(|a, b| a && b)
    }

    /// By reading, which subject comes first and which scores separate trained from random.
    fn definitions_chart(&self) -> Chart {
        let under = Reading::ALL.map(|reading| CeBenchSource { reading, ..*self });
        let firsts: Vec<Option<&SubjectScores>> = under.iter().map(|source| source.best_subject()).collect();
        let separating = under.each_ref().map(|source| {
            SCORES.iter().filter(|score| source.separates_trained(score) == Some(true)).collect::<Vec<_>>()
        });
        let rows = Reading::ALL.iter().zip(&firsts).zip(&separating).map(|((reading, first), scores)| {
            let names: Vec<String> = scores.iter().map(|score| score.label_in(*reading)).collect();
            vec![
                cells::text_cell(reading_short_label(*reading)),
                cells::text_cell(
                    match first {
                        None => "–",
                        Some(first) if first.name == crate::toy_model::RESIDUAL_STREAM_NAME => "residual stream",
                        Some(first) => first.label.as_str(),
                    }
                    .replace(" latents", ""),
                ),
                cells::text_cell(match names.len() {
                    0 => "none".to_owned(),
                    n if n == SCORES.len() => "all three".to_owned(),
                    _ => join_with_and(&names),
                }),
            ]
        });
        let rows = rows.collect();
        let won: BTreeSet<&str> = firsts.iter().flatten().map(|first| first.name.as_str()).collect();
        let judging = firsts.iter().flatten().count();
        let subjects = match won.len() {
            1 => "the same subject".to_owned(),
            n => format!("{n} different subjects"),
        };
        let winners = match judging {
            0 => String::new(),
            n => format!("{n} definitions give the highest interpretability to {subjects}. "),
        };
        let telling: usize = separating.iter().map(Vec::len).sum();
        let summary = format!(
            "{winners}{telling} of {} scores ({}, under {} definitions) put every trained autoencoder above all random \
             directions of its width.",
            SCORES.len() * Reading::ALL.len(),
            join_with_and(&SCORES.map(|score| score.name.to_owned())),
            Reading::ALL.len()
        );
        let caption = format!(
            "Ranks first: the highest interpretability. Trained > random: which of the three scores put every trained \
             autoencoder above all random directions of its width, over {}.",
            self.describe_seeds()
        );
        let columns = parse_columns("definition | ranks first (latents) | trained > random");
        let said = [summary, caption];
        cells::table_chart("ce-definitions", "What each definition finds", said, columns, rows)
    }

    /// By reading and score, whether every trained autoencoder is above every random one of its width.
    fn separation_chart(&self) -> Chart {
        let mut rows = Vec::new();
        let mut telling = 0;
        for reading in Reading::ALL {
            let source = CeBenchSource { reading, ..*self };
            for score in &SCORES {
                let apart = source.separates_trained(score);
                telling += usize::from(apart == Some(true));
                rows.push(vec![
                    cells::text_cell(reading.name()),
                    TableCell {
                        detail: marks_detail(reading).filter(|_| score.id == INDEPENDENCE_ID),
                        ..cells::text_cell(score.name)
                    },
                    cells::range_cell(source.score_range(score, |s| s.trained)),
                    cells::range_cell(source.score_range(score, is_random)),
                    cells::range_cell(source.score_range(score, |s| s.name == crate::toy_model::RESIDUAL_STREAM_NAME)),
                    cells::text_cell(match apart {
                        None => "–",
                        Some(true) => "yes",
                        Some(false) => "no",
                    }),
                ]);
            }
        }
        let summary = format!(
            "{telling} of {} scores ({} by {} definitions) put every trained autoencoder above all random \
             directions of its width.",
            rows.len(),
            SCORES.len(),
            Reading::ALL.len()
        );
        let caption = format!(
            "From the lowest to the highest over {}. A permuted decoder has the very scores of the \
             autoencoder that it was made of: no reading looks at the decoder.",
            self.describe_seeds()
        );
        let columns =
            parse_columns("reading | score | >trained | >random | >residual stream | separates trained from random");
        let said = [summary, caption];
        cells::table_chart("ce-tells", "Which scores separate them", said, columns, rows)
    }

    fn relevance_chart(&self) -> Chart {
        let row = |subject: &SubjectScores| {
            vec![
                cells::text_cell(subject.label.clone()),
                cells::text_cell(if subject.trained { "trained" } else { "control" }.to_owned()),
                number_cell(subject.about.topic, 3),
                number_cell(subject.about.base_topic, 3),
                number_cell(subject.about.mood, 3),
                number_cell(subject.about.base_mood, 3),
                number_cell(subject.readings.v1_marked.interpretability, 3),
            ]
        };
        let rows = self.report.subjects.iter().map(row).collect();
        let agreement = self.describe_agreement();
        let summary = match self.report.subjects.first() {
            Some(first) => format!(
                "The winning latent of {} is about what the pair contrasts in {} of the pairs of topics \
                 and {} of those of moods.{agreement}",
                first.label,
                first.about.topic.map_or_else(|| "none".to_owned(), fixed3),
                first.about.mood.map_or_else(|| "none".to_owned(), fixed3)
            ),
            None => String::new(),
        };
        let caption = "The latent that wins a pair by the older code is about its contrast if it tells \
                       natural texts that clearly express one of the two topics (or one of the two moods) \
                       from texts that do not: a FADE responsiveness of at least 0.5. Chance is the share \
                       of all latents for which that holds. This asks the planted truth, which no real \
                       model has; how it was defined was settled after looking at results, so take it as \
                       exploratory."
            .to_owned();
        let columns = parse_columns("autoencoder |  | >topics | >by chance | >moods | >by chance | >interpretability");
        let said = [summary, caption];
        cells::table_chart("ce-about", "Is the winning latent about the contrast?", said, columns, rows)
    }

    /// Whether the score ranks autoencoders as the truth does, in a sentence.
    fn describe_agreement(&self) -> String {
        let both: Vec<(f64, f64)> = self
            .report
            .subjects
            .iter()
            .filter_map(|subject| {
                let about = &subject.about;
                let truth = (about.topic? + about.mood?) / 2.0;
                Some((subject.readings.v1_marked.interpretability, truth))
            })
            .filter(|(score, _)| score.is_finite())
            .collect();
        let (scores, truths): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
        let found = spearman(&scores, &truths).ok().map(|found| found.coefficient);
        match found {
            Some(r) if r.is_finite() && scores.len() > 3 => format!(
                " Over {} subjects the older code’s interpretability and this share rank alike with a \
                 correlation of {}.",
                scores.len(),
                fixed3(r)
            ),
            _ => String::new(),
        }
    }

    fn reading_index(&self) -> usize {
        Reading::ALL.iter().position(|reading| *reading == self.reading).unwrap_or(0)
    }

    fn pairs_chart(&self) -> Chart {
        let at = self.reading_index();
        let value = |pair: &PairScores| pair.scores.get(at).map(|scores| scores.interpretability);
        let values: Vec<f64> = self.report.pairs.iter().filter_map(value).filter(|value| value.is_finite()).collect();
        if values.is_empty() {
            return self.empty_chart("ce-pairs");
        }
        let (low, high) = min_max(values.iter().copied());
        let axis = Axis::around_values("interpretability of the pair", "interpretability", [low, high]);
        let bins = 20_usize;
        let width = (axis.max - axis.min) / bins as f64;
        let mut counts = vec![0; bins];
        for value in &values {
            counts[(((value - axis.min) / width) as usize).min(bins - 1)] += 1;
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        let least = axis.min;
        let bins = counts.into_iter().enumerate().map(|(bin, count)| {
            let from = least + bin as f64 * width;
            Bin { from, to: from + width, count }
        });
        let rule = self.pair.and_then(value).filter(|value| value.is_finite()).map(|x| Rule {
            name: "the pair that is opened".to_owned(),
            x,
            role: ColourRole::Yours,
            stroke: Stroke::Dashed,
            marker: Marker::Diamond,
        });
        let label_of = self.report.subjects.first().map_or("", |subject| subject.label.as_str());
        let summary = format!(
            "Interpretability of {} goes from {} to {} over {}.",
            label_of,
            fixed3(low),
            fixed3(high),
            self.describe_stories()
        );
        let caption = format!("Of {}, by {}.", label_of, reading_label(self.reading));
        let body = ChartBody::Histogram(Histogram {
            y: Axis::from_zero("pairs", most as f64),
            x: axis,
            counted: "pairs".to_owned(),
            bins: bins.collect(),
            rules: rule.into_iter().collect(),
        });
        Chart::new("ce-pairs", "From pair to pair", summary, caption, body)
    }

    fn pair_chart(&self) -> Chart {
        let Some(pair) = self.pair else { return self.empty_chart("ce-pair") };
        let row = |(at, reading): (usize, &Reading)| {
            let mut row = vec![reading_cell(*reading)];
            match pair.scores.get(at) {
                Some(scores) => row.extend(SCORES.iter().map(|score| number_cell((score.of)(scores), 3))),
                None => row.extend(SCORES.iter().map(|_| cells::text_cell("–"))),
            }
            let winner = pair.winners.get(at).map_or_else(|| "–".to_owned(), usize::to_string);
            row.push(cells::text_cell(winner));
            row
        };
        let rows = Reading::ALL.iter().enumerate().map(row).collect();
        // Longer headings are cut on a phone.
        let columns = parse_columns("reading | >contrastive | >independence | >interpretability | >latent");
        let [a, b] = &pair.told;
        let summary = format!("A pair that contrasts {a} with {b}.");
        let caption = "The latent is the winning one, where the two stories are farthest apart; the first \
                       of equal ones."
            .to_owned();
        let said = [summary, caption];
        cells::table_chart("ce-pair", &format!("One pair: {a} against {b}"), said, columns, rows)
    }
}

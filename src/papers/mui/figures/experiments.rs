//! What the paper's corollaries ask of the toy model.

use super::super::experiment::{Band, ContaminationResult, DiversityResult, LengthResult, format_percent};
use super::super::metric::random_mui;
use super::toy_model::{TOY_LAYER_WIDTH, not_measured_chart};
use super::{MuiSource, p_value_cell};
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{fixed, format_with_noun};
use crate::plot::{Axis, Chart, ChartBody, ColourRole, CurveBand, Datum, Lines, Marker, Series, Stroke, TableCell};

/// "18.4 (17.0–19.9)".
pub(super) fn band_cell(band: Option<&Band>) -> TableCell {
    let Some(band) = band else { return text_cell("–") };
    TableCell {
        exact: Some(100.0 * band.mean),
        ..text_cell(format!(
            "{} ({}–{})",
            format_percent(band.mean),
            format_percent(band.low),
            format_percent(band.high)
        ))
    }
}

/// "−0.21 to 0.34"; "–" where there are no ends.
pub(super) fn format_interval(ends: Option<(f64, f64)>) -> String {
    ends.map_or("–".to_owned(), |(low, high)| format!("{} to {}", fixed(low, 2), fixed(high, 2)))
}

pub(super) fn curve_series(
    name: String,
    role: ColourRole,
    stroke: Stroke,
    points: Vec<Datum>,
    band: Option<CurveBand>,
) -> Series {
    let bands = band.into_iter().collect();
    Series { bands, ..Series::new(&name, role, stroke, Marker::Circle, points) }
}

pub(super) fn diversity_chart(source: &MuiSource<'_>) -> Chart {
    let words = ["mui-diversity", "More kinds of tasks, as many answers", "task"];
    let caption = "Answers drawn in turn from one task, two, five or all ten, over 16 draws of tasks and answers (Figure 9 of \
                   the paper). Shuffled: one of ten to which all answers were assigned at random, so that it is no \
                   task; it should use as much as all ten. Much of the growth is that of the number of answers alone.";
    growth_chart(source, words, source.report.experiments.diversity.as_ref(), caption)
}

pub(super) fn domains_chart(source: &MuiSource<'_>) -> Chart {
    let words = ["mui-domains", "More topics of stories, as many answers", "topic"];
    let caption = "What the model uses where a story goes on with a word of the sea, the kitchen, space, music or winter, of one topic, two or \
                   all five, over 16 draws of topics and answers (Figure 9 of the paper). The right word is the one that the \
                   story goes on with, which nothing before it determines. Shuffled: one of five to which all answers \
                   were assigned at random, so that it is no topic.";
    growth_chart(source, words, source.report.experiments.domains.as_ref(), caption)
}

/// The index over ever more answers of so many kinds.
fn growth_chart(
    source: &MuiSource<'_>,
    [id, title, kind]: [&str; 3],
    found: Option<&DiversityResult>,
    caption: &str,
) -> Chart {
    let Some(found) = found else { return not_measured_chart(id, title) };
    let settings = &source.report.settings;
    let roles = [ColourRole::Sparsity, ColourRole::Fidelity, ColourRole::Completeness, ColourRole::Score];
    let datum = |count: usize, share: f64| Datum {
        x: count as f64,
        y: 100.0 * share,
        label: format_with_noun(count, "answer"),
    };
    let mut series = Vec::new();
    for (of, role) in found.kinds.iter().zip(roles) {
        let points = found.answers.iter().zip(&of.indices).map(|(at, band)| datum(*at, band.mean));
        let edges = of.indices.iter().map(|band| (100.0 * band.low, 100.0 * band.high));
        let band = CurveBand { name: "over the draws".to_owned(), edges: edges.collect() };
        let name = format_with_noun(of.kinds, kind);
        series.push(curve_series(name, role, Stroke::Solid, points.collect(), Some(band)));
    }
    let mut without_band = |name: &str, role, stroke, points: Vec<Datum>| {
        series.push(curve_series(name.to_owned(), role, stroke, points, None));
    };
    if let Some(dealt) = found.dealt.first() {
        let points = found.answers.iter().zip(&dealt.indices);
        let points = points.map(|(at, band)| datum(*at, band.mean)).collect();
        let name = format!("{}, shuffled", format_with_noun(dealt.kinds, kind));
        without_band(&name, ColourRole::Extra, Stroke::Dashed, points);
    }
    if settings.threshold == "topk" {
        let points = found.answers.iter().map(|at| datum(*at, random_mui(settings.k, TOY_LAYER_WIDTH, *at)));
        without_band("random baseline", ColourRole::Neutral, Stroke::Dotted, points.collect());
    }
    let most = found.answers.last().copied().unwrap_or(0);
    let values = |s: &Series| -> Vec<f64> {
        let edges = s.bands.iter().flat_map(|band| band.edges.iter().map(|edge| edge.1));
        s.points.iter().map(|point| point.y).chain(edges).collect()
    };
    let highest = series.iter().flat_map(values).fold(0.0, f64::max);
    let x = Axis::from_zero("answers", most as f64).with_symbol("T");
    let y = Axis::from_zero("MUI (%)", highest).with_symbol("MUI");
    let body = ChartBody::Lines(Lines::curves_only(x, y, series));
    let summary = source.report.experiments.describe_figure(id);
    Chart::new(id, title, summary, caption.to_owned(), body)
}

pub(super) fn growth_parts_chart(source: &MuiSource<'_>) -> Chart {
    let title = "What of the growth is the number of answers alone";
    let experiments = &source.report.experiments;
    let Some(tasks) = &experiments.diversity else { return not_measured_chart("mui-parts", title) };
    let all = [("task", Some(tasks)), ("topic", experiments.domains.as_ref())];
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for (kind, found) in all.into_iter().filter_map(|(kind, found)| Some((kind, found?))) {
        for part in found.growth_parts() {
            let share = |value: f64| number_cell(Some(100.0 * value), 1);
            rows.push(vec![
                text_cell(format_with_noun(part.kinds, kind)),
                text_cell(format!("{} → {}", part.from, part.to)),
                share(part.begin),
                share(part.by_answers),
                share(part.by_kinds),
                share(part.by_dealt),
                share(part.share_from_answers()),
            ]);
        }
    }
    let caption =
        "From few answers of one kind to more of several, in points of the index: first more answers of the one kind, \
                   then as many of several. Shuffled, further kinds should add nothing. The last column is the \
                   share of the growth that more answers give alone."
            .to_owned();
    let columns = parse_columns(
        "of | >answers | >at first (%) | >by answers | >by kinds | >by shuffled kinds | \
         >answers alone (%)",
    );
    table_chart("mui-parts", title, [experiments.describe_figure("mui-parts"), caption], columns, rows)
}

pub(super) fn difficulty_chart(source: &MuiSource<'_>) -> Chart {
    let title = "Harder tests";
    let Some(found) = &source.report.experiments.difficulty else {
        return not_measured_chart("mui-difficulty", title);
    };
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for test in found {
        for grade in &test.grades {
            rows.push(vec![
                text_cell(format!("{} of {}", test.task, grade.items)),
                text_cell(test.answers.to_string()),
                number_cell(Some(100.0 * grade.accuracy), 1),
                band_cell(Some(&grade.index)),
                text_cell(""),
                text_cell(""),
            ]);
        }
        let mut mixed = vec![
            text_cell(format!("{}, all grades", test.task)),
            text_cell(test.answers.to_string()),
            text_cell("–"),
            band_cell(Some(&test.mixed)),
        ];
        mixed.extend([p_value_cell(test.hardest_p), text_cell("against the hardest")]);
        rows.push(mixed);
        let trend = |name: &str, value: String, p: TableCell, said: &str| {
            vec![text_cell(name), text_cell(""), text_cell(""), text_cell(value), p, text_cell(said)]
        };
        let written = test.trend.map_or("–".to_owned(), |trend| format!("ρ = {}", fixed(trend, 2)));
        rows.push(trend("trend", written, p_value_cell(test.trend_p), "of grade and index"));
        let control = test
            .permuted
            .map_or("–".to_owned(), |band| format!("ρ = {} to {}", fixed(band.low, 2), fixed(band.high, 2)));
        rows.push(trend("the same, permuted", control, text_cell(""), "grades in random order"));
    }
    let caption = "The index of equally many answers of ever harder tests, over 8 sets that share no draws, mean, lowest and \
                   highest; and of all grades in equal parts (Figure 19 of the paper). Training showed 4 items of recall and \
                   8 of copy at most. What is harder is also longer here."
        .to_owned();
    let columns = parse_columns("test | >answers | >accuracy (%) | >MUI (%) | >p | ");
    let summary = source.report.experiments.describe_figure("mui-difficulty");
    table_chart("mui-difficulty", title, [summary, caption], columns, rows)
}

pub(super) fn length_chart(source: &MuiSource<'_>) -> Chart {
    let title = "Short prompts against long ones";
    let Some(found) = &source.report.experiments.length else {
        return not_measured_chart("mui-length", title);
    };
    let row = |of: &LengthResult| {
        vec![
            text_cell(&*of.of),
            text_cell(of.answers.to_string()),
            text_cell(format!("{} and {}", of.tokens[0], of.tokens[1])),
            band_cell(Some(&of.short)),
            band_cell(Some(&of.long)),
            p_value_cell(of.p),
            band_cell(Some(&of.control)),
            p_value_cell(of.control_p),
        ]
    };
    let rows = found.iter().map(row).collect();
    let caption = "The index of equally many answers to short and to long prompts, both of a length that training showed, over 8 \
                   sets that share no draws; beside it other short ones against the short ones, which should not differ \
                   (Figures 16 to 18 of the paper). p is of Mann and Whitney’s test, uncorrected."
        .to_owned();
    let columns = parse_columns(
        "of | >answers | >tokens | >MUI of short (%) | >MUI of long (%) | >p | \
         >MUI of other short (%) | >p",
    );
    let summary = source.report.experiments.describe_figure("mui-length");
    table_chart("mui-length", title, [summary, caption], columns, rows)
}

pub(super) fn correctness_chart(source: &MuiSource<'_>) -> Chart {
    let title = "Right answers against wrong ones";
    let Some(found) = &source.report.experiments.correctness else {
        return not_measured_chart("mui-correctness", title);
    };
    let rows: Vec<Vec<TableCell>> = found
        .iter()
        .map(|test| {
            let words = match (test.answers, test.is_significant()) {
                (0, _) => "too few are wrong or right",
                (_, true) => "differ",
                _ => "no difference found",
            };
            vec![
                text_cell(&*test.test),
                number_cell(Some(100.0 * test.accuracy), 1),
                text_cell(test.answers.to_string()),
                band_cell(test.right.as_ref()),
                band_cell(test.wrong.as_ref()),
                p_value_cell(test.p),
                text_cell(words),
            ]
        })
        .collect();
    let summary = source.report.experiments.describe_figure("mui-correctness");
    let caption = "Equally many right and wrong answers of tests that are harder than the training, scored by the word that the \
                   model itself finds likeliest; means over 16 draws, lowest and highest (Figures 10 and 20 of the paper). The \
                   draws overlap, so that the test, Mann and Whitney’s, finds a difference too easily. That none is found is \
                   the paper’s claim; it is also what few answers give."
        .to_owned();
    let columns = parse_columns("test | >accuracy (%) | >answers | >MUI of right (%) | >MUI of wrong (%) | >p | ");
    table_chart("mui-correctness", title, [summary, caption], columns, rows)
}

pub(super) fn contamination_chart(source: &MuiSource<'_>) -> Chart {
    let title = "Trained on the test";
    let Some(found) = &source.report.experiments.contamination else {
        return not_measured_chart("mui-contamination", title);
    };
    let first = found.first();
    let words = |now: &ContaminationResult| {
        let directions = first.and_then(|before| now.directions_from(before));
        let name = |at: usize| directions.map_or("–", |both| both[at].name());
        let is_first = first.is_some_and(|before| before.checkpoint == now.checkpoint);
        if is_first { ["–", "–"] } else { [name(0), name(1)] }
    };
    let rows = found.iter().map(|now| {
        let [own, others] = words(now);
        vec![
            text_cell(&*now.checkpoint),
            number_cell(Some(100.0 * now.test.accuracy), 1),
            number_cell(Some(100.0 * now.test.mui), 1),
            text_cell(own),
            band_cell(Some(&now.fresh_accuracy)),
            band_cell(Some(&now.fresh_mui)),
            number_cell(Some(100.0 * now.others.accuracy), 1),
            number_cell(Some(100.0 * now.others.mui), 1),
            text_cell(others),
        ]
    });
    let rows: Vec<Vec<TableCell>> = rows.collect();
    let summary = source.report.experiments.describe_figure("mui-contamination");
    let caption =
        "ck-06000, where colour is at chance; the same trained on with the 128 test items among its texts; and the \
                   end of the ordinary training. Directions are from the first. Unseen items: 8 sets, mean, lowest and \
                   highest. The paper has contaminated models accumulate on what they have seen and collapse elsewhere \
                   (§3.4, Figure 8)."
            .to_owned();
    let columns = parse_columns(
        "checkpoint | >accuracy ~ test items | >MUI ~ test items | goes | >accuracy ~ unseen | \
         >MUI ~ unseen | >accuracy ~ other tasks | >MUI ~ other tasks | goes",
    );
    table_chart("mui-contamination", title, [summary, caption], columns, rows)
}

pub(super) fn masking_chart(source: &MuiSource<'_>) -> Chart {
    let title = "Without the selected neurons";
    let Some(found) = &source.report.experiments.masking else {
        return not_measured_chart("mui-masking", title);
    };
    let points = |of: &dyn Fn(usize) -> f64, whole: f64| -> Vec<Datum> {
        let none = Datum { x: 0.0, y: 100.0 * whole, label: "no neuron off".to_owned() };
        let steps = found.steps.iter().enumerate().map(|(at, step)| Datum {
            x: step.neurons as f64,
            y: 100.0 * of(at),
            label: format!("k = {}", step.k),
        });
        std::iter::once(none).chain(steps).collect()
    };
    let band = |of: &dyn Fn(usize) -> Band, whole: f64| {
        let edges = (0..found.steps.len()).map(|at| (100.0 * of(at).low, 100.0 * of(at).high));
        let none = std::iter::once((100.0 * whole, 100.0 * whole));
        CurveBand { name: "over the draws".to_owned(), edges: none.chain(edges).collect() }
    };
    let steps = &found.steps;
    let task = &found.task;
    let series = vec![
        curve_series(
            format!("{task}, selected off"),
            ColourRole::Score,
            Stroke::Strong,
            points(&|at| steps[at].own, found.own),
            None,
        ),
        curve_series(
            format!("{task}, random off"),
            ColourRole::Score,
            Stroke::Dashed,
            points(&|at| steps[at].random_own.mean, found.own),
            Some(band(&|at| steps[at].random_own, found.own)),
        ),
        curve_series(
            "other tasks, selected off".to_owned(),
            ColourRole::Extra,
            Stroke::Solid,
            points(&|at| steps[at].others, found.others),
            None,
        ),
        curve_series(
            "other tasks, random off".to_owned(),
            ColourRole::Extra,
            Stroke::Dotted,
            points(&|at| steps[at].random_others.mean, found.others),
            Some(band(&|at| steps[at].random_others, found.others)),
        ),
    ];
    let summary = source.report.experiments.describe_figure("mui-masking");
    let caption = "Accuracy as ever more neurons say nothing: those that the task’s answers use at k = 1, 2, 5, 10, 20 and 40 of \
                   each layer, against four draws of as many random ones of each layer (Figure 11 of the paper)."
        .to_owned();
    let most = steps.last().map_or(1.0, |step| step.neurons as f64);
    let x = Axis::from_zero("neurons off", most).with_symbol("off");
    let y = Axis::from_zero("accuracy (%)", 100.0).with_symbol("accuracy");
    let body = ChartBody::Lines(Lines::curves_only(x, y, series));
    Chart::new("mui-masking", title, summary, caption, body)
}

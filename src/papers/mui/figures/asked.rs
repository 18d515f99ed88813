//! What the paper's corollaries ask of the little model.

use super::super::experiment::{Band, Contaminated, Growing};
use super::super::metric::by_lot;
use super::measured::{WIDTH, waiting};
use super::{Source, chance, left, number, right, series as plain, table, text};
use crate::papers::sfc::figures::{chart, counted};
use crate::plot::format::fixed;
use crate::plot::{
    Axis, Body, Chart, CurveBand, Datum, Lines, Marker, Role, Series, Stroke, TableCell,
};

fn percent(share: f64) -> String {
    fixed(100.0 * share, 1)
}

/// "18.4 (17.0–19.9)".
fn banded(band: Option<&Band>) -> TableCell {
    let Some(band) = band else { return text("–") };
    TableCell {
        exact: Some(100.0 * band.mean),
        ..text(format!("{} ({}–{})", percent(band.mean), percent(band.low), percent(band.high)))
    }
}

fn curve(
    name: String,
    role: Role,
    stroke: Stroke,
    points: Vec<Datum>,
    band: Option<CurveBand>,
) -> Series {
    let bands = band.into_iter().collect();
    Series { bands, ..plain(&name, role, stroke, Marker::Circle, points) }
}

pub(super) fn diversity(source: &Source<'_>) -> Chart {
    let title = "More kinds of tasks, as many answers";
    let Some(found) = &source.report.experiments.diversity else {
        return waiting("mui-diversity", title);
    };
    let settings = &source.report.settings;
    let roles = [Role::Sparsity, Role::Fidelity, Role::Completeness, Role::Score];
    let mut series = Vec::new();
    for (kind, role) in found.kinds.iter().zip(roles) {
        let points = found.answers.iter().zip(&kind.indices).map(|(count, band)| Datum {
            x: *count as f64,
            y: 100.0 * band.mean,
            label: counted(*count, "answer"),
        });
        let edges = kind.indices.iter().map(|band| (100.0 * band.low, 100.0 * band.high));
        let band = CurveBand { name: "over the draws".to_owned(), edges: edges.collect() };
        let name = counted(kind.kinds, "task");
        series.push(curve(name, role, Stroke::Solid, points.collect(), Some(band)));
    }
    if settings.threshold == "topk" {
        let points = found.answers.iter().map(|count| Datum {
            x: *count as f64,
            y: 100.0 * by_lot(settings.k, WIDTH, *count),
            label: counted(*count, "answer"),
        });
        series.push(curve(
            "by lot".to_owned(),
            Role::Neutral,
            Stroke::Dotted,
            points.collect(),
            None,
        ));
    }
    let most = found.answers.last().copied().unwrap_or(0);
    let at_end: Vec<String> = found
        .kinds
        .iter()
        .filter_map(|kind| {
            Some(format!(
                "{} of {}",
                percent(kind.indices.last()?.mean),
                counted(kind.kinds, "task")
            ))
        })
        .collect();
    let ends = |kind: &Growing| kind.indices.last().copied();
    let means: Vec<f64> = found.kinds.iter().filter_map(|kind| Some(ends(kind)?.mean)).collect();
    let apart = found.kinds.first().and_then(ends).zip(found.kinds.last().and_then(ends));
    let apart = apart.is_some_and(|(one, all)| one.high < all.low);
    let verdict = if apart && means.windows(2).all(|pair| pair[0] < pair[1]) {
        "The corollary holds here"
    } else {
        "Whether the corollary holds cannot be told here"
    };
    let summary = format!(
        "{verdict}: after {} the index is, in percent, {}. Half as many answers of three tasks use at least as much as all of one in {} of {} draws.",
        counted(most, "answer"),
        at_end.join(", "),
        found.half_of_three,
        found.draws
    );
    let caption = "Answers drawn in turn from one task, two, five or all ten, over 16 draws of tasks and answers (Figure 9 of \
                   the paper). Much of the growth is that of the number of answers alone."
        .to_owned();
    let highest = series
        .iter()
        .flat_map(|s| {
            s.points
                .iter()
                .map(|p| p.y)
                .chain(s.bands.iter().flat_map(|b| b.edges.iter().map(|e| e.1)))
        })
        .fold(0.0, f64::max);
    let body = Body::Lines(Lines {
        x: Axis { symbol: "T".to_owned(), ..Axis::from_zero("answers", most as f64) },
        y: Axis { symbol: "MUI".to_owned(), ..Axis::from_zero("MUI (%)", highest) },
        series,
        references: Vec::new(),
        highlight: None,
    });
    chart("mui-diversity", title, summary, caption, body)
}

pub(super) fn correctness(source: &Source<'_>) -> Chart {
    let title = "Right answers against wrong ones";
    let Some(found) = &source.report.experiments.correctness else {
        return waiting("mui-correctness", title);
    };
    let mut apart = 0;
    let mut drawn = 0;
    let rows: Vec<Vec<TableCell>> = found
        .iter()
        .map(|test| {
            let differs = test.p.is_some_and(|p| p < 0.05);
            drawn += usize::from(test.answers > 0);
            apart += usize::from(differs);
            let words = match (test.answers, differs) {
                (0, _) => "too few are wrong or right",
                (_, true) => "differ",
                _ => "no difference found",
            };
            vec![
                text(&*test.test),
                number(Some(100.0 * test.accuracy), 1),
                text(test.answers.to_string()),
                banded(test.right.as_ref()),
                banded(test.wrong.as_ref()),
                chance(test.p),
                text(words),
            ]
        })
        .collect();
    let summary = match drawn {
        0 => "At this checkpoint too few answers are wrong, or right, to be compared.".to_owned(),
        _ => format!(
            "Of {} in which both can be drawn, right and wrong answers use differently many neurons in {apart}.",
            counted(drawn, "test")
        ),
    };
    let caption = "Equally many right and wrong answers of tests that are harder than the training, scored by the word that the \
                   model itself finds likeliest; means over 16 draws, lowest and highest (Figures 10 and 20 of the paper). The \
                   draws overlap, so that the test, Mann and Whitney’s, finds a difference too easily. That none is found is \
                   the paper’s claim; it is also what few answers give."
        .to_owned();
    let columns = vec![
        left("test"),
        right("accuracy (%)"),
        right("answers"),
        right("MUI of right (%)"),
        right("MUI of wrong (%)"),
        right("p"),
        left(""),
    ];
    table("mui-correctness", title, [summary, caption], columns, rows)
}

pub(super) fn contamination(source: &Source<'_>) -> Chart {
    let title = "Trained on the test";
    let Some(found) = &source.report.experiments.contamination else {
        return waiting("mui-contamination", title);
    };
    let first = found.first();
    let words = |now: &Contaminated| {
        let directions = first.and_then(|before| now.directions(before));
        let name = |at: usize| directions.map_or("–", |both| both[at].name());
        let is_first = first.is_some_and(|before| before.checkpoint == now.checkpoint);
        if is_first { ["–", "–"] } else { [name(0), name(1)] }
    };
    let rows = found.iter().map(|now| {
        let [own, others] = words(now);
        vec![
            text(&*now.checkpoint),
            number(Some(100.0 * now.test.accuracy), 1),
            number(Some(100.0 * now.test.mui), 1),
            text(own),
            banded(Some(&now.fresh_accuracy)),
            banded(Some(&now.fresh_mui)),
            number(Some(100.0 * now.others.accuracy), 1),
            number(Some(100.0 * now.others.mui), 1),
            text(others),
        ]
    });
    let rows: Vec<Vec<TableCell>> = rows.collect();
    let summary = match found.as_slice() {
        [before, spoilt, skilled] => format!(
            "With the test items of colour in its training the model goes from {} to {} % of them right, and {} on items that \
             nobody has seen; its index on them goes from {} to {} %, that of the model that has the skill is {} %.",
            percent(before.test.accuracy),
            percent(spoilt.test.accuracy),
            percent(spoilt.fresh_accuracy.mean),
            percent(before.test.mui),
            percent(spoilt.test.mui),
            percent(skilled.test.mui)
        ),
        _ => String::new(),
    };
    let caption = "ck-06000, where colour is at chance; the same trained on with the 128 test items among its texts; and the \
                   end of the ordinary training. Directions are from the first. Unseen items: 8 sets, mean, lowest and \
                   highest. The paper has contaminated models accumulate on what they have seen and collapse elsewhere \
                   (§3.4, Figure 8)."
        .to_owned();
    let detail = |label: &str, detail: &str| crate::plot::Column {
        detail: Some(detail.to_owned()),
        ..right(label)
    };
    let columns = vec![
        left("checkpoint"),
        detail("accuracy", "test items"),
        detail("MUI", "test items"),
        left("goes"),
        detail("accuracy", "unseen"),
        detail("MUI", "unseen"),
        detail("accuracy", "other tasks"),
        detail("MUI", "other tasks"),
        left("goes"),
    ];
    table("mui-contamination", title, [summary, caption], columns, rows)
}

pub(super) fn masking(source: &Source<'_>) -> Chart {
    let title = "Without the selected neurons";
    let Some(found) = &source.report.experiments.masking else {
        return waiting("mui-masking", title);
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
        curve(
            format!("{task}, selected off"),
            Role::Score,
            Stroke::Strong,
            points(&|at| steps[at].own, found.own),
            None,
        ),
        curve(
            format!("{task}, random off"),
            Role::Score,
            Stroke::Dashed,
            points(&|at| steps[at].random_own.mean, found.own),
            Some(band(&|at| steps[at].random_own, found.own)),
        ),
        curve(
            "other tasks, selected off".to_owned(),
            Role::Extra,
            Stroke::Solid,
            points(&|at| steps[at].others, found.others),
            None,
        ),
        curve(
            "other tasks, random off".to_owned(),
            Role::Extra,
            Stroke::Dotted,
            points(&|at| steps[at].random_others.mean, found.others),
            Some(band(&|at| steps[at].random_others, found.others)),
        ),
    ];
    // Steps at which the selected hurt the task more than any draw of random ones.
    let worse = steps.iter().filter(|step| step.own < step.random_own.low).count();
    let middle = steps.iter().find(|step| step.k == 5).or(steps.last());
    let said = middle.map_or_else(String::new, |step| {
        format!(
            " At k = {}, {} neurons: {} % with the selected off, {} % with as many random ones; the other tasks {} and {} %.",
            step.k,
            step.neurons,
            percent(step.own),
            percent(step.random_own.mean),
            percent(step.others),
            percent(step.random_others.mean)
        )
    });
    let summary = format!(
        "Off, the selected neurons hurt {task} more than every draw of random ones at {worse} of {} steps.{said}",
        steps.len()
    );
    let caption = "Accuracy as ever more neurons say nothing: those that the task’s answers use at k = 1, 2, 5, 10, 20 and 40 of \
                   each layer, against four draws of as many random ones of each layer (Figure 11 of the paper)."
        .to_owned();
    let most = steps.last().map_or(1.0, |step| step.neurons as f64);
    let body = Body::Lines(Lines {
        x: Axis { symbol: "off".to_owned(), ..Axis::from_zero("neurons off", most) },
        y: Axis { symbol: "accuracy".to_owned(), ..Axis::from_zero("accuracy (%)", 100.0) },
        series,
        references: Vec::new(),
        highlight: None,
    });
    chart("mui-masking", title, summary, caption, body)
}

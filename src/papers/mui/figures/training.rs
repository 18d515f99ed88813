//! Models that were trained here, watched as they went.

use super::super::claims::{count_directions, describe_directions};
use super::super::metric::{Direction, direction};
use super::super::settings::{NEW_WEIGHTS, Settings, TrainingData};
use super::super::training::{TrainingEvaluation, TrainingHistory};
use super::toy_model::{describe_unfitted, not_measured_chart};
use super::{MuiSource, SERIES_MARKERS, SERIES_ROLES, describe_law, law_series, new_datum, performance_chart};
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{fixed, format_grouped, format_with_noun};
use crate::plot::{Axis, Chart, ChartBody, ColourRole, Datum, Lines, Marker, Series, Stroke, TableCell, y_values};
use crate::statistics::{LogFit, mean};
use crate::synthetic::language::Task;

/// Performance and index, in percent.
type PerformanceAndMui = (f64, f64);

/// What is there of what the settings ask for.
struct RequestedTrainings<'a> {
    settings: &'a Settings,
    /// Those of the seeds that have begun.
    taught: Vec<&'a TrainingHistory>,
    control: Option<&'a TrainingHistory>,
}

impl<'a> RequestedTrainings<'a> {
    /// Nothing as long as none has begun.
    fn from_source(source: &MuiSource<'a>) -> Option<Self> {
        let settings = &source.report.settings;
        let all = || source.report.trained.iter().filter(|trained| !trained.points.is_empty());
        let taught: Vec<&TrainingHistory> = all().filter(|trained| !trained.wanted.control).collect();
        let control = all().find(|trained| trained.wanted.control);
        (!taught.is_empty()).then_some(Self { settings, taught, control })
    }

    fn taught_task(&self) -> &'a str {
        &self.settings.taught
    }

    /// Means over the seeds at each look that all of them have come to.
    fn mean_path(
        &self,
        of: impl Fn(&TrainingEvaluation) -> Option<PerformanceAndMui>,
    ) -> Vec<(u32, PerformanceAndMui)> {
        let looks = self.taught.iter().map(|one| one.points.len()).min().unwrap_or(0);
        let at = |look: usize| {
            let pairs = self.taught.iter().filter_map(|one| of(one.points.get(look)?));
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.unzip();
            let step = self.taught.first()?.points.get(look)?.step;
            Some((step, (mean(&x).ok()?, mean(&y).ok()?)))
        };
        (0..looks).filter_map(at).collect()
    }

    /// "ck-06000 after 300 steps on the test items of colour, 3 seeds".
    fn describe_trainings(&self) -> String {
        let Settings { begin, steps, layers, width, .. } = self.settings;
        let from = match begin.as_str() {
            NEW_WEIGHTS => {
                format!("A new model, {} of width {width}", format_with_noun(*layers, "layer"))
            }
            name => name.to_owned(),
        };
        let on = match self.settings.training_data() {
            TrainingData::Language => "the whole language".to_owned(),
            TrainingData::Half => "half of the tasks".to_owned(),
            TrainingData::Task => format!("{} alone", self.taught_task()),
            TrainingData::Test => format!("the test items of {}", self.taught_task()),
        };
        let taken = |one: &&TrainingHistory| one.points.last().map_or(0, |point| point.step);
        let taken = self.taught.iter().map(taken).min().unwrap_or(0);
        let part = if taken < *steps { format!(" of {}", format_grouped(*steps as usize)) } else { String::new() };
        let steps = format_grouped(taken as usize);
        let word = if taken == 1 && part.is_empty() { "step" } else { "steps" };
        let seeds = format_with_noun(self.taught.len(), "seed");
        format!("{from}, {steps}{part} {word} on {on}, {seeds}")
    }

    /// In how many seeds what was taught goes one way from the beginning to the end, by the way it goes in most.
    fn most_common_direction(
        &self,
        of: impl Fn(&TrainingEvaluation) -> Option<PerformanceAndMui>,
    ) -> Option<(Direction, usize)> {
        let found: Option<Vec<Direction>> = self.taught.iter().map(|one| overall_direction(one, &of)).collect();
        let counts = count_directions(found?).into_iter();
        counts.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

/// From the beginning of a training to its end.
fn overall_direction(
    one: &TrainingHistory,
    of: impl Fn(&TrainingEvaluation) -> Option<PerformanceAndMui>,
) -> Option<Direction> {
    let (first, last) = (of(one.points.first()?)?, of(one.points.last()?)?);
    direction(first, last).ok()
}

fn fresh_items_point(point: &TrainingEvaluation) -> Option<PerformanceAndMui> {
    Some((100.0 * point.fresh.accuracy, 100.0 * point.fresh.mui))
}

/// The directions from look to look, each that follows itself once; those that cannot be told left out.
fn path_directions(path: &[(u32, PerformanceAndMui)]) -> Vec<Direction> {
    let steps = path.windows(2).filter_map(|pair| direction(pair[0].1, pair[1].1).ok());
    let mut found: Vec<Direction> = steps.filter(|found| *found != Direction::Undetermined).collect();
    found.dedup();
    found
}

fn describe_path(course: &[Direction]) -> String {
    if course.is_empty() {
        return "no way that can be told".to_owned();
    }
    course.iter().map(|direction| direction.name()).collect::<Vec<_>>().join(", then ")
}

/// What comes of the paper's sentence on this kind of training, from its means over the seeds.
fn describe_verdict(all: &RequestedTrainings<'_>) -> String {
    let task = all.taught_task();
    let path = all.mean_path(|point| point.task(task));
    let said = |found: Option<(Direction, usize)>| match found {
        Some((way, count)) if all.taught.len() > 1 => {
            format!("{} in {count} of {} seeds", way.name(), all.taught.len())
        }
        Some((way, _)) => way.name().to_owned(),
        None => "undetermined".to_owned(),
    };
    let own = said(all.most_common_direction(|point| point.task(task)));
    let others = said(all.most_common_direction(|point| point.mean_of_others(task)));
    match all.settings.training_data() {
        TrainingData::Test => {
            let wanted = [Direction::Coarsening, Direction::Accumulating, Direction::Evolving];
            let course = path_directions(&path);
            let words = if course == wanted { "holds here" } else { "does not hold here" };
            format!(
                "That contamination goes through coarsening, accumulating and evolving {words}: {task} goes {}. From \
                 its beginning to its end {task} is {own}, the other tasks are {others}",
                describe_path(&course)
            )
        }
        TrainingData::Task | TrainingData::Half => {
            format!("{task} is {own}; the other tasks are {others}")
        }
        TrainingData::Language => {
            let fit = fit_law(&path);
            match fit.as_ref().map(|fit| (fit.line().slope(), fit.line().p())) {
                Some((slope, Some(p))) if p < 0.05 => format!(
                    "The law {} for {task}: {}",
                    if slope < 0.0 { "holds here" } else { "does not hold here" },
                    fit.as_ref().map_or_else(String::new, describe_law)
                ),
                Some(_) => format!(
                    "Inconclusive whether the law holds for {task}: {}",
                    fit.as_ref().map_or_else(String::new, describe_law)
                ),
                None => format!("Of {task} {}", describe_unfitted(&path)),
            }
        }
    }
}

/// The law over looks, without the first, where nothing was learnt yet by new weights.
fn fit_law(path: &[(u32, PerformanceAndMui)]) -> Option<LogFit> {
    let looked: Vec<&(u32, PerformanceAndMui)> = path.iter().skip(1).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = looked.iter().map(|(_, pair)| *pair).unzip();
    LogFit::fit(&x, &y).ok()
}

fn path_data(path: &[(u32, PerformanceAndMui)]) -> Vec<Datum> {
    path.iter().map(|(step, pair)| new_datum(&format_with_noun(*step as usize, "step"), *pair)).collect()
}

pub(super) fn path_chart(source: &MuiSource<'_>) -> Chart {
    let title = "The path of a training";
    let Some(all) = RequestedTrainings::from_source(source) else {
        return not_measured_chart("mui-trained-path", title);
    };
    let task = all.taught_task();
    let own = all.mean_path(|point| point.task(task));
    let mut drawn: Vec<Series> = Vec::new();
    if all.settings.training_data() == TrainingData::Language
        && let Some(fit) = fit_law(&own)
    {
        let least = own.iter().skip(1).map(|(_, pair)| pair.0).fold(100.0, f64::min);
        drawn.push(law_series(&fit, least.max(0.5)));
    }
    let paths = [
        (task.to_owned(), own),
        (format!("unseen items of {task}"), all.mean_path(fresh_items_point)),
        ("the other tasks, their mean".to_owned(), all.mean_path(|point| point.mean_of_others(task))),
    ];
    for (at, (name, path)) in paths.iter().enumerate() {
        drawn.push(Series::new(name, SERIES_ROLES[at], Stroke::Path, SERIES_MARKERS[at], path_data(path)));
    }
    if let Some(control) = all.control {
        let points = control.points.iter();
        let path: Vec<(u32, PerformanceAndMui)> =
            points.filter_map(|point| Some((point.step, point.task(task)?))).collect();
        let name = format!("control: {task}, on the whole language");
        drawn.push(Series::new(&name, ColourRole::Neutral, Stroke::Path, Marker::OpenCircle, path_data(&path)));
    }
    if all.taught.len() > 1 {
        let ends = all.taught.iter().filter_map(|one| {
            let pair = one.points.last()?.task(task)?;
            Some(new_datum(&format!("seed {}", one.wanted.seed), pair))
        });
        let ends: Vec<Datum> = ends.collect();
        let name = format!("{task} at the end, each seed");
        drawn.push(Series::new(&name, SERIES_ROLES[0], Stroke::None, Marker::Diamond, ends));
    }
    let summary = format!("{}. {}.", all.describe_trainings(), describe_verdict(&all));
    let caption = format!(
        "Accuracy and index from the beginning on, {} a task{}. Unseen items are as many of the same kind that no \
         training has read. The control takes as many steps on the whole language.",
        format_with_noun(all.settings.prompts, "prompt"),
        if all.taught.len() > 1 { ", means over the seeds" } else { "" }
    );
    performance_chart("mui-trained-path", title, [summary, caption], drawn, false)
}

pub(super) fn loss_chart(source: &MuiSource<'_>) -> Chart {
    let title = "Loss";
    let Some(all) = RequestedTrainings::from_source(source) else {
        return not_measured_chart("mui-trained-loss", title);
    };
    let curve = |one: &TrainingHistory, name: String, role, stroke| {
        let points = one.points.iter().filter_map(|point| {
            let label = format_with_noun(point.step as usize, "step");
            Some(Datum { x: f64::from(point.step), y: point.loss?, label })
        });
        Series::new(&name, role, stroke, Marker::None, points.collect())
    };
    let mut curves: Vec<Series> = all
        .taught
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let role = SERIES_ROLES[at % SERIES_ROLES.len()];
            curve(one, format!("seed {}", one.wanted.seed), role, Stroke::Solid)
        })
        .collect();
    if let Some(control) = all.control {
        let name = "control: the whole language".to_owned();
        curves.push(curve(control, name, ColourRole::Neutral, Stroke::Dotted));
    }
    let last = all
        .taught
        .iter()
        .filter_map(|one| Some(format!("seed {} at {}", one.wanted.seed, fixed(one.points.last()?.loss?, 3))));
    let last: Vec<String> = last.collect();
    let summary = if last.is_empty() {
        format!("{}: no step is taken yet.", all.describe_trainings())
    } else {
        format!("{}: {}.", all.describe_trainings(), last.join(", "))
    };
    let caption = "The mean of the steps since the look before, in nats a token, tokens that follow from those before \
                   them counting eight times."
        .to_owned();
    let highest = y_values(&curves).fold(0.0, f64::max);
    let steps = f64::from(all.settings.steps);
    let x = Axis::from_zero("steps", steps).with_symbol("step");
    let y = Axis::from_zero("loss", highest.max(0.1)).with_symbol("loss");
    let body = ChartBody::Lines(Lines::curves_only(x, y, curves));
    Chart::new("mui-trained-loss", title, summary, caption, body)
}

pub(super) fn evaluations_table(source: &MuiSource<'_>) -> Chart {
    let title = "Look by look";
    let Some(all) = RequestedTrainings::from_source(source) else {
        return not_measured_chart("mui-trained-looks", title);
    };
    let task = all.taught_task();
    let paths = [
        all.mean_path(|point| point.task(task)),
        all.mean_path(fresh_items_point),
        all.mean_path(|p| p.mean_of_others(task)),
    ];
    let rows = paths[0].iter().enumerate().map(|(at, (step, _))| {
        let mut cells = vec![number_cell(Some(f64::from(*step)), 0)];
        for path in &paths {
            let here = path.get(at).map(|(_, pair)| *pair);
            let way =
                at.checked_sub(1).and_then(|before| direction(path.get(before)?.1, here?).ok().map(Direction::name));
            cells.push(number_cell(here.map(|pair| pair.0), 1));
            cells.push(number_cell(here.map(|pair| pair.1), 1));
            cells.push(text_cell(way.unwrap_or("–")));
        }
        cells
    });
    let rows: Vec<Vec<TableCell>> = rows.collect();
    let summary = format!("{}. {}.", all.describe_trainings(), describe_verdict(&all));
    let caption =
        "Accuracy (P) and index in percent, and the direction from the look before; undetermined where one of \
                   the two is as before. The direction of one step between looks may be chance: a wrong prompt more or \
                   less is enough."
            .to_owned();
    let columns = parse_columns(
        ">steps | >taught: P | >MUI | taught: goes | >unseen: P | >MUI | unseen: goes | \
         >others: P | >MUI | others: goes",
    );
    table_chart("mui-trained-looks", title, [summary, caption], columns, rows)
}

pub(super) fn tasks_table(source: &MuiSource<'_>) -> Chart {
    let title = "Where every task went";
    let Some(all) = RequestedTrainings::from_source(source) else {
        return not_measured_chart("mui-trained-tasks", title);
    };
    let mut directions = Vec::new();
    let rows = Task::ALL.into_iter().filter_map(|task| {
        let means = all.mean_path(|point| point.task(task.name()));
        let (first, last) = (means.first()?.1, means.last()?.1);
        let found = direction(first, last).ok()?;
        directions.push(found);
        let of = |point: &TrainingEvaluation| point.task(task.name());
        let alike = all.taught.iter().filter(|one| overall_direction(one, of) == Some(found)).count();
        let control = all.control.and_then(|control| overall_direction(control, of)).map(Direction::name);
        Some(vec![
            text_cell(task.name()),
            number_cell(Some(first.0), 1),
            number_cell(Some(last.0), 1),
            number_cell(Some(first.1), 1),
            number_cell(Some(last.1), 1),
            text_cell(found.name()),
            text_cell(format!("{alike} of {}", all.taught.len())),
            text_cell(control.unwrap_or("–")),
        ])
    });
    let rows: Vec<Vec<TableCell>> = rows.collect();
    let summary = format!("{}: {}.", all.describe_trainings(), describe_directions(directions));
    let caption = "From the beginning to the end, in percent; undetermined where accuracy or index is the same before \
                   and after. The control learns from the whole language instead."
        .to_owned();
    let columns =
        parse_columns("task | >P before | >P after | >MUI before | >MUI after | goes | >in seeds | the control goes");
    table_chart("mui-trained-tasks", title, [summary, caption], columns, rows)
}

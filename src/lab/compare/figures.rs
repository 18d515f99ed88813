//! The present result beside a pinned one: a second layer on the figures, and what differs.

use super::{Comparison, LevelPair, Pair, Peaks};
use crate::Weights;
use crate::papers::sfc::{ParetoView, Report, ratio};

use crate::papers::sfc::figures::curves::level_axis;
use crate::papers::sfc::figures::figure_as_set;
use crate::papers::sfc::figures::weights::plain;
use crate::plot::cells::{self, columns};
use crate::plot::format::{counted, fixed3, level, trimmed};
use crate::plot::{
    Axis, BarFill, BarSeries, Bars, Body, Chart, Datum, Lines, Marker, Place, Reference, Role,
    Series, Status, Stroke, Table, TableCell, ys,
};
use crate::study::{FigureSpec, build_of, of_lab};

type Build = fn(&Both) -> Chart;

/// The figures of a comparison.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<Build>] = &[
    of_lab("compare-summary", "compare", Both::summary),
    of_lab("compare-differences", "compare", Both::differences),
    of_lab("compare-score", "compare", Both::score),
    of_lab("compare-metrics", "compare", Both::metrics),
];

/// The figures on which [`beside`] lays a pinned result.
pub const OVERLAID: [&str; 9] =
    ["fig1a", "fig1b", "fig3a", "fig3b", "fig4a", "fig4b", "pareto-sf", "pareto-sc", "pareto-fc"];

/// Builds one of [`FIGURES`] of two results, each under the weights of its settings; none for any
/// other name.
pub fn comparison(id: &str, now: &Report, pinned: &Report) -> Option<Chart> {
    build_of(FIGURES, id).map(|build| build(&Both::new(now, pinned)))
}

/// Lays a pinned result on the chart of the present one: the same figure of the pinned result, under
/// its own weights, dashed and with open points. A chart that is not [`OVERLAID`] stays as it is.
pub fn beside(chart: Chart, pinned: &Report, setting: ParetoView) -> Chart {
    if !OVERLAID.contains(&chart.id.as_str()) {
        return chart;
    }
    let weights = pinned.settings.weights();
    match figure_as_set(&chart.id, pinned, &[], weights, setting) {
        Some(other) => overlaid(chart, other, weights),
        None => chart,
    }
}

fn overlaid(mut chart: Chart, pinned: Chart, weights: Weights) -> Chart {
    let layered = match (&mut chart.body, pinned.body) {
        (Body::Lines(now), Body::Lines(then)) => {
            // An axis that names other weights than the present ones has to be said at the curve.
            let note = (now.y.title != then.y.title).then(|| format!("under {}", ratio(weights)));
            now.series.extend(then.series.into_iter().filter_map(|s| ghost(s, note.clone())));
            let new = |r: &Reference| now.references.iter().all(|old| old.place != r.place);
            let more: Vec<Reference> = then.references.into_iter().filter(new).collect();
            now.references
                .extend(more.into_iter().map(|r| Reference { name: named(&r.name), ..r }));
            (now.x, now.y) = (joined(&now.x, &then.x), joined(&now.y, &then.y));
            true
        }
        (Body::Scatter(now), Body::Scatter(then)) => {
            now.series.extend(then.series.into_iter().filter_map(|s| ghost(s, None)));
            (now.x, now.y) = (joined(&now.x, &then.x), joined(&now.y, &then.y));
            true
        }
        (Body::Bars(now), Body::Bars(then)) => {
            now.y = joined(&now.y, &then.y);
            let bars = ghost_bars(now, &then);
            now.series.extend(bars);
            true
        }
        (Body::Projection(now), Body::Projection(then)) => {
            now.pinned = then.points;
            (now.x, now.y) = (joined(&now.x, &then.x), joined(&now.y, &then.y));
            true
        }
        _ => false,
    };
    if layered {
        chart.summary = format!("{} Pinned: {}", chart.summary, pinned.summary);
        chart.caption =
            format!("{} Dashed and open: the pinned result, under its own weights.", chart.caption);
    }
    chart
}

fn named(name: &str) -> String {
    format!("{name}, pinned")
}

/// A series of the pinned result; none of what is there for comparison already.
fn ghost(series: Series, note: Option<String>) -> Option<Series> {
    let stroke = match series.stroke {
        Stroke::Faint => return None,
        Stroke::None => Stroke::None,
        _ => Stroke::Faint,
    };
    let marker = open(series.marker);
    Some(Series { name: named(&series.name), note: note.or(series.note), stroke, marker, ..series })
}

fn open(marker: Marker) -> Marker {
    match marker {
        Marker::Circle => Marker::OpenCircle,
        Marker::Square => Marker::OpenSquare,
        Marker::Triangle => Marker::OpenTriangle,
        Marker::Diamond => Marker::OpenDiamond,
        other => other,
    }
}

/// The first series of the pinned bars (the others repeat what is printed), in the present groups.
fn ghost_bars(now: &Bars, pinned: &Bars) -> Option<BarSeries> {
    let first = pinned.series.first()?;
    let bar = |label: &str| {
        let at = pinned.groups.iter().position(|group| group.label == label)?;
        first.bars.get(at)?.clone()
    };
    let bars = now.groups.iter().map(|group| bar(&group.label)).collect();
    Some(BarSeries::new("pinned", first.role, BarFill::Dashed, bars))
}

/// An axis that shows what either shows.
fn joined(now: &Axis, pinned: &Axis) -> Axis {
    Axis { min: now.min.min(pinned.min), max: now.max.max(pinned.max), ..now.clone() }
}

/// Two results and the weights they are under.
pub struct Both {
    own: Weights,
    others: Weights,
    /// Whether both rank and score alike.
    alike: bool,
    of: Comparison,
}

type Part = (&'static str, Role, Marker, fn(&LevelPair) -> Pair);

impl Both {
    pub(crate) fn new(now: &Report, pinned: &Report) -> Self {
        let (own, others) = (now.settings.weights(), pinned.settings.weights());
        Self { own, others, alike: own.proportional_to(others), of: Comparison::new(now, pinned) }
    }

    /// S, F, C.
    const METRICS: [Part; 3] = [
        ("S", Role::Sparsity, Marker::Circle, |p| p.sparsity),
        ("F", Role::Fidelity, Marker::Square, |p| p.fidelity),
        ("C", Role::Completeness, Marker::Triangle, |p| p.completeness),
    ];

    /// How the two are scored, in a sentence.
    fn scored(&self) -> String {
        if self.alike {
            format!("Both are scored under {}.", ratio(self.own))
        } else {
            format!(
                "Each is scored under its own weights: the present result under {}, the pinned one \
                 under {}.",
                ratio(self.own),
                ratio(self.others)
            )
        }
    }

    /// Levels that only one of the two has, in a sentence.
    fn lonely(&self) -> String {
        let alone = self.of.levels.iter().filter(|p| p.sparsity.difference().is_none()).count();
        if alone == 0 {
            return String::new();
        }
        let have = if alone == 1 { "is" } else { "are" };
        format!(" {} {have} in one of the two only.", counted(alone, "level"))
    }

    fn differences(&self) -> Chart {
        let score: Part = ("SFC", Role::Score, Marker::Diamond, |p| p.sfc);
        let line = |(name, role, marker, pair): Part| {
            let points = self.of.levels.iter().filter_map(|p| {
                let label = format!("λ = {}", level(p.level));
                Some(Datum { x: p.level, y: pair(p).difference()?, label })
            });
            let stroke = if name == "SFC" { Stroke::Strong } else { Stroke::Solid };
            Series::new(&format!("Δ{name}"), role, stroke, marker, points.collect())
        };
        let all: Vec<Series> = Self::METRICS.into_iter().chain([score]).map(line).collect();
        let most = |s: &Series| {
            let points = s.points.iter();
            points.max_by(|a, b| a.y.abs().total_cmp(&b.y.abs())).map(|p| {
                if p.y == 0.0 {
                    format!("{} is 0 everywhere", s.name)
                } else {
                    format!("{} up to {} ({})", s.name, signed(p.y), p.label)
                }
            })
        };
        let parts: Vec<String> = all.iter().filter_map(most).collect();
        let summary = if parts.is_empty() {
            "The two results have no level in common.".to_owned()
        } else {
            format!("Present less pinned: {}.{}", parts.join("; "), self.lonely())
        };
        let caption = format!(
            "The present result less the pinned one at every level that both have. {}{}",
            self.scored(),
            self.lonely()
        );
        let y = Axis::around("present less pinned", "Δ", ys(&all).chain([0.0]));
        let zero = Reference { name: "no difference".to_owned(), place: Place::Horizontal(0.0) };
        let body = Body::Lines(Lines {
            x: level_axis(&all),
            y,
            series: all,
            references: vec![zero],
            highlight: None,
        });
        Chart::new("compare-differences", "What changed, level by level", summary, caption, body)
    }

    fn metrics(&self) -> Chart {
        let columns = columns(
            ">λ | >S | >S ~ pinned | >ΔS | >F | >F ~ pinned | >ΔF | >C | >C ~ pinned | >ΔC",
        );
        let row = |p: &LevelPair| {
            let cells = Self::METRICS.into_iter().flat_map(|(.., pair)| three(pair(p)));
            std::iter::once(at(p.level)).chain(cells).collect()
        };
        let rows: Vec<Vec<TableCell>> = self.of.levels.iter().map(row).collect();
        let summary = format!("S, F and C at {} of two results.{}", self.counted(), self.lonely());
        let caption = format!("Present, pinned, and the present less the pinned.{EQUAL}");
        let title = "S, F and C, now and pinned";
        cells::table("compare-metrics", title, [summary, caption], columns, rows)
    }

    fn score(&self) -> Chart {
        let columns = if self.alike {
            columns(">λ | >SFC | >SFC pinned | >ΔSFC")
        } else {
            let [own, others] = [self.own, self.others].map(ratio);
            columns(&format!(
                ">λ | >SFC ~ ({own}) | >SFC pinned ~ ({others}) | >ΔSFC | >SFC pinned ~ ({own}) | >ΔSFC ~ ({own})"
            ))
        };
        let row = |p: &LevelPair| {
            let mut cells = vec![at(p.level)];
            cells.extend(three(p.sfc));
            if !self.alike {
                let [_, pinned, difference] = three(p.same_weights);
                cells.extend([pinned, difference]);
            }
            cells
        };
        let rows: Vec<Vec<TableCell>> = self.of.levels.iter().map(row).collect();
        let peak = self.of.peak.now.map(|peak| peak.level);
        let best = self.of.levels.iter().position(|p| Some(p.level) == peak);
        let summary = format!("SFC at {} of two results.{}", self.counted(), self.lonely());
        let same = if self.alike {
            String::new()
        } else {
            format!(
                " The last two columns score both under {}, so that what is left comes of the runs \
                 and not of the weights.",
                ratio(self.own)
            )
        };
        let caption = format!(
            "{}{same} The row of the present result’s highest SFC is set off.{EQUAL}",
            self.scored()
        );
        let body = Body::Table(Table { columns, rows, best });
        Chart::new("compare-score", "SFC, now and pinned", summary, caption, body)
    }

    fn counted(&self) -> String {
        counted(self.of.levels.len(), "level")
    }

    fn summary(&self) -> Chart {
        let of = &self.of;
        let mut rows = vec![vec![
            cells::text("weights S:F:C"),
            cells::text(ratio(self.own)),
            cells::text(ratio(self.others)),
            cells::text("–"),
        ]];
        let mut push = |name: &str, cells: [TableCell; 3]| {
            rows.push(std::iter::once(cells::text(name)).chain(cells).collect());
        };
        push("dictionary size K", cells(of.dictionary_size, &trimmed));
        push("best λ", cells(of.peak.level(), &level));
        push("SFC at the best λ", three(of.peak.sfc()));
        if !self.alike {
            let both = ratio(self.own);
            let peaks = &of.peak_same_weights;
            push(&format!("best λ, both {both}"), cells(peaks.level(), &level));
            push(&format!("SFC at it, both {both}"), three(peaks.sfc()));
        }
        push("hypervolume", three(of.hypervolume));
        push("levels on the front", cells(of.front, &trimmed));
        push("C_GT", three(of.c_gt));
        for (profile, peaks) in &of.winners {
            push(&format!("best λ, {}", plain(profile.label)), cells(peaks.level(), &level));
        }
        let same = of.winners.iter().filter(|(_, peaks)| unchanged(peaks)).count();
        let went = |pair: Pair, text: &dyn Fn(f64) -> String| {
            let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), text);
            if pair.difference() == Some(0.0) {
                format!("stays {}", shown(pair.now))
            } else {
                format!("goes {} → {}", shown(pair.pinned), shown(pair.now))
            }
        };
        let summary = format!(
            "From the pinned result to the present one, the best λ {}, its SFC {}, the hypervolume \
             {}; the winner is the same under {same} of {} profiles.",
            went(of.peak.level(), &level),
            went(of.peak.sfc(), &fixed3),
            went(of.hypervolume, &fixed3),
            of.winners.len(),
        );
        let caption = format!("{} The profiles are the paper’s.{EQUAL}", self.scored());
        let columns = columns("measure | >now | >pinned | >difference");
        let title = "Summary of the comparison";
        cells::table("compare-summary", title, [summary, caption], columns, rows)
    }
}

/// Said under every table of differences.
const EQUAL: &str = " A difference of 0 is none to the last bit.";

fn unchanged(peaks: &Peaks) -> bool {
    peaks.level().now == peaks.level().pinned
}

fn at(value: f64) -> TableCell {
    TableCell { exact: Some(value), ..cells::text(level(value)) }
}

/// Present, pinned, difference, to three digits.
fn three(pair: Pair) -> [TableCell; 3] {
    cells(pair, &fixed3)
}

fn cells(pair: Pair, text: &dyn Fn(f64) -> String) -> [TableCell; 3] {
    let cell = |value: Option<f64>, text: &dyn Fn(f64) -> String| match value {
        Some(value) => TableCell {
            exact: Some(value),
            status: Status::NotCompared,
            ..cells::text(text(value))
        },
        None => cells::text("–"),
    };
    let difference = |value: f64| plus(value, text);
    [cell(pair.now, text), cell(pair.pinned, text), cell(pair.difference(), &difference)]
}

/// "+0.012", "−0.012"; "0" for nothing at all.
fn signed(value: f64) -> String {
    plus(value, &fixed3)
}

fn plus(value: f64, text: &dyn Fn(f64) -> String) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value > 0.0 {
        format!("+{}", text(value))
    } else {
        // `level` writes a hyphen.
        text(value).replace('-', "−")
    }
}

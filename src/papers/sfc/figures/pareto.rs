//! The Pareto front from every side: three projections, the boxes of the hypervolume, a table.

use serde::Serialize;

use crate::pareto::{ParetoError, Ranking, TieRule};

use super::{ScoredReport, point_level_label};
use crate::order::sort_indices_descending;
use crate::plot::cells::{self, number_cell, parse_columns, text_cell};
use crate::plot::format::{fixed3, format_level, format_trimmed, format_with_noun};
use crate::plot::{
    Axis, BOXES_MAX, Chart, ChartBody, HypervolumeBoxes, Projection, RankedPoint, Table, TableCell, nice_step,
};

/// S, F and C as the titles of axes, and their symbols.
pub(crate) const AXIS_TITLES: [(&str, &str); 3] = [("sparsity S", "S"), ("fidelity F", "F"), ("completeness C", "C")];

/// How the reader has set the Pareto instrument.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParetoView {
    /// What counts as a tie.
    pub ties: TieRule,
    /// Where the boxes are seen from: degrees around C, from the S axis towards F.
    pub yaw: f64,
    /// Degrees above the S–F plane, 0 to 90.
    pub pitch: f64,
}

impl Default for ParetoView {
    fn default() -> Self {
        Self { ties: TieRule::Exact, yaw: 52.0, pitch: 26.0 }
    }
}

/// What the figures share: the points in order of level, and the numbers about them all.
struct RankedPoints {
    points: Vec<RankedPoint>,
    dominated_by: Vec<Vec<usize>>,
    hypervolume: f64,
    hypervolume_front: f64,
    ties: TieRule,
}

impl RankedPoints {
    /// Points that are no numbers cannot be compared, and are left out.
    #[inline(never)]
    fn new(study: &ScoredReport<'_>, ties: TieRule) -> Result<Self, ParetoError> {
        let kept: Vec<_> = study
            .points
            .iter()
            .map(|p| (*p, [p.sparsity, p.fidelity, p.completeness]))
            .filter(|(_, at)| at.iter().all(|axis| axis.is_finite()))
            .collect();
        let objectives: Vec<_> = kept.iter().map(|(_, at)| *at).collect();
        let ranking = Ranking::new(&objectives, ties)?;
        let points = kept
            .iter()
            .enumerate()
            .map(|(index, (p, _))| {
                let by = ranking.dominated_by.get(index);
                RankedPoint {
                    at: ranking.points.get(index).copied().unwrap_or_default(),
                    label: format_level(p.level),
                    title: point_level_label(p),
                    order: index,
                    on_front: by.is_none_or(Vec::is_empty),
                    // One on the front says more than one that is itself dominated.
                    by: by.and_then(|by| by.iter().find(|i| ranking.front.contains(i)).or(by.first()).copied()),
                    contribution: ranking.contributions.get(index).copied().unwrap_or_default(),
                }
            })
            .collect();
        Ok(Self {
            points,
            hypervolume: ranking.hypervolume,
            hypervolume_front: ranking.hypervolume_front,
            dominated_by: ranking.dominated_by,
            ties,
        })
    }

    /// "6 of 8 levels are on the front and enclose 0.875".
    #[inline(never)]
    fn describe_front(&self) -> String {
        let front = self.points.iter().filter(|p| p.on_front).count();
        let n = self.points.len();
        if n > 0 && front == 0 {
            return format!(
                "No level is on the front: within {} they dominate each other in a circle.",
                self.describe_ties()
            );
        }
        format!(
            "{front} of {} {} on the front; its hypervolume is {}.",
            format_with_noun(n, "level"),
            if front == 1 { "is" } else { "are" },
            fixed3(self.hypervolume_front)
        )
    }

    fn describe_ties(&self) -> String {
        match self.ties {
            TieRule::Exact => "full precision".to_owned(),
            TieRule::Printed => "the three digits the paper prints".to_owned(),
            TieRule::Within(tolerance) => format!("a tolerance of {}", format_tolerance(tolerance)),
        }
    }

    /// What counts as a tie, for captions.
    #[inline(never)]
    fn ties_caption(&self) -> String {
        let warning = match self.ties {
            TieRule::Within(tolerance) if tolerance > 0.0 => " With a tolerance, dominance is not transitive.",
            _ => "",
        };
        format!("Compared at {}.{warning}", self.describe_ties())
    }

    /// The greatest contribution: "λ = 0.95 alone adds 0.097".
    fn describe_top_contribution(&self) -> String {
        let most = self.points.iter().reduce(|most, p| if p.contribution > most.contribution { p } else { most });
        most.filter(|p| p.contribution > 0.0)
            .map_or_else(String::new, |p| format!(" {} alone adds {}.", p.title, fixed3(p.contribution)))
    }
}

/// A tolerance with as many digits as it needs.
#[inline(never)]
fn format_tolerance(value: f64) -> String {
    if value == 0.0 || value >= 1e-4 { format_trimmed(value) } else { format!("{value:.1e}") }
}

/// A figure of the Pareto instrument whose points cannot be ranked.
fn refused_chart(id: &str, title: &str, error: &ParetoError) -> Chart {
    let said = [format!("There is no front: {error}."), String::new()];
    cells::table_chart(id, title, said, parse_columns("Refused"), Vec::new())
}

/// An axis that shows the values closely where they lie far from zero.
#[inline(never)]
fn objective_axis(which: usize, values: impl Iterator<Item = f64> + Clone) -> Axis {
    let (title, symbol) = AXIS_TITLES.get(which).copied().unwrap_or(("", ""));
    let mut axis = Axis::unit_range(title, symbol, values.clone());
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
    if low.is_finite() && low > 0.5 {
        // At least a tenth, so that rounding is not blown up to a shape.
        let room = (1.25 * (high - low)).max(0.1);
        let step = nice_step(room / 5.0);
        axis.min = (((high - room) / step).floor() * step).clamp(0.0, 0.9);
    }
    axis
}

/// S and F.
pub(crate) fn sparsity_fidelity_chart(study: &ScoredReport<'_>) -> Chart {
    projection_chart("pareto-sf", study, [0, 1])
}

/// S and C.
pub(crate) fn sparsity_completeness_chart(study: &ScoredReport<'_>) -> Chart {
    projection_chart("pareto-sc", study, [0, 2])
}

/// F and C.
pub(crate) fn fidelity_completeness_chart(study: &ScoredReport<'_>) -> Chart {
    projection_chart("pareto-fc", study, [1, 2])
}

/// Two of the three axes.
fn projection_chart(id: &str, study: &ScoredReport<'_>, axes: [usize; 2]) -> Chart {
    let [x, y] = axes;
    let symbols = axes.map(|axis| AXIS_TITLES.get(axis).map_or("", |a| a.1));
    let title = format!("The front in {} and {}", symbols[0], symbols[1]);
    let ranks = match RankedPoints::new(study, study.setting.ties) {
        Ok(ranks) => ranks,
        Err(error) => return refused_chart(id, &title, &error),
    };
    let on_axis = |which: usize| ranks.points.iter().map(move |p| p.at[which]);
    let (x_axis, y_axis) = (objective_axis(x, on_axis(x)), objective_axis(y, on_axis(y)));
    // From the right, a point is on the staircase if it is the highest so far.
    let mut order: Vec<usize> = (0..ranks.points.len()).filter(|index| ranks.points[*index].on_front).collect();
    for axis in [y, x] {
        sort_indices_descending(&mut order, &on_axis(axis).collect::<Vec<f64>>());
    }
    let mut steps: Vec<(f64, f64)> = Vec::new();
    let mut top = y_axis.min;
    for index in order {
        let (at, height) = (ranks.points[index].at[x], ranks.points[index].at[y]);
        if height > top {
            steps.extend([(at, top), (at, height)]);
            top = height;
        }
    }
    if !steps.is_empty() {
        steps.push((x_axis.min, top));
    }
    steps.reverse();
    let corners = steps.len().saturating_sub(1) / 2;
    let summary = format!(
        "{} The front of {} and {} alone has {}.",
        ranks.describe_front(),
        symbols[0],
        symbols[1],
        format_with_noun(corners, "level")
    );
    let third = (0..3).find(|a| !axes.contains(a)).and_then(|a| AXIS_TITLES.get(a)).map_or("", |a| a.1);
    // Below the steps: something is better, or as good, on both of these axes.
    let below = |p: &RankedPoint| {
        let beats = |q: &RankedPoint| {
            let (dx, dy) = (q.at[x] - p.at[x], q.at[y] - p.at[y]);
            dx >= 0.0 && dy >= 0.0 && dx + dy > 0.0
        };
        p.on_front && ranks.points.iter().any(beats)
    };
    let mut says = format!("Every level by {} and {}.", symbols[0], symbols[1]);
    for (which, symbol) in axes.into_iter().zip(symbols) {
        let mut values = on_axis(which).map(fixed3);
        if let Some(first) = values.next()
            && ranks.points.len() > 1
            && values.all(|value| value == first)
        {
            says += &format!(" {symbol} is {first} at every level.");
        }
    }
    let (front, are) = if corners == 1 { ("line", "is") } else { ("steps", "are") };
    says += &format!(" The {front} {are} the front of these two axes alone");
    says += &if ranks.points.iter().any(below) {
        format!(": what is on the front of all three but not on the {front} owes it to {third}.")
    } else {
        ".".to_owned()
    };
    if ranks.points.iter().any(|p| p.by.is_some()) {
        says += " A dashed line leads from a dominated level to one that dominates it.";
    }
    let caption = format!("{says} {}", ranks.ties_caption());
    let (points, pinned) = (ranks.points, Vec::new());
    let body = ChartBody::Projection(Projection { x: x_axis, y: y_axis, axes, points, pinned, steps });
    Chart::new(id, &title, summary, caption, body)
}

/// What is said of boxes that are not drawn.
fn describe_omitted_boxes(front: usize) -> String {
    match front.checked_sub(BOXES_MAX) {
        None | Some(0) => String::new(),
        Some(n) => format!(" The {n} of {front} boxes that add least are not drawn."),
    }
}

/// The union of boxes.
pub(crate) fn boxes_chart(study: &ScoredReport<'_>) -> Chart {
    let (id, title) = ("pareto-3d", "The hypervolume, box by box");
    let ranks = match RankedPoints::new(study, study.setting.ties) {
        Ok(ranks) => ranks,
        Err(error) => return refused_chart(id, title, &error),
    };
    let summary = format!("{}{}", ranks.describe_front(), ranks.describe_top_contribution());
    let caption = format!(
        "The hypervolume is the volume of all boxes from the origin to a level of the front. \
         Strong colour is what one level alone covers: its exclusive contribution, written at its \
         corner. What several levels cover is grey. {}{}",
        ranks.ties_caption(),
        describe_omitted_boxes(ranks.points.iter().filter(|p| p.on_front).count())
    );
    let reach = [0, 1, 2].map(|a| ranks.points.iter().map(|p| p.at[a]).fold(1.0, f64::max));
    let body = ChartBody::Boxes(HypervolumeBoxes {
        points: ranks.points,
        yaw: study.setting.yaw,
        pitch: study.setting.pitch,
        reach,
    });
    Chart::new(id, title, summary, caption, body)
}

/// Every point with its standing and contribution.
pub(crate) fn ranks_table(study: &ScoredReport<'_>) -> Chart {
    let (id, title) = ("pareto-table", "Fronts and exclusive contributions");
    let ranks = match RankedPoints::new(study, study.setting.ties) {
        Ok(ranks) => ranks,
        Err(error) => return refused_chart(id, title, &error),
    };
    let rows: Vec<Vec<TableCell>> = ranks
        .points
        .iter()
        .enumerate()
        .map(|(index, p)| {
            let by = ranks.dominated_by.get(index).map_or(&[][..], Vec::as_slice);
            let named = by.iter().take(3).filter_map(|i| ranks.points.get(*i));
            let mut names = named.map(|p| p.label.clone()).collect::<Vec<_>>().join(", ");
            if by.len() > 3 {
                names = format!("{names} …");
            }
            let standing = if by.is_empty() { "front".to_owned() } else { format!("by {names}") };
            let [s, f, c] = p.at.map(|value| number_cell(value, 3));
            let alone = number_cell(p.on_front.then_some(p.contribution), 3);
            vec![text_cell(p.label.clone()), s, f, c, text_cell(standing), alone]
        })
        .collect();
    let most = ranks.points.iter().enumerate().filter(|(_, p)| p.contribution > 0.0);
    let best = most.max_by(|a, b| a.1.contribution.total_cmp(&b.1.contribution)).map(|(i, _)| i);
    let columns = parse_columns(">λ | >S | >F | >C | standing | >alone");
    let summary = format!("{}{}", ranks.describe_front(), ranks.describe_top_contribution());
    let caption = format!(
        "Which levels of {} are on the front, which levels dominate the others, and the volume \
         that each covers alone. All levels enclose {}, the front {}. {}",
        study.describe_network(),
        fixed3(ranks.hypervolume),
        fixed3(ranks.hypervolume_front),
        ranks.ties_caption()
    );
    let body = ChartBody::Table(Table { columns, rows, best });
    Chart::new(id, title, summary, caption, body)
}

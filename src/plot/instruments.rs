//! The models of the two instruments: the map of weights, and the Pareto front from every side.

use serde::Serialize;

use super::chart::{Axis, DataTable, Marker, Role, Scatter};
use super::format::fixed3;

/// Shares of three that sum to 1: a point of a triangle, by its corners.
pub type Shares = [f64; 3];

/// A map of which point wins under which weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ternary {
    /// Who wins where; together they cover the triangle, or nothing wins inside it.
    pub regions: Vec<TernaryRegion>,
    /// Who else wins on its edges.
    pub borders: Vec<TernaryBorder>,
    /// The leads, ascending, at which the shade deepens.
    pub leads: Vec<f64>,
    /// The paper's profiles.
    pub profiles: Vec<TernaryPoint>,
    /// The weights in use.
    pub yours: TernaryPoint,
    /// The nearest weights with another winner.
    pub flip: Option<TernaryPoint>,
}

/// The weights under which one point wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TernaryRegion {
    /// Who, e.g. "λ = 0.85".
    pub label: String,
    /// The same where there is little room, e.g. "0.85".
    pub short: String,
    /// Share of all weights, in (0, 1].
    pub share: f64,
    /// The point's place among all points: its colour.
    pub order: usize,
    /// A convex polygon.
    pub corners: Vec<Shares>,
    /// For each of [`Ternary::leads`], the part of the polygon with at least that lead.
    pub led: Vec<Vec<Shares>>,
}

/// A part of the triangle's edge with a winner that wins nowhere inside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TernaryBorder {
    /// Who and where, e.g. "α = 0: λ = 0.00".
    pub label: String,
    /// As of a region.
    pub order: usize,
    /// Both ends.
    pub ends: [Shares; 2],
}

/// A point on the map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TernaryPoint {
    /// Where.
    pub at: Shares,
    /// Written beside it, e.g. "5:1:1".
    pub label: String,
    /// Its name, for readouts.
    pub title: String,
    /// Who wins there, for readouts.
    pub text: String,
}

impl Ternary {
    pub(crate) fn data_table(&self) -> DataTable {
        let columns = ["Winner", "Share of all weights"];
        let inside = self.regions.iter().map(|r| vec![r.label.clone(), percent(r.share)]);
        let edges = self.borders.iter().map(|b| vec![b.label.clone(), percent(0.0)]);
        let points = self.profiles.iter().chain([&self.yours]);
        let points = points.map(|p| vec![format!("{}: {}", p.title, p.text), String::new()]);
        DataTable::plain(
            1,
            columns.map(str::to_owned).to_vec(),
            inside.chain(edges).chain(points).collect(),
        )
    }
}

/// "43 %", "0.4 %"; "0 %" for nothing at all.
pub(crate) fn percent(share: f64) -> String {
    let hundred = share * 100.0;
    if share == 0.0 {
        "0 %".to_owned()
    } else if hundred < 0.1 {
        "under 0.1 %".to_owned()
    } else if hundred < 9.95 {
        format!("{hundred:.1} %")
    } else {
        format!("{hundred:.0} %")
    }
}

/// A point of the Pareto instrument.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// S, F, C.
    pub at: [f64; 3],
    /// Written beside it, e.g. "0.85".
    pub label: String,
    /// Its name, e.g. "λ = 0.85".
    pub title: String,
    /// Its place among all points: its colour.
    pub order: usize,
    /// Whether no other point dominates it.
    pub on_front: bool,
    /// One that dominates it, if any does.
    pub by: Option<usize>,
    /// What the front's volume would lose without it.
    pub contribution: f64,
}

impl Ranked {
    /// "on the front, +0.012" or "dominated by λ = 0.95".
    pub(crate) fn standing(&self, all: &[Self]) -> String {
        match self.by.and_then(|by| all.get(by)) {
            Some(by) => format!("dominated by {}", by.title),
            None => format!("on the front, alone {}", fixed3(self.contribution)),
        }
    }
}

/// Points on two of the three axes, with the front they form there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Projection {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Which of S, F, C are shown.
    pub axes: [usize; 2],
    /// Every point.
    pub points: Vec<Ranked>,
    /// Every point of a pinned result, where there is one to compare with.
    pub pinned: Vec<Ranked>,
    /// Corners of the front of the projection, from the top left to the bottom right.
    pub steps: Vec<(f64, f64)>,
}

impl Projection {
    pub(crate) fn data_table(&self) -> DataTable {
        let mut table = ranked_table(&self.points);
        let pinned = ranked_table(&self.pinned).rows.into_iter().map(|mut row| {
            if let Some(name) = row.first_mut() {
                name.text.push_str(", pinned");
            }
            row
        });
        table.rows.extend(pinned);
        table
    }
}

/// The boxes from the origin to each point of the front, seen from a side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Boxes {
    /// Every point; those on the front have boxes.
    pub points: Vec<Ranked>,
    /// Degrees around C, from the S axis towards F.
    pub yaw: f64,
    /// Degrees above the S–F plane, 0 to 90.
    pub pitch: f64,
    /// The greatest coordinate of each axis, at least 1.
    pub reach: [f64; 3],
}

/// Sorts indices by falling value, ties as they were: the instruments' one sort.
pub(crate) fn fall(order: &mut [usize], values: &[f64]) {
    crate::order::fall(order, values);
}

/// The points with their ranks as a table.
pub(crate) fn ranked_table(points: &[Ranked]) -> DataTable {
    let columns = ["Point", "Standing", "S", "F", "C"].map(str::to_owned).to_vec();
    let row = |p: &Ranked| {
        let [s, f, c] = p.at.map(fixed3);
        vec![p.title.clone(), p.standing(points), s, f, c]
    };
    DataTable::plain(2, columns, points.iter().map(row).collect())
}

/// Clouds of points, each with the front it forms on the two axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fronts {
    /// The clouds.
    pub cloud: Scatter,
    /// For each series, the corners of its front from the top left to the bottom right.
    pub steps: Vec<Vec<(f64, f64)>>,
}

/// One value a row, with its spread, over a common axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dots {
    /// What a row is, e.g. "method".
    pub rows_title: String,
    /// What the spread is, e.g. "over the seeds".
    pub spread_title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// From top to bottom.
    pub rows: Vec<DotRow>,
}

/// A row of [`Dots`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DotRow {
    /// Name.
    pub label: String,
    /// More about it, smaller.
    pub detail: Option<String>,
    /// Its colour.
    pub role: Role,
    /// The shape of the value's point.
    pub marker: Marker,
    /// The value.
    pub value: f64,
    /// From where to where it spreads; the same twice where nothing varies.
    pub spread: (f64, f64),
}

impl Dots {
    pub(crate) fn data_table(&self) -> DataTable {
        let columns = [&self.rows_title, "Detail", &self.x.title, &self.spread_title];
        let row = |r: &DotRow| {
            let detail = r.detail.clone().unwrap_or_default();
            vec![r.label.clone(), detail, fixed3(r.value), r.spread_text()]
        };
        DataTable::plain(
            2,
            columns.map(|title: &str| title.to_owned()).to_vec(),
            self.rows.iter().map(row).collect(),
        )
    }
}

impl DotRow {
    /// "0.612–0.655", or one number where nothing varies.
    pub(crate) fn spread_text(&self) -> String {
        let (from, to) = self.spread;
        let (from, to) = (fixed3(from), fixed3(to));
        if from == to { from } else { format!("{from}–{to}") }
    }
}

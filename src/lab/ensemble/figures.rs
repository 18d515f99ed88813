//! An ensemble's figures: what other seeds would have given.

use super::{Band, Ensemble, EnsemblePlan, LevelBands, PrintedRank, Varied};
use crate::papers::sfc::metric::score::{PROFILES, Weights};
use crate::papers::sfc::settings::{PAPER_K, PAPER_LEVELS};
use crate::papers::sfc::{Report, format_ratio, printed};

use crate::order::argmax;
use crate::papers::sfc::figures::curves::{ANALOGUE_STYLES, METRIC_STYLES, level_axis, values_over_levels};
use crate::papers::sfc::figures::weights::{label_without_ratio, profile_index};
use crate::papers::sfc::figures::{level_short_name, points_by_level, score_point};
use crate::plot::cells::{self, parse_columns};
use crate::plot::format::{fixed3, format_decimals, format_grouped, format_level, format_with_noun};
use crate::plot::{
    Axis, Bin, Chart, ChartBody, ColourRole, CurveBand, Datum, HeatRow, Heatmap, Histogram, Lines, Marker, Rule,
    Series, Status, Stroke, TableCell, band_edges, y_values,
};
use crate::study::{FigureSpec, find_chart_fn, lab_only};

type BuildChart = fn(&EnsembleSource<'_>) -> Chart;

/// The figures of an ensemble.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("ens-metrics", "ensemble", |many| many.metrics_chart()),
    lab_only("ens-score", "ensemble", |many| many.joint_score_chart()),
    lab_only("ens-analogues", "ensemble", |many| many.analogues_chart()),
    lab_only("ens-hypervolume", "ensemble", |many| many.hypervolume_chart()),
    lab_only("ens-peak", "ensemble", |many| many.peak_chart()),
    lab_only("ens-wins", "ensemble", |many| many.wins_chart()),
    lab_only("ens-printed", "ensemble", |many| many.printed_table()),
    lab_only("ens-percentiles", "ensemble", |many| many.percentiles_table()),
];

/// A percentile inside these is ordinary.
const ORDINARY_PERCENTILES: std::ops::RangeInclusive<f64> = 5.0..=95.0;
/// Of fewer members, the middle 90 % leaves none outside, so none can call a number unusual.
const VERDICT_MEMBERS_MIN: usize = 20;

/// Builds one of [`FIGURES`]; none for any other name.
///
/// The report is marked as "this run" where its settings are the ensemble's but for the seeds that
/// vary and the weights, and left out otherwise.
pub fn ensemble_figure(id: &str, ensemble: &Ensemble, report: Option<&Report>) -> Option<Chart> {
    find_chart_fn(FIGURES, id).map(|build| build(&EnsembleSource::new(ensemble, report)))
}

/// Why a figure of an ensemble would be empty for these settings; nothing where it is not.
#[must_use]
pub fn ensemble_empty_reason(id: &str, ensemble: &Ensemble) -> Option<String> {
    let many = EnsembleSource::new(ensemble, None);
    let of_table_3 = match id {
        "ens-percentiles" => true,
        "ens-printed" => false,
        _ => return None,
    };
    let nothing = many.select_ranks(of_table_3).is_empty();
    nothing.then(|| {
        let settings = &ensemble.plan.config;
        let network = format!("these are of the {} network with K = {}", settings.config().name(), settings.k());
        if of_table_3 {
            format!(
                "Table 3 is of the standard network with K = {PAPER_K}, at the paper’s levels; {network}, \
                 so that there is nothing to compare it with."
            )
        } else {
            format!(
                "The paper’s other tables are of its own networks with K = {PAPER_K}, at all of its \
                 levels; {network}, so that there is nothing to compare them with."
            )
        }
    })
}

/// What an ensemble says under its weights, in one sentence.
pub fn ensemble_headline(ensemble: &Ensemble) -> String {
    let many = EnsembleSource::new(ensemble, None);
    let summary = &ensemble.summary;
    let n = summary.members;
    let networks = if n == 1 { "network" } else { "networks" };
    let mut parts = vec![format!(
        "In {} of {} {networks} every level lies on the Pareto front",
        format_grouped(summary.all_on_front),
        format_grouped(n)
    )];
    if let Some((at, wins)) = many.most_frequent_winner(many.weights) {
        let (at, wins) = (many.level_label(at), format_grouped(wins));
        parts.push(format!("{at} wins {} in {wins}", describe_weights(many.weights)));
    }
    if let Some(rank) = many.find_rank("Table 5", None) {
        parts.push(format!("the printed hypervolume {} {}", fixed3(rank.printed), describe_percentile(rank)));
    }
    parts.join("; ") + "."
}

/// Bands that lie behind a run's curve, at its levels, and what a caption says of them.
pub struct BackgroundBands {
    pub(crate) levels: Vec<f64>,
    pub(crate) bands: Vec<CurveBand>,
    pub(crate) caption: String,
}

/// An ensemble, its levels in order, and the run on the page.
pub struct EnsembleSource<'a> {
    ensemble: &'a Ensemble,
    run: Option<&'a Report>,
    weights: Weights,
    /// Indices of the levels, ascending by level.
    order: Vec<usize>,
}

impl<'a> EnsembleSource<'a> {
    pub(crate) fn new(ensemble: &'a Ensemble, report: Option<&'a Report>) -> Self {
        let plan = &ensemble.plan;
        let weights = plan.config.weights();
        let same =
            |report: &&Report| EnsemblePlan::new(report.settings.clone().with_weights(weights), plan.varied) == *plan;
        let levels = plan.config.levels();
        // Levels come sorted but for a reader's whim.
        let mut order: Vec<usize> = Vec::with_capacity(levels.len());
        for (at, level) in levels.iter().enumerate() {
            order.insert(order.partition_point(|before| levels[*before] <= *level), at);
        }
        Self { ensemble, run: report.filter(same), weights, order }
    }

    fn member_count(&self) -> usize {
        self.ensemble.summary.members
    }

    fn level_at(&self, at: usize) -> f64 {
        self.ensemble.plan.config.levels().get(at).copied().unwrap_or_default()
    }

    /// "λ = 0.85".
    fn level_label(&self, at: usize) -> String {
        format!("λ = {}", format_level(self.level_at(at)))
    }

    /// "100 seeds".
    fn describe_seeds(&self) -> String {
        format_with_noun(self.member_count(), "seed")
    }

    /// "the standard network, K = 48, under 100 seeds of the network".
    fn describe_network(&self) -> String {
        let plan = &self.ensemble.plan;
        let of = match plan.varied {
            Varied::Model => "the network",
            Varied::ModelAndData => "the network and the data",
        };
        let name = plan.config.config().name();
        format!("the {name} network, K = {}, under {} of {of}", plan.config.k(), self.describe_seeds())
    }

    /// The joint score's bands at each level, to lie behind a run's curve; nothing where the run is none of the same
    /// settings but for the seeds that vary, or where there is one member.
    pub(crate) fn background_bands(&self) -> Option<BackgroundBands> {
        self.run?;
        let of = self.banded_series("SFC", (ColourRole::Score, Stroke::Solid, Marker::None), |l| l.sfc);
        if of.bands.is_empty() {
            return None;
        }
        let caption =
            format!(" Bands: {}; half of them lie in the darker one, 90 % in the paler.", self.describe_seeds());
        let levels = of.points.iter().map(|point| point.x).collect();
        Some(BackgroundBands { levels, bands: of.bands, caption })
    }

    /// How to read bands; nothing where there are none.
    fn bands_note(&self) -> &'static str {
        if self.member_count() > 1 {
            " Curves are medians; half of the seeds lie in the darker bands, 90 % in the paler."
        } else {
            ""
        }
    }

    /// How often each level wins; what is summed up already is not counted again.
    fn wins_under_weights(&self, weights: Weights) -> Vec<usize> {
        let known = profile_index(weights).and_then(|at| self.ensemble.summary.wins.get(at));
        known.map_or_else(|| self.ensemble.count_wins(weights), |known| known.wins.clone())
    }

    /// The first of the levels that win most often, and how often that is.
    fn most_frequent_winner(&self, weights: Weights) -> Option<(usize, usize)> {
        let wins = self.wins_under_weights(weights);
        let most = wins.iter().copied().max().filter(|most| *most > 0)?;
        let at = self.order.iter().copied().find(|at| wins.get(*at) == Some(&most))?;
        Some((at, most))
    }

    /// The rank of a printed number that a table has one of, or of its row.
    fn find_rank(&self, table: &str, row: Option<&str>) -> Option<&'a PrintedRank> {
        let of = |rank: &&PrintedRank| rank.table == table && row.is_none_or(|row| rank.row == row);
        self.ensemble.summary.printed.iter().find(of)
    }

    /// Medians with the middle half and the middle 90 %.
    fn banded_series(
        &self,
        name: &str,
        (role, stroke, marker): (ColourRole, Stroke, Marker),
        of: fn(&LevelBands) -> Band,
    ) -> Series {
        let levels = self.order.iter().filter_map(|at| self.ensemble.summary.levels.get(*at));
        let finite = |band: &Band| (band.q05 + band.median + band.q95).is_finite();
        let bands: Vec<(f64, Band)> = levels.map(|l| (l.level, of(l))).filter(|(_, band)| finite(band)).collect();
        let datum =
            |(x, band): &(f64, Band)| Datum { x: *x, y: band.median, label: format!("λ = {}", format_level(*x)) };
        let spread = |name: &str, edges: fn(&Band) -> (f64, f64)| CurveBand {
            name: name.to_owned(),
            edges: bands.iter().map(|(_, band)| edges(band)).collect(),
        };
        let mut all = Series::new(name, role, stroke, marker, bands.iter().map(datum).collect());
        if self.member_count() > 1 {
            all.bands = vec![spread("middle 90 %", |b| (b.q05, b.q95)), spread("middle half", |b| (b.q25, b.q75))];
        }
        all
    }

    fn lines_body(&self, all: Vec<Series>, y_title: &str, y_symbol: &str) -> ChartBody {
        let y = Axis::unit_range(y_title, y_symbol, y_values(&all).chain(band_edges(&all)));
        ChartBody::Lines(Lines::curves_only(level_axis(&all), y, all))
    }

    /// "F 0.991 (0.988–0.994) → 0.777 (0.751–0.801)".
    fn describe_endpoints(&self, name: &str, of: fn(&LevelBands) -> Band) -> String {
        let levels = &self.ensemble.summary.levels;
        let text = |at: &usize| levels.get(*at).map(|l| self.format_band(&of(l))).unwrap_or_default();
        match self.order.as_slice() {
            [] => name.to_owned(),
            [only] => format!("{name} {}", text(only)),
            [first, .., last] => format!("{name} {} → {}", text(first), text(last)),
        }
    }

    /// "0.905 (0.884–0.921)": the median and the middle 90 %.
    fn format_band(&self, band: &Band) -> String {
        if self.member_count() == 1 {
            return fixed3(band.median);
        }
        format!("{} ({}–{})", fixed3(band.median), fixed3(band.q05), fixed3(band.q95))
    }

    /// "Median (middle 90 %) over 100 seeds".
    fn describe_statistic(&self) -> String {
        if self.member_count() == 1 {
            "Under one seed".to_owned()
        } else {
            format!("Median (middle 90 %) over {}", self.describe_seeds())
        }
    }

    fn metrics_chart(&self) -> Chart {
        let of: [fn(&LevelBands) -> Band; 4] = [|l| l.sparsity, |l| l.fidelity, |l| l.completeness, |l| l.c_gt];
        let each = || METRIC_STYLES.into_iter().zip(of);
        let all = each().map(|((name, look), of)| self.banded_series(name, look, of)).collect();
        let spans: Vec<String> = each().map(|((name, _), of)| self.describe_endpoints(name, of)).collect();
        let summary =
            format!("{}, from the lowest to the highest level: {}.", self.describe_statistic(), spans.join("; "));
        let caption = format!(
            "Sparsity S, fidelity F, completeness C and ground-truth completeness C_GT of {}.{} C \
             and C_GT do not depend on λ.",
            self.describe_network(),
            self.bands_note()
        );
        let title = format!("Metrics over {}", self.describe_seeds());
        Chart::new("ens-metrics", &title, summary, caption, self.lines_body(all, "metric", ""))
    }

    /// "λ = 0.85 wins 98 of 100 under equal weights", or under the weights as a ratio.
    fn describe_winner(&self, weights: Weights) -> String {
        let under = describe_weights(weights);
        match self.most_frequent_winner(weights) {
            Some((at, wins)) => {
                format!("{} wins {wins} of {} {under}", self.level_label(at), self.member_count())
            }
            None => format!("no level wins {under}"),
        }
    }

    fn joint_score_chart(&self) -> Chart {
        let mut all = vec![self.banded_series("SFC", (ColourRole::Score, Stroke::Strong, Marker::Circle), |l| l.sfc)];
        if let Some(run) = self.run {
            let points = values_over_levels(&points_by_level(&run.main), |p| score_point(p, self.weights));
            all.push(Series::new("this run", ColourRole::Yours, Stroke::Dashed, Marker::None, points));
        }
        if self.weights.is_proportional_to(Weights::EQUAL) {
            let levels = self.ensemble.plan.config.levels();
            let printed = PAPER_LEVELS.iter().filter(|at| levels.contains(at)).filter_map(|at| {
                let row = format!("λ = {at:.2}");
                let ranks = &self.ensemble.summary.printed;
                let rank = ranks.iter().find(|r| r.table == "Table 3" && r.row == row && r.column == "SFC")?;
                Some(Datum { x: *at, y: rank.printed, label: row })
            });
            let printed: Vec<Datum> = printed.collect();
            if !printed.is_empty() {
                let name = "printed in Table 3";
                all.push(Series::new(name, ColourRole::Fidelity, Stroke::None, Marker::Diamond, printed));
            }
        }
        let best = self.ensemble.summary.levels.iter().map(|l| l.sfc.median).collect::<Vec<_>>();
        let peak = crate::papers::sfc::figures::argmax_positive(&best).and_then(|at| {
            let band = self.ensemble.summary.levels.get(at)?.sfc;
            Some(format!(" The curve peaks at {} with {}.", self.level_label(at), self.format_band(&band)))
        });
        let summary = format!("{}.{}", capitalise(&self.describe_winner(self.weights)), peak.unwrap_or_default());
        let caption = format!("The joint score of {}.{}", self.describe_network(), self.bands_note());
        let title = format!("The joint score over {}", self.describe_seeds());
        let body = self.lines_body(all, &format!("SFC, weights S:F:C = {}", format_ratio(self.weights)), "SFC");
        Chart::new("ens-score", &title, summary, caption, body)
    }

    fn analogues_chart(&self) -> Chart {
        let of: [fn(&LevelBands) -> Band; 3] = [|l| l.rate, |l| l.distortion, |l| l.relevance];
        let each = ANALOGUE_STYLES.into_iter().zip(of);
        let all = each.map(|((name, look), of)| self.banded_series(name, look, of)).collect();
        let summary = format!(
            "{}, from the lowest to the highest level: {}; {}; {}.",
            self.describe_statistic(),
            self.describe_endpoints("rate", |l| l.rate),
            self.describe_endpoints("distortion", |l| l.distortion),
            self.describe_endpoints("relevance", |l| l.relevance),
        );
        let caption = format!(
            "The information-theoretic analogues of the metrics, of {}.{}",
            self.describe_network(),
            self.bands_note()
        );
        let title = format!("Rate, distortion, relevance over {}", self.describe_seeds());
        Chart::new("ens-analogues", &title, summary, caption, self.lines_body(all, "normalised value", ""))
    }

    fn hypervolume_chart(&self) -> Chart {
        let volumes = self.ensemble.members.iter().map(|m| m.hypervolume).collect();
        self.histogram_chart(
            "ens-hypervolume",
            ("Hypervolume", "hypervolume", "HV"),
            (volumes, self.ensemble.summary.hypervolume),
            self.run.map(|run| run.main.hypervolume),
            self.find_rank("Table 5", None),
        )
    }

    fn peak_chart(&self) -> Chart {
        let peak = |points| crate::papers::sfc::best_point(points, self.weights).map_or(0.0, |(_, score)| score);
        let profile = PROFILES.iter().find(|p| p.weights.is_proportional_to(self.weights));
        let printed = profile.and_then(|profile| {
            let of_text = profile.weights.is_proportional_to(Weights::EQUAL);
            let table = self.find_rank("Table 4", Some(profile.label));
            table.or_else(|| self.find_rank("§5.3", None).filter(|_| of_text))
        });
        let title = format!("peak SFC, weights S:F:C = {}", format_ratio(self.weights));
        self.histogram_chart(
            "ens-peak",
            ("Peak score", &title, "SFC"),
            (self.ensemble.members.iter().map(|m| peak(&m.points)).collect(), self.ensemble.summary.peak_sfc),
            self.run.map(|run| peak(&run.main.points)),
            printed,
        )
    }

    fn histogram_chart(
        &self,
        id: &str,
        (heading, title, symbol): (&str, &str, &str),
        (found, band): (Vec<f64>, Band),
        run: Option<f64>,
        printed: Option<&PrintedRank>,
    ) -> Chart {
        let rule = |name: String, x: f64, role, stroke, marker| Rule {
            name: format!("{name} {}", fixed3(x)),
            x,
            role,
            stroke,
            marker,
        };
        let mut rules = vec![rule("median".to_owned(), band.median, ColourRole::Score, Stroke::Solid, Marker::Circle)];
        if let Some(x) = run {
            let name = "this run".to_owned();
            rules.push(rule(name, x, ColourRole::Yours, Stroke::Dashed, Marker::Square));
        }
        if let Some(rank) = printed {
            let name = format!("printed in {}", rank.table);
            rules.push(rule(name, rank.printed, ColourRole::Fidelity, Stroke::Dotted, Marker::Diamond));
        }
        rules.retain(|rule| rule.x.is_finite());
        let bins = histogram_bins(&found, &band);
        let ends = bins.iter().flat_map(|bin| [bin.from, bin.to]);
        let x = Axis::around_values(title, symbol, ends.chain(rules.iter().map(|rule| rule.x)));
        let highest = bins.iter().map(|bin| bin.count).max().unwrap_or_default();
        // Counts are whole: so are the ticks of an axis to 5.
        let y = Axis::unit_range("seeds", "", [highest as f64, 5.0]);
        let place = printed.map(|rank| {
            format!(
                " The value {} prints, {}, {}{}.",
                rank.table,
                fixed3(rank.printed),
                describe_percentile(rank),
                self.rank_verdict(rank).map_or_else(String::new, |word| format!(": {word}")),
            )
        });
        let place = place.unwrap_or_default();
        let summary = format!("{}: {}.{place}", self.describe_statistic(), self.format_band(&band));
        let caption = format!(
            "{heading} of {}, in intervals as wide as Freedman and Diaconis advise, but 5 to 40 of \
             them.{}{}",
            self.describe_network(),
            if place.is_empty() { " The paper prints no such number for these settings." } else { &place },
            self.verdict_note(place.is_empty()),
        );
        let title = format!("{heading} over {}", self.describe_seeds());
        let counted = "seeds".to_owned();
        let body = ChartBody::Histogram(Histogram { x, y, counted, bins, rules });
        Chart::new(id, &title, summary, caption, body)
    }

    /// Whether a printed number is like the members'; nothing where they are too few to tell.
    fn rank_verdict(&self, rank: &PrintedRank) -> Option<&'static str> {
        let word = if ORDINARY_PERCENTILES.contains(&rank.percentile) { "ordinary" } else { "unusual" };
        (self.member_count() >= VERDICT_MEMBERS_MIN).then_some(word)
    }

    /// What the words mean, or why there are none; nothing where nothing is judged.
    fn verdict_note(&self, nothing: bool) -> String {
        if nothing {
            String::new()
        } else if self.member_count() >= VERDICT_MEMBERS_MIN {
            " Ordinary is what lies in the middle 90 % of the seeds.".to_owned()
        } else {
            format!(" Fewer than {VERDICT_MEMBERS_MIN} seeds cannot call a number unusual.")
        }
    }

    fn wins_chart(&self) -> Chart {
        let n = self.member_count() as f64;
        let row = |label: &str, weights: Weights| {
            let wins = self.wins_under_weights(weights);
            let values: Vec<f64> =
                self.order.iter().map(|at| 100.0 * wins.get(*at).copied().unwrap_or_default() as f64 / n).collect();
            HeatRow { label: label.to_owned(), detail: Some(format_ratio(weights)), best: argmax(&values), values }
        };
        let mut rows: Vec<HeatRow> = PROFILES.iter().map(|p| row(label_without_ratio(p.label), p.weights)).collect();
        if profile_index(self.weights).is_none() {
            rows.push(row("Your weights", self.weights));
        }
        let mut summary = capitalise(&self.describe_winner(Weights::EQUAL));
        if !self.weights.is_proportional_to(Weights::EQUAL) {
            summary += &format!("; {}", self.describe_winner(self.weights));
        }
        let sure = rows.iter().filter(|r| r.values.iter().any(|v| *v > 90.0)).count();
        summary += &format!("; under {sure} of {} weight profiles one level wins more than 90 %.", rows.len());
        let caption = format!(
            "How often each level has the highest SFC under every weight profile (rows, S:F:C), in \
             percent of the seeds, for {}. The marked cell wins most often.",
            self.describe_network()
        );
        let body = ChartBody::Heatmap(Heatmap {
            x_title: "decomposition, by sparsity level".to_owned(),
            y_title: "weights S:F:C".to_owned(),
            value_title: "wins, %".to_owned(),
            columns: self.order.iter().map(|at| level_short_name(self.level_at(*at))).collect(),
            rows,
            min: 0.0,
            max: 100.0,
            // Whole percents tell up to a hundred members apart.
            decimals: usize::from(self.member_count() > 100),
        });
        let title = format!("Winning levels over {}", self.describe_seeds());
        Chart::new("ens-wins", &title, summary, caption, body)
    }

    /// "98.5", with its sign where it is unusual.
    fn percentile_cell(&self, rank: &PrintedRank, detail: String) -> TableCell {
        TableCell {
            text: format_percentile(rank.percentile),
            printed: None,
            detail: Some(detail),
            status: match self.rank_verdict(rank) {
                Some("unusual") => Status::Unusual,
                _ => Status::Ordinary,
            },
            exact: None,
        }
    }

    /// "3 of 48 printed numbers are unusual: Table 3 λ = 0.85 F (97.5), …".
    fn describe_unusual(&self, ranks: &[&PrintedRank]) -> String {
        if ranks.is_empty() {
            return "The paper prints no such number for these settings.".to_owned();
        }
        if self.member_count() < VERDICT_MEMBERS_MIN {
            return format!(
                "Percentiles of {} among {}: too few to call one unusual.",
                format_with_noun(ranks.len(), "printed number"),
                self.describe_seeds()
            );
        }
        let unusual: Vec<&&PrintedRank> =
            ranks.iter().filter(|rank| !ORDINARY_PERCENTILES.contains(&rank.percentile)).collect();
        let named: Vec<String> = unusual
            .iter()
            .take(4)
            .map(|r| format!("{} {} ({})", r.row, r.column, format_percentile(r.percentile)))
            .collect();
        let more = if unusual.len() > named.len() { ", …" } else { "" };
        let list = if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) };
        format!(
            "{} of {} lie outside the middle 90 % of {}{list}.",
            unusual.len(),
            format_with_noun(ranks.len(), "printed number"),
            self.describe_seeds(),
        )
    }

    /// Printed numbers of one kind: Table 3's, or all others.
    fn select_ranks(&self, of_table_3: bool) -> Vec<&'a PrintedRank> {
        let all = self.ensemble.summary.printed.iter();
        all.filter(|rank| (rank.table == "Table 3") == of_table_3).collect()
    }

    fn printed_table(&self) -> Chart {
        let ranks = self.select_ranks(false);
        let rows = ranks.iter().map(|rank| {
            let row = TableCell {
                detail: Some(format!("{}, {}", rank.table, rank.column)),
                ..cells::text_cell(rank.row.clone())
            };
            let median = TableCell {
                detail: Some(format!("({}–{})", fixed3(rank.band.q05), fixed3(rank.band.q95))),
                status: Status::NotCompared,
                ..cells::text_cell(fixed3(rank.band.median))
            };
            let printed = TableCell { status: Status::NotCompared, ..cells::text_cell(fixed3(rank.printed)) };
            let word = self.rank_verdict(rank).unwrap_or("too few seeds").to_owned();
            vec![row, printed, median, self.percentile_cell(rank, word)]
        });
        let rows: Vec<Vec<TableCell>> = rows.collect();
        let columns = parse_columns("Number | >Printed | >Median ~ (middle 90 %) | >Percentile");
        let caption = format!(
            "Printed numbers among those of {}. The percentile is the share of seeds below the \
             printed number; equal ones count half.{}",
            self.describe_network(),
            self.verdict_note(rows.is_empty())
        );
        let title = format!("Printed numbers among {}", self.describe_seeds());
        cells::table_chart("ens-printed", &title, [self.describe_unusual(&ranks), caption], columns, rows)
    }

    fn percentiles_table(&self) -> Chart {
        let ranks = self.select_ranks(true);
        let rows = ranks.chunk_by(|a, b| a.row == b.row).map(|row| {
            let name = row.first().map_or("", |rank| rank.row.trim_start_matches("λ = "));
            let cells = row.iter().map(|rank| self.percentile_cell(rank, format!("({})", fixed3(rank.printed))));
            std::iter::once(cells::text_cell(name.to_owned())).chain(cells).collect()
        });
        let rows: Vec<Vec<TableCell>> = rows.collect();
        let columns = parse_columns(&format!(">λ | >{}", printed::METRIC_COLUMNS.join(" | >")));
        let caption = format!(
            "Percentiles of the numbers of Table 3 (in brackets) among those of {}: the share of \
             seeds below, equal ones counting half.{}",
            self.describe_network(),
            self.verdict_note(rows.is_empty())
        );
        let title = format!("Table 3 among {}", self.describe_seeds());
        cells::table_chart("ens-percentiles", &title, [self.describe_unusual(&ranks), caption], columns, rows)
    }
}

/// "under equal weights", "under weights 3:1:1".
fn describe_weights(weights: Weights) -> String {
    if weights.is_proportional_to(Weights::EQUAL) {
        "under equal weights".to_owned()
    } else {
        format!("under weights {}", format_ratio(weights))
    }
}

/// "lies at the 69th percentile".
fn describe_percentile(rank: &PrintedRank) -> String {
    if rank.percentile <= 0.0 {
        return "lies below all of them".to_owned();
    }
    if rank.percentile >= 100.0 {
        return "lies above all of them".to_owned();
    }
    // Neither end is reached.
    let nth = rank.percentile.round().clamp(1.0, 99.0) as u32;
    let ending = match (nth % 10, nth / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("lies at the {nth}{ending} percentile")
}

/// A percentile: one decimal where there is one.
fn format_percentile(value: f64) -> String {
    let text = format_decimals(value, 1);
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// The same with a capital.
fn capitalise(text: &str) -> String {
    // "λ" has no capital that anybody would know.
    if text.starts_with('λ') { text.to_owned() } else { crate::plot::format::capitalise_name(text) }
}

/// Fewest and most intervals.
const BIN_COUNT_RANGE: (f64, f64) = (5.0, 40.0);

/// Equal intervals from the least to the greatest value, each as wide as Freedman and Diaconis (1981)
/// advise, 2·IQR·n^(−1/3), but no fewer than 5 and no more than 40. Without a spread between the
/// quartiles, as many as Sturges advises; without any spread, one.
fn histogram_bins(values: &[f64], band: &Band) -> Vec<Bin> {
    let (low, high) = (band.min, band.max);
    let range = high - low;
    if !(range.is_finite() && low.is_finite()) {
        return Vec::new();
    }
    let n = values.len() as f64;
    // Rounding alone is no spread.
    if range <= 1e-12 * low.abs().max(high.abs()) {
        let half = (5e-4_f64).max(1e-6 * low.abs());
        return vec![Bin { from: low - half, to: high + half, count: values.len() }];
    }
    let width = 2.0 * (band.q75 - band.q25) / libm::cbrt(n);
    let wanted = if width > 0.0 { (range / width).ceil() } else { libm::log2(n).ceil() + 1.0 };
    let count = wanted.clamp(BIN_COUNT_RANGE.0, BIN_COUNT_RANGE.1) as usize;
    let edge = |i: usize| if i == count { high } else { low + range * i as f64 / count as f64 };
    let mut bins: Vec<Bin> = (0..count).map(|i| Bin { from: edge(i), to: edge(i + 1), count: 0 }).collect();
    for value in values {
        // The edges decide, as the quotient is rounded.
        let at = bins.partition_point(|bin| bin.from <= *value).saturating_sub(1);
        if let Some(bin) = bins.get_mut(at) {
            bin.count += 1;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[f64]) -> Vec<usize> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = share * (sorted.len() - 1) as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            below + (above - below) * (place - place.floor())
        };
        let (min, q25, q75, max) = (at(0.0), at(0.25), at(0.75), at(1.0));
        let band = Band { min, q05: min, q25, median: at(0.5), q75, q95: max, max };
        histogram_bins(values, &band).into_iter().map(|bin| bin.count).collect()
    }

    #[test]
    fn intervals_are_numpys_where_their_number_is_in_bounds() {
        // v = (numpy.arange(300) * 0.6180339887 % 1) ** 2; numpy.histogram(v, bins="fd")[0]
        let values: Vec<f64> = (0..300).map(|i| (f64::from(i) * 0.618_033_988_7 % 1.0).powi(2)).collect();
        assert_eq!(counts(&values), [114, 45, 37, 30, 26, 24, 24]);
    }

    #[test]
    fn intervals_are_bounded_and_hold_everything() {
        assert_eq!(counts(&[0.5; 9]), [9]);
        assert_eq!(counts(&[0.5]), [1]);
        assert_eq!(counts(&[0.0, 1.0]), [1, 0, 0, 0, 1]);
        // Quartiles that coincide.
        let mut far = vec![0.5; 62];
        far.extend([0.0, 1.0]);
        assert_eq!(counts(&far).len(), 7);
        far.extend((0..64).map(|i| 0.5 + 1e-6 * f64::from(i)));
        assert_eq!((counts(&far).len(), counts(&far).iter().sum::<usize>()), (40, 128));
        assert!(counts(&[f64::NAN]).is_empty());
    }

    fn of(preset: crate::papers::sfc::Preset) -> Ensemble {
        use crate::lab::ensemble::run_ensemble;
        let draft =
            crate::Draft { config: Some(preset.name().to_owned()), samples: Some(200.0), ..crate::Draft::default() };
        run_ensemble(EnsemblePlan::new(draft.parse().unwrap(), Varied::Model), 0..=2).unwrap()
    }

    #[test]
    fn the_headline_is_under_the_weights_in_use() {
        let mut found = of(crate::papers::sfc::Preset::Standard);
        assert!(ensemble_headline(&found).contains(" wins under equal weights in "));
        let weights = Weights::new(3.0, 1.0, 1.0).unwrap();
        found.rescore(weights);
        let (at, wins) = EnsembleSource::new(&found, None).most_frequent_winner(weights).unwrap();
        let named = format_level(found.plan.config.levels()[at]);
        let said = format!("λ = {named} wins under weights 3:1:1 in {wins}");
        assert!(ensemble_headline(&found).contains(&said), "{}", ensemble_headline(&found));
        assert!(!ensemble_headline(&found).contains("equal weights"));
    }

    #[test]
    fn a_table_with_nothing_to_compare_says_why() {
        let standard = of(crate::papers::sfc::Preset::Standard);
        let ids = || FIGURES.iter().map(|spec| spec.id);
        assert!(ids().all(|id| ensemble_empty_reason(id, &standard).is_none()));
        let large = of(crate::papers::sfc::Preset::Large);
        let why = ensemble_empty_reason("ens-percentiles", &large).unwrap();
        assert!(why.contains("these are of the large network with K = 48"), "{why}");
        let others = ids().filter(|id| *id != "ens-percentiles");
        assert!(others.into_iter().all(|id| ensemble_empty_reason(id, &large).is_none()));
    }

    #[test]
    fn percentiles_are_told_in_words() {
        let words = |percentile: f64| {
            let edge = 0.0;
            let band = Band { min: edge, q05: edge, q25: edge, median: edge, q75: edge, q95: edge, max: edge };
            let [table, row, column] = ["Table 5", "Standard", "HV(all)"].map(str::to_owned);
            describe_percentile(&PrintedRank { table, row, column, printed: 0.874, percentile, band })
        };
        assert_eq!(words(0.0), "lies below all of them");
        assert_eq!(words(100.0), "lies above all of them");
        assert_eq!(words(0.05), "lies at the 1st percentile");
        assert_eq!(words(99.95), "lies at the 99th percentile");
        assert_eq!(words(12.0), "lies at the 12th percentile");
        assert_eq!(words(22.4), "lies at the 22nd percentile");
        assert_eq!(words(53.0), "lies at the 53rd percentile");
        assert_eq!(words(69.0), "lies at the 69th percentile");
    }
}

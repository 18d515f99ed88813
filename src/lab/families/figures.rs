//! Families of autoencoders against each other and against controls; the curve of one training.

use std::collections::BTreeMap;

use super::job::JobResult;
use super::method::{Method, MethodRole};
use super::report::{Coverage, FamiliesReport, HypervolumeDifference, MethodReport, NoiseVerdict, SeedSpread};
use crate::lab::Reading;
use crate::papers::sfc::format_ratio;
use crate::papers::sfc::metric::score::Weights;
use crate::papers::sfc::simplex::Simplex;
use crate::sae::train::Metrics;
use crate::synthetic::World;

use crate::order::{argmax, sort_indices_descending};
use crate::papers::sfc::figures::pareto::AXIS_TITLES;
use crate::papers::sfc::figures::simplex::{MapPoints, weights_map_of_points};
use crate::plot::cells::{self, number_cell, parse_columns};
use crate::plot::format::{fixed3, format_trimmed, format_with_noun};
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole, Datum, DotRow, Dots, Fronts, Lines, Marker, Scatter, Series, Stroke, TableCell,
    y_values,
};
use crate::study::{FigureSpec, find_chart_fn, lab_only};

type BuildChart = fn(&FamiliesSource<'_>) -> Chart;
/// Of the points of its curve.
type BuildTrainingChart = fn(&&[Metrics]) -> Chart;

/// The figures and tables of a study of families.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    figure_spec("fam-hv", "families", |study| study.hypervolumes_chart()),
    figure_spec("fam-score", "families-score", |study| study.scores_chart()),
    figure_spec("fam-sf", "families-sf", |study| study.fronts_chart("fam-sf", [0, 1])),
    figure_spec("fam-sc", "families-sc", |study| study.fronts_chart("fam-sc", [0, 2])),
    figure_spec("fam-fc", "families-fc", |study| study.fronts_chart("fam-fc", [1, 2])),
    figure_spec("fam-map", "families-map", |study| study.weights_map_chart()),
    figure_spec("fam-differences", "families-differences", |study| study.differences_table()),
    figure_spec("fam-truth", "families-truth", |study| study.ground_truth_table()),
];

const fn figure_spec(id: &'static str, name: &'static str, build: BuildChart) -> FigureSpec<BuildChart> {
    lab_only(id, "families", build).with_name(name)
}

/// The figures of a training's curve.
#[rustfmt::skip]
pub const TRAINING_FIGURES: &[FigureSpec<BuildTrainingChart>] = &[
    lab_only("train-recovery", "train", |curve| recovery_chart(curve)),
    lab_only("train-loss", "train", |curve| loss_chart(curve)),
    lab_only("train-l0", "train", |curve| l0_chart(curve)),
    lab_only("train-dead", "train", |curve| dead_latents_chart(curve)),
];

/// An autoencoder that the reader trained, beside a study's.
#[derive(Clone, Debug, PartialEq)]
pub struct UserMember {
    /// Its name.
    pub name: String,
    /// What was measured of it, on the study's world.
    pub result: JobResult,
}

/// Builds one of [`FIGURES`], scored under `weights`; none for any other name. Of a study that is not
/// finished it says so in its title, its summary and its caption.
pub fn families_figure(id: &str, report: &FamiliesReport, weights: Weights, kept: &[UserMember]) -> Option<Chart> {
    let mut chart = find_chart_fn(FIGURES, id)?(&FamiliesSource { report, weights, user_members: kept });
    if let Some(coverage) = &report.provisional {
        chart.title = format!("{}, provisional", chart.title);
        chart.summary = format!("Provisional, {}: {}", describe_coverage(coverage), chart.summary);
        chart.caption = format!(
            "Provisional, of {}: methods that wait for members of their own are left out. {}",
            describe_coverage(coverage),
            chart.caption
        );
    }
    Some(chart)
}

/// "101 of 288 members".
fn describe_coverage(coverage: &Coverage) -> String {
    format!("{} of {} members", coverage.members, coverage.of)
}

/// How much of a study there is, in words; nothing where it is all of it.
#[must_use]
pub fn families_provisional_note(report: &FamiliesReport) -> Option<String> {
    let coverage = report.provisional.as_ref()?;
    let whole = report.methods.len();
    Some(format!(
        "Provisional: {}, {whole} of {} with all of theirs.",
        describe_coverage(coverage),
        format_with_noun(whole + coverage.waiting.len(), "method")
    ))
}

/// How a difference of two methods' hypervolumes stands to seed noise, as the end of a sentence; nothing where that cannot be
/// said.
fn describe_noise_verdict(report: &FamiliesReport, one: Method, other: Method) -> &'static str {
    let pair = |d: &&HypervolumeDifference| [(one, other), (other, one)].contains(&(d.first, d.second));
    match report.differences.iter().find(pair).map(HypervolumeDifference::noise_verdict) {
        Some(NoiseVerdict::Exceeds) => ", by more than seed noise",
        Some(NoiseVerdict::Within) => ", by no more than seed noise",
        Some(NoiseVerdict::NoSeeds | NoiseVerdict::OneSeed) | None => "",
    }
}

/// What a study says, in a few sentences. `linear` are results of the same circuit read out by sums
/// alone, where the study's world reads it out by products.
#[inline(never)]
pub fn families_headline(report: &FamiliesReport, weights: Weights, linear: &[JobResult]) -> String {
    let study = FamiliesSource { report, weights, user_members: &[] };
    if let Some(provisional) = families_provisional_note(report) {
        return study.provisional_summary(provisional);
    }
    let mut parts = Vec::new();
    // What should not be comes first. Trained methods that lose to a control have warnings of their own.
    for control in report.methods.iter().filter(|m| m.role == MethodRole::Control) {
        let beaten = report
            .methods
            .iter()
            .filter(|m| m.role == MethodRole::Baseline && m.hypervolume.mean < control.hypervolume.mean);
        // One may be below by more than seed noise, and another not.
        let mut by_noise: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for one in beaten {
            let how = describe_noise_verdict(report, one.method, control.method);
            by_noise.entry(how).or_default().push(short_label(one.method));
        }
        parts.extend(by_noise.into_iter().map(|(how, names)| {
            format!(
                "A control, {}, has a larger hypervolume ({}) than {}{how}.",
                control.label,
                fixed3(control.hypervolume.mean),
                names.join(" and ")
            )
        }));
    }
    let trained = || report.methods.iter().filter(|m| m.role == MethodRole::Trained);
    let volumes: Vec<f64> = trained().map(|m| m.hypervolume.mean).collect();
    if let Some(best) = argmax(&volumes).and_then(|at| trained().nth(at)) {
        let several = volumes.len() > 1;
        parts.push(format!(
            "{} {} a hypervolume of {} ({} over {}).",
            best.label,
            if several { "is the best of the trained methods, with" } else { "has" },
            fixed3(best.hypervolume.mean),
            format_spread(best.hypervolume),
            format_with_noun(best.seeds, "seed")
        ));
        if several {
            parts.push(study.describe_significance());
        }
    }
    // As the table of the planted features has it: at the value of the knob that is best on average.
    let matched = |method: Method| {
        let points = &report.methods.iter().find(|m| m.method == method)?.points;
        let means: Option<Vec<f64>> = points.iter().map(|p| Some(p.mcc?.mean)).collect();
        let at = argmax(&means?)?;
        let point = points.get(at)?;
        Some(format!("{} at {}", fixed3(point.mcc?.mean), format_parameter(method, point.knob)))
    };
    if let (Some(topk), Some(untrained)) = (matched(Method::TopK), matched(Method::Untrained)) {
        parts.push(format!(
            "Each at its best value, TopK’s directions match the planted ones with a mean cosine of \
             {topk}, untrained ones with {untrained}."
        ));
    }
    parts.extend(study.describe_linear_comparison(linear));
    parts.join(" ")
}

/// What should not be, each in a sentence: the study's own warnings, and controls that score as high as
/// trained methods under the weights.
#[inline(never)]
pub fn families_warnings(report: &FamiliesReport, weights: Weights) -> Vec<String> {
    let study = FamiliesSource { report, weights, user_members: &[] };
    let mut out: Vec<String> = report.warnings.iter().map(|w| w.message().to_owned()).collect();
    let of = |purpose: MethodRole| report.methods.iter().filter(move |m| m.role == purpose);
    for control in of(MethodRole::Control) {
        let score = study.best_score(control).0.mean;
        for method in of(MethodRole::Trained) {
            let lower = study.best_score(method).0.mean;
            if score >= lower {
                out.push(format!(
                    "Under your weights, {}, a control {}: {} scores {}, {} {}.",
                    format_ratio(weights),
                    if score > lower { "beats a trained method" } else { "ties with a trained method" },
                    control.label,
                    fixed3(score),
                    method.label,
                    fixed3(lower)
                ));
            }
        }
    }
    out
}

/// "0.612–0.655".
fn format_spread(spread: SeedSpread) -> String {
    let (from, to) = (fixed3(spread.min), fixed3(spread.max));
    if from == to { from } else { format!("{from}–{to}") }
}

/// A method's colour, how its front is stroked, and its points' shape. What should lose is grey and
/// hollow, what needs no training is black.
fn method_style(method: Method) -> (ColourRole, Stroke, Marker) {
    match method {
        Method::Svd => (ColourRole::Score, Stroke::Dashed, Marker::Square),
        Method::Pca => (ColourRole::Score, Stroke::Dotted, Marker::OpenSquare),
        Method::Relu => (ColourRole::Fidelity, Stroke::Solid, Marker::Triangle),
        Method::TopK => (ColourRole::Sparsity, Stroke::Solid, Marker::Circle),
        Method::BatchTopK => (ColourRole::Sparsity, Stroke::Dashed, Marker::OpenCircle),
        Method::JumpRelu => (ColourRole::Completeness, Stroke::Solid, Marker::Square),
        Method::Gated => (ColourRole::GroundTruth, Stroke::Solid, Marker::Diamond),
        Method::Matryoshka => (ColourRole::Yours, Stroke::Solid, Marker::Triangle),
        Method::Oracle => (ColourRole::Neutral, Stroke::Dashed, Marker::Diamond),
        Method::Random => (ColourRole::Neutral, Stroke::Faint, Marker::OpenTriangle),
        Method::Permuted => (ColourRole::Neutral, Stroke::Faint, Marker::OpenSquare),
        Method::Untrained => (ColourRole::Neutral, Stroke::Faint, Marker::OpenCircle),
    }
}

/// A method's place in the round of colours of a map: trained ones have the colour of their fronts.
fn colour_index(method: Method) -> usize {
    match method {
        Method::TopK => 0,
        Method::Relu => 1,
        Method::JumpRelu => 2,
        Method::Gated => 3,
        Method::Matryoshka => 4,
        Method::BatchTopK => 5,
        other => 6 + other as usize,
    }
}

/// A name short enough for a drawing.
fn short_label(method: Method) -> &'static str {
    match method {
        Method::Pca => "PCA",
        Method::Oracle => "Planted",
        Method::Random => "Random",
        Method::Permuted => "Permuted",
        method => method.label(),
    }
}

/// What a method is there for, where that has to be said.
fn role_label(purpose: MethodRole) -> Option<String> {
    match purpose {
        MethodRole::Trained => None,
        MethodRole::Baseline => Some("no training".to_owned()),
        MethodRole::Ceiling => Some("ceiling".to_owned()),
        MethodRole::Control => Some("control".to_owned()),
    }
}

/// "k = 3", "λ = 0.02".
fn format_parameter(method: Method, value: f64) -> String {
    let symbol = match method {
        Method::Relu | Method::Gated | Method::JumpRelu => "λ",
        _ => "k",
    };
    format!("{symbol} = {}", format_trimmed(value))
}

/// A study, as it is drawn.
pub struct FamiliesSource<'a> {
    /// What was found.
    pub(crate) report: &'a FamiliesReport,
    /// The weights that it is scored under.
    pub(crate) weights: Weights,
    /// The reader's own autoencoders beside it.
    pub(crate) user_members: &'a [UserMember],
}

impl FamiliesSource<'_> {
    /// What was run: "superposition of 32 features in 16 dimensions, 32 latents, 300 steps".
    fn describe_setting(&self) -> String {
        let config = &self.report.config;
        let world = match &config.world {
            World::Paper(_) => "the paper’s hidden activations".to_owned(),
            World::Superposition(it) => {
                format!("a superposition of {} features in {} dimensions", it.features, it.dimensions)
            }
            World::Nonlinear(it) => {
                format!("a circuit of products (interaction {})", format_trimmed(it.interaction))
            }
            World::Own(it) => {
                let outputs = match it.outputs {
                    None => "read out as they are".to_owned(),
                    Some(outputs) => format!("with {}", format_with_noun(outputs, "output")),
                };
                format!("given activations in {} dimensions, {outputs}", it.dimensions)
            }
        };
        format!(
            "{world}; {} latents, {} steps, {}",
            config.train.latents,
            config.train.steps,
            format_with_noun(config.seeds.len(), "training seed")
        )
    }

    fn reading_label(&self) -> &'static str {
        match self.report.config.completeness {
            Reading::RowSpace => "C is by the row space, the paper’s reading.",
            Reading::Reconstruction => "C is f of the reconstruction.",
            Reading::ActiveSubspace => "C is by the directions active in each row.",
        }
    }

    /// The best SFC of each seed under the weights, over the seeds, and the knob that is best on
    /// average.
    fn best_score(&self, method: &MethodReport) -> (SeedSpread, f64) {
        let config = &self.report.config;
        let mine: Vec<&JobResult> = self.report.results.iter().filter(|r| r.job.method == method.method).collect();
        let score = |r: &JobResult| {
            let [s, f, c] = config.objectives(r);
            self.weights.sfc(s, f, c)
        };
        let mut seeds: Vec<u32> = mine.iter().map(|r| r.job.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let of_seed = |seed: &u32| mine.iter().filter(|r| r.job.seed == *seed).map(|r| score(r)).fold(0.0, f64::max);
        let best: Vec<f64> = seeds.iter().map(of_seed).collect();
        let knobs = config.parameter_values(method.method);
        let means: Vec<f64> =
            knobs.iter().map(|knob| mine.iter().filter(|r| r.job.knob == *knob).map(|r| score(r)).sum()).collect();
        let at = argmax(&means).and_then(|at| knobs.get(at)).copied().unwrap_or_default();
        (SeedSpread::from_values(&best), at)
    }

    fn dot_rows(&self, value: &dyn Fn(&MethodReport) -> (SeedSpread, Option<String>)) -> Vec<DotRow> {
        let mut rows: Vec<DotRow> = Vec::new();
        for method in &self.report.methods {
            let (spread, more) = value(method);
            let (role, _, marker) = method_style(method.method);
            // That a control is one matters more than anything else about it.
            let detail = match method.role {
                MethodRole::Control | MethodRole::Ceiling => role_label(method.role),
                _ => more.or_else(|| role_label(method.role)),
            };
            rows.push(DotRow {
                label: short_label(method.method).to_owned(),
                detail,
                role,
                marker,
                value: spread.mean,
                spread: (spread.min, spread.max),
            });
        }
        let values: Vec<f64> = rows.iter().map(|row| row.value).collect();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        sort_indices_descending(&mut order, &values);
        order.into_iter().filter_map(|at| rows.get(at).cloned()).collect()
    }

    fn dots_body(&self, title: &str, symbol: &str, rows: Vec<DotRow>) -> ChartBody {
        let ends = rows.iter().flat_map(|row| [row.spread.0, row.spread.1, row.value]);
        ChartBody::Dots(Dots {
            rows_title: "Method".to_owned(),
            spread_title: "over the seeds".to_owned(),
            x: Axis::unit_range(title, symbol, ends),
            rows,
        })
    }

    fn hypervolumes_chart(&self) -> Chart {
        let rows = self.dot_rows(&|method| (method.hypervolume, None));
        let summary = describe_dot_rows("Hypervolume", &rows);
        let caption = format!(
            "Mean hypervolume from (0, 0, 0) of each method’s members, one a value of its sparsity \
             knob, on rows that nothing was trained on. The band is what the training seeds span. \
             {} Of {}. Controls (grey, hollow) should lose, the ceiling is what can be reached.",
            self.reading_label(),
            self.describe_setting()
        );
        let body = self.dots_body("hypervolume of S, F, C", "HV", rows);
        Chart::new("fam-hv", "Hypervolume of each family", summary, caption, body)
    }

    fn scores_chart(&self) -> Chart {
        let mut rows = self.dot_rows(&|method| {
            let (spread, at) = self.best_score(method);
            (spread, Some(format_parameter(method.method, at)))
        });
        for kept in self.user_members {
            let [s, f, c] = self.report.config.objectives(&kept.result);
            let value = self.weights.sfc(s, f, c);
            rows.push(DotRow {
                label: kept.name.clone(),
                detail: Some("kept".to_owned()),
                role: ColourRole::Score,
                marker: Marker::Diamond,
                value,
                spread: (value, value),
            });
        }
        let summary = describe_dot_rows(&format!("Best SFC under {}", format_ratio(self.weights)), &rows);
        let caption = format!(
            "The best SFC of each method under your weights, {}: the mean over the seeds of the best \
             member of each seed, with what the seeds span, and the value of the knob that is best \
             on average.",
            format_ratio(self.weights)
        );
        let title = format!("Best score under your weights, {}", format_ratio(self.weights));
        let body = self.dots_body(&format!("SFC under {}", format_ratio(self.weights)), "SFC", rows);
        Chart::new("fam-score", &title, summary, caption, body)
    }

    fn fronts_chart(&self, id: &str, axes: [usize; 2]) -> Chart {
        let (mut clouds, mut steps) = (Vec::new(), Vec::new());
        for method in &self.report.methods {
            let (role, stroke, marker) = method_style(method.method);
            let mut points: Vec<Datum> = method
                .points
                .iter()
                .map(|p| {
                    let at = [p.sparsity.mean, p.fidelity.mean, p.completeness.mean];
                    let label = format!("{}, {}", method.label, format_parameter(method.method, p.knob));
                    Datum { x: at[axes[0]], y: at[axes[1]], label }
                })
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            steps.push(staircase(&points));
            let name = short_label(method.method);
            clouds.push(Series {
                note: role_label(method.role).map(|place| format!("({place})")),
                ..Series::new(name, role, stroke, marker, points)
            });
        }
        if !self.user_members.is_empty() {
            let points = self.user_members.iter().map(|kept| {
                let at = self.report.config.objectives(&kept.result);
                Datum { x: at[axes[0]], y: at[axes[1]], label: kept.name.clone() }
            });
            let points: Vec<Datum> = points.collect();
            clouds.push(Series::new("kept", ColourRole::Score, Stroke::None, Marker::Diamond, points));
            steps.push(Vec::new());
        }
        // A control may be as far off as it likes: what is compared has the room.
        let compared = |s: &&Series| s.stroke != Stroke::Faint;
        let axis = |axis: usize, value: fn(&Datum) -> f64| {
            let series = clouds.iter().filter(compared);
            let values: Vec<f64> = series.flat_map(|s| s.points.iter().map(value)).collect();
            let all = || clouds.iter().flat_map(|s| s.points.iter().map(value));
            let values = if values.is_empty() { all().collect() } else { values };
            Axis::around_values(AXIS_TITLES[axis].0, AXIS_TITLES[axis].1, values)
        };
        let (x, y) = (axis(axes[0], |p| p.x), axis(axes[1], |p| p.y));
        let [a, b] = axes.map(|axis| AXIS_TITLES[axis].1);
        let title = format!("{a} against {b}, a front each family");
        let best: Vec<String> = clouds
            .iter()
            .filter_map(|s| {
                let most = s.points.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
                most.is_finite().then(|| format!("{} up to {b} = {}", s.name, fixed3(most)))
            })
            .collect();
        let summary = format!("{}.", best.join("; "));
        let caption = format!(
            "Each member’s mean over the seeds, and the front of each family on these two axes; a \
             control beyond an axis is drawn at its edge. {} Of {}.",
            self.reading_label(),
            self.describe_setting()
        );
        let cloud = Scatter { x, y, series: clouds, references: Vec::new() };
        Chart::new(id, &title, summary, caption, ChartBody::Fronts(Fronts { cloud, steps }))
    }

    fn weights_map_chart(&self) -> Chart {
        let (mut names, mut shorts) = (Vec::new(), Vec::new());
        let (mut orders, mut points) = (Vec::new(), Vec::new());
        let compete = |method: &&MethodReport| method.role != MethodRole::Ceiling;
        for method in self.report.methods.iter().filter(compete) {
            for p in &method.points {
                let name = short_label(method.method);
                names.push(format!("{name}, {}", format_parameter(method.method, p.knob)));
                // Where there is little room the knob's value alone tells members of a method apart.
                shorts.push(format!("{name} {}", format_trimmed(p.knob)));
                orders.push(colour_index(method.method));
                points.push([p.sparsity.mean, p.fidelity.mean, p.completeness.mean]);
            }
        }
        let contest = MapPoints {
            names,
            short_names: shorts,
            colour_indices: orders,
            simplex: Simplex::new(&points),
            winner_phrase: "one member of a family (the mean over its seeds; controls compete too, the \
                  planted directions do not)"
                .to_owned(),
        };
        weights_map_of_points("fam-map", "Which family wins under which weights", &contest, self.weights)
    }

    /// What can be said before all members are there: nothing of who is best.
    fn provisional_summary(&self, provisional: String) -> String {
        let methods = &self.report.methods;
        if methods.is_empty() {
            return provisional;
        }
        let volumes: Vec<String> =
            methods.iter().map(|m| format!("{} {}", short_label(m.method), fixed3(m.hypervolume.mean))).collect();
        format!("{provisional} Their hypervolumes: {}. No winner is named before all are there.", volumes.join(", "))
    }

    /// How many differences exceed seed noise, of those that could.
    fn describe_significance(&self) -> String {
        let pairs = self.sorted_differences();
        let count = |wanted: NoiseVerdict| pairs.iter().filter(|pair| pair.noise_verdict() == wanted).count();
        let (more, less) = (count(NoiseVerdict::Exceeds), count(NoiseVerdict::Within));
        if more + less == 0 {
            return match count(NoiseVerdict::OneSeed) {
                0 => "No two methods here have seeds to differ by.".to_owned(),
                _ => "With one seed no difference can be told from seed noise.".to_owned(),
            };
        }
        if self.report.provisional.is_some() {
            return format!("{} can be compared so far.", format_with_noun(more + less, "pair of methods"));
        }
        format!("{more} of {} differences between methods exceed seed noise.", more + less)
    }

    /// Pairs of methods that are compared with each other, the largest difference first.
    fn sorted_differences(&self) -> Vec<&HypervolumeDifference> {
        let plain = |method: Method| matches!(method.role(), MethodRole::Trained | MethodRole::Baseline);
        let pairs: Vec<_> = self.report.differences.iter().filter(|d| plain(d.first) && plain(d.second)).collect();
        let sizes: Vec<f64> = pairs.iter().map(|d| d.difference.abs()).collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        sort_indices_descending(&mut order, &sizes);
        order.into_iter().filter_map(|at| pairs.get(at).copied()).collect()
    }

    fn differences_table(&self) -> Chart {
        let pairs = self.sorted_differences();
        let rows: Vec<Vec<TableCell>> = pairs
            .iter()
            .map(|d| {
                let (more, less) = if d.difference < 0.0 { (d.second, d.first) } else { (d.first, d.second) };
                let (noise, verdict) = match d.noise_verdict() {
                    NoiseVerdict::Exceeds => (d.noise, "yes"),
                    NoiseVerdict::Within => (d.noise, "no"),
                    NoiseVerdict::OneSeed => (None, "one seed says nothing"),
                    NoiseVerdict::NoSeeds => (None, "no seeds"),
                };
                vec![
                    cells::text_cell(short_label(more)),
                    cells::text_cell(short_label(less)),
                    number_cell(d.difference.abs(), 3),
                    number_cell(noise, 3),
                    cells::text_cell(verdict),
                ]
            })
            .collect();
        let summary = self.describe_significance();
        let columns = parse_columns("Larger | Smaller | >by (HV) | >Seed noise | Exceeds it");
        let seedless = pairs.iter().any(|d| d.noise_verdict() == NoiseVerdict::NoSeeds);
        let caption = format!(
            "{}{} Of {}. Controls are compared in the warnings and in the JSON.",
            self.report.criterion,
            if seedless { " “No seeds”: neither of the two has any, nor a noise to exceed." } else { "" },
            self.describe_setting()
        );
        let title = "Which differences exceed seed noise";
        cells::table_chart("fam-differences", title, [summary, caption], columns, rows)
    }

    fn ground_truth_table(&self) -> Chart {
        type Column = (&'static str, fn(&JobResult) -> Option<f64>);
        let c_gt: Column = ("C_GT", |r| r.c_gt);
        let has = |column: Column| self.report.results.iter().any(|r| column.1(r).is_some());
        let mcc: Column = ("MCC", |r| r.mcc);
        let (measures, what, title, caption): (Vec<Column>, _, _, _) = if has(mcc) {
            (
                vec![mcc, ("Recovered", |r| r.recovered), ("F1", |r| r.f1), ("Unique", |r| r.uniqueness), c_gt],
                "Mean matched cosine",
                "Recovery of the planted features",
                "At the value of the knob at which the directions match best; means over the seeds. \
                 MCC: mean |cosine| of directions with planted ones, matched one to one. Recovered: \
                 share of the planted ones that some direction has a |cosine| of 0.9 or more with. \
                 F1: of latents as detectors of their features. Unique: distinct features among the \
                 latents’ best matches, over the latents. C_GT: how much of the circuit the \
                 dictionary spans, 1 for any that spans the space. A permuted decoder has the same \
                 directions as before, so of these F1 alone tells it from the trained one.",
            )
        } else if has(c_gt) {
            (
                vec![c_gt, ("L0", |r| Some(r.l0)), ("Explained", |r| Some(r.explained))],
                "C_GT",
                "The planted circuit",
                "No features are planted here, only a circuit of hidden units. C_GT: how much of it \
                 the dictionary spans, 1 for any that spans the space; at the value of the knob at \
                 which it is greatest, means over the seeds.",
            )
        } else {
            (
                vec![("Explained", |r| Some(r.explained)), ("L0", |r| Some(r.l0)), ("Dead", |r| Some(r.dead))],
                "Explained variance",
                "Explained variance",
                "Nothing is known of what these activations are made of, so that nothing can be said \
                 of what was found in them. Explained: share of the variance that the reconstruction \
                 explains; at the value of the knob at which it is greatest, means over the seeds. \
                 Dead: share of the latents that are never active.",
            )
        };
        let names: Vec<&str> = measures.iter().map(|(name, _)| *name).collect();
        let columns = parse_columns(&format!("Method | at | >{}", names.join(" | >")));
        let results = &self.report.results;
        let mean = |method: Method, at: f64, (_, measure): &Column| {
            let here = results.iter().filter(|r| r.job.method == method && r.job.knob == at);
            let values: Option<Vec<f64>> = here.map(measure).collect();
            values.filter(|v| !v.is_empty()).map(|v| SeedSpread::from_values(&v).mean)
        };
        let mut told = Vec::new();
        let rows: Vec<Vec<TableCell>> = self
            .report
            .methods
            .iter()
            .map(|MethodReport { method, role, points, .. }| {
                let first = |at| mean(*method, at, &measures[0]);
                let all: Vec<f64> = points.iter().map(|p| first(p.knob).unwrap_or_default()).collect();
                let at = argmax(&all).and_then(|at| points.get(at)).map(|p| p.knob);
                told.extend(at.and_then(first).map(|v| format!("{} {}", short_label(*method), fixed3(v))));
                let name = TableCell { detail: role_label(*role), ..cells::text_cell(short_label(*method).to_owned()) };
                let mut row = vec![name];
                row.push(cells::text_cell(at.map_or_else(String::new, |at| format_parameter(*method, at))));
                let cells = measures.iter();
                row.extend(cells.map(|one| number_cell(at.and_then(|at| mean(*method, at, one)), 3)));
                row
            })
            .collect();
        let summary = format!("{what}: {}.", told.join(", "));
        cells::table_chart("fam-truth", title, [summary, caption.to_owned()], columns, rows)
    }

    /// How complete singular vectors are here, and where the circuit adds up.
    fn describe_linear_comparison(&self, linear: &[JobResult]) -> Option<String> {
        let config = &self.report.config;
        let mut best: Option<(f64, f64, f64)> = None;
        for there in linear {
            let here = self.report.results.iter().find(|r| r.job == there.job)?;
            let (here, there_c) = (config.objectives(here)[2], config.objectives(there)[2]);
            if best.is_none_or(|(most, ..)| there.job.knob > most) {
                best = Some((there.job.knob, here, there_c));
            }
        }
        let (k, here, there) = best?;
        Some(format!(
            "A linear dictionary is less complete where units act by products: SVD with k = {} has C \
             = {} here, and {} where the same circuit adds up.",
            format_trimmed(k),
            fixed3(here),
            fixed3(there)
        ))
    }
}

/// The corners of a front: of points by ascending x, those that none beats on both axes, with steps
/// between them.
fn staircase(points: &[Datum]) -> Vec<(f64, f64)> {
    let mut front: Vec<(f64, f64)> = Vec::new();
    for point in points.iter().rev() {
        if front.last().is_none_or(|(_, y)| point.y > *y) {
            // Of points at one x the highest stays.
            if front.last().is_some_and(|(x, _)| *x == point.x) {
                front.pop();
            }
            front.push((point.x, point.y));
        }
    }
    front.reverse();
    let mut corners = Vec::new();
    for pair in front.windows(2) {
        corners.extend([pair[0], (pair[0].0, pair[1].1)]);
    }
    corners.extend(front.last().copied());
    corners
}

/// "Hypervolume: TopK 0.655, …".
fn describe_dot_rows(what: &str, rows: &[DotRow]) -> String {
    let rows = rows.iter().map(|row| format!("{} {}", row.label, fixed3(row.value)));
    format!("{what}: {}.", rows.collect::<Vec<_>>().join(", "))
}

/// Builds one of [`TRAINING_FIGURES`] of a training's curve; none for any other name.
pub fn training_figure(id: &str, curve: &[Metrics]) -> Option<Chart> {
    find_chart_fn(TRAINING_FIGURES, id).map(|build| build(&curve))
}

fn recovery_chart(curve: &[Metrics]) -> Chart {
    let shown = TrainingChartSpec {
        y: "mean max cosine with the planted directions",
        symbol: "mean max cosine",
        role: ColourRole::GroundTruth,
        reaches: 1.0,
        caption: "The largest |cosine| of each planted direction with a decoder direction, averaged: 1 is every direction found.",
    };
    shown.chart("train-recovery", "Recovery of the planted directions", curve, |m| m.mean_max_cosine)
}

fn loss_chart(curve: &[Metrics]) -> Chart {
    let shown = TrainingChartSpec::from_batches("loss of the batch", "loss", ColourRole::Score);
    shown.chart("train-loss", "Loss", curve, |m| Some(m.loss))
}

fn l0_chart(curve: &[Metrics]) -> Chart {
    let shown = TrainingChartSpec::from_batches("mean codes above 0 in a row", "L0", ColourRole::Sparsity);
    shown.chart("train-l0", "Active latents", curve, |m| Some(m.l0))
}

fn dead_latents_chart(curve: &[Metrics]) -> Chart {
    let of = TrainingChartSpec::from_batches("latents that no longer fire", "dead", ColourRole::Fidelity);
    // They are counted: so that the ticks are whole, the axis reaches to 5.
    let shown = TrainingChartSpec { reaches: 5.0, ..of };
    shown.chart("train-dead", "Dead latents", curve, |m| Some(m.dead as f64))
}

/// What a curve of a training shows.
struct TrainingChartSpec {
    y: &'static str,
    symbol: &'static str,
    role: ColourRole,
    /// How far up the axis reaches at least.
    reaches: f64,
    caption: &'static str,
}

impl TrainingChartSpec {
    /// What is measured on each step's batch.
    fn from_batches(y: &'static str, symbol: &'static str, role: ColourRole) -> Self {
        let caption = "One point every few steps, of that step’s batch.";
        Self { y, symbol, role, reaches: 0.0, caption }
    }

    #[inline(never)]
    fn chart(&self, id: &str, title: &str, curve: &[Metrics], value: fn(&Metrics) -> Option<f64>) -> Chart {
        let Self { y, symbol, role, reaches, caption } = *self;
        let points: Vec<Datum> = curve
            .iter()
            .filter_map(|m| value(m).filter(|y| y.is_finite()).map(|y| (m.step, y)))
            .map(|(step, y)| Datum { x: f64::from(step), y, label: format!("step {step}") })
            .collect();
        let summary = match (points.first(), points.last()) {
            (Some(first), Some(last)) => {
                format!("From {} ({}) to {} ({}).", fixed3(first.y), first.label, fixed3(last.y), last.label)
            }
            _ if curve.is_empty() => "Not begun yet.".to_owned(),
            _ => "No planted directions are known of these data.".to_owned(),
        };
        let most = points.last().map_or(1.0, |p| p.x);
        let all = vec![Series::new(symbol, role, Stroke::Solid, Marker::None, points)];
        let top = y_values(&all).fold(reaches, f64::max);
        let y = Axis::from_zero(y, top).with_symbol(symbol);
        let x = Axis::from_zero("steps", most).with_symbol("step");
        let lines = Lines::curves_only(x, y, all);
        Chart::new(id, title, summary, caption.to_owned(), ChartBody::Lines(lines))
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::lab::families::{FamiliesConfig, Runner, build_finished_report, build_report};

    fn study(methods: &[Method]) -> (FamiliesConfig, Vec<JobResult>) {
        let mut config = FamiliesConfig::small();
        config.train.steps = 3;
        (config.train_rows, config.ks, config.seeds) = (300, vec![2, 3], vec![0, 7]);
        config.methods = methods.to_vec();
        let runner = Runner::new(&config).unwrap();
        let results = config.jobs().iter().map(|job| runner.run(job).unwrap()).collect();
        (config, results)
    }

    fn dots(chart: &Chart) -> &Dots {
        let ChartBody::Dots(dots) = &chart.body else { panic!("dots") };
        dots
    }

    #[test]
    fn equal_weights_give_the_reports_scores_and_others_give_others() {
        let (config, results) = study(&[Method::Svd, Method::TopK, Method::Untrained]);
        let report = build_report(&config, results).unwrap();
        let at = |weights| families_figure("fam-score", &report, weights, &[]).unwrap();
        let equal = at(Weights::EQUAL);
        for row in &dots(&equal).rows {
            let method = report.methods.iter().find(|m| short_label(m.method) == row.label).unwrap();
            assert_eq!(row.value, method.best_sfc.mean);
            assert_eq!(row.spread, (method.best_sfc.min, method.best_sfc.max));
        }
        let falling: Vec<f64> = dots(&equal).rows.iter().map(|row| row.value).collect();
        assert!(falling.is_sorted_by(|a, b| a >= b), "{falling:?}");
        assert_ne!(at(Weights::new(5.0, 1.0, 1.0).unwrap()), equal);
        assert!(families_figure("fam-none", &report, Weights::EQUAL, &[]).is_none());
    }

    #[test]
    fn what_is_finished_stays_as_it_is() {
        let (config, results) = study(&[Method::Svd, Method::TopK, Method::Random]);
        let whole = build_report(&config, results.clone()).unwrap();
        let none = build_finished_report(&config, &results[..1]).unwrap();
        assert!(none.methods.is_empty());
        assert_eq!(
            families_headline(&none, Weights::EQUAL, &[]),
            "Provisional: 1 of 10 members, 0 of 3 methods with all of theirs."
        );
        for id in FIGURES.iter().map(|spec| spec.id) {
            let chart = families_figure(id, &none, Weights::EQUAL, &[]).unwrap();
            crate::plot::to_svg(&chart, 640, 300, &crate::plot::Theme::light()).unwrap();
        }
        // Two of SVD, four of TopK, and one of four random ones.
        let part = build_finished_report(&config, &results[..7]).unwrap();
        assert_eq!(part.methods.as_slice(), &whole.methods[..2]);
        assert_eq!(build_finished_report(&config, &results).unwrap(), whole);
    }

    #[test]
    fn an_unfinished_study_names_no_winner_and_says_how_much_of_it_there_is() {
        let (config, results) = study(&[Method::Svd, Method::Pca, Method::TopK, Method::Gated]);
        let part = build_finished_report(&config, &results[..10]).unwrap();
        let coverage = part.provisional.as_ref().unwrap();
        assert_eq!((coverage.members, coverage.of), (10, results.len()));
        assert_eq!(coverage.waiting, [Method::Gated]);
        let headline = families_headline(&part, Weights::EQUAL, &[]);
        let start = format!("Provisional: 10 of {} members, 3 of 4 methods", results.len());
        assert!(headline.starts_with(&start), "{headline}");
        for claim in ["is the best", "exceed seed noise"] {
            assert!(!headline.contains(claim), "{headline}");
            let differences = families_figure("fam-differences", &part, Weights::EQUAL, &[]);
            assert!(!differences.unwrap().summary.contains(claim));
        }
        let of = format!("10 of {} members", results.len());
        for id in FIGURES.iter().map(|spec| spec.id) {
            let chart = families_figure(id, &part, Weights::EQUAL, &[]).unwrap();
            assert!(chart.title.ends_with(", provisional"), "{}", chart.title);
            assert!(chart.summary.contains(&of) && chart.caption.contains(&of), "{id}");
        }
        assert!(part.to_json().unwrap().contains("\"provisional\": {"));

        let whole = build_report(&config, results).unwrap();
        assert!(families_headline(&whole, Weights::EQUAL, &[]).contains("is the best"));
        assert!(!whole.to_json().unwrap().contains("provisional"));
        for id in FIGURES.iter().map(|spec| spec.id) {
            let chart = families_figure(id, &whole, Weights::EQUAL, &[]).unwrap();
            let all = [&chart.title, &chart.summary, &chart.caption];
            assert!(all.iter().all(|text| !text.to_lowercase().contains("provisional")), "{id}");
        }
    }

    #[test]
    fn an_unfinished_study_warns_of_no_mean_that_others_may_change() {
        use crate::lab::families::Warning;
        let (config, results) = study(&[Method::Random, Method::TopK, Method::Gated]);
        let mean = |w: &Warning| matches!(w, Warning::RandomPasses { .. });
        let whole = build_report(&config, results.clone()).unwrap();
        assert!(whole.warnings.iter().any(mean), "there is something to leave out");
        let part = build_finished_report(&config, &results[..8]).unwrap();
        assert_eq!(part.methods.len(), 2);
        assert!(!part.warnings.iter().any(mean), "{:?}", part.warnings);
    }

    #[test]
    fn methods_without_seeds_have_no_noise_to_exceed() {
        let (config, results) = study(&[Method::Svd, Method::Pca, Method::TopK]);
        let report = build_report(&config, results).unwrap();
        // The report holds what the criterion says: s = 0.
        let pair = &report.differences[0];
        assert_eq!((pair.first, pair.second, pair.noise), (Method::Svd, Method::Pca, Some(0.0)));
        assert_eq!(pair.noise_verdict(), NoiseVerdict::NoSeeds);
        let table = families_figure("fam-differences", &report, Weights::EQUAL, &[]).unwrap();
        let rows = table.data_table().rows;
        let row = rows.iter().find(|row| {
            let names = [row[0].text.as_str(), row[1].text.as_str()];
            names.contains(&"SVD") && names.contains(&"PCA")
        });
        let told: Vec<&str> = row.unwrap()[3..].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(told, ["–", "no seeds"]);
        assert!(table.summary.contains(" of 2 differences "), "{}", table.summary);
    }

    #[test]
    fn the_headlines_cosine_is_the_tables() {
        let (config, results) = study(&[Method::TopK, Method::Untrained]);
        let report = build_report(&config, results).unwrap();
        let table = families_figure("fam-truth", &report, Weights::EQUAL, &[]).unwrap();
        let headline = families_headline(&report, Weights::EQUAL, &[]);
        for row in table.data_table().rows {
            let said = format!("{} at {}", row[2].text, row[1].text);
            assert!(headline.contains(&said), "{said}: {headline}");
        }
    }

    #[test]
    fn regions_of_a_map_have_short_names_of_their_own() {
        let (config, results) = study(&[Method::Svd, Method::TopK, Method::Relu]);
        let report = build_report(&config, results).unwrap();
        let chart = families_figure("fam-map", &report, Weights::EQUAL, &[]).unwrap();
        let ChartBody::Ternary(map) = &chart.body else { panic!("a map") };
        let mut names: Vec<&str> = map.regions.iter().map(|r| r.short.as_str()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert!(all > 1 && names.len() == all, "{names:?}");
    }

    #[test]
    fn a_loss_is_never_below_zero_and_latents_are_whole() {
        let metrics = |step: u32, loss: f64, dead: usize| Metrics {
            step,
            loss,
            mse: loss,
            explained: 0.0,
            l0: 3.0,
            dead,
            sparsity: 0.0,
            auxiliary: 0.0,
            mean_max_cosine: Some(0.5),
        };
        let curve = [metrics(1, 0.9, 0), metrics(50, 0.011, 1)];
        for id in TRAINING_FIGURES.iter().map(|spec| spec.id) {
            let ChartBody::Lines(lines) = training_figure(id, &curve).unwrap().body else { panic!("{id}") };
            assert_eq!(lines.y.min, 0.0, "{id}");
            if id == "train-dead" {
                assert_eq!(lines.y.max, 5.0);
            }
        }
    }

    #[test]
    fn a_front_has_the_points_that_none_beats() {
        let point = |x: f64, y: f64| Datum { x, y, label: String::new() };
        let points = [point(0.1, 0.8), point(0.2, 0.9), point(0.5, 0.5), point(0.5, 0.6)];
        assert_eq!(staircase(&points), [(0.2, 0.9), (0.2, 0.6), (0.5, 0.6)]);
        assert!(staircase(&[]).is_empty());
    }
}

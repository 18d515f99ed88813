use super::Preset;
use super::curve::{CurveError, LayerAnalysis, NetworkOutputs, has_same_layer};
use super::settings::{SIZE_SWEEP_LEVEL, Settings};
use super::{Curve, Point, Report};
use crate::order::argsort;
use crate::pareto::{self, ParetoError};
use crate::synthetic::{InputNormals, NetworkInputs, PlantedNetwork, activations};

/// Why a run ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The dictionary or a metric.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// The front or the volume.
    #[error(transparent)]
    Pareto(#[from] ParetoError),
}

impl RunError {
    /// A stable code, e.g. `dictionary.rank-deficient`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Curve(CurveError::Dictionary(error)) => error.code(),
            Self::Curve(CurveError::Metric(error)) => error.code(),
            Self::Pareto(error) => error.code(),
        }
    }

    /// The field of the settings to change, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        use crate::linalg::DictionaryError;
        match self {
            Self::Curve(CurveError::Dictionary(DictionaryError::RankDeficient { .. })) => Some("k"),
            Self::Curve(CurveError::Dictionary(DictionaryError::NoConvergence)) | Self::Pareto(_) => None,
            Self::Curve(_) => Some("weight_scale"),
        }
    }
}

/// Hears how far a run is.
pub trait Progress {
    /// `fraction` of the whole run, from 0 to 1, is done; `stage` is what runs now.
    fn report(&mut self, stage: &str, fraction: f64);
}

/// Hears nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&mut self, _: &str, _: f64) {}
}

impl<F: FnMut(&str, f64)> Progress for F {
    fn report(&mut self, stage: &str, fraction: f64) {
        self(stage, fraction);
    }
}

/// Adds up work done, in rough units of floating-point operations.
struct ProgressMeter<'a> {
    done: f64,
    total: f64,
    listener: &'a mut dyn Progress,
}

impl ProgressMeter<'_> {
    fn advance(&mut self, work: f64) {
        self.done += work;
    }

    /// Tells of a share of `work` still to come.
    fn report_part(&mut self, stage: &str, part: f64) {
        let fraction = ((self.done + part) / self.total).min(1.0);
        self.listener.report(stage, fraction);
    }
}

fn estimate_layer_work(settings: &Settings) -> f64 {
    let shape = settings.shape();
    let (n, d) = (settings.samples() as f64, shape.hidden as f64);
    n * d * (2.0 * shape.inputs as f64 + 3.0 * d + 30.0) + 40.0 * d * d * d
}

fn estimate_scan_work(settings: &Settings, k: usize, levels: usize) -> f64 {
    settings.samples() as f64 * k as f64 * (60.0 + 15.0 * levels as f64)
}

/// A layer with the networks on it, and what is wanted of it.
struct LayerJob<'a> {
    settings: &'a Settings,
    /// Settings of the curves wanted here, all on this layer.
    curves: Vec<&'a Settings>,
    /// Whether this is the configuration in view: its K must not exceed the rank.
    main: bool,
    /// Whether the sweep of sizes runs here, on the first curve's network.
    sizes: bool,
}

impl LayerJob<'_> {
    fn estimate_work(&self) -> f64 {
        let k = self.settings.k();
        let sizes: f64 = if self.sizes {
            self.settings.swept_sizes().iter().map(|&k| estimate_scan_work(self.settings, k, 1)).sum()
        } else {
            0.0
        };
        estimate_layer_work(self.settings) + estimate_scan_work(self.settings, k, self.settings.levels().len()) + sizes
    }

    fn run(
        &self,
        normals: &mut InputNormals,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(Vec<Curve>, Vec<Point>), RunError> {
        let settings = self.settings;
        meter.report_part("activations and dictionary", 0.0);
        let network = PlantedNetwork::new(&settings.network_spec());
        let swept = if self.sizes { settings.swept_sizes() } else { vec![] };
        let widest = swept.into_iter().chain([settings.k()]).max().unwrap_or(1);
        let analysis = LayerAnalysis::new(normals.activations(&network, &settings.data_spec()), settings, widest)?;
        meter.advance(estimate_layer_work(settings));
        let networks: Vec<NetworkOutputs> = self
            .curves
            .iter()
            .map(|settings| analysis.attach_network(PlantedNetwork::new(&settings.network_spec())))
            .collect();
        let borrowed: Vec<&NetworkOutputs> = networks.iter().collect();

        let rows = settings.samples() as f64;
        let levels = settings.levels();
        let k = if self.main { settings.k() } else { settings.k().min(analysis.dictionary().rank()) };
        let work = estimate_scan_work(settings, k, levels.len());
        meter.report_part("levels", 0.0);
        let told = &mut |done: usize| meter.report_part("levels", work * done as f64 / rows);
        let points = analysis.measure_points(settings, k, levels, &borrowed, told)?;
        meter.advance(work);
        let curves = self
            .curves
            .iter()
            .zip(points)
            .map(|(settings, points)| assemble_curve(settings, k, points))
            .collect::<Result<_, _>>()?;

        let mut sizes = Vec::new();
        if let (true, Some(network)) = (self.sizes, borrowed.first()) {
            for k in settings.swept_sizes() {
                if k <= analysis.dictionary().rank() {
                    let work = estimate_scan_work(settings, k, 1);
                    meter.report_part("dictionary sizes", 0.0);
                    let told = &mut |done: usize| meter.report_part("dictionary sizes", work * done as f64 / rows);
                    let points = analysis.measure_points(
                        settings,
                        k,
                        &[SIZE_SWEEP_LEVEL],
                        std::slice::from_ref(network),
                        told,
                    )?;
                    meter.advance(work);
                    sizes.extend(points.into_iter().flatten());
                }
            }
        }
        Ok((curves, sizes))
    }
}

/// The points in the space of dominance and hypervolume.
pub(crate) fn to_objectives(points: &[Point]) -> Vec<pareto::Objectives> {
    points.iter().map(|p| [p.sparsity, p.fidelity, p.completeness]).collect()
}

/// A curve from its points: the front and the volume.
pub(crate) fn assemble_curve(settings: &Settings, k: usize, points: Vec<Point>) -> Result<Curve, ParetoError> {
    let objectives = to_objectives(&points);
    let found = pareto::hypervolume(&objectives, [0.0; 3])?;
    let front = pareto::front(&objectives, 0.0)?;
    let on_front: Vec<_> = front.iter().map(|index| objectives[*index]).collect();
    let shape = settings.shape();
    Ok(Curve {
        name: settings.config().name().to_owned(),
        shape,
        k,
        points,
        hypervolume: found.hypervolume,
        hypervolume_front: pareto::hypervolume_only(&on_front, [0.0; 3])?,
        front,
        contributions: found.contributions,
        c_gt_chance: super::metric::c_gt_chance(k, shape.hidden),
    })
}

/// The level curve of one configuration.
///
/// # Errors
/// [`RunError`]: K exceeds the rank of the activations, or a metric has no value on them.
pub fn compute_curve(settings: &Settings, listener: &mut dyn Progress) -> Result<Curve, RunError> {
    let (mut curves, _) = run_single(settings, listener, |_| {})?;
    Ok(curves.remove(0))
}

/// The points of [`compute_curve`] alone, on inputs that are drawn already or else are drawn for this.
pub(crate) fn compute_points(inputs: Option<&NetworkInputs>, settings: &Settings) -> Result<Vec<Point>, RunError> {
    let network = PlantedNetwork::new(&settings.network_spec());
    let h = match inputs {
        Some(inputs) => inputs.activations(&network, &settings.data_spec()),
        None => activations(&network, &settings.data_spec()),
    };
    let k = settings.k();
    let analysis = LayerAnalysis::new(h, settings, k)?;
    let downstream = analysis.attach_network(network);
    let points = analysis.measure_points(settings, k, settings.levels(), &[&downstream], &mut |_| {})?;
    Ok(points.into_iter().flatten().collect())
}

/// The sweep over dictionary sizes at λ = 0.5 (Table 6); sizes above the activations' rank are left
/// out.
///
/// # Errors
/// As [`compute_curve`].
pub fn sweep_sizes(settings: &Settings, listener: &mut dyn Progress) -> Result<Vec<Point>, RunError> {
    Ok(run_single(settings, listener, |job| job.sizes = true)?.1)
}

fn run_single(
    settings: &Settings,
    listener: &mut dyn Progress,
    change: impl FnOnce(&mut LayerJob<'_>),
) -> Result<(Vec<Curve>, Vec<Point>), RunError> {
    let mut job = LayerJob { settings, curves: vec![settings], main: true, sizes: false };
    change(&mut job);
    let mut meter = ProgressMeter { done: 0.0, total: job.estimate_work(), listener };
    let found = job.run(&mut InputNormals::new(settings.data_seed()), &mut meter)?;
    meter.listener.report("done", 1.0);
    Ok(found)
}

/// The four configurations of Table 1 under otherwise equal settings (Figure 3, Table 5). K is
/// capped at a layer's width and rank.
///
/// # Errors
/// As [`compute_curve`].
pub fn preset_curves(settings: &Settings, listener: &mut dyn Progress) -> Result<Vec<Curve>, RunError> {
    compute_curves(&preset_settings(settings), None, listener)?.0.into_iter().collect()
}

/// Everything the page shows: the configuration's curve and sizes, and the four configurations.
///
/// # Errors
/// As [`compute_curve`].
pub fn run(settings: &Settings, listener: &mut dyn Progress) -> Result<Report, RunError> {
    let mut wanted = preset_settings(settings);
    let mine = wanted.iter().position(|preset| preset == settings).unwrap_or_else(|| {
        wanted.push(settings.clone());
        wanted.len() - 1
    });
    let (curves, sizes) = compute_curves(&wanted, Some(mine), listener)?;
    let main = curves[mine].clone()?;
    Ok(Report {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        paper_settings: settings.has_paper_values(),
        settings: settings.clone(),
        main,
        sizes,
        // A configuration that cannot be run under these settings is left out.
        cross: curves.into_iter().take(Preset::TABLE_1.len()).flatten().collect(),
    })
}

fn preset_settings(settings: &Settings) -> Vec<Settings> {
    Preset::TABLE_1.iter().map(|preset| settings.with_preset(*preset)).collect()
}

/// A configuration's curve, or why there is none.
type CurveResult = Result<Curve, RunError>;

/// Computes several configurations, each layer once. `main` is the one whose sizes are swept, and
/// whose K must not exceed the rank; an error there ends the run.
fn compute_curves(
    wanted: &[Settings],
    main: Option<usize>,
    listener: &mut dyn Progress,
) -> Result<(Vec<CurveResult>, Vec<Point>), RunError> {
    // The main one first, so that what is wrong with it is found at once.
    let order = argsort((0..wanted.len()).map(|index| u64::from(Some(index) != main)).collect());
    let mut jobs: Vec<(LayerJob<'_>, Vec<usize>)> = Vec::new();
    for index in order {
        let settings = &wanted[index];
        let shared =
            jobs.iter_mut().find(|(job, _)| has_same_layer(job.settings, settings) && job.settings.k() == settings.k());
        match shared {
            Some((job, places)) => {
                job.curves.push(settings);
                places.push(index);
            }
            None => {
                let main = Some(index) == main;
                jobs.push((LayerJob { settings, curves: vec![settings], main, sizes: main }, vec![index]));
            }
        }
    }

    let total = jobs.iter().map(|(job, _)| job.estimate_work()).sum();
    let mut meter = ProgressMeter { done: 0.0, total, listener };
    let mut curves = Vec::new();
    let mut sizes = Vec::new();
    let mut normals = InputNormals::new(wanted.first().map_or(0, Settings::data_seed));
    for (job, places) in &jobs {
        match job.run(&mut normals, &mut meter) {
            Ok((found, swept)) => {
                sizes.extend(swept);
                curves.extend(places.iter().zip(found.into_iter().map(Ok)));
            }
            Err(error) if job.main => return Err(error),
            Err(error) => curves.extend(places.iter().map(|place| (place, Err(error)))),
        }
    }
    meter.listener.report("done", 1.0);
    let mut found: Vec<Option<CurveResult>> = wanted.iter().map(|_| None).collect();
    for (place, curve) in curves {
        found[*place] = Some(curve);
    }
    Ok((found.into_iter().flatten().collect(), sizes))
}

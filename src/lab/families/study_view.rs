use serde::{Deserialize, Serialize};

use super::build_finished_report;
use super::figures::{self, FamiliesSource, UserMember, families_figure, families_headline};
use super::{FamiliesConfig, FamiliesError, FamiliesReport, JobResult, Runner, build_report};
use crate::Weights;
use crate::papers::sfc::parse_weights;
use crate::plot::Chart;
use crate::sae::train::{Metrics, TrainConfig, TrainError, Trainer};
use crate::study::{
    ChartFn, FILE_PREFIX, Failure, FigureSpec, Origin, Study, figure_json_with_settings, hash_text, impl_failure_from,
    pretty_json, safe_file_name, to_json_text,
};
use crate::synthetic::World;

impl_failure_from!(FamiliesError, TrainError);

/// A study's finished methods under live weights, while its results come in.
pub struct StudyView {
    config: FamiliesConfig,
    results: Vec<JobResult>,
    report: FamiliesReport,
    weights: Weights,
    kept: Vec<UserMember>,
    /// Results of the same circuit read out by sums alone, for the sentence that compares.
    pub linear_results: Vec<JobResult>,
}

impl StudyView {
    /// No results yet.
    ///
    /// # Errors
    /// For a configuration that is not allowed.
    pub fn new(config: FamiliesConfig) -> Result<Self, Failure> {
        config.check()?;
        let report = build_finished_report(&config, &[])?;
        let (results, kept, linear) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { config, results, report, weights: Weights::EQUAL, kept, linear_results: linear })
    }

    /// Takes a result, in any order; one that is there already is left out. It shows once its method
    /// has all of its results. Returns whether that is so.
    ///
    /// # Errors
    /// For a result that is not of this study.
    pub fn add_result(&mut self, result: JobResult) -> Result<bool, Failure> {
        if self.results.iter().any(|other| other.job == result.job) {
            return Ok(false);
        }
        let method = result.job.method;
        self.results.push(result);
        if !self.config.is_method_complete(method, &self.results) {
            if let Some(coverage) = &mut self.report.provisional {
                coverage.members = self.results.len();
            }
            return Ok(false);
        }
        let before = self.report.methods.len();
        let gathered = build_finished_report(&self.config, &self.results);
        self.report = gathered?;
        Ok(self.report.methods.len() > before)
    }

    /// What is finished.
    #[must_use]
    pub fn report(&self) -> &FamiliesReport {
        &self.report
    }

    /// The weights in use.
    #[must_use]
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// Shows an autoencoder of the reader's beside the families; one of the same name is replaced.
    pub fn add_user_member(&mut self, name: &str, found: JobResult) {
        self.remove_user_member(name);
        self.kept.push(UserMember { name: name.to_owned(), result: found });
    }

    /// Shows it no more.
    pub fn remove_user_member(&mut self, name: &str) {
        self.kept.retain(|kept| kept.name != name);
    }
}

impl Study for StudyView {
    const NAME: &'static str = "families";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = FamiliesConfig;
    type Report = FamiliesReport;
    type Source<'a> = FamiliesSource<'a>;

    fn run(config: FamiliesConfig, tell: &mut dyn FnMut(&str, f64)) -> Result<FamiliesReport, Failure> {
        let runner = Runner::new(&config)?;
        let jobs = config.jobs();
        let mut results = Vec::with_capacity(jobs.len());
        for (done, job) in jobs.iter().enumerate() {
            tell("jobs", done as f64 / jobs.len() as f64);
            results.push(runner.run(job)?);
        }
        build_report(&config, results).map_err(Failure::from)
    }

    fn open(report: FamiliesReport) -> Result<Self, Failure> {
        let (config, results) = (report.config.clone(), report.results.clone());
        let (kept, linear) = (Vec::new(), Vec::new());
        Ok(Self { config, results, report, weights: Weights::EQUAL, kept, linear_results: linear })
    }

    fn source(&self) -> Result<FamiliesSource<'_>, Failure> {
        Ok(FamiliesSource { report: &self.report, weights: self.weights, user_members: &self.kept })
    }

    /// Of a study that is not finished, it says so.
    fn chart(&self, id: &str) -> Result<Chart, Failure> {
        families_figure(id, &self.report, self.weights, &self.kept).ok_or_else(|| Failure::unknown_figure(id))
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        self.weights = parse_weights(weights)?;
        Ok(())
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(families_headline(&self.report, self.weights, &self.linear_results))
    }

    fn json(&self) -> Result<String, Failure> {
        let text = self.report.to_json();
        text.map_err(|error| Failure::new("families.json", &error, None))
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(&self.report.config)
    }
}

/// `sfc-bench-fam-hv-superposition-12methods-3seeds-0a1b2c3d`: everything else tells in a hash.
impl Origin for FamiliesConfig {
    fn file_stem(&self, id: &str) -> String {
        format!(
            "{FILE_PREFIX}-{}-{}-{}methods-{}seeds-{:08x}",
            safe_file_name(id),
            self.world.name(),
            self.methods.len(),
            self.seeds.len(),
            hash_text(&to_json_text(self))
        )
    }

    fn json(&self, chart: &Chart) -> String {
        figure_json_with_settings(chart, self, None)
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        vec![("settings.json", to_json_text(self))]
    }
}

/// What is trained, and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSetup {
    /// How.
    pub config: TrainConfig,
    /// Where the activations come from.
    pub world: World,
}

/// A training to run, and how often to look at it.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingSettings {
    /// What is trained.
    pub training: TrainingSetup,
    /// Rows of activations to train on.
    pub rows: usize,
    /// Steps between two points of its curve.
    pub steps_between_points: u32,
}

/// The curve of a training, point by point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingHistory {
    /// What its files say that they are of; there are none before it is known.
    pub training: Option<TrainingSetup>,
    /// The points.
    pub curve: Vec<Metrics>,
}

impl Study for TrainingHistory {
    const NAME: &'static str = "training";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::TRAINING_FIGURES;
    type Settings = TrainingSettings;
    type Report = Self;
    type Source<'a> = &'a [Metrics];

    fn run(wanted: TrainingSettings, tell: &mut dyn FnMut(&str, f64)) -> Result<Self, Failure> {
        let TrainingSettings { training, rows, steps_between_points: every } = wanted;
        let sample = training.world.sample(rows)?;
        let steps = training.config.steps;
        let mut trainer = Trainer::new(training.config.clone(), &sample.activations)?;
        let mut curve = Vec::new();
        let mut done = 0;
        while done < steps {
            tell("steps", f64::from(done) / f64::from(steps));
            let next = every.clamp(1, steps - done);
            trainer.step(next)?;
            let planted = sample.truth.as_ref().map(|truth| &truth.directions);
            curve.push(trainer.metrics_with_recovery(planted)?);
            done += next;
        }
        Ok(Self { training: Some(training), curve })
    }

    fn open(report: Self) -> Result<Self, Failure> {
        Ok(report)
    }

    fn source(&self) -> Result<&[Metrics], Failure> {
        Ok(&self.curve)
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(Study::chart(self, "train-loss")?.summary)
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(self)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        let none = || Failure::new("export.training", &"nobody has said what is trained", None);
        Ok(self.training.as_ref().ok_or_else(none)?)
    }
}

/// `sfc-bench-train-loss-superposition-topk-32latents-seed0-0a1b2c3d`: likewise.
impl Origin for TrainingSetup {
    fn file_stem(&self, id: &str) -> String {
        let Self { config, world } = self;
        format!(
            "{FILE_PREFIX}-{}-{}-{}-{}latents-seed{}-{:08x}",
            safe_file_name(id),
            world.name(),
            config.family.name(),
            config.latents,
            config.seed,
            hash_text(&to_json_text(self))
        )
    }

    fn json(&self, chart: &Chart) -> String {
        figure_json_with_settings(chart, self, None)
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        vec![("settings.json", to_json_text(self))]
    }
}

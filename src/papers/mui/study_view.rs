use super::experiment::{Experiment, experiment};
use super::figures::{self, MuiSource};
use super::report::Report;
use super::run::{measure_checkpoint, measure_growth, run};
use super::settings::Settings;
use super::tables::{DerivedCell, derived_cells};
use super::training::TrainingRequest;
use crate::plot::Chart;
use crate::study::digest::{ResultHash, format_groups};
use crate::study::{
    Cell, CellValue, ChartFn, Failure, FigureSpec, Origin, SettingsOrigin, Study, StudyJob, StudyJobs,
    figure_json_with_settings, pretty_json,
};
use crate::toy_model::CHECKPOINTS;

/// A report, and what follows from the paper's numbers.
pub struct StudyView {
    report: Report,
    derived: &'static [DerivedCell],
    cells: Vec<Cell>,
}

impl StudyView {
    /// Of all trainings that are asked for, once they are done.
    fn trained_digest(&self) -> Option<u32> {
        let Report { settings, trained, .. } = &self.report;
        let mut hash = ResultHash::EMPTY;
        for wanted in TrainingRequest::from_settings(settings) {
            let one = trained.iter().find(|one| one.wanted == wanted)?;
            if !one.is_done(settings) {
                return None;
            }
            for point in &one.points {
                hash.update_count(point.step as usize);
                hash.update_real(point.loss.unwrap_or(f64::NAN));
                let tasks = point.tasks.iter();
                tasks.for_each(|t| [t.accuracy, t.mui].into_iter().for_each(|x| hash.update_real(x)));
                [point.fresh.accuracy, point.fresh.mui].into_iter().for_each(|x| hash.update_real(x));
            }
        }
        Some(hash.finish())
    }

    /// The report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl Study for StudyView {
    const NAME: &'static str = "mui";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = MuiSource<'a>;

    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        run(&settings, tell).map_err(Failure::from)
    }

    fn open(mut report: Report) -> Result<Self, Failure> {
        report.sort_checkpoints();
        let derived = derived_cells();
        let cell = |derived: &DerivedCell| Cell {
            table: derived.table.clone(),
            row: derived.row.clone(),
            column: derived.column.clone(),
            printed: CellValue::Number(derived.printed),
            computed: CellValue::Number(derived.derived),
            agrees: derived.agrees,
        };
        let cells = derived.iter().map(cell).collect();
        Ok(Self { report, derived, cells })
    }

    fn source(&self) -> Result<MuiSource<'_>, Failure> {
        Ok(MuiSource { report: &self.report, derived: self.derived })
    }

    fn printed_cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Two groups: what follows from the paper's tables, and what was measured. A third where all trainings that
    /// the settings ask for have come to their end: what was seen of them.
    fn digest(&self) -> Option<String> {
        let (mut tables, mut measured) = (ResultHash::EMPTY, ResultHash::EMPTY);
        self.derived.iter().for_each(|cell| tables.update_real(cell.derived));
        for found in self.report.checkpoints.iter().flat_map(|found| &found.tasks) {
            [found.accuracy, found.mui, found.mui_correct].into_iter().for_each(|value| measured.update_real(value));
        }
        let mut groups = vec![tables.finish(), measured.finish()];
        if let Some(trained) = self.trained_digest() {
            groups.push(trained);
        }
        Some(format_groups(groups))
    }

    fn headline(&self) -> Result<String, Failure> {
        let agree = self.derived.iter().filter(|cell| cell.agrees).count();
        Ok(format!("{agree} of {} derivable numbers match the paper.", self.derived.len()))
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
    }

    fn numpy_script(&self) -> Result<String, Failure> {
        Ok(super::numpy_script(&self.report)?)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self)
    }
}

impl SettingsOrigin for StudyView {
    const PAPER: &'static str = "MUI (arXiv:2504.07440)";

    fn settings(&self) -> &Settings {
        &self.report.settings
    }

    fn figure_json(&self, chart: &Chart) -> String {
        // A part has no digest that a link could have.
        let whole = self.report.checkpoints.len() == CHECKPOINTS.len();
        figure_json_with_settings(chart, self.settings(), self.digest().filter(|_| whole))
    }
}

/// What a checkpoint's index depends on; the opened checkpoint and task only say what is looked at.
const CHECKPOINT_FIELDS: [&str; 7] = ["prompts", "score", "threshold", "k", "share", "word", "reading"];
/// How the index of the opened checkpoint grows.
const GROWTH_JOB: &str = "growth";

impl StudyJobs for StudyView {
    /// Every checkpoint, and how the opened one's index grows; the experiments are asked for by name.
    fn job_names(_: &Settings) -> Vec<String> {
        CHECKPOINTS.into_iter().chain([GROWTH_JOB]).map(str::to_owned).collect()
    }

    fn job(settings: &Settings, name: &str) -> Result<StudyJob, Failure> {
        if CHECKPOINTS.contains(&name) {
            return Ok(StudyJob::new(name, settings, CHECKPOINT_FIELDS, [name]));
        }
        let needs = match name {
            GROWTH_JOB => vec![settings.checkpoint.clone()],
            _ => find_experiment(name)?.required_files(settings),
        };
        Ok(StudyJob::new(name, settings, CHECKPOINT_FIELDS.into_iter().chain(["checkpoint", "task"]), needs))
    }

    fn empty_report(settings: Settings) -> Report {
        Report::new(settings)
    }

    fn measure(settings: Settings, name: &str, _: &mut dyn FnMut(f64)) -> Result<Report, Failure> {
        let mut report = Report::new(settings);
        if CHECKPOINTS.contains(&name) {
            report.add_checkpoint(measure_checkpoint(&report.settings, name)?);
        } else if name == GROWTH_JOB {
            report.growth = Some(measure_growth(&report.settings)?);
        } else {
            report.experiments = experiment(&report.settings, find_experiment(name)?)?;
        }
        Ok(report)
    }
}

fn find_experiment(name: &str) -> Result<Experiment, Failure> {
    Experiment::named(name).ok_or_else(|| {
        let names = Experiment::ALL.map(Experiment::name).join(", ");
        Failure::new("mui.experiment", &format!("experiment = {name:?}; allowed: {names}"), None)
    })
}

use super::figures::{self, headline};
use super::job::{Job, SynthJobResult};
use super::report::Report;
use super::settings::{FIELDS, Settings};
use crate::lab::audit::clock::seconds;
use crate::sae::synth_sae_bench::SynthScores;
use crate::study::digest::{ResultHash, format_groups};
use crate::study::{ChartFn, Failure, FigureSpec, Origin, SettingsOrigin, Study, StudyJob, StudyJobs, pretty_json};

/// A report, opened.
pub struct StudyView {
    report: Report,
}

impl StudyView {
    /// The report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl Study for StudyView {
    const NAME: &'static str = "synth";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = &'a Report;

    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        let jobs = settings.jobs();
        let mut report = Report::new(settings);
        for (at, job) in jobs.iter().enumerate() {
            let mut tell = |share: f64| tell("autoencoders", (at as f64 + share) / jobs.len() as f64);
            let found = job.run(&report.settings, &mut tell)?;
            report.jobs.push(found);
        }
        Ok(report)
    }

    /// What the settings do not ask for is left out.
    fn open(mut report: Report) -> Result<Self, Failure> {
        let wanted: Vec<String> = report.settings.jobs().iter().map(|job| job.name()).collect();
        report.jobs.retain(|found| wanted.contains(&found.job));
        Ok(Self { report })
    }

    fn source(&self) -> Result<&Report, Failure> {
        Ok(&self.report)
    }

    /// Of every number of the whole run; none of a part.
    fn digest(&self) -> Option<String> {
        if !self.report.is_complete() {
            return None;
        }
        let mut hash = ResultHash::EMPTY;
        for job in self.report.settings.jobs() {
            let found = self.report.jobs.iter().find(|found| found.job == job.name())?;
            // All of them: one that is added has to be named here.
            let SynthScores {
                mcc,
                uniqueness,
                precision,
                recall,
                f1,
                accuracy,
                explained_variance,
                shrinkage,
                shrinkage_rows,
                dead,
                l0,
                true_l0,
            } = found.scores;
            [mcc, uniqueness, precision, recall, f1, accuracy, explained_variance, shrinkage]
                .into_iter()
                .chain([l0, true_l0])
                .for_each(|value| hash.update_real(value));
            [shrinkage_rows, dead].into_iter().for_each(|count| hash.update_count(count));
        }
        Some(format_groups([hash.finish()]))
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(headline(&self.report))
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self)
    }
}

impl SettingsOrigin for StudyView {
    const PAPER: &'static str = "SynthSAEBench";

    fn settings(&self) -> &Settings {
        &self.report.settings
    }
}

impl StudyJobs for StudyView {
    fn job_names(settings: &Settings) -> Vec<String> {
        settings.jobs().into_iter().map(Job::name).collect()
    }

    /// Seeds are jobs of their own, and the printed table only stands beside.
    fn job(settings: &Settings, name: &str) -> Result<StudyJob, Failure> {
        find_job(settings, name)?;
        let fields = FIELDS.iter().map(|field| field.name).filter(|field| !["seeds", "table"].contains(field));
        Ok(StudyJob::new(name, settings, fields, [] as [&str; 0]))
    }

    fn empty_report(settings: Settings) -> Report {
        Report::new(settings)
    }

    fn measure(settings: Settings, name: &str, tell: &mut dyn FnMut(f64)) -> Result<Report, Failure> {
        let (job, began) = (find_job(&settings, name)?, seconds());
        let found = job.run(&settings, &mut |fraction| tell(fraction))?;
        Ok(Report { jobs: vec![SynthJobResult { seconds: seconds() - began, ..found }], settings })
    }
}

fn find_job(settings: &Settings, name: &str) -> Result<Job, Failure> {
    settings.jobs().into_iter().find(|job| job.name() == name).ok_or_else(|| {
        let message = format!("job = {name:?}; allowed: those that study_jobs names");
        Failure::new("synth.job", &message, Some("name"))
    })
}

use super::figures::{self, CeBenchSource};
use super::metric::Reading;
use super::report::{Report, SubjectScores};
use super::run::{CeBenchError, run};
use super::settings::Settings;
use crate::plot::Chart;
use crate::study::digest::{ResultHash, format_groups};
use crate::study::{
    CRATE_VERSION, ChartFn, Failure, FigureSpec, Origin, SettingsOrigin, Study, figure_json, impl_failure_from,
    pretty_json,
};
use crate::toy_model::DICTIONARIES;

impl_failure_from!(CeBenchError);

/// A report with a reading and a pair opened, and scores under other seeds beside it.
pub struct StudyView {
    report: Report,
    reading: Reading,
    pair: usize,
    others: Vec<(u32, Vec<SubjectScores>)>,
    /// Names of subjects that came to the report from elsewhere.
    added: Vec<String>,
}

impl StudyView {
    /// The report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Opens a reading, by its name.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn select_reading(&mut self, name: &str) -> Result<(), Failure> {
        self.reading = Reading::named(name).ok_or_else(|| {
            let names = Reading::ALL.map(Reading::name).join(", ");
            let message = format!("reading = {name:?}; allowed: {names}");
            Failure::new("ce-bench.reading", &message, Some("reading"))
        })?;
        Ok(())
    }

    /// Opens a pair.
    ///
    /// # Errors
    /// Where there is none of that place.
    pub fn select_pair(&mut self, at: usize) -> Result<(), Failure> {
        if at >= self.report.pairs.len() {
            let last = self.report.pairs.len().saturating_sub(1);
            let message = format!("pair = {at}; allowed: 0 to {last}");
            return Err(Failure::new("ce-bench.pair", &message, Some("pair")));
        }
        self.pair = at;
        Ok(())
    }

    /// Takes another autoencoder's scores beside those of the run, or in the place of earlier ones of its name.
    /// The digest stays that of the run.
    pub fn add_subject(&mut self, subject: SubjectScores) {
        let subjects = &mut self.report.subjects;
        match subjects.iter_mut().find(|other| other.name == subject.name) {
            Some(known) => *known = subject,
            None => {
                self.added.push(subject.name.clone());
                subjects.push(subject);
            }
        }
    }

    /// Takes scores under another seed of the stories; earlier ones of it are replaced, and those of the
    /// report's own seed are left out.
    pub fn add_seed_scores(&mut self, seed: u32, subjects: Vec<SubjectScores>) {
        self.others.retain(|(other, _)| *other != seed);
        if seed != self.report.settings.seed {
            self.others.push((seed, subjects));
        }
    }
}

impl Study for StudyView {
    const NAME: &'static str = "ce-bench";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = CeBenchSource<'a>;

    /// Of the autoencoder that is named, and of all shipped ones beside it.
    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        let names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        run(&settings, &names, tell).map_err(Failure::from)
    }

    fn open(report: Report) -> Result<Self, Failure> {
        Ok(Self { report, reading: Reading::V1Marked, pair: 0, others: Vec::new(), added: Vec::new() })
    }

    fn source(&self) -> Result<CeBenchSource<'_>, Failure> {
        Ok(CeBenchSource {
            report: &self.report,
            reading: self.reading,
            pair: self.report.pairs.get(self.pair),
            other_seeds: &self.others,
        })
    }

    /// Two groups: means of all subjects of the run, and the opened one's pairs.
    fn digest(&self) -> Option<String> {
        let (mut means, mut pairs) = (ResultHash::EMPTY, ResultHash::EMPTY);
        let add = |hash: &mut ResultHash, totals: &super::MeanScores| {
            [totals.contrastive, totals.independence, totals.interpretability]
                .into_iter()
                .for_each(|value| hash.update_real(value));
        };
        let of_run = |subject: &&SubjectScores| !self.added.contains(&subject.name);
        for subject in self.report.subjects.iter().filter(of_run) {
            Reading::ALL.into_iter().for_each(|reading| add(&mut means, &subject.readings.get(reading)));
        }
        for pair in &self.report.pairs {
            pair.scores.iter().for_each(|totals| add(&mut pairs, totals));
            pair.winners.iter().for_each(|winner| pairs.update_count(*winner));
        }
        Some(format_groups([means.finish(), pairs.finish()]))
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(self.source()?.headline())
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
    const PAPER: &'static str = "CE-Bench (arXiv:2509.00691)";

    fn settings(&self) -> &Settings {
        &self.report.settings
    }

    fn name_part(&self, _: &str) -> String {
        format!("-{}", self.reading.name().replace('_', "-"))
    }

    fn figure_json(&self, chart: &Chart) -> String {
        #[derive(serde::Serialize)]
        struct FigureMetadata<'a> {
            settings: &'a Settings,
            reading: &'static str,
            version: &'static str,
            digest: Option<String>,
        }
        let (digest, reading) = (self.digest(), self.reading.name());
        figure_json(chart, FigureMetadata { settings: self.settings(), reading, version: CRATE_VERSION, digest })
    }
}

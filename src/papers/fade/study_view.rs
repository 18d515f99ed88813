use super::error::FadeError;
use super::figures::{self, FadeSource, SeedRun};
use super::report::{Feature, MeanScores, Report, SteeringResult};
use super::run::score_features;
use super::settings::Settings;
use crate::study::digest::{ResultHash, format_groups};
use crate::study::{
    ChartFn, Failure, FigureSpec, Origin, SettingsOrigin, Study, impl_failure_from, pretty_json, safe_file_name,
};

impl_failure_from!(FadeError);

/// A report, with one of its features opened, and means of other runs beside it.
pub struct StudyView {
    report: Report,
    opened: usize,
    runs: Vec<SeedRun>,
}

impl StudyView {
    /// The report as it is now.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Opens another feature.
    ///
    /// # Errors
    /// Where there is none of that place.
    pub fn select_feature(&mut self, at: usize) -> Result<(), Failure> {
        self.feature_mut(at)?;
        self.opened = at;
        Ok(())
    }

    /// Takes what steering a feature came to.
    ///
    /// # Errors
    /// Where there is no such feature.
    pub fn set_steering_result(&mut self, at: usize, steered: SteeringResult) -> Result<(), Failure> {
        self.feature_mut(at)?.steered = Some(steered);
        Ok(())
    }

    /// Takes the means of a run of an autoencoder under a seed; an earlier one of both is replaced.
    pub fn add_means(&mut self, sae: &str, seed: u32, means: MeanScores) {
        self.runs.retain(|run| (run.sae.as_str(), run.seed) != (sae, seed));
        self.runs.push(SeedRun { sae: sae.to_owned(), seed, means });
    }

    fn feature_mut(&mut self, at: usize) -> Result<&mut Feature, Failure> {
        let last = self.report.features.len().saturating_sub(1);
        let feature = self.report.features.get_mut(at);
        feature.ok_or_else(|| FadeError::Feature { found: at, last }.into())
    }
}

impl Study for StudyView {
    const NAME: &'static str = "fade";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = FadeSource<'a>;

    /// All but faithfulness, which is measured feature by feature.
    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        score_features(&settings, tell).map_err(Failure::from)
    }

    fn open(report: Report) -> Result<Self, Failure> {
        Ok(Self { report, opened: 0, runs: Vec::new() })
    }

    fn source(&self) -> Result<FadeSource<'_>, Failure> {
        let opened = self.report.features.get(self.opened);
        Ok(FadeSource { report: &self.report, selected_feature: opened, runs: &self.runs })
    }

    /// Two groups: scores of texts, and faithfulness.
    fn digest(&self) -> Option<String> {
        let (mut scores, mut steering) = (ResultHash::EMPTY, ResultHash::EMPTY);
        for feature in &self.report.features {
            scores.update_count(feature.latent);
            for readings in [feature.clarity, feature.responsiveness, feature.purity] {
                scores.update_real(readings.document.unwrap_or(f64::NAN));
                scores.update_real(readings.code.unwrap_or(f64::NAN));
            }
            match &feature.steered {
                Some(steered) => steered.shares.iter().for_each(|share| steering.update_real(*share)),
                None => steering.update_real(f64::NAN),
            }
        }
        Some(format_groups([scores.finish(), steering.finish()]))
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
    const PAPER: &'static str = "FADE (arXiv:2502.16994)";

    fn settings(&self) -> &Settings {
        &self.report.settings
    }

    fn name_part(&self, id: &str) -> String {
        let feature = self.report.features.get(self.opened).filter(|_| {
            figures::FIGURES.iter().any(|figure| figure.id == id && figure.section == "fade-feature-title")
        });
        feature.map_or_else(String::new, |feature| {
            format!("-latent{}-{}", feature.latent, safe_file_name(&feature.concept))
        })
    }
}

use std::ops::RangeInclusive;

use serde::Serialize;

use super::figures::{EnsembleSource, ensemble_headline};
use super::{Ensemble, EnsembleBuilder, EnsembleError, EnsemblePlan, Varied, digest, figures, run_ensemble};
use crate::papers::sfc;
use crate::papers::sfc::{SeedsShown, Settings, file_stem, parse_weights};
use crate::plot::Chart;
use crate::study::{
    CRATE_VERSION, ChartFn, Failure, FigureSpec, Origin, Study, figure_json, impl_failure_from, to_json_text,
};

impl_failure_from!(EnsembleError: |error| match error {
    EnsembleError::Member { error, .. } => error.field(),
    _ => None,
});

/// What an ensemble is of.
#[derive(Clone, Debug, PartialEq)]
pub struct EnsembleSettings {
    /// What is run, and which seeds vary.
    pub plan: EnsemblePlan,
    /// The seeds.
    pub seeds: RangeInclusive<u32>,
}

/// An ensemble under live weights, while its members come in.
pub struct StudyView {
    /// Its members.
    pub builder: EnsembleBuilder,
    /// A run that figures mark as "this run", where it is one of the same settings but for the seeds
    /// that vary.
    pub current_run: Option<sfc::Report>,
}

impl StudyView {
    /// No members yet.
    #[must_use]
    pub fn new(plan: EnsemblePlan) -> Self {
        Self { builder: EnsembleBuilder::new(plan), current_run: None }
    }

    /// The members as they were last summed up.
    ///
    /// # Errors
    /// Where there are none.
    pub fn ensemble(&self) -> Result<&Ensemble, Failure> {
        self.builder.ensemble().ok_or_else(|| EnsembleError::Empty.into())
    }
}

impl Study for StudyView {
    const NAME: &'static str = "ensemble";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = EnsembleSettings;
    type Report = Ensemble;
    type Source<'a> = EnsembleSource<'a>;

    fn run(wanted: EnsembleSettings, _: &mut dyn FnMut(&str, f64)) -> Result<Ensemble, Failure> {
        run_ensemble(wanted.plan, wanted.seeds).map_err(Failure::from)
    }

    fn open(report: Ensemble) -> Result<Self, Failure> {
        let mut opened = Self::new(report.plan);
        let gathering = &mut opened.builder;
        let mut members = report.members.into_iter();
        let taken = members.try_for_each(|member| gathering.add_member(member));
        taken.and_then(|()| gathering.update_summary())?;
        Ok(opened)
    }

    fn source(&self) -> Result<EnsembleSource<'_>, Failure> {
        Ok(EnsembleSource::new(self.ensemble()?, self.current_run.as_ref()))
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        self.builder.set_weights(parse_weights(weights)?);
        Ok(())
    }

    fn digest(&self) -> Option<String> {
        self.builder.ensemble().map(digest)
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(ensemble_headline(self.ensemble()?))
    }

    fn json(&self) -> Result<String, Failure> {
        let text = self.ensemble()?.to_json();
        text.map_err(|error| Failure::new("ensemble.json", &error, None))
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self.ensemble()?)
    }
}

/// How many seeds an ensemble has, and which of the settings' seeds they are.
#[derive(Clone, Copy, Serialize)]
struct SeedMetadata {
    seeds: usize,
    varied: Varied,
}

/// What a JSON file says of an ensemble.
#[derive(Serialize)]
struct EnsembleMetadata<'a> {
    settings: &'a Settings,
    version: &'a str,
    digest: String,
    ensemble: SeedMetadata,
}

impl Origin for Ensemble {
    fn paper(&self) -> &'static str {
        crate::papers::sfc::PAPER_NAME
    }

    fn file_stem(&self, id: &str) -> String {
        let seeds = match self.plan.varied {
            Varied::Model => SeedsShown::Network(self.members.len()),
            Varied::ModelAndData => SeedsShown::NetworkAndData(self.members.len()),
        };
        file_stem(id, &self.plan.config, seeds)
    }

    fn json(&self, chart: &Chart) -> String {
        let ensemble = SeedMetadata { seeds: self.members.len(), varied: self.plan.varied };
        let (settings, digest) = (&self.plan.config, digest(self));
        figure_json(chart, EnsembleMetadata { settings, version: CRATE_VERSION, digest, ensemble })
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        vec![("settings.json", to_json_text(&self.plan.config))]
    }
}

use serde::{Deserialize, Serialize};

use super::figures::{self, ComparisonSource, overlay_pinned};
use crate::Weights;
use crate::lab::ensemble::Ensemble;
use crate::lab::ensemble::figures::{BackgroundBands, EnsembleSource};
use crate::papers::sfc::{self, Cell, Pinned, Report, RunOrigin, Settings, rescore};
use crate::plot::{Body, Chart};
use crate::study::{Build, Failure, Figure, FigureSpec, Origin, Study, figures as all};

/// The figure that bands of other seeds lie behind.
const BANDED_FIGURE: &str = "fig1b";

/// What a comparison is of.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonSettings {
    /// The present run.
    pub now: Settings,
    /// The one that it is compared with.
    pub pinned: Settings,
}

/// Two results, each with the weights of its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The present one.
    pub now: Report,
    /// The one that it is compared with; none yet, or no more.
    pub pinned: Option<Report>,
}

/// A report beside a pinned one, if there is one: its own figures show the other as a second layer.
pub struct StudyView {
    /// The present report.
    pub now: sfc::StudyView,
    pinned: Option<Report>,
    /// The same settings under other seeds, as bands behind Figure 1(b), and under which weights.
    seeds: Option<(Weights, BackgroundBands)>,
}

impl StudyView {
    /// Shows other seeds as bands behind Figure 1(b), as long as the weights stay those that the ensemble was summed up
    /// with; none where it is not one of the present run's settings but for the seeds that vary.
    pub fn show_seeds(&mut self, seeds: &Ensemble) {
        let behind = EnsembleSource::new(seeds, Some(&self.now.report)).background_bands();
        self.seeds = behind.map(|behind| (seeds.plan.config.weights(), behind));
    }

    /// Lays the bands of other seeds behind the joint score.
    fn with_seed_bands(&self, mut chart: Chart) -> Chart {
        let Some((weights, behind)) = &self.seeds else { return chart };
        if !weights.is_proportional_to(self.now.weights) {
            return chart;
        }
        let Body::Lines(lines) = &mut chart.body else { return chart };
        let Some(score) = lines.series.first_mut() else { return chart };
        if score.points.iter().map(|point| &point.x).eq(&behind.levels) {
            score.bands.clone_from(&behind.bands);
            chart.caption += &behind.caption;
        }
        chart
    }

    /// Pins a report, under the weights of its settings; none: unpins it.
    pub fn pin(&mut self, pinned: Option<Report>) {
        self.pinned = pinned.map(|mut report| {
            // What a report says of its scores is not believed.
            let weights = report.settings.weights();
            rescore(&mut report, weights);
            report
        });
    }

    /// The run, with what it is compared with; without digests, which take all results to make.
    fn without_digests(&self) -> RunOrigin<'_> {
        let pinned = self.pinned.as_ref();
        RunOrigin {
            pinned: pinned.map(|report| Pinned { settings: &report.settings, digest: "" }),
            ..RunOrigin::new(&self.now.report.settings, None)
        }
    }
}

impl Study for StudyView {
    const NAME: &'static str = "comparison";
    const FIGURES: &'static [FigureSpec<Build<Self>>] = figures::FIGURES;
    type Settings = ComparisonSettings;
    type Report = Compared;
    type Source<'a> = ComparisonSource;

    fn run(
        wanted: ComparisonSettings,
        tell: &mut dyn FnMut(&str, f64),
    ) -> Result<Compared, Failure> {
        let now = sfc::StudyView::run(wanted.now, tell)?;
        Ok(Compared { now, pinned: Some(sfc::StudyView::run(wanted.pinned, tell)?) })
    }

    fn open(report: Compared) -> Result<Self, Failure> {
        let mut opened = Self { now: sfc::StudyView::open(report.now)?, pinned: None, seeds: None };
        opened.pin(report.pinned);
        Ok(opened)
    }

    fn source(&self) -> Result<ComparisonSource, Failure> {
        let none = || Failure::new("compare.none", &"nothing is pinned to compare with", None);
        Ok(ComparisonSource::new(&self.now.report, self.pinned.as_ref().ok_or_else(none)?))
    }

    /// The present report's, and those of the comparison where there is one.
    fn figures(&self) -> Vec<Figure> {
        let more = all::<Self>().filter(|_| self.pinned.is_some());
        all::<sfc::StudyView>().chain(more).collect()
    }

    fn chart(&self, id: &str) -> Result<Chart, Failure> {
        let Some(pinned) = &self.pinned else {
            let chart = self.now.chart(id)?;
            return Ok(if id == BANDED_FIGURE { self.with_seed_bands(chart) } else { chart });
        };
        match figures::comparison_figure(id, &self.now.report, pinned) {
            Some(chart) => Ok(chart),
            None => Ok(overlay_pinned(self.now.chart(id)?, pinned, self.now.setting)),
        }
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        self.now.set_weights(weights)
    }

    fn printed_cells(&self) -> &[Cell] {
        self.now.printed_cells()
    }

    /// That of the present report.
    fn digest(&self) -> Option<String> {
        self.now.digest()
    }

    fn headline(&self) -> Result<String, Failure> {
        self.now.headline()
    }

    fn json(&self) -> Result<String, Failure> {
        Study::json(&self.now)
    }

    fn origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self)
    }
}

impl Origin for StudyView {
    fn paper(&self) -> &'static str {
        crate::papers::sfc::PAPER_NAME
    }

    fn file_stem(&self, id: &str) -> String {
        self.without_digests().file_stem(id)
    }

    fn json(&self, chart: &Chart) -> String {
        let of = |report| sfc::digest::digest(report).to_string();
        let (own, other) = (of(&self.now.report), self.pinned.as_ref().map(of));
        let mut run = RunOrigin { digest: Some(&own), ..self.without_digests() };
        if let (Some(pinned), Some(digest)) = (&mut run.pinned, &other) {
            pinned.digest = digest;
        }
        run.json(chart)
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        self.without_digests().archive_files()
    }
}

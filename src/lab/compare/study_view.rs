use serde::{Deserialize, Serialize};

use super::figures::{self, ComparisonSource, overlay_pinned};
use crate::Weights;
use crate::lab::ensemble::Ensemble;
use crate::lab::ensemble::figures::{BackgroundBands, EnsembleSource};
use crate::papers::sfc::{self, Cell, PinnedResult, Report, RunOrigin, Settings, rescore};
use crate::plot::{Chart, ChartBody};
use crate::study::{ChartFn, Failure, Figure, FigureSpec, Origin, Study, figures};

/// The figure that bands of other seeds lie behind.
const BANDED_FIGURE: &str = "fig1b";

/// What a comparison is of.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonSettings {
    /// The present run.
    pub current: Settings,
    /// The one that it is compared with.
    pub pinned: Settings,
}

/// Two results, each with the weights of its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedReports {
    /// The present one.
    pub now: Report,
    /// The one that it is compared with; none yet, or no more.
    pub pinned: Option<Report>,
}

/// A report beside a pinned one, if there is one: its own figures show the other as a second layer.
pub struct StudyView {
    /// The present report.
    pub current: sfc::StudyView,
    pinned: Option<Report>,
    /// The same settings under other seeds, as bands behind Figure 1(b), and under which weights.
    seeds: Option<(Weights, BackgroundBands)>,
}

impl StudyView {
    /// Shows other seeds as bands behind Figure 1(b), as long as the weights stay those that the ensemble was summed up
    /// with; none where it is not one of the present run's settings but for the seeds that vary.
    pub fn set_seed_bands(&mut self, seeds: &Ensemble) {
        let behind = EnsembleSource::new(seeds, Some(&self.current.report)).background_bands();
        self.seeds = behind.map(|behind| (seeds.plan.config.weights(), behind));
    }

    /// Lays the bands of other seeds behind the joint score.
    fn with_seed_bands(&self, mut chart: Chart) -> Chart {
        let Some((weights, behind)) = &self.seeds else { return chart };
        if !weights.is_proportional_to(self.current.weights) {
            return chart;
        }
        let ChartBody::Lines(lines) = &mut chart.body else { return chart };
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
    fn origin_without_digests(&self) -> RunOrigin<'_> {
        let pinned = self.pinned.as_ref();
        RunOrigin {
            pinned: pinned.map(|report| PinnedResult { settings: &report.settings, digest: "" }),
            ..RunOrigin::new(&self.current.report.settings, None)
        }
    }
}

impl Study for StudyView {
    const NAME: &'static str = "comparison";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = ComparisonSettings;
    type Report = ComparedReports;
    type Source<'a> = ComparisonSource;

    fn run(wanted: ComparisonSettings, tell: &mut dyn FnMut(&str, f64)) -> Result<ComparedReports, Failure> {
        let now = sfc::StudyView::run(wanted.current, tell)?;
        Ok(ComparedReports { now, pinned: Some(sfc::StudyView::run(wanted.pinned, tell)?) })
    }

    fn open(report: ComparedReports) -> Result<Self, Failure> {
        let mut opened = Self { current: sfc::StudyView::open(report.now)?, pinned: None, seeds: None };
        opened.pin(report.pinned);
        Ok(opened)
    }

    fn source(&self) -> Result<ComparisonSource, Failure> {
        let none = || Failure::new("compare.none", &"nothing is pinned to compare with", None);
        Ok(ComparisonSource::new(&self.current.report, self.pinned.as_ref().ok_or_else(none)?))
    }

    /// The present report's, and those of the comparison where there is one.
    fn figures(&self) -> Vec<Figure> {
        let more = figures::<Self>().filter(|_| self.pinned.is_some());
        figures::<sfc::StudyView>().chain(more).collect()
    }

    fn chart(&self, id: &str) -> Result<Chart, Failure> {
        let Some(pinned) = &self.pinned else {
            let chart = self.current.chart(id)?;
            return Ok(if id == BANDED_FIGURE { self.with_seed_bands(chart) } else { chart });
        };
        match figures::comparison_figure(id, &self.current.report, pinned) {
            Some(chart) => Ok(chart),
            None => Ok(overlay_pinned(self.current.chart(id)?, pinned, self.current.setting)),
        }
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        self.current.set_weights(weights)
    }

    fn printed_cells(&self) -> &[Cell] {
        self.current.printed_cells()
    }

    /// That of the present report.
    fn digest(&self) -> Option<String> {
        self.current.digest()
    }

    fn headline(&self) -> Result<String, Failure> {
        self.current.headline()
    }

    fn json(&self) -> Result<String, Failure> {
        Study::json(&self.current)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self)
    }
}

impl Origin for StudyView {
    fn paper(&self) -> &'static str {
        crate::papers::sfc::PAPER_NAME
    }

    fn file_stem(&self, id: &str) -> String {
        self.origin_without_digests().file_stem(id)
    }

    fn json(&self, chart: &Chart) -> String {
        let of = |report| sfc::digest::digest(report).to_string();
        let (own, other) = (of(&self.current.report), self.pinned.as_ref().map(of));
        let mut run = RunOrigin { digest: Some(&own), ..self.origin_without_digests() };
        if let (Some(pinned), Some(digest)) = (&mut run.pinned, &other) {
            pinned.digest = digest;
        }
        run.json(chart)
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        self.origin_without_digests().archive_files()
    }
}

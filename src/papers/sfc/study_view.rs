use super::figures::{self, ScoredReport};
use super::origin::RunOrigin;
use super::{Cell, ParetoView, Report, RunError, Settings, digest, printed, rescore, run};
use crate::Weights;
use crate::plot::Chart;
use crate::study::{ChartFn, Failure, FigureSpec, Origin, Study, impl_failure_from, pretty_json};

impl_failure_from!(RunError);

/// Weights from three numbers.
pub(crate) fn parse_weights(weights: [f64; 3]) -> Result<Weights, Failure> {
    Weights::try_from(weights).map_err(|error| Failure::new("settings.weights", &error, Some("weights")))
}

/// A report under live weights.
pub struct StudyView {
    /// The report, scored under them.
    pub report: Report,
    /// What the paper prints, beside it.
    pub cells: Vec<Cell>,
    /// The weights.
    pub weights: Weights,
    /// How the Pareto instrument is set.
    pub setting: ParetoView,
}

impl Study for StudyView {
    const NAME: &'static str = "sfc";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = ScoredReport<'a>;

    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        let mut tell = |stage: &str, fraction: f64| tell(stage, fraction);
        run(&settings, &mut tell).map_err(Failure::from)
    }

    fn open(report: Report) -> Result<Self, Failure> {
        let (cells, weights) = (printed::compare_cells(&report), report.settings.weights());
        Ok(Self { report, cells, weights, setting: ParetoView::default() })
    }

    fn source(&self) -> Result<ScoredReport<'_>, Failure> {
        Ok(ScoredReport::new(&self.report, &self.cells, self.weights, self.setting))
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        self.weights = parse_weights(weights)?;
        rescore(&mut self.report, self.weights);
        Ok(())
    }

    fn printed_cells(&self) -> &[Cell] {
        &self.cells
    }

    fn digest(&self) -> Option<String> {
        Some(digest::digest(&self.report).to_string())
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(printed::tally_cells(&self.report, &self.cells).sentence)
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
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
        RunOrigin::new(&self.report.settings, None).file_stem(id)
    }

    fn json(&self, chart: &Chart) -> String {
        let digest = digest::digest(&self.report).to_string();
        RunOrigin::new(&self.report.settings, Some(&digest)).json(chart)
    }

    fn archive_files(&self) -> Vec<(&'static str, String)> {
        RunOrigin::new(&self.report.settings, None).archive_files()
    }
}

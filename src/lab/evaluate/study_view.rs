use super::figures;
use super::{EvaluationError, EvaluationPlan, EvaluationReport, EvaluationRun, Phase, Progress};
use crate::papers::sfc::parse_weights;
use crate::plot::Chart;
use crate::study::{
    ChartFn, FILE_PREFIX, Failure, FigureSpec, Origin, Study, figure_json_with_report, impl_failure_from, pretty_json,
    safe_file_name,
};

impl_failure_from!(EvaluationError);

/// A report on a reader's own decomposition, under live weights.
pub struct StudyView {
    /// The report.
    pub report: EvaluationReport,
}

impl Study for StudyView {
    const NAME: &'static str = "own";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = EvaluationPlan;
    type Report = EvaluationReport;
    type Source<'a> = &'a EvaluationReport;

    fn run(plan: EvaluationPlan, tell: &mut dyn FnMut(&str, f64)) -> Result<EvaluationReport, Failure> {
        let mut tell = |found: Progress| {
            let part = found.done as f64 / found.total.max(1) as f64;
            let stage = match found.phase {
                Phase::Loading => "loading",
                Phase::Lengths => "lengths",
                Phase::Rows => "rows",
                Phase::ActiveSubspace => "active subspace",
                Phase::Directions => "directions",
                Phase::Done => "done",
            };
            tell(stage, part);
        };
        EvaluationRun::new(plan).run(&mut tell).map_err(Failure::from)
    }

    fn open(report: EvaluationReport) -> Result<Self, Failure> {
        Ok(Self { report })
    }

    fn source(&self) -> Result<&EvaluationReport, Failure> {
        Ok(&self.report)
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        let EvaluationReport { fidelity, reading, variance, .. } = &self.report;
        let (mode, reading, variance) = (fidelity.mode, *reading, *variance);
        self.report.rescore(parse_weights(weights)?, mode, Some(reading), variance);
        Ok(())
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(Study::chart(self, "own-score")?.summary)
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(&self.report)
    }
}

/// With the beginning of the activations' SHA-256, where it is known, so that other files have another
/// name.
impl Origin for EvaluationReport {
    fn file_stem(&self, id: &str) -> String {
        let digest = self.files.iter().find_map(|file| file.sha256.as_deref());
        let digest = digest.map_or_else(String::new, |digest| {
            format!("-{}", safe_file_name(digest).chars().take(8).collect::<String>())
        });
        let codes = safe_file_name(&self.codes.replace(' ', "-"));
        format!("{FILE_PREFIX}-{}-{codes}-k{}{digest}", safe_file_name(id), self.k)
    }

    fn json(&self, chart: &Chart) -> String {
        figure_json_with_report(chart, self)
    }
}

use super::{DecompositionsReport, figures};
use crate::lab::evaluate::EvaluationPlan;
use crate::papers::sfc::parse_weights;
use crate::plot::Chart;
use crate::study::{
    ChartFn, FILE_PREFIX, Failure, FigureSpec, Origin, Study, figure_json_with_report, pretty_json, safe_file_name,
};

/// Decompositions side by side, under live weights.
pub struct StudyView {
    /// The report.
    pub report: DecompositionsReport,
}

impl Study for StudyView {
    const NAME: &'static str = "decompositions";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = (super::DecompositionComparison, Vec<(String, EvaluationPlan)>);
    type Report = DecompositionsReport;
    type Source<'a> = &'a DecompositionsReport;

    fn run(
        (mut comparison, plans): Self::Settings,
        tell: &mut dyn FnMut(&str, f64),
    ) -> Result<DecompositionsReport, Failure> {
        let count = plans.len().max(1) as f64;
        for (at, (name, plan)) in plans.into_iter().enumerate() {
            let mut hear = |row: &str, _, share: f64| tell(row, (at as f64 + share) / count);
            comparison.add_decomposition(&name, plan, &mut hear)?;
        }
        comparison.finish().map_err(Failure::from)
    }

    fn open(report: DecompositionsReport) -> Result<Self, Failure> {
        Ok(Self { report })
    }

    fn source(&self) -> Result<&DecompositionsReport, Failure> {
        Ok(&self.report)
    }

    fn set_weights(&mut self, weights: [f64; 3]) -> Result<(), Failure> {
        let DecompositionsReport { mode, reading, variance, .. } = self.report;
        self.report.rescore(parse_weights(weights)?, mode, Some(reading), variance);
        Ok(())
    }

    fn headline(&self) -> Result<String, Failure> {
        Ok(Study::chart(self, "decompositions-table")?.summary)
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(&self.report)
    }
}

impl Origin for DecompositionsReport {
    fn file_stem(&self, id: &str) -> String {
        format!("{FILE_PREFIX}-{}-{}-rows", safe_file_name(id), self.rows.len())
    }

    fn json(&self, chart: &Chart) -> String {
        figure_json_with_report(chart, self)
    }
}

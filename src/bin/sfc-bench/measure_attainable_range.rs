//! What measurement theory's thresholds can reach, on the command line.

use sfc_bench::papers::measurement::MeasurementError;
use sfc_bench::papers::measurement::attainable_range::{all_cases, cases_for_metric};
use sfc_bench::papers::measurement::metric::DecompositionError;
use sfc_bench::papers::measurement::metric::Reading;

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, to_json};

#[derive(Debug, clap::Args)]
pub struct AttainableRangeArgs {
    /// One metric alone: m07 to m14, ex1, ex2, ex11, ex24, ex25, ex34 or mib
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

impl AttainableRangeArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        let found = match &self.metric {
            Some(metric) => cases_for_metric(metric),
            None => all_cases(),
        };
        let found = found.map_err(|error| match error {
            // As such, so that what may have been meant is said.
            MeasurementError::Decomposition(DecompositionError::Parameter(problem)) => BoxError::from(problem),
            other => other.into(),
        })?;
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&found);
        }
        let columns = ["metric", "reading", "case", "value", "condition", "holds", "what was built"];
        let mut rows = TextTable::new(&columns);
        for one in &found {
            let reading = match one.reading {
                Reading::Document => "document",
                Reading::Code => "code",
            };
            let condition = one.condition;
            let (sign, limit) = (condition.relation.symbol(), condition.limit);
            rows.push(vec![
                one.metric.to_owned(),
                reading.to_owned(),
                one.kind.name().to_owned(),
                format_number(format, one.value),
                format!("{} {sign} {limit}", condition.quantity),
                if one.holds { "yes" } else { "no" }.to_owned(),
                one.says.to_owned(),
            ]);
        }
        rows.render(format, |table| table)
    }
}

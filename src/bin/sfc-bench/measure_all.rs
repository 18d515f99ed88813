//! All fifteen metrics at once, on the command line.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sfc_bench::object;
use sfc_bench::papers::measurement::Settings;
use sfc_bench::papers::measurement::settings::Draft;
use sfc_bench::papers::measurement::validation::{
    MeasurementRecord, Subject, Testbed, VALIDATION_ROWS, ValidationPart, merge_records, row_verdict,
};
use sfc_bench::statistics::mean;

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, to_json};
use crate::progress::progress_bar;

#[derive(Debug, clap::Args)]
pub struct MeasureAllArgs {
    /// Draws of planted features and circuits, and of autoencoders that are trained for this, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u32,
    /// Prompts of each task of the toy model, 8 to 1024
    #[arg(long, value_name = "N", default_value_t = 128)]
    n_prompts: usize,
    /// Leave the toy model out: what is planted alone
    #[arg(long)]
    planted: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl MeasureAllArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        let (seeds, n_prompts) = (f64::from(self.seeds), self.n_prompts as f64);
        Settings::try_from(Draft { seeds: Some(seeds), n_prompts: Some(n_prompts), ..Draft::default() })?;
        let planted = |part: &ValidationPart| matches!(part, ValidationPart::Features(_) | ValidationPart::Circuit(_));
        let mut parts = ValidationPart::all_for_seeds(self.seeds);
        parts.retain(|part| planted(part) || !self.planted);
        let bar = progress_bar("parts", parts.len());
        let mut found = Vec::new();
        for part in parts {
            found.push(part.measure(self.n_prompts)?);
            bar.inc(1);
        }
        drop(bar);
        let lines = merge_records(found);
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&self.group_by_metric(&lines)?);
        }
        let grounds = Testbed::ALL.iter().filter(|ground| !self.planted || **ground == Testbed::Planted);
        let grounds: Vec<Testbed> = grounds.copied().collect();
        let mut rows = TextTable::new(&[
            "metric", "quantity", "reading", "passes", "ground", "verdict", "subject", "mean", "values",
        ]);
        for row in VALIDATION_ROWS {
            for ground in &grounds {
                let verdict = row_verdict(row, *ground, &lines).verdict.label();
                for line in row.matching_records(*ground, &lines) {
                    rows.push(vec![
                        row.metric.to_owned(),
                        row.quantity.to_owned(),
                        row.says.label().to_owned(),
                        row.condition.map_or_else(
                            || "–".to_owned(),
                            |condition| format!("{} {}", condition.relation.symbol(), condition.limit),
                        ),
                        ground.name().to_owned(),
                        verdict.to_owned(),
                        line.subject.name().to_owned(),
                        format_number(format, mean(&line.values)?),
                        line.values.len().to_string(),
                    ]);
                }
            }
        }
        rows.render(format, |table| table)
    }

    /// By metric, quantity, ground and subject.
    fn group_by_metric(&self, lines: &[MeasurementRecord]) -> Result<Value, BoxError> {
        let mut metrics: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for row in VALIDATION_ROWS {
            let mut grounds = Map::new();
            for ground in Testbed::ALL {
                let mut subjects = Map::new();
                for line in row.matching_records(ground, lines) {
                    let judged = row_verdict(row, ground, lines);
                    let passes = judged.passes.iter().find(|(subject, _)| *subject == line.subject);
                    let found = object! {
                        mean: mean(&line.values)?,
                        values: &line.values,
                        passes: passes.and_then(|(_, share)| *share),
                    };
                    subjects.insert(Subject::name(line.subject).to_owned(), serde_json::to_value(found)?);
                }
                if !subjects.is_empty() {
                    let verdict = row_verdict(row, ground, lines).verdict;
                    subjects.insert("verdict".to_owned(), serde_json::to_value(verdict)?);
                    grounds.insert(ground.name().to_owned(), Value::Object(subjects));
                }
            }
            metrics.entry(row.metric).or_default().insert(row.quantity.to_owned(), Value::Object(grounds));
        }
        let (seeds, n_prompts) = (self.seeds, self.n_prompts);
        Ok(serde_json::to_value(object! { seeds, n_prompts, metrics })?)
    }
}

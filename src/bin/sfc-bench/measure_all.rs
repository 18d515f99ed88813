//! All fifteen metrics at once, on the command line.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sfc_bench::object;
use sfc_bench::papers::measurement::Settings;
use sfc_bench::papers::measurement::settings::Draft;
use sfc_bench::papers::measurement::validation::{
    Ground, Line, Part, ROWS, Row, Subject, joined, judged,
};
use sfc_bench::statistics::mean;

use crate::format::{Failed, Format, Output, Rows, json, number};
use crate::progress::bar;

#[derive(Debug, clap::Args)]
pub struct All {
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
    output: Output,
}

impl All {
    pub fn text(&self) -> Result<String, Failed> {
        let (seeds, n_prompts) = (f64::from(self.seeds), self.n_prompts as f64);
        Settings::try_from(Draft {
            seeds: Some(seeds),
            n_prompts: Some(n_prompts),
            ..Draft::default()
        })?;
        let planted = |part: &Part| matches!(part, Part::Features(_) | Part::Circuit(_));
        let mut parts = Part::all(self.seeds);
        parts.retain(|part| planted(part) || !self.planted);
        let bar = bar("parts", parts.len());
        let mut found = Vec::new();
        for part in parts {
            found.push(part.measured(self.n_prompts)?);
            bar.inc(1);
        }
        drop(bar);
        let lines = joined(found);
        let format = self.output.format();
        if format == Format::Json {
            return json(&self.by_metric(&lines)?);
        }
        let grounds =
            Ground::ALL.iter().filter(|ground| !self.planted || **ground == Ground::Planted);
        let grounds: Vec<Ground> = grounds.copied().collect();
        let mut rows = Rows::new(&[
            "metric", "quantity", "reading", "passes", "ground", "verdict", "subject", "mean",
            "values",
        ]);
        for row in ROWS {
            for ground in &grounds {
                let verdict = judged(row, *ground, &lines).verdict.words();
                for line in of(row, *ground, &lines) {
                    rows.push(vec![
                        row.metric.to_owned(),
                        row.quantity.to_owned(),
                        row.says.label().to_owned(),
                        row.condition.map_or_else(
                            || "–".to_owned(),
                            |condition| {
                                format!("{} {}", condition.relation.sign(), condition.limit)
                            },
                        ),
                        ground.name().to_owned(),
                        verdict.to_owned(),
                        line.subject.name().to_owned(),
                        number(format, mean(&line.values)?),
                        line.values.len().to_string(),
                    ]);
                }
            }
        }
        rows.print(format, |table| table)
    }

    /// By metric, quantity, ground and subject.
    fn by_metric(&self, lines: &[Line]) -> Result<Value, Failed> {
        let mut metrics: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for row in ROWS {
            let mut grounds = Map::new();
            for ground in Ground::ALL {
                let mut subjects = Map::new();
                for line in of(row, ground, lines) {
                    let judged = judged(row, ground, lines);
                    let passes = judged.passes.iter().find(|(subject, _)| *subject == line.subject);
                    let found = object! {
                        mean: mean(&line.values)?,
                        values: &line.values,
                        passes: passes.and_then(|(_, share)| *share),
                    };
                    subjects.insert(
                        Subject::name(line.subject).to_owned(),
                        serde_json::to_value(found)?,
                    );
                }
                if !subjects.is_empty() {
                    let verdict = judged(row, ground, lines).verdict;
                    subjects.insert("verdict".to_owned(), serde_json::to_value(verdict)?);
                    grounds.insert(ground.name().to_owned(), Value::Object(subjects));
                }
            }
            metrics
                .entry(row.metric)
                .or_default()
                .insert(row.quantity.to_owned(), Value::Object(grounds));
        }
        let (seeds, n_prompts) = (self.seeds, self.n_prompts);
        Ok(serde_json::to_value(object! { seeds, n_prompts, metrics })?)
    }
}

fn of<'a>(row: &'a Row, ground: Ground, lines: &'a [Line]) -> impl Iterator<Item = &'a Line> {
    lines.iter().filter(move |line| {
        line.ground == ground && line.metric == row.metric && line.quantity == row.quantity
    })
}

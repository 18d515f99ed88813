//! SynthSAEBench on the command line: five architectures trained on planted features, beside the printed table.

use serde::Serialize;
use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::synth::{JobFound, Report, Settings, Subject, SynthMetric};
use sfc_bench::lab::synth::{Spread, StudyView};
use sfc_bench::sae::synth_sae_bench::SynthScores;
use sfc_bench::study::Study as _;

use crate::format::{Format, Output, Rows, Text, json, number};
use crate::interrupt::Interrupted;
use crate::parameters::Parameters;
use crate::{checkpoint, interrupt, jobs, progress};

#[derive(Debug, clap::Args)]
pub struct Synth {
    #[command(flatten)]
    knobs: Parameters<Settings>,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
    #[command(flatten)]
    output: Output,
}

/// What is printed as JSON: the report, and what follows from it.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// None of a part of what was asked for.
    digest: Option<String>,
    /// Clear orders of the printed table that come out, of how many; none of a part.
    orders_kept: Option<usize>,
    orders: Option<usize>,
}

impl Synth {
    pub fn text(&self) -> Text {
        let settings = self.knobs.settings()?;
        let wanted = settings.jobs();
        interrupt::listen();
        let place = |found: &JobFound| wanted.iter().position(|job| job.name() == found.job);
        let mut asked = serde_json::to_value(&settings)?;
        // The printed table stands beside whatever was trained.
        if let Some(asked) = asked.as_object_mut() {
            asked.remove("table");
        }
        let (kept, done) = self.checkpoint.open("synth", &asked, wanted.len(), place)?;
        let bar = progress::bar("autoencoders", wanted.len());
        bar.set_position(done.iter().flatten().count() as u64);
        let found = jobs::run(
            done,
            |at| {
                let began = seconds();
                let found = wanted[at].run(&settings, &mut |_| {})?;
                Ok(JobFound { seconds: seconds() - began, ..found })
            },
            |found| checkpoint::keep(kept.as_ref(), found, &bar),
        )?;
        drop(bar);
        checkpoint::sync(kept.as_ref())?;
        let report =
            Report { jobs: found.into_iter().flatten().collect(), ..Report::new(settings) };
        let (done, of) = report.done();
        if done == of {
            return self.printed(report);
        }
        let finished = format!("{done} of {of} autoencoders are measured");
        let format = self.output.format();
        let text = match (&kept, format) {
            (None, Format::Table | Format::Json) if done > 0 => {
                progress::partial(format, &self.printed(report)?, &finished, done, of)
            }
            _ => String::new(),
        };
        let kept = checkpoint::kept(kept.as_ref());
        Err(Interrupted { said: format!("interrupted: {finished}; {kept}"), text }.into())
    }

    fn printed(&self, report: Report) -> Text {
        let opened = StudyView::open(report)?;
        let report = opened.report();
        let format = self.output.format();
        if format == Format::Json {
            let whole = report.is_whole();
            let orders = report.orders();
            let kept = orders.iter().filter(|order| order.kept()).count();
            return json(&Printed {
                report,
                digest: opened.digest(),
                orders_kept: whole.then_some(kept),
                orders: whole.then_some(orders.len()),
            });
        }
        let mut names = vec!["architecture", "seeds"];
        for (mean, deviation, printed) in [
            ("f1", "f1 sd", "f1 printed"),
            ("mcc", "mcc sd", "mcc printed"),
            ("uniqueness", "uniqueness sd", "uniqueness printed"),
            ("explained variance", "explained variance sd", "explained variance printed"),
        ] {
            names.extend([mean, deviation, printed]);
        }
        names.extend(["l0", "precision", "recall", "dead"]);
        let mut rows = Rows::new(&names);
        let cell = |value: Option<f64>| {
            value.map_or_else(|| "–".to_owned(), |value| number(format, value))
        };
        for subject in Subject::ALL {
            let of = |what: &dyn Fn(&SynthScores) -> f64| report.spread(subject, what);
            let mean = |spread: Option<Spread>| cell(spread.map(|spread| spread.mean));
            let seeds = report.scores(subject).len();
            if seeds == 0 {
                continue;
            }
            let mut row = vec![subject.label().to_owned(), seeds.to_string()];
            for metric in SynthMetric::ALL {
                let found = of(&|scores| metric.of(scores));
                row.push(mean(found));
                row.push(cell(found.and_then(|found| found.deviation)));
                row.push(match subject {
                    Subject::Trained(which) => {
                        cell(Some(report.settings.printed().cell(which, metric).mean))
                    }
                    Subject::Untrained => "–".to_owned(),
                });
            }
            row.push(mean(of(&|scores| scores.l0)));
            row.push(mean(of(&|scores| scores.precision)));
            row.push(mean(of(&|scores| scores.recall)));
            row.push(mean(of(&|scores| scores.dead as f64)));
            rows.push(row);
        }
        if format == Format::Csv {
            return rows.csv();
        }
        Ok(format!("{}{}\n", rows.table(), opened.headline()?))
    }
}

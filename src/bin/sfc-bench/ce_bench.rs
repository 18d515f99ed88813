//! CE-Bench on the command line.

use serde::Serialize;
use sfc_bench::little::DICTIONARIES;
use sfc_bench::papers::ce_bench::metric::Reading;
use sfc_bench::papers::ce_bench::{self, About, Readings, Settings, bound};

use crate::format::{Failed, Format, Output, Rows, json, number};
use crate::knobs::Knobs;

#[derive(Debug, clap::Args)]
pub struct CeBench {
    /// Score every shipped autoencoder, and the controls
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    knobs: Knobs<Settings>,
    #[command(flatten)]
    output: Output,
}

/// An autoencoder as JSON has it.
#[derive(Serialize)]
struct Found<'a> {
    sae: &'a str,
    latents: usize,
    trained: bool,
    readings: Readings,
    winner_about_the_contrast: About,
}

impl CeBench {
    pub fn text(&self) -> Result<String, Failed> {
        let settings = self.knobs.settings()?;
        let names: Vec<&str> = DICTIONARIES.iter().map(|known| known.name).collect();
        let others = if self.all { &names[..] } else { &[] };
        let report = ce_bench::run(&settings, others, &mut |_, _| {})?;
        let subjects: Vec<Found> = report
            .subjects
            .iter()
            .map(|subject| Found {
                sae: &subject.name,
                latents: subject.latents,
                trained: subject.trained,
                readings: subject.readings,
                winner_about_the_contrast: subject.about,
            })
            .collect();
        let format = self.output.format();
        if format == Format::Json {
            #[derive(Serialize)]
            struct All<'a> {
                settings: &'a Settings,
                #[serde(flatten)]
                opened: Option<&'a Found<'a>>,
                #[serde(skip_serializing_if = "<[_]>::is_empty")]
                others: &'a [Found<'a>],
            }
            let (opened, others) = match subjects.split_first() {
                Some((opened, others)) => (Some(opened), others),
                None => (None, &[][..]),
            };
            return json(&All { settings: &settings, opened, others });
        }
        let mut rows = Rows::new(&[
            "autoencoder",
            "latents",
            "reading",
            "contrastive",
            "independence",
            "interpretability",
            "contrastive / bound",
        ]);
        for found in &subjects {
            for reading in Reading::ALL {
                let totals = found.readings.of(reading);
                let share = bound(reading, found.latents).map(|most| totals.contrastive / most);
                rows.push(vec![
                    found.sae.to_owned(),
                    found.latents.to_string(),
                    reading.name().to_owned(),
                    number(format, totals.contrastive),
                    number(format, totals.independence),
                    number(format, totals.interpretability),
                    share.map_or_else(|| "–".to_owned(), |share| number(format, share)),
                ]);
            }
        }
        if format == Format::Csv {
            return rows.csv();
        }
        Ok(format!(
            "means over {} story pairs of seed {}\n{}",
            settings.pairs,
            settings.seed,
            rows.table()
        ))
    }
}

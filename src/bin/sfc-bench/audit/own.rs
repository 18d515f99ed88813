//! The audit of a reader's own: autoencoders on the same activations, and scores that were published.

use std::path::PathBuf;

use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::own::{
    Autoencoder, OwnAuditError, Published, ROWS, defined, measured, named, paired, published,
    weights_for,
};
use sfc_bench::lab::audit::{Registry, Report, Row, Said, Settings, table};
use sfc_bench::lab::own::activations;
use sfc_bench::object;
use sfc_bench::settings::MEMORY_CAP;

use super::{shown, values};
use crate::files::OnDisk;
use crate::format::{Failed, Format, Output, Rows, Text, json, maybe};
use crate::{given, progress};

#[derive(Debug, clap::Args)]
pub struct Own {
    /// Audit autoencoders of your own instead: folders or weights in any layout that evaluate reads; a folder seed_<number> in
    /// a path says its seed, and the rest which are of one architecture
    #[arg(long, value_name = "DIR", num_args = 1.., requires = "activations", help_heading = "Your own")]
    own: Vec<PathBuf>,
    /// The same autoencoders before their training, named likewise
    #[arg(long, value_name = "DIR", num_args = 1.., requires = "own", help_heading = "Your own")]
    untrained: Vec<PathBuf>,
    /// Their activations, one row a sample: .npy, .npz, .safetensors, .pt or .csv; FILE:ARRAY names one of several arrays. Several
    /// files, or a folder of them, are read one after the other, in the order of their names and numbers
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "own", help_heading = "Your own")]
    activations: Vec<PathBuf>,
    /// What transcoders reconstruct of these activations, row by row: files as of the activations. All that is audited must be
    /// transcoders
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "own", help_heading = "Your own")]
    targets: Vec<PathBuf>,
    /// Rows of the activations that are taken, from all over them; all of them where there are fewer
    #[arg(long, value_name = "N", default_value_t = ROWS as u32, value_parser = clap::value_parser!(u32).range(16..=100_000), help_heading = "Your own")]
    rows: u32,
    /// Say instead how reliable published scores are: results of SAEBench in folders seed_<number>
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "own", help_heading = "Your own")]
    published: Vec<PathBuf>,
}

impl Own {
    /// What of a reader's own is asked for; none where nothing is.
    pub fn text(&self, settings: &Settings, output: &Output, plain: bool) -> Option<Text> {
        if !self.published.is_empty() {
            return Some(self.scores(settings, output.format()));
        }
        if self.own.is_empty() {
            return None;
        }
        Some(self.autoencoders(settings, output.format(), plain))
    }

    fn scores(&self, settings: &Settings, format: Format) -> Text {
        let found = published(given::files(&self.published, &[".json"])?, &settings.rule())?;
        if format == Format::Json {
            return json(&found);
        }
        let mut rows = Rows::new(&[
            "evaluation",
            "quantity",
            "reliability",
            "variation",
            "autoencoders",
            "seeds",
            "pairs",
            "EX24 passes",
            "separated",
        ]);
        for one in found {
            let Published { evaluation, quantity, configurations, seeds, .. } = one;
            rows.push(vec![
                evaluation,
                quantity,
                one.reliability.name().to_owned(),
                maybe(format, one.variation),
                configurations.to_string(),
                seeds.to_string(),
                one.pairs.to_string(),
                maybe(format, one.passes),
                maybe(format, one.told),
            ]);
        }
        rows.print(format, |table| table)
    }

    fn autoencoders(&self, settings: &Settings, format: Format, plain: bool) -> Text {
        let files = OnDisk::new(MEMORY_CAP);
        let (first, more) = files.activations(&self.activations)?;
        let picked = activations(&files, &first, &more)?;
        let targets = files.all(&self.targets)?;
        let targets = targets.split_first().map(|(first, more)| activations(&files, first, more));
        let targets = targets.transpose()?;
        let own = self.given(&files)?;
        let first = own.first().map(|own| &own.weights);
        let (rows, targets) = paired(picked, targets, first, self.rows as usize)?;
        let bar = progress::bar("autoencoders", own.len());
        let registry = Registry::all();
        let tell = &mut |done| bar.set_position(done as u64);
        let count = rows.rows();
        let rows = measured(&rows, targets.as_ref(), &own, &registry, seconds, tell)?;
        drop(bar);
        progress::note(&rows.iter().filter_map(Row::note).collect::<Vec<_>>());
        if plain {
            return values(format, rows.iter());
        }
        let metrics = defined(&registry, &rows);
        let report = Report::of_own(settings.clone(), rows);
        let table = table(&metrics, report.own.as_deref().unwrap_or_default(), &report.rule());
        if format == Format::Json {
            // What was measured, which the page opens, and what follows from it.
            return json(&object! {
                #[serde(flatten)]
                report: &report,
                /// What the metrics are that have values, in their papers' order.
                metrics: metrics.iter().map(Said::from).collect::<Vec<_>>(),
                table: &table,
            });
        }
        let entries: Vec<_> = table.entries.iter().collect();
        let printed = shown(format, &entries, &settings.weights())?;
        let said = format!(
            "{} autoencoders, {} rows; {} metrics have values. No truth is known of them.\n",
            own.len(),
            count,
            entries.len()
        );
        Ok(if format == Format::Csv { printed } else { printed + &said })
    }

    /// Those that are named, each with what it was before its training.
    fn given(&self, files: &OnDisk) -> Result<Vec<Autoencoder>, Failed> {
        let read = |path: &PathBuf| -> Result<_, Failed> {
            let name = path.display().to_string();
            let (place, seed) = named(name.strip_suffix(".zip").unwrap_or(&name))?;
            let names = files.folder(path)?;
            let folder = names.folder(files)?;
            progress::note(&folder.notes());
            let targets = self.targets.first().map(|path| path.display().to_string());
            let weights = weights_for(folder, targets.as_deref())?;
            Ok(Autoencoder { place, seed, weights, untrained: None })
        };
        let mut own = self.own.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for path in &self.untrained {
            let Autoencoder { place, seed, weights, .. } = read(path)?;
            let it = own.iter_mut().find(|own| own.place == place && own.seed == seed);
            let Some(it) = it else {
                let found = format!("{place} under seed {seed}");
                let allowed = "one that is among --own, too".to_owned();
                let place = path.display().to_string();
                return Err(
                    OwnAuditError::Value { place, field: "untrained", found, allowed }.into()
                );
            };
            if it.untrained.replace(weights).is_some() {
                return Err(OwnAuditError::Twice { place, seed: u64::from(seed) }.into());
            }
        }
        Ok(own)
    }
}

//! The audit of a reader's own: autoencoders on the same activations, and scores that were published.

use std::path::PathBuf;

use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::user_files::{
    DEFAULT_ROWS, PublishedAssessment, UserAuditError, UserAutoencoder, applicable_metrics, assess_published,
    load_weights_with_targets, measure_autoencoders, parse_name_and_seed, sample_paired_rows,
};
use sfc_bench::lab::audit::{MetricInfo, Registry, Report, Settings, SubjectRow, build_table};
use sfc_bench::lab::evaluate::{open_activations, open_sae_folder};
use sfc_bench::object;
use sfc_bench::settings::MEMORY_CAP;

use super::{format_entries, format_values};
use crate::files::DiskFiles;
use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, format_optional, to_json};
use crate::{progress, small_files};

#[derive(Debug, clap::Args)]
pub struct OwnAuditArgs {
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
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ROWS as u32, value_parser = clap::value_parser!(u32).range(16..=100_000), help_heading = "Your own")]
    rows: u32,
    /// Say instead how reliable published scores are: results of SAEBench in folders seed_<number>
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "own", help_heading = "Your own")]
    published: Vec<PathBuf>,
}

impl OwnAuditArgs {
    /// What of a reader's own is asked for; none where nothing is.
    pub fn run(&self, settings: &Settings, output: &OutputArgs, plain: bool) -> Option<TextResult> {
        if !self.published.is_empty() {
            return Some(self.judge_published(settings, output.format()));
        }
        if self.own.is_empty() {
            return None;
        }
        Some(self.audit_autoencoders(settings, output.format(), plain))
    }

    fn judge_published(&self, settings: &Settings, format: Format) -> TextResult {
        let found = assess_published(small_files::read_files(&self.published, &[".json"])?, &settings.rule())?;
        if format == Format::Json {
            return to_json(&found);
        }
        let mut rows = TextTable::new(&[
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
            let PublishedAssessment { evaluation, quantity, configurations, seeds, .. } = one;
            rows.push(vec![
                evaluation,
                quantity,
                one.reliability.name().to_owned(),
                format_optional(format, one.variation),
                configurations.to_string(),
                seeds.to_string(),
                one.pairs.to_string(),
                format_optional(format, one.passes),
                format_optional(format, one.told),
            ]);
        }
        rows.render(format, |table| table)
    }

    fn audit_autoencoders(&self, settings: &Settings, format: Format, plain: bool) -> TextResult {
        let files = DiskFiles::new(MEMORY_CAP);
        let (first, more) = files.list_activations(&self.activations)?;
        let picked = open_activations(&files, &first, &more)?;
        let targets = files.list_all_shards(&self.targets)?;
        let targets = targets.split_first().map(|(first, more)| open_activations(&files, first, more));
        let targets = targets.transpose()?;
        let own = self.read_autoencoders(&files)?;
        let first = own.first().map(|own| &own.weights);
        let (rows, targets) = sample_paired_rows(picked, targets, first, self.rows as usize)?;
        let bar = progress::progress_bar("autoencoders", own.len());
        let registry = Registry::all();
        let tell = &mut |done| bar.set_position(done as u64);
        let count = rows.rows();
        let rows = measure_autoencoders(&rows, targets.as_ref(), &own, &registry, seconds, tell)?;
        drop(bar);
        progress::print_notes(&rows.iter().filter_map(SubjectRow::not_applicable_note).collect::<Vec<_>>());
        if plain {
            return format_values(format, rows.iter());
        }
        let metrics = applicable_metrics(&registry, &rows);
        let report = Report::from_user_rows(settings.clone(), rows);
        let table = build_table(&metrics, report.own.as_deref().unwrap_or_default(), &report.rule());
        if format == Format::Json {
            // What was measured, which the page opens, and what follows from it.
            return to_json(&object! {
                #[serde(flatten)]
                report: &report,
                /// What the metrics are that have values, in their papers' order.
                metrics: metrics.iter().map(MetricInfo::from).collect::<Vec<_>>(),
                table: &table,
            });
        }
        let entries: Vec<_> = table.entries.iter().collect();
        let printed = format_entries(format, &entries, &settings.column_weights())?;
        let said = format!(
            "{} autoencoders, {} rows; {} metrics have values. No truth is known of them.\n",
            own.len(),
            count,
            entries.len()
        );
        Ok(if format == Format::Csv { printed } else { printed + &said })
    }

    /// Those that are named, each with what it was before its training.
    fn read_autoencoders(&self, files: &DiskFiles) -> Result<Vec<UserAutoencoder>, BoxError> {
        let read = |path: &PathBuf| -> Result<_, BoxError> {
            let name = path.display().to_string();
            let (place, seed) = parse_name_and_seed(name.strip_suffix(".zip").unwrap_or(&name))?;
            let names = files.autoencoder_files(path)?;
            let folder = open_sae_folder(&names, files)?;
            progress::print_notes(&folder.notes());
            let targets = self.targets.first().map(|path| path.display().to_string());
            let weights = load_weights_with_targets(folder, targets.as_deref())?;
            Ok(UserAutoencoder { place, seed, weights, untrained: None })
        };
        let mut own = self.own.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for path in &self.untrained {
            let UserAutoencoder { place, seed, weights, .. } = read(path)?;
            let it = own.iter_mut().find(|own| own.place == place && own.seed == seed);
            let Some(it) = it else {
                let found = format!("{place} under seed {seed}");
                let allowed = "one that is among --own, too".to_owned();
                let place = path.display().to_string();
                return Err(UserAuditError::Value { place, field: "untrained", found, allowed }.into());
            };
            if it.untrained.replace(weights).is_some() {
                return Err(UserAuditError::Duplicate { place, seed: u64::from(seed) }.into());
            }
        }
        Ok(own)
    }
}

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::value::{Error as ValueError, StrDeserializer};
use sfc_bench::lab::evaluate::{
    ArrayChoice, CodesBy, EvaluationError, EvaluationReport, EvaluationRun, ListedAutoencoder, Options, Phase, Request,
    RowNumbers, SkipRules, activations_script, evaluation_script, open_sae_folder,
};
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::{Problem, Weights, object};

use crate::files::{DiskFiles, TextLabelsArgs, optional_array_ref, path_name};
use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, to_json};

/// Files are .npy, .npz, .safetensors, .pt or .csv; of a file with several arrays, FILE:ARRAY names one.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct EvaluateArgs {
    /// Activations A, one row a sample; several files, or a folder of them, are read one after the other, in the order
    /// of their names and numbers. Without them, what an autoencoder was recognised as is printed, and a program in Python
    /// that gets the activations it is of
    #[arg(long, value_name = "FILE", help_heading = "Files", num_args = 1.., required_unless_present = "sae")]
    activations: Vec<PathBuf>,
    /// Folder or weights of an autoencoder or transcoder as SAELens, dictionary_learning, sparsify, OpenAI, Gemma Scope,
    /// Llama Scope, Qwen Scope and others write them, or a .zip of them
    #[arg(
        long,
        value_name = "DIR",
        help_heading = "Files",
        required_unless_present = "dictionary",
        conflicts_with_all = ["dictionary", "codes", "codes_by"]
    )]
    sae: Option<PathBuf>,
    /// Activations that a transcoder reconstructs, as many rows as it reads; files as those of the activations
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "sae", requires = "activations", num_args = 1..)]
    targets: Vec<PathBuf>,
    /// Dictionary W alone, one row a feature
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    dictionary: Option<PathBuf>,
    /// Codes on the dictionary, one row a sample; or those that are not 0, as sparsify, delphi (all files of a folder),
    /// SciPy (.npz) and PyTorch (sparse .pt) write them
    #[arg(long, value_name = "FILE", help_heading = "Files", conflicts_with = "codes_by")]
    codes: Option<PathBuf>,
    /// Bias b_dec of the decoder that the codes are of, which reconstructions have added
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "codes")]
    decoder_bias: Option<PathBuf>,
    /// What the codes are decoded to, one row a sample, by whatever decoder
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "codes", conflicts_with = "decoder_bias")]
    reconstruction: Option<PathBuf>,
    /// Linear readout W_out (outputs × D) that follows the activations [default: the identity]
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "activations")]
    readout: Option<PathBuf>,
    /// The readout's bias
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "readout")]
    readout_bias: Option<PathBuf>,

    /// Read the dictionary, the readout, or both with rows and columns exchanged
    #[arg(long, value_name = "WHICH,…", value_delimiter = ',', help_heading = "Files", requires = "activations")]
    transposed: Vec<Transposable>,

    #[command(flatten)]
    labels: TextLabelsArgs,

    #[command(flatten)]
    rows: SkipArgs,

    /// How codes on the dictionary are made: projection, least-squares, or top-8 for the eight largest of
    /// the projection [default: projection]
    #[arg(long, value_name = "WAY", help_heading = "Metrics")]
    codes_by: Option<String>,
    #[command(flatten)]
    scoring: ScoringArgs,
    /// Put the SHA-256 of every file into the report
    #[arg(long, requires = "activations")]
    digest: bool,
    /// Print a NumPy program that computes the same from the same files
    #[arg(long, requires = "activations", conflicts_with_all = ["json", "csv", "digest"])]
    script: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// Rows that are left out.
#[derive(Debug, clap::Args)]
pub struct SkipArgs {
    /// Leave out rows of zeros, as padding is
    #[arg(long, help_heading = "Rows", requires = "activations")]
    skip_zero_rows: bool,
    /// Leave out rows by their numbers from 0, such as 0,5-9
    #[arg(long, value_name = "ROWS", help_heading = "Rows", requires = "activations")]
    skip_rows: Option<String>,
    /// Leave out rows longer than so many times the median, as those of first tokens are
    #[arg(long, value_name = "TIMES", help_heading = "Rows", requires = "activations")]
    skip_norm_above: Option<f64>,
}

impl SkipArgs {
    pub fn to_skip(&self) -> Result<SkipRules> {
        let rows = self.skip_rows.as_deref().map(str::parse::<RowNumbers>).transpose()?;
        Ok(SkipRules { zero_rows: self.skip_zero_rows, rows, norm_above: self.skip_norm_above })
    }
}

/// What the score takes, and what the run may take.
#[derive(Debug, clap::Args)]
pub struct ScoringArgs {
    /// Fidelity that is scored: cosine, r2 or rel-mse [default: cosine]
    #[arg(long, value_name = "MODE", help_heading = "Metrics", requires = "activations")]
    fidelity: Option<String>,
    /// Completeness that is scored: row-space (the paper's), reconstruction or active-subspace
    /// [default: row-space; reconstruction where the dictionary spans the whole space]
    #[arg(long, value_name = "READING", help_heading = "Metrics", requires = "activations")]
    completeness: Option<String>,
    /// Variance that completeness divides by: total or grand (the paper's) [default: total]
    #[arg(long, value_name = "KIND", help_heading = "Metrics", requires = "activations")]
    variance: Option<String>,
    /// Weights of sparsity, fidelity, completeness [default: 1,1,1]
    #[arg(
        long,
        value_name = "A,B,C",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Metrics",
        requires = "activations"
    )]
    weights: Option<Vec<f64>>,
    /// Most rows that the active-subspace reading looks at [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Metrics", requires = "activations")]
    active_rows: Option<u32>,
    /// Memory the run may take, in MiB [default: 1024]
    #[arg(long, value_name = "MIB")]
    memory: Option<u32>,
}

/// What can be read transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Transposable {
    Dictionary,
    Readout,
}

type Result<T> = std::result::Result<T, BoxError>;

/// A word as the library reads it.
fn parse_option<T: for<'de> Deserialize<'de>>(field: &str, text: &Option<String>, all: &str) -> Result<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    let read = T::deserialize(StrDeserializer::<ValueError>::new(text));
    Ok(Some(read.map_err(|_| Problem::new(field, text.as_str(), all))?))
}

impl ScoringArgs {
    pub fn options(&self) -> Result<Options> {
        let mut options = Options::default();
        if let Some(mode) = parse_option("fidelity", &self.fidelity, "cosine, r2, rel-mse")? {
            options.fidelity = mode;
        }
        let readings = "row-space, reconstruction, active-subspace";
        if let Some(reading) = parse_option("completeness", &self.completeness, readings)? {
            options.completeness = Some(reading);
        }
        if let Some(variance) = parse_option("variance", &self.variance, "total, grand")? {
            options.variance = variance;
        }
        options.weights = match self.weights.as_deref() {
            None => Weights::EQUAL,
            Some(&[a, b, c]) => Weights::new(a, b, c)?,
            Some(other) => {
                let held = format!("a list of {}", other.len());
                return Err(Problem::new("weights", held, "three numbers").into());
            }
        };
        options.active_rows = self.active_rows.unwrap_or(options.active_rows);
        options.memory = self.memory.map_or(MEMORY_CAP, |mebibytes| u64::from(mebibytes) << 20);
        Ok(options)
    }
}

impl EvaluateArgs {
    fn build_request(&self, files: &DiskFiles) -> Result<Request> {
        let options = self.scoring.options()?;
        let read = |choice: Option<ArrayChoice>, which| {
            choice.map(|choice| ArrayChoice { transposed: self.transposed.contains(&which), ..choice })
        };
        let by = self.codes_by.as_deref().map(str::parse::<CodesBy>).transpose()?;
        let (activations, more_activations) = files.list_activations(&self.activations)?;
        let mut more_codes = self.codes.as_ref().map(|path| files.list_shards(path)).transpose()?.unwrap_or_default();
        let codes = if more_codes.is_empty() { None } else { Some(more_codes.remove(0)) };
        Ok(Request {
            activations,
            more_activations,
            sae: self.sae.as_ref().map(|path| files.autoencoder_files(path)).transpose()?,
            targets: files.list_all_shards(&self.targets)?,
            dictionary: read(optional_array_ref(self.dictionary.as_ref()), Transposable::Dictionary),
            codes,
            more_codes,
            decoder_bias: optional_array_ref(self.decoder_bias.as_ref()),
            reconstruction: optional_array_ref(self.reconstruction.as_ref()),
            codes_by: by.unwrap_or_default(),
            readout: read(optional_array_ref(self.readout.as_ref()), Transposable::Readout),
            readout_bias: optional_array_ref(self.readout_bias.as_ref()),
            skip: self.rows.to_skip()?,
            options,
        })
    }

    /// What is needed besides an autoencoder, and how to get it.
    fn describe_requirements(&self, files: &DiskFiles, sae: &Path) -> TextResult {
        let listed = ListedAutoencoder::new(path_name(sae), &open_sae_folder(&files.autoencoder_files(sae)?, files)?);
        let listed = listed.map_err(EvaluationError::from)?;
        let [width, out] = listed.dimensions;
        let targets = listed.transcoder.then_some(out);
        let script = activations_script(&listed.recognised, width, targets);
        match self.output.format() {
            Format::Json => to_json(&object! {
                #[serde(flatten)]
                listed,
                /// A program in Python that gets its activations.
                script,
            }),
            Format::Csv => {
                let allowed = "a table or JSON where there are no activations";
                Err(Problem::new("output", "csv", allowed).into())
            }
            Format::Table => {
                let said = &listed.recognised;
                let place = said.hook.as_ref().map_or_else(String::new, |hook| format!(" of {hook}"));
                Ok(format!(
                    "autoencoder: {}\nIt is scored with activations{place}, {width} wide, as --activations. To get them:\n\n{script}",
                    said.describe(),
                ))
            }
        }
    }

    pub fn run(&self) -> Result<String> {
        let files = DiskFiles::new(self.scoring.options()?.memory).with_labels(self.labels.to_labels());
        if let (true, Some(sae)) = (self.activations.is_empty(), &self.sae) {
            return self.describe_requirements(&files, sae);
        }
        let request = self.build_request(&files)?;
        let plan = request.plan(&files)?;
        let bar = crate::progress::progress_bar("rows", 0);
        let mut found = EvaluationRun::new(plan.clone()).run(&mut |progress| {
            bar.set_message(match progress.phase {
                Phase::Loading => "loading",
                Phase::Lengths => "lengths of rows",
                Phase::ActiveSubspace => "active subspaces",
                Phase::Directions => "directions",
                Phase::Rows | Phase::Done => "rows",
            });
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
        })?;
        drop(bar);
        if self.script {
            return Ok(evaluation_script(&plan, &found)?);
        }
        if self.digest {
            found.files = plan.digest_files().map_err(EvaluationError::from)?;
        } else {
            plan.verify_checksums().map_err(EvaluationError::from)?;
        }
        if self.output.format() == Format::Csv {
            crate::progress::print_notes(&plan.unread_notes());
        }
        format_report(self.output.format(), &found)
    }
}

/// Names and values of a report, in the order of the table; and notes.
fn quantity_rows(format: Format, found: &EvaluationReport) -> Vec<(String, String)> {
    let number = |value: f64| crate::format::format_number(format, value);
    let maybe = |value: Option<f64>| value.map_or_else(|| "undefined".to_owned(), number);
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut push = |name: &str, value: String| rows.push((name.to_owned(), value));
    push("sparsity", number(found.sparsity.s));
    push("l0", number(found.sparsity.l0));
    push("fidelity, cosine", number(found.fidelity.cosine));
    push("fidelity, r2", maybe(found.fidelity.r2));
    push("fraction of variance unexplained", maybe(found.fidelity.fvu));
    push("fidelity, 1 - rel-mse", maybe(found.fidelity.one_minus_rel_mse));
    push("fraction of variance explained", maybe(found.fidelity.frac_variance_explained));
    push("shrinkage", maybe(found.fidelity.shrinkage));
    for c in &found.completeness {
        let name = c.reading.name();
        push(&format!("completeness, {name}, total"), maybe(c.total));
        push(&format!("completeness, {name}, grand"), maybe(c.grand));
    }
    for c in &found.completeness {
        push(&format!("sfc, {}", c.reading.name()), maybe(c.sfc));
    }
    push("rank", found.rank.to_string());
    push("dead features", found.features.dead.to_string());
    push("dense features", found.features.dense.to_string());
    push("mean largest cosine", maybe(found.similarity.mean_max_cosine));
    push("largest cosine", maybe(found.similarity.max_cosine));
    if let Some(norms) = &found.decoder_norms {
        push("smallest decoder norm", number(norms.min));
        push("median decoder norm", number(norms.median));
        push("mean decoder norm", number(norms.mean));
        push("largest decoder norm", number(norms.max));
    }
    let histograms = [("frequency", &found.features.frequencies), ("largest cosine", &found.similarity.max_cosines)];
    // As rows of a table they would be long.
    if format == Format::Csv {
        for (name, histogram) in histograms {
            for (edges, count) in histogram.edges.windows(2).zip(&histogram.counts) {
                push(&format!("{name} {} to {}", edges[0], edges[1]), count.to_string());
            }
        }
    }
    rows
}

/// A decomposition of the reader's own.
fn format_report(format: Format, found: &EvaluationReport) -> TextResult {
    if format == Format::Json {
        return to_json(found);
    }
    let mut rows = TextTable::new(&["quantity", "value"]);
    let values = quantity_rows(format, found);
    rows.rows.extend(values.into_iter().map(|(name, value)| vec![name, value]));
    if format == Format::Csv {
        return rows.to_csv();
    }
    let readout = match found.readout_given {
        true => format!("readout to {}", found.outputs),
        false => "identity readout".to_owned(),
    };
    let mut out =
        format!("{} rows × {}, K = {}, codes: {}; {readout}\n", found.rows, found.dimensions, found.k, found.codes);
    if let Some(autoencoder) = &found.autoencoder {
        out += &format!("autoencoder: {}\n", autoencoder.describe());
    }
    for file in &found.files {
        let array = file.array.as_ref().map_or_else(String::new, |array| {
            let shape: Vec<String> = array.shape.iter().map(u64::to_string).collect();
            let name = if array.name.is_empty() { "" } else { &*format!(" {}", array.name) };
            let read = if file.transposed { ", read transposed" } else { "" };
            format!("{name}, {} {}{read}", shape.join(" × "), array.dtype.name())
        });
        let digest = file.sha256.as_deref().map_or_else(String::new, |d| format!(", SHA-256 {d}"));
        out += &format!("{}: {}{array}{digest}\n", file.role, file.file);
    }
    out += &rows.to_table();
    let weights = found.weights.values().map(|weight| weight.to_string()).join(":");
    out += &format!(
        "SFC {} under weights {weights}, completeness by {}, {} variance\n",
        found.sfc.map_or_else(|| "undefined".to_owned(), |sfc| crate::format::format_number(format, sfc)),
        found.reading.name(),
        found.variance.name(),
    );
    let worst = found.worst_rows.iter().take(3).filter(|worst| worst.squared_error > 0.0);
    let worst: Vec<String> = worst
        .map(|worst| {
            let [norm, share] =
                [worst.norm, 100.0 * worst.share].map(|value| crate::format::format_number(format, value));
            format!("row {} (norm {norm}, {share} % of the total)", worst.row)
        })
        .collect();
    if !worst.is_empty() {
        out += &format!("Largest squared errors: {}\n", worst.join(", "));
    }
    for note in &found.notes {
        out += &format!("{note}\n");
    }
    Ok(out)
}

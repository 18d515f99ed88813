use std::path::PathBuf;

use sfc_bench::Problem;
use sfc_bench::export::{Appearance, Format as FileFormat, export};
use sfc_bench::lab::evaluate::{
    ArrayChoice, CodesBy, DecompositionComparison, DecompositionRow, DecompositionsReport, DecompositionsView,
    EvaluationError, ListedAutoencoder, OpenFiles, Phase, Request, SaeFileNames, expect_one_sae, open_sae_folder,
};
use sfc_bench::sae::layout::files::{display_names, matches_pattern};
use sfc_bench::sae::layout::is_autoencoder;
use sfc_bench::study::Study;

use crate::evaluate::{ScoringArgs, SkipArgs};
use crate::files::{DiskFiles, TextLabelsArgs, optional_array_ref, parse_array_ref, path_name};
use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, format_number, to_json};
use crate::progress;

/// Each is a folder or the weights of an autoencoder or transcoder in any layout that evaluate reads, a folder or a .zip of many, or a
/// file with a dictionary alone (FILE:ARRAY for one array of several).
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct CompareArgs {
    /// Folders, weights or dictionaries
    #[arg(value_name = "DECOMPOSITION", required = true)]
    decompositions: Vec<PathBuf>,
    /// Print which autoencoders there are, and nothing more
    #[arg(long)]
    list: bool,
    /// Take those alone whose name, as --list prints it, has this in it, or is this with * for any letters
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    choose: Vec<String>,
    /// Activations A, one row a sample; several files, or a folder of them, are read one after the other, in the order
    /// of their names and numbers
    #[arg(long, value_name = "FILE", help_heading = "Files", num_args = 1.., required_unless_present = "list")]
    activations: Vec<PathBuf>,
    /// Activations that transcoders reconstruct, as many rows as they read. Autoencoders beside them read and reconstruct
    /// these
    #[arg(long, value_name = "FILE", help_heading = "Files", num_args = 1.., requires = "activations")]
    targets: Vec<PathBuf>,
    /// Linear readout W_out (outputs × D) that follows what is reconstructed [default: the identity]
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "activations")]
    readout: Option<PathBuf>,
    /// The readout's bias
    #[arg(long, value_name = "FILE", help_heading = "Files", requires = "readout")]
    readout_bias: Option<PathBuf>,
    #[command(flatten)]
    labels: TextLabelsArgs,
    #[command(flatten)]
    rows: SkipArgs,
    /// How codes on dictionaries that come alone are made: projection, least-squares, or top-8 for the eight largest of
    /// the projection [default: projection]
    #[arg(long, value_name = "WAY", help_heading = "Metrics", requires = "activations")]
    codes_by: Option<String>,
    #[command(flatten)]
    scoring: ScoringArgs,
    /// Leave out random directions, permuted decoders and principal components
    #[arg(long, help_heading = "Controls", requires = "activations")]
    no_controls: bool,
    /// Seed of random directions and permutations
    #[arg(long, value_name = "SEED", default_value_t = 0, help_heading = "Controls", conflicts_with = "no_controls")]
    seed: u32,
    /// Print the table for LaTeX
    #[arg(long, requires = "activations", conflicts_with_all = ["json", "csv"])]
    latex: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// One decomposition by its name and files.
enum DecompositionSource {
    Autoencoder(SaeFileNames),
    Dictionary(ArrayChoice),
}

impl CompareArgs {
    fn open_files(&self) -> Result<DiskFiles, BoxError> {
        Ok(DiskFiles::new(self.scoring.options()?.memory).with_labels(self.labels.to_labels()))
    }

    /// All that are meant, by their names, each with the path that it was found by.
    fn find_decompositions(&self) -> Result<Vec<(String, PathBuf, DecompositionSource)>, BoxError> {
        let mut all = Vec::new();
        for path in &self.decompositions {
            let files = self.open_files()?;
            let file = path.is_file();
            let found = match file && !files.is_archive(path)? {
                true if files.data_file(&path_name(path)).is_ok_and(|file| is_autoencoder(&file)) => {
                    files.all_autoencoder_files(path)?
                }
                false if path.is_dir() || file => files.all_autoencoder_files(path)?,
                _ => {
                    all.push((path_name(path), path.clone(), DecompositionSource::Dictionary(parse_array_ref(path))));
                    continue;
                }
            };
            if found.is_empty() {
                // It says what is missing.
                expect_one_sae(&path_name(path), Vec::new())?;
            }
            let names = match found.len() {
                1 => vec![path_name(path).trim_end_matches(['/', '\\']).to_owned()],
                _ => display_names(&found),
            };
            for (name, of) in names.into_iter().zip(found) {
                all.push((name, path.clone(), DecompositionSource::Autoencoder(of)));
            }
        }
        let there = all.len();
        if !self.choose.is_empty() {
            all.retain(|(name, ..)| self.choose.iter().any(|pattern| matches_pattern(name, pattern)));
        }
        if all.is_empty() {
            let allowed = format!("what one of the {there} names of --list has in it");
            return Err(Problem::new("choose", self.choose.join(" "), allowed).into());
        }
        Ok(all)
    }

    fn format_list(&self, members: Vec<(String, PathBuf, DecompositionSource)>) -> TextResult {
        let mut all = Vec::new();
        for (name, path, member) in members {
            let DecompositionSource::Autoencoder(names) = member else { continue };
            let files = self.open_files()?;
            // Those of an archive are there once it is unpacked.
            files.all_autoencoder_files(&path)?;
            let listed = ListedAutoencoder::new(name, &open_sae_folder(&names, &files)?);
            all.push(listed.map_err(EvaluationError::from)?);
        }
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&all);
        }
        let mut rows = TextTable::new(&["name", "D", "K", "what it is"]);
        for one in all {
            let [read, made] = one.dimensions;
            let width = if read == made { read.to_string() } else { format!("{read} to {made}") };
            rows.push(vec![one.name, width, one.k.to_string(), one.recognised.describe()]);
        }
        rows.render(format, |table| table)
    }

    /// What is asked of a member.
    fn build_request(&self, files: &DiskFiles, member: DecompositionSource) -> Result<Request, BoxError> {
        let (activations, more_activations) = files.list_activations(&self.activations)?;
        let mut request = Request::for_activations(activations, more_activations, self.scoring.options()?);
        request.readout = optional_array_ref(self.readout.as_ref());
        request.readout_bias = optional_array_ref(self.readout_bias.as_ref());
        request.skip = self.rows.to_skip()?;
        request.targets = files.list_all_shards(&self.targets)?;
        match member {
            DecompositionSource::Autoencoder(names) => request.sae = Some(names),
            DecompositionSource::Dictionary(dictionary) => request.dictionary = Some(dictionary),
        }
        if let Some(by) = &self.codes_by {
            request.codes_by = by.parse::<CodesBy>()?;
        }
        Ok(request)
    }

    pub fn run(&self) -> TextResult {
        let members = self.find_decompositions()?;
        if self.list {
            return self.format_list(members);
        }
        let seed = (!self.no_controls).then_some(self.seed);
        let mut comparison = DecompositionComparison::new(self.scoring.options()?, seed);
        let bar = progress::progress_bar("rows", 0);
        for (name, path, member) in members {
            let files = self.open_files()?;
            if let DecompositionSource::Autoencoder(_) = member {
                files.all_autoencoder_files(&path)?;
            }
            let plan = self.build_request(&files, member)?.plan_for_comparison(&files)?;
            comparison.add_decomposition(&name, plan, &mut |row, at, _| {
                let what = if at.phase == Phase::Done { "done" } else { row };
                bar.set_message(what.to_owned());
                bar.set_length(at.total as u64);
                bar.set_position(at.done as u64);
            })?;
        }
        drop(bar);
        let found = comparison.finish()?;
        if self.latex {
            let view = DecompositionsView::open(found)?;
            let chart = view.chart("decompositions-table")?;
            return Ok(export(&chart, FileFormat::Tex, view.figure_origin()?, 720, Appearance::Light)?);
        }
        format_report(self.output.format(), &found)
    }
}

fn format_report(format: Format, found: &DecompositionsReport) -> TextResult {
    if format == Format::Json {
        return to_json(found);
    }
    let some = |value: Option<f64>| value.map_or_else(|| "undefined".to_owned(), |value| format_number(format, value));
    let yes = |value: Option<bool>| match value {
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => "undefined".to_owned(),
    };
    let columns = [
        "name",
        "role",
        "k",
        "sfc",
        "sparsity",
        "fidelity",
        "completeness",
        "l0",
        "r2",
        "fvu",
        "dead",
        "dense",
        "on_front",
        "contribution",
    ];
    let mut rows = TextTable::new(&columns);
    for row in &found.rows {
        let DecompositionRow { report, .. } = row;
        rows.push(vec![
            row.name.clone(),
            row.role.name().to_owned(),
            report.k.to_string(),
            some(row.sfc),
            format_number(format, row.sparsity),
            some(row.fidelity),
            some(row.completeness),
            format_number(format, report.sparsity.l0),
            some(report.fidelity.r2),
            some(report.fidelity.fvu),
            report.features.dead.to_string(),
            report.features.dense.to_string(),
            yes(row.on_front),
            some(row.contribution),
        ]);
    }
    if format == Format::Csv {
        progress::print_notes(&found.notes);
        return rows.to_csv();
    }
    let first = found.rows.first().map(|row| &row.report);
    let (scored, width) = first.map_or((0, 0), |report| (report.rows, report.dimensions));
    let weights = found.weights.values().map(|weight| weight.to_string()).join(":");
    let mut out = format!("{scored} rows × {width}\n{}", rows.to_table());
    out += &format!(
        "SFC under weights {weights}, completeness by {}, {} variance; hypervolume {}\n",
        found.reading.name(),
        found.variance.name(),
        format_number(format, found.hypervolume),
    );
    for pair in &found.consistency {
        let mcc = format_number(format, pair.pw_mcc);
        out += &format!("PW-MCC of {} and {}: {mcc}\n", pair.first, pair.second);
    }
    for note in &found.notes {
        out += &format!("{note}\n");
    }
    let given: Vec<_> = found.rows.iter().filter(|row| row.control_of.is_empty()).collect();
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in &given {
        for note in &row.report.notes {
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, names)) => names.push(&row.name),
                None => notes.push((note, vec![&row.name])),
            }
        }
    }
    for (note, names) in notes {
        match names.len() == given.len() {
            true => out += &format!("{note}\n"),
            false => out += &format!("{}: {note}\n", names.join(", ")),
        }
    }
    Ok(out)
}

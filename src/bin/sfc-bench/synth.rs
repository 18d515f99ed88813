//! SynthSAEBench on the command line: five architectures trained on planted features, beside the printed table; and
//! autoencoders trained elsewhere, scored on a saved model.

use std::path::{Path, PathBuf};

use serde::Serialize;
use sfc_bench::io::json::BYTES_MAX;
use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::evaluate::{OpenFiles as _, expect_one_sae, open_sae_folder};
use sfc_bench::lab::synth::{
    Evaluation, EvaluationOptions, EvaluationPart, EvaluationResult, PrintedRow, Report, ScoredSubject, SeedStatistics,
    Settings, StudyView, Subject, SynthJobResult, SynthMetric,
};
use sfc_bench::object;
use sfc_bench::sae::synth_sae_bench::SynthScores;
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::study::Study as _;
use sfc_bench::synthetic::synth_sae_bench::SavedModel;

use crate::checkpoint::Checkpoint;
use crate::files::{DiskFiles, digest_files, path_name};
use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, format_number, format_optional, to_json};
use crate::parameters::ParameterArgs;
use crate::{checkpoint, interrupt, jobs, progress};

#[derive(Debug, clap::Args)]
pub struct SynthArgs {
    #[command(flatten)]
    knobs: ParameterArgs<Settings>,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// Autoencoders that were trained elsewhere.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Evaluation")]
struct EvaluationArgs {
    /// Score autoencoders trained elsewhere on a model of the benchmark, instead of training some: the folder that SAELens'
    /// SyntheticModel.save writes, as the published SynthSAEBench-16k is one
    #[arg(long, value_name = "DIR", requires = "sae", conflicts_with = "Knobs")]
    model: Option<PathBuf>,
    /// Folder or weights of an autoencoder in any layout that `evaluate` reads, or of several; a .zip of them
    #[arg(long, value_name = "DIR", requires = "model", num_args = 1..)]
    sae: Vec<PathBuf>,
    /// Rows on which every autoencoder is scored, 1000 to 10000000 [default: 500000]
    #[arg(long, value_name = "N", requires = "model")]
    rows: Option<usize>,
    /// Seed of the rows [default: 0]
    #[arg(long, value_name = "SEED", requires = "model")]
    rows_seed: Option<u32>,
}

impl SynthArgs {
    pub fn run(&self) -> TextResult {
        if let Some(model) = &self.evaluation.model {
            return self.run_evaluation(model);
        }
        let settings = self.knobs.settings()?;
        let wanted = settings.jobs();
        let place = |found: &SynthJobResult| wanted.iter().position(|job| job.name() == found.job);
        let mut asked = serde_json::to_value(&settings)?;
        // The printed table stands beside whatever was trained.
        if let Some(asked) = asked.as_object_mut() {
            asked.remove("table");
        }
        let work = |at: usize| {
            let began = seconds();
            let found = wanted[at].run(&settings, &mut |_| {})?;
            Ok(SynthJobResult { seconds: seconds() - began, ..found })
        };
        let (run, count) = (("synth", &asked), wanted.len());
        let (kept, jobs) = jobs::run_resumable(&self.checkpoint, run, count, place, "autoencoders", work)?;
        let report = Report { jobs, ..Report::new(settings) };
        let (done, of) = report.progress();
        if done == of {
            return self.format_report(report);
        }
        let finished = format!("{done} of {of} autoencoders are measured");
        let print = || self.format_report(report);
        jobs::finish_interrupted(kept.as_ref(), self.output.format(), (done, of), (&finished, ""), print)
    }

    fn format_report(&self, report: Report) -> TextResult {
        let opened = StudyView::open(report)?;
        let report = opened.report();
        let format = self.output.format();
        if format == Format::Json {
            let whole = report.is_complete();
            let orders = report.rankings();
            let kept = orders.iter().filter(|order| order.is_reproduced()).count();
            // What follows from the report stands beside it.
            return to_json(&object! {
                #[serde(flatten)]
                report,
                /// None of a part of what was asked for.
                digest: opened.digest(),
                /// Clear orders of the printed table that come out, of how many; none of a part.
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
        let mut rows = TextTable::new(&names);
        let cell = |value| format_optional(format, value);
        for subject in Subject::ALL {
            let of = |what: &dyn Fn(&SynthScores) -> f64| report.seed_statistics(subject, what);
            let mean = |spread: Option<SeedStatistics>| cell(spread.map(|spread| spread.mean));
            let seeds = report.scores(subject).len();
            if seeds == 0 {
                continue;
            }
            let mut row = vec![subject.label().to_owned(), seeds.to_string()];
            for metric in SynthMetric::ALL {
                let found = of(&|scores| metric.value_of(scores));
                row.push(mean(found));
                row.push(cell(found.and_then(|found| found.deviation)));
                row.push(match subject {
                    Subject::Trained(which) => cell(Some(report.settings.printed_table().cell(which, metric).mean)),
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
            return rows.to_csv();
        }
        Ok(format!("{}{}\n", rows.to_table(), opened.headline()?))
    }
}

/// A file's bytes, where there is one.
fn read_if_present(path: &Path) -> Result<Option<Vec<u8>>, BoxError> {
    if !path.exists() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let unreadable = |error: std::io::Error| sfc_bench::io::IoError::Unreadable {
        file: path_name(path),
        at: 0,
        reason: error.to_string(),
    };
    let mut from = crate::input::open_bounded(path, BYTES_MAX, None).map_err(unreadable)?;
    std::io::Read::read_to_end(&mut from, &mut bytes).map_err(unreadable)?;
    Ok(Some(bytes))
}

/// A part of an autoencoder's evaluation, as it is kept.
#[derive(Serialize, serde::Deserialize)]
struct KeptEvaluationPart {
    /// Which autoencoder.
    autoencoder: usize,
    part: EvaluationPart,
}

impl EvaluationArgs {
    fn options(&self) -> Result<EvaluationOptions, BoxError> {
        let usual = EvaluationOptions::default();
        let options =
            EvaluationOptions { rows: self.rows.unwrap_or(usual.rows), seed: self.rows_seed.unwrap_or(usual.seed) };
        Ok(options.check()?)
    }
}

impl SynthArgs {
    /// Scores of autoencoders that were trained elsewhere.
    fn run_evaluation(&self, model: &Path) -> TextResult {
        let options = self.evaluation.options()?;
        let files = DiskFiles::new(MEMORY_CAP);
        let [config, hierarchy] = [SavedModel::CONFIG_FILE, SavedModel::HIERARCHY_FILE].map(|name| model.join(name));
        let weights = files.data_file(&path_name(&model.join(SavedModel::WEIGHTS_FILE)))?;
        let config_bytes = match read_if_present(&config)? {
            Some(bytes) => bytes,
            None => files.config_bytes(&path_name(&config))?,
        };
        let hierarchy_bytes = read_if_present(&hierarchy)?;
        let digest = |bytes: &Vec<u8>| sfc_bench::io::digest("", bytes);
        let mut of_model = vec![digest(&config_bytes)?, weights.digest()?];
        of_model.extend(hierarchy_bytes.as_ref().map(digest).transpose()?);
        let (config, hierarchy) = (path_name(&config), path_name(&hierarchy));
        let saved = SavedModel::read(
            (&config, &config_bytes),
            &weights,
            hierarchy_bytes.as_ref().map(|bytes| (hierarchy.as_str(), bytes.as_slice())),
        )?;

        let mut folders = Vec::new();
        for path in &self.evaluation.sae {
            let found = files.all_autoencoder_files(path)?;
            if found.is_empty() {
                expect_one_sae(&path_name(path), found)?;
                continue;
            }
            for names in found {
                folders.push((names.weights.clone(), open_sae_folder(&names, &files)?));
            }
        }
        let mut autoencoders = Vec::new();
        for (name, folder) in &folders {
            let files = digest_files(folder)?.into_iter().map(|(_, digest)| digest);
            autoencoders.push((name.clone(), files.collect::<Vec<_>>()));
        }
        let files = object! { model: of_model, autoencoders };
        let jobs = Evaluation::jobs_for_options(options);
        let asked = object! { options, files };
        let place = |kept: &KeptEvaluationPart| {
            let at = jobs.iter().position(|job| job.name() == kept.part.job)?;
            (kept.autoencoder < folders.len()).then_some(kept.autoencoder * jobs.len() + at)
        };
        let model = std::sync::Arc::new(saved.model);
        interrupt::listen_for_signals();
        let all = folders.len() * jobs.len();
        let (kept, mut done) = self.checkpoint.open("synth-evaluation", &asked, all, place)?;
        let bar = progress::progress_bar("pieces", all);
        bar.set_position(done.iter().flatten().count() as u64);
        let mut found = Vec::new();
        for (autoencoder, (name, folder)) in folders.iter().enumerate() {
            let mut parts: Vec<Option<KeptEvaluationPart>> = done.drain(..jobs.len().min(done.len())).collect();
            let evaluation = Evaluation::new(&model, &saved.notes, folder, options)?;
            for part in &mut parts {
                part.take_if(|kept| !evaluation.accepts(&kept.part));
            }
            let parts = jobs::run_missing(
                parts,
                |at| {
                    let began = seconds();
                    let mut part = evaluation.run(jobs[at])?;
                    part.seconds = seconds() - began;
                    Ok(KeptEvaluationPart { autoencoder, part })
                },
                |found| checkpoint::record_result(kept.as_ref(), found, &bar),
            )?;
            let parts: Vec<EvaluationPart> = parts.into_iter().flatten().map(|kept| kept.part).collect();
            match evaluation.combine_parts(name, &parts) {
                Some(scores) => found.push(scores),
                None => {
                    return self.finish_interrupted(kept.as_ref(), &found, folders.len(), parts.len());
                }
            }
        }
        drop(bar);
        checkpoint::sync_checkpoint(kept.as_ref())?;
        format_evaluations(self.output.format(), &found)
    }

    fn finish_interrupted(
        &self,
        kept: Option<&Checkpoint>,
        found: &[EvaluationResult],
        all: usize,
        pieces: usize,
    ) -> TextResult {
        checkpoint::sync_checkpoint(kept)?;
        let (done, format) = (found.len(), self.output.format());
        let finished = format!("{done} of {all} autoencoders are scored, {pieces} pieces of the next");
        let print = || format_evaluations(format, found);
        jobs::finish_interrupted(kept, format, (done, all), (&finished, ""), print)
    }
}

fn format_evaluations(format: Format, found: &[EvaluationResult]) -> TextResult {
    if format == Format::Json {
        return to_json(&object! { evaluations: found });
    }
    let mut rows = TextTable::new(&[
        "autoencoder",
        "scored",
        "f1",
        "mcc",
        "uniqueness",
        "explained variance",
        "l0",
        "precision",
        "recall",
        "dead",
        "shrinkage",
    ]);
    let cell = |value: f64| format_number(format, value);
    for one in found {
        for scored in ScoredSubject::ALL {
            let scores = one.scores(scored);
            let mut row = vec![one.name.clone(), scored.label().to_owned()];
            row.extend(SynthMetric::ALL.map(|metric| cell(metric.value_of(scores))));
            row.extend([scores.l0, scores.precision, scores.recall].map(cell));
            row.extend([scores.dead.to_string(), cell(scores.shrinkage)]);
            rows.push(row);
        }
        for printed in &one.printed {
            let mut row = vec![one.name.clone(), format!("{}, printed", printed.architecture)];
            let PrintedRow { f1, mcc, uniqueness, explained_variance, l0, .. } = printed;
            row.extend([f1, mcc, uniqueness, explained_variance].map(f64::to_string));
            row.push(l0.to_string());
            row.extend(["–", "–", "–", "–"].map(str::to_owned));
            rows.push(row);
        }
    }
    rows.render(format, |mut out| {
        for one in found {
            out += &format!("{}: {}\n", one.name, one.sentence);
            one.notes.iter().for_each(|note| out += &format!("{note}\n"));
        }
        out
    })
}

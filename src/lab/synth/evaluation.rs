//! Autoencoders trained elsewhere, scored on a saved model of the benchmark.
//!
//! An evaluation is made of jobs that know nothing of each other: matchings of decoders, and pieces of rows, each with a random
//! stream of its own. What they come to is added in the order of pieces, so that the scores are the same for any number of
//! threads or workers, and after an interruption.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::printed::{PrintedTable, SynthMetric};
use crate::io::{Entries, IoError, MEMORY_CAP};
use crate::lab::evaluate::EvaluationError;
use crate::linalg::unit_rows;
use crate::sae::recovery::{best_matches, match_directions};
use crate::sae::sae_lens_trainer::Architecture;
use crate::sae::synth_sae_bench::{CodeTally, FeaturePresence, RowTally, SynthScores};
use crate::sae::{Coder, Dictionary, SaeError, SaeFolder, TranscoderStatus};
use crate::settings::{Problem, Range};
use crate::statistics::MetricError;
use crate::synthetic::synth_sae_bench::{Sampler, SynthSaeBench};
use crate::{Matrix, NumpyRng};

/// Features and dimensions of the published model.
const PUBLISHED_SHAPE: [usize; 2] = [16_384, 768];
/// Rows of a piece.
const PIECE_ROWS: usize = 4_096;
/// Rows whose codes are made at once.
const BATCH_ROWS: usize = 256;
/// Rows by which the L0 of the untrained control is chosen.
const L0_ESTIMATE_ROWS: usize = 1_024;

/// Rows and their seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "SynthEvaluationOptions"))]
#[serde(deny_unknown_fields)]
pub struct EvaluationOptions {
    /// Rows that are drawn: 1,000 to 10 million.
    pub rows: usize,
    /// Seed of the rows.
    pub seed: u32,
}

impl Default for EvaluationOptions {
    /// As `SyntheticSAERunnerConfig` of SAELens has it: 500,000 rows.
    fn default() -> Self {
        Self { rows: 500_000, seed: 0 }
    }
}

impl EvaluationOptions {
    const ROWS_RANGE: Range = Range::integer("rows", 1_000, 10_000_000);

    /// Checks how many rows are asked for.
    ///
    /// # Errors
    /// [`Problem`] with the field `rows`.
    pub fn check(self) -> Result<Self, Problem> {
        Self::ROWS_RANGE.check(self.rows as f64)?;
        Ok(self)
    }

    fn rng_for(self, purpose: &str, number: u64) -> NumpyRng {
        let mut hash = crate::hash::Fnv::OFFSET_BASIS;
        hash.update(purpose.as_bytes());
        hash.update(&self.seed.to_le_bytes());
        hash.update(&number.to_le_bytes());
        NumpyRng::new((hash.mixed_value() >> 32) as u32)
    }
}

/// What is scored on the same rows: the autoencoder, and what should lose to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoredSubject {
    /// The autoencoder itself.
    Autoencoder,
    /// Its codes, decoded by its own directions in another order.
    PermutedDecoder,
    /// Its codes, decoded by random directions.
    RandomDecoder,
    /// Random directions as encoder and decoder, of whose positive projections a row keeps as many of the largest as the
    /// autoencoder has active latents on average.
    Untrained,
}

impl ScoredSubject {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Autoencoder, Self::PermutedDecoder, Self::RandomDecoder, Self::Untrained];

    /// For people; the autoencoder has a name of its own.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Autoencoder => "autoencoder",
            Self::PermutedDecoder => "permuted decoder",
            Self::RandomDecoder => "random decoder",
            Self::Untrained => "untrained",
        }
    }
}

/// A piece of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationJob {
    /// MCC and uniqueness of the autoencoder's decoder.
    Matching,
    /// The same of random directions.
    RandomMatching,
    /// A piece of rows.
    Rows(usize),
}

impl EvaluationJob {
    /// Its name: `matching`, `random-matching`, `rows-12`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Matching => "matching".to_owned(),
            Self::RandomMatching => "random-matching".to_owned(),
            Self::Rows(piece) => format!("rows-{piece}"),
        }
    }
}

/// A job, done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationPart {
    /// Its name.
    pub job: String,
    found: EvaluationOutput,
    /// What it took, by one thread, in seconds; 0 where nobody measured it.
    #[serde(default)]
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EvaluationOutput {
    Matching { mcc: f64, uniqueness: f64 },
    Rows { rows: RowTally, codes: Box<[CodeTally; 4]> },
}

/// Scores of an autoencoder and of its controls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "SynthEvaluation"))]
#[serde(deny_unknown_fields)]
pub struct EvaluationResult {
    /// The autoencoder's name: its folder, or its weights.
    pub name: String,
    /// What was scored, in a sentence.
    pub sentence: String,
    /// F and D of the model.
    pub model: [usize; 2],
    /// Latents.
    pub latents: usize,
    /// Rows and their seed.
    pub options: EvaluationOptions,
    /// Its own scores.
    pub autoencoder: SynthScores,
    /// Of its codes, decoded by its own directions in another order.
    pub permuted_decoder: SynthScores,
    /// Of its codes, decoded by random directions.
    pub random_decoder: SynthScores,
    /// Of random directions as encoder and decoder.
    pub untrained: SynthScores,
    /// For reference, the printed table of its L0; none where the model or the L0 is another.
    pub printed: Vec<PrintedRow>,
    /// What must be known, in sentences.
    pub notes: Vec<String>,
    /// What the jobs took together, by one thread each, in seconds.
    pub seconds: f64,
}

impl EvaluationResult {
    /// The scores of one of them.
    #[must_use]
    pub fn scores(&self, of: ScoredSubject) -> &SynthScores {
        match of {
            ScoredSubject::Autoencoder => &self.autoencoder,
            ScoredSubject::PermutedDecoder => &self.permuted_decoder,
            ScoredSubject::RandomDecoder => &self.random_decoder,
            ScoredSubject::Untrained => &self.untrained,
        }
    }
}

/// A row of the printed tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "SynthPrintedRow"))]
#[serde(deny_unknown_fields)]
pub struct PrintedRow {
    /// The architecture, as it is printed.
    pub architecture: String,
    /// The table's L0.
    pub l0: u32,
    /// Means over five seeds.
    pub f1: f64,
    /// As above, of all below.
    pub mcc: f64,
    /// As above.
    pub uniqueness: f64,
    /// As above.
    pub explained_variance: f64,
}

/// The printed table that may stand beside an autoencoder of some L0 on a model of F features in D dimensions: of an L0 within a
/// tenth of its own, where the model is of the published one's size.
fn comparable_printed_rows(model: [usize; 2], l0: f64) -> Vec<PrintedRow> {
    let tables = ["25", "20"].map(PrintedTable::for_l0).into_iter();
    let near = |table: &PrintedTable| (l0 / f64::from(table.l0) - 1.0).abs() <= 0.1;
    let Some(table) = tables.filter(|_| model == PUBLISHED_SHAPE).find(near) else {
        return Vec::new();
    };
    let row = |architecture: Architecture| {
        let of = |metric| table.cell(architecture, metric).mean;
        PrintedRow {
            architecture: architecture.name_in_paper().to_owned(),
            l0: table.l0,
            f1: of(SynthMetric::F1),
            mcc: of(SynthMetric::Mcc),
            uniqueness: of(SynthMetric::Uniqueness),
            explained_variance: of(SynthMetric::ExplainedVariance),
        }
    };
    Architecture::ALL.map(row).into()
}

/// A decoder, and the feature that each latent is nearest to.
struct MatchedDecoder {
    dictionary: Dictionary,
    best_match: Vec<usize>,
}

/// An autoencoder that is to be scored on a model.
pub struct Evaluation {
    model: Arc<SynthSaeBench>,
    options: EvaluationOptions,
    recognised: String,
    notes: Vec<String>,
    coder: Coder,
    own: MatchedDecoder,
    permuted: MatchedDecoder,
    random: MatchedDecoder,
    untrained: (Dictionary, Coder),
}

impl Evaluation {
    /// Of an autoencoder's files, on a model that was read from files with the `notes` of that.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] for an autoencoder of another width and for a transcoder, and all that its files are refused for.
    pub fn new(
        model: &Arc<SynthSaeBench>,
        notes: &[String],
        folder: &SaeFolder,
        options: EvaluationOptions,
    ) -> Result<Self, EvaluationError> {
        let (d, file) = (model.directions.cols(), folder.weights.name());
        let (latents, [d_in, d_out]) = folder.shape()?;
        if folder.config.transcoder == TranscoderStatus::Yes {
            let allowed = "an autoencoder, which reconstructs what it reads";
            return Err(EvaluationError::invalid_config(file, "architecture", "a transcoder", allowed));
        }
        if let Some(found) = [d_in, d_out].into_iter().find(|width| *width != d) {
            let allowed = format!("{d}, the model's hidden_dim");
            return Err(EvaluationError::invalid_config(file, "d_in", found.to_string(), allowed));
        }
        // Weights in single precision, once as they are and twice as controls have them, and products of a block of rows.
        let needed = (latents as u64) * (d as u64 * 40 + BATCH_ROWS as u64 * 16);
        if needed > MEMORY_CAP {
            let (file, what) = (file.to_owned(), "its weights and those of its controls".to_owned());
            return Err(IoError::TooLarge { file, what, needed, cap: MEMORY_CAP }.into());
        }
        let (dictionary, coder) = Coder::from_folder(folder)?;
        let mut notes: Vec<String> = notes.iter().cloned().chain(folder.notes()).collect();
        let mut decoder = Matrix::zeros(latents, d);
        decoder.data_mut().iter_mut().zip(dictionary.rows.iter()).for_each(|(to, x)| *to = x);
        let lengths = dictionary.row_norms();
        let best = |of: &Matrix| best_matches(of, &model.directions);
        let own = MatchedDecoder { best_match: best(&decoder)?, dictionary };

        // Both controls have the lengths of the decoder's rows, by which some autoencoders divide codes.
        let with_lengths = |rows: &dyn Fn(usize) -> Vec<f64>| {
            let scaled = lengths
                .iter()
                .enumerate()
                .flat_map(|(at, length)| rows(at).into_iter().map(move |value| (value * length) as f32));
            Dictionary { d, k: latents, rows: Entries::Single(scaled.collect()) }
        };
        let order = options.rng_for("order", latents as u64).permutation(latents as u32);
        let turned = |at: usize| order.get(at).map_or(at, |other| *other as usize);
        let unit = unit_rows(&decoder);
        let permuted = MatchedDecoder {
            dictionary: with_lengths(&|at| unit.row(turned(at)).to_vec()),
            best_match: (0..latents).map(|at| own.best_match.get(turned(at)).copied().unwrap_or_default()).collect(),
        };
        let mut directions = Matrix::zeros(latents, d);
        let mut rng = options.rng_for("directions", latents as u64);
        rng.fill_standard_normal(directions.data_mut());
        let directions = unit_rows(&directions);
        let random = MatchedDecoder {
            dictionary: with_lengths(&|at| directions.row(at).to_vec()),
            best_match: best(&directions)?,
        };
        let rows = directions.data().iter().map(|value| *value as f32).collect();
        let dictionary = Dictionary { d, k: latents, rows: Entries::Single(rows) };
        let untrained = Coder::positive_top_k(&dictionary, 1);
        let mut found = Self {
            model: Arc::clone(model),
            options,
            recognised: folder.recognised().describe(),
            notes: Vec::new(),
            coder,
            own,
            permuted,
            random,
            untrained: (dictionary, untrained),
        };
        let kept = found.mean_active_latents()?;
        notes.push(format!("The untrained control keeps {kept} latents of a row."));
        found.untrained.1 = Coder::positive_top_k(&found.untrained.0, kept);
        found.notes = notes;
        Ok(found)
    }

    /// Mean active latents of the first rows, as a whole number from 1 on.
    fn mean_active_latents(&self) -> Result<usize, SaeError> {
        let mut count = 0;
        let mut rows = RowBatchSampler::new(&self.model, self.options.rng_for("rows", 0));
        for first in (0..L0_ESTIMATE_ROWS).step_by(BATCH_ROWS) {
            rows.draw(BATCH_ROWS);
            let (codes, _) = self.coder.decode_with_dictionaries(&[&self.own.dictionary], &rows.hidden, first)?;
            count += codes.iter().map(|codes| nonzero_latents(codes).len()).sum::<usize>();
        }
        Ok(libm::round(count as f64 / L0_ESTIMATE_ROWS as f64).max(1.0) as usize)
    }

    /// Its jobs: the longest first.
    #[must_use]
    pub fn jobs(&self) -> Vec<EvaluationJob> {
        Self::jobs_for_options(self.options)
    }

    /// The jobs of any autoencoder.
    #[must_use]
    pub fn jobs_for_options(options: EvaluationOptions) -> Vec<EvaluationJob> {
        let rows = (0..options.rows.div_ceil(PIECE_ROWS)).map(EvaluationJob::Rows);
        [EvaluationJob::Matching, EvaluationJob::RandomMatching].into_iter().chain(rows).collect()
    }

    /// Does a job.
    ///
    /// # Errors
    /// Where a code or an output is no finite single, a row has no norm that the autoencoder needs, or a decoder is not finite.
    pub fn run(&self, job: EvaluationJob) -> Result<EvaluationPart, EvaluationError> {
        let found = match job {
            EvaluationJob::Matching => self.match_features(&self.own.dictionary)?,
            EvaluationJob::RandomMatching => self.match_features(&self.random.dictionary)?,
            EvaluationJob::Rows(piece) => self.tally_piece(piece)?,
        };
        Ok(EvaluationPart { job: job.name(), found, seconds: 0.0 })
    }

    fn match_features(&self, dictionary: &Dictionary) -> Result<EvaluationOutput, MetricError> {
        let mut decoder = Matrix::zeros(dictionary.k, dictionary.d);
        decoder.data_mut().iter_mut().zip(dictionary.rows.iter()).for_each(|(to, x)| *to = x);
        let found = match_directions(&decoder, &self.model.directions)?;
        Ok(EvaluationOutput::Matching { mcc: found.mcc, uniqueness: found.uniqueness })
    }

    fn tally_piece(&self, piece: usize) -> Result<EvaluationOutput, SaeError> {
        let (features, d) = self.model.directions.shape();
        let mut tally = RowTally::new(features, d);
        let mut codes = [(); 4].map(|()| CodeTally::new(self.own.dictionary.k));
        let mut rows = RowBatchSampler::new(&self.model, self.options.rng_for("rows", piece as u64));
        let mut there = FeaturePresence::new(features);
        let (start, end) = (piece * PIECE_ROWS, self.options.rows.min((piece + 1) * PIECE_ROWS));
        for first in (start..end).step_by(BATCH_ROWS) {
            rows.draw(BATCH_ROWS.min(end - first));
            self.tally_rows(&rows, first, &mut there, (&mut tally, &mut codes))?;
        }
        Ok(EvaluationOutput::Rows { rows: tally, codes: Box::new(codes) })
    }

    /// Takes rows that were drawn, the `first` of which has that number.
    fn tally_rows(
        &self,
        rows: &RowBatchSampler<'_>,
        first: usize,
        there: &mut FeaturePresence,
        (tally, codes): (&mut RowTally, &mut [CodeTally; 4]),
    ) -> Result<(), SaeError> {
        let decoders = [&self.own, &self.permuted, &self.random];
        let dictionaries = decoders.map(|decoder| &decoder.dictionary);
        let (made, outputs) = self.coder.decode_with_dictionaries(&dictionaries, &rows.hidden, first)?;
        let (untrained, coder) = &self.untrained;
        let (made_untrained, outputs_untrained) = coder.decode_with_dictionaries(&[untrained], &rows.hidden, first)?;
        let own = decoders.iter().zip(outputs.iter()).map(|of| (of, &made));
        let control = (&&self.random, outputs_untrained.iter());
        let all: Vec<_> = own
            .map(|((decoder, outputs), made)| (&decoder.best_match, outputs, made))
            .chain(control.1.map(|outputs| (&control.0.best_match, outputs, &made_untrained)))
            .collect();
        for (at, (x, features)) in rows.hidden.iter_rows().zip(&rows.active).enumerate() {
            there.insert(features);
            tally.add_row(x, features);
            for (codes, (best_match, outputs, made)) in codes.iter_mut().zip(&all) {
                let latents = made.get(at).map(|codes| nonzero_latents(codes)).unwrap_or_default();
                codes.add_row(best_match, &latents, outputs.row(at), x, there);
            }
            there.remove(features);
        }
        Ok(())
    }

    /// Whether a part is one of this evaluation's.
    #[must_use]
    pub fn accepts(&self, part: &EvaluationPart) -> bool {
        match &part.found {
            EvaluationOutput::Matching { .. } => true,
            EvaluationOutput::Rows { rows, codes } => {
                let (features, d) = self.model.directions.shape();
                rows.has_shape(features, d) && codes.iter().all(|of| of.has_latent_count(self.own.dictionary.k))
            }
        }
    }

    /// The scores, of all parts in the order of [`Evaluation::jobs`]; none where one is missing.
    #[must_use]
    pub fn combine_parts(&self, name: &str, parts: &[EvaluationPart]) -> Option<EvaluationResult> {
        let jobs = self.jobs();
        let (features, d) = self.model.directions.shape();
        let latents = self.own.dictionary.k;
        let mut tally = RowTally::new(features, d);
        let mut codes = [(); 4].map(|()| CodeTally::new(latents));
        let (mut matched, mut seconds) = (Vec::new(), 0.0);
        for job in jobs {
            let part = parts.iter().find(|part| part.job == job.name() && self.accepts(part))?;
            seconds += part.seconds;
            match &part.found {
                EvaluationOutput::Matching { mcc, uniqueness } => matched.push((*mcc, *uniqueness)),
                EvaluationOutput::Rows { rows, codes: of } => {
                    tally.merge(rows);
                    codes.iter_mut().zip(of.iter()).for_each(|(sum, of)| sum.merge(of));
                }
            }
        }
        let &[own, random] = matched.as_slice() else { return None };
        let [mine, permuted, shuffled, untrained] = &codes;
        let scores =
            |of: &CodeTally, decoder: &MatchedDecoder, matched| of.scores(&tally, &decoder.best_match, matched);
        let autoencoder = scores(mine, &self.own, own);
        let sentence = format!(
            "{}; {latents} latents, scored on {} rows of {features} features in {d} dimensions, of which {:.2} are active in a \
             row.",
            self.recognised, self.options.rows, autoencoder.true_l0,
        );
        Some(EvaluationResult {
            name: name.to_owned(),
            sentence,
            model: [features, d],
            latents,
            options: self.options,
            autoencoder,
            printed: comparable_printed_rows([features, d], autoencoder.l0),
            // The same directions, in another order.
            permuted_decoder: scores(permuted, &self.permuted, own),
            random_decoder: scores(shuffled, &self.random, random),
            untrained: scores(untrained, &self.random, random),
            notes: self.notes.clone(),
            seconds,
        })
    }
}

/// Latents whose codes are not 0.
fn nonzero_latents(codes: &[(u32, f64)]) -> Vec<u32> {
    codes.iter().filter(|(_, code)| *code != 0.0).map(|(latent, _)| *latent).collect()
}

/// Rows of a model, some at a time.
struct RowBatchSampler<'a> {
    sampler: Sampler<'a>,
    /// The rows at hand.
    hidden: Matrix,
    /// Which features are there on each.
    active: Vec<Vec<u32>>,
}

impl<'a> RowBatchSampler<'a> {
    fn new(model: &'a SynthSaeBench, rng: NumpyRng) -> Self {
        Self { sampler: Sampler::new(model, rng), hidden: Matrix::zeros(0, 0), active: Vec::new() }
    }

    fn draw(&mut self, count: usize) {
        let d = self.sampler.dimensions();
        self.hidden = Matrix::zeros(count, d);
        self.active.clear();
        let mut active = Vec::new();
        for at in 0..count {
            self.sampler.draw(&mut active, self.hidden.row_mut(at));
            self.active.push(active.iter().map(|(feature, _)| *feature).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::Value;

    use super::*;
    use crate::io::DataFile;
    use crate::synthetic::synth_sae_bench::SavedModel;

    macro_rules! golden {
        ($name:literal) => {
            include_bytes!(concat!("../../../tests/golden/synthsaebench/", $name)).as_slice()
        };
    }

    macro_rules! folder {
        ($name:literal) => {
            (
                $name,
                include_bytes!(concat!("../../../tests/golden/synthsaebench/evaluated/", $name, "/cfg.json")),
                include_bytes!(concat!(
                    "../../../tests/golden/synthsaebench/evaluated/",
                    $name,
                    "/sae_weights.safetensors"
                )),
            )
        };
    }

    fn data(bytes: &[u8]) -> DataFile {
        DataFile::open("a.safetensors", Box::new(bytes.to_vec()), 1 << 20).unwrap()
    }

    fn model() -> Arc<SynthSaeBench> {
        let config = golden!("saved-a/synthetic_model_config.json");
        let weights = data(golden!("saved-a/synthetic_model.safetensors"));
        let hierarchy = golden!("saved-a/hierarchy.json");
        let found = SavedModel::read(("c", config), &weights, Some(("h", hierarchy))).unwrap();
        assert_eq!(found.notes, [""; 0]);
        Arc::new(found.model)
    }

    const FOLDERS: [(&str, &[u8], &[u8]); 5] = [
        folder!("batchtopk"),
        folder!("matryoshka"),
        folder!("matching_pursuit"),
        folder!("standard"),
        folder!("abstopk"),
    ];

    fn folder((_, config, weights): (&str, &[u8], &[u8])) -> SaeFolder {
        SaeFolder::new("cfg.json", config.to_vec(), Rc::new(data(weights))).unwrap()
    }

    fn evaluation(model: &Arc<SynthSaeBench>, of: (&str, &[u8], &[u8]), rows: usize) -> Evaluation {
        let options = EvaluationOptions { rows, seed: 3 };
        Evaluation::new(model, &[], &folder(of), options).unwrap()
    }

    fn parts(of: &Evaluation) -> Vec<EvaluationPart> {
        of.jobs().into_iter().map(|job| of.run(job).unwrap()).collect()
    }

    /// SAELens' own evaluation of its own autoencoders, on the same 600 rows.
    #[test]
    fn autoencoders_score_what_sae_lens_says_of_the_same_rows() {
        let model = model();
        let rows = data(golden!("metrics/data.safetensors"));
        let matrix = |name: &str| {
            let array = rows.array(name).unwrap();
            let values = array.read_all_as::<f64>().unwrap();
            Matrix::from_vec(array.rows(), array.cols(), values).unwrap()
        };
        let (hidden, activations) = (matrix("hidden"), matrix("feature_activations"));
        let fires = |row: &[f64]| -> Vec<u32> {
            (0u32..).zip(row).filter(|(_, value)| **value > 0.0).map(|(at, _)| at).collect()
        };
        let active: Vec<Vec<u32>> = activations.iter_rows().map(fires).collect();
        let golden: Value = serde_json::from_slice(golden!("evaluated.json")).unwrap();
        for of in FOLDERS {
            let (name, evaluation) = (of.0, evaluation(&model, of, 1_000));
            let (features, d) = model.directions.shape();
            let mut tally = RowTally::new(features, d);
            let mut codes = [(); 4].map(|()| CodeTally::new(evaluation.own.dictionary.k));
            let sampler = Sampler::new(&model, NumpyRng::new(0));
            let given = RowBatchSampler { sampler, hidden: hidden.clone(), active: active.clone() };
            let mut there = FeaturePresence::new(features);
            evaluation.tally_rows(&given, 0, &mut there, (&mut tally, &mut codes)).unwrap();
            let EvaluationOutput::Matching { mcc, uniqueness } = evaluation.run(EvaluationJob::Matching).unwrap().found
            else {
                panic!("a matching")
            };
            let best = &evaluation.own.best_match;
            let found = codes[0].scores(&tally, best, (mcc, uniqueness));
            let found = serde_json::to_value(found).unwrap();
            for (what, wanted) in golden["scores"][name].as_object().unwrap() {
                let (own, wanted) = (found[what].as_f64().unwrap(), wanted.as_f64().unwrap());
                let away = (own - wanted).abs();
                assert!(away <= 1e-6, "{name}, {what}: {own} instead of {wanted}");
            }
        }
    }

    #[test]
    fn pieces_come_to_the_same_in_any_order_and_after_being_written() {
        let model = model();
        let evaluation = evaluation(&model, FOLDERS[0], 9_000);
        assert_eq!(evaluation.jobs().len(), 5, "two matchings, three pieces");
        let mut all = parts(&evaluation);
        let found = evaluation.combine_parts("a", &all).unwrap();
        assert_eq!(found.autoencoder.shrinkage_rows, 9_000);
        all.reverse();
        let text = serde_json::to_string(&all).unwrap();
        let read: Vec<EvaluationPart> = serde_json::from_str(&text).unwrap();
        assert!(read.iter().all(|part| evaluation.accepts(part)));
        assert_eq!(evaluation.combine_parts("a", &read).unwrap(), found);
        all.pop();
        assert_eq!(evaluation.combine_parts("a", &all), None, "a part is missing");

        // The controls lose what they are to lose, and keep what they cannot.
        let [own, permuted, random, untrained] = ScoredSubject::ALL.map(|of| *found.scores(of));
        assert_eq!((permuted.mcc, permuted.uniqueness), (own.mcc, own.uniqueness));
        assert_eq!((permuted.l0, random.dead), (own.l0, own.dead), "their codes are its own");
        assert!(permuted.f1 < own.f1 / 2.0 && random.f1 < own.f1 / 2.0, "{permuted:?} {random:?}");
        assert!(random.mcc < own.mcc && untrained.mcc == random.mcc);
        for control in [permuted, random, untrained] {
            assert!(control.explained_variance < own.explained_variance, "{control:?}");
        }
        assert_eq!(libm::round(untrained.l0), libm::round(own.l0));
        assert_eq!(found.printed, [], "another model's size");
        let table = comparable_printed_rows(PUBLISHED_SHAPE, 24.1);
        assert_eq!((table.len(), table[0].l0, table[0].f1), (5, 25, 0.7316));
        assert_eq!(comparable_printed_rows(PUBLISHED_SHAPE, 20.9)[1].f1, 0.8601);
        assert_eq!(comparable_printed_rows(PUBLISHED_SHAPE, 60.0), []);
    }

    #[test]
    fn what_does_not_fit_is_refused_by_its_name() {
        let mut model = model();
        Arc::make_mut(&mut model).directions = Matrix::from_vec(96, 23, vec![0.5; 96 * 23]).unwrap();
        let options = EvaluationOptions { rows: 1_000, seed: 0 };
        let refused = Evaluation::new(&model, &[], &folder(FOLDERS[0]), options).err().unwrap();
        assert_eq!(refused.to_string(), "a.safetensors, d_in: 24; allowed: 23, the model's hidden_dim");
        let few = EvaluationOptions { rows: 10, seed: 0 }.check().unwrap_err();
        assert_eq!(few.field, "rows");
    }
}

//! Scores in arrays: samples × tokens × layers × neurons, or rows of (sample, layer, neuron, score).

use super::answers::AnswerFlags;
use super::record::ScoreEntry;
use crate::io::{DType, DataFile, ReadAt};
use crate::study::user_file::UserFileError;

/// Most scores of one sample: twice as many numbers are held.
const SAMPLE_MAX: u64 = 1 << 24;
/// Most rows of (sample, layer, neuron, score).
pub(super) const ROWS_MAX: usize = 1 << 23;
/// What an array may be.
const ALLOWED_SHAPES: &str = "samples × tokens × layers × neurons, samples × layers × neurons, rows of (sample, layer, neuron) \
     or of (sample, layer, neuron, score), or one dimension of 1 and 0 for right and wrong answers";

/// An array of a file.
pub(super) enum NeuronArray {
    Dense(DenseScores),
    Rows(Vec<NeuronRow>),
    Answers(AnswerFlags),
}

/// Scores of every neuron at every token of every sample.
pub(super) struct DenseScores {
    file: DataFile,
    pub samples: usize,
    pub tokens: usize,
    pub layers: usize,
    pub neurons: usize,
    /// Whether it says of each neuron only whether it is used.
    pub is_binary: bool,
}

/// A neuron of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NeuronRow {
    pub sample: u32,
    pub entry: ScoreEntry,
    pub has_score: bool,
}

/// Reads an array's header, and of rows all.
pub(super) fn open_array(name: &str, source: Box<dyn ReadAt>, cap: u64) -> Result<NeuronArray, UserFileError> {
    let file = DataFile::open(name, source, cap)?;
    let array = file.only_array()?;
    let description = array.description();
    let shape = &description.shape;
    let size = |at: usize| shape.get(at).map_or(1, |size| usize::try_from(*size).unwrap_or(usize::MAX));
    let whole = description.dtype.is_integer();
    match shape.len() {
        1 => {
            let flags = array.read_all()?.into_iter().enumerate().map(|(at, flag)| match flag {
                0.0 => Ok(false),
                1.0 => Ok(true),
                other => {
                    let field = format!("answer {at}");
                    Err(UserFileError::value(name, field, other.to_string(), "1 or 0"))
                }
            });
            let flags = flags.collect::<Result<_, _>>()?;
            file.verify_checksums()?;
            Ok(NeuronArray::Answers(AnswerFlags::from_flags(name, flags)))
        }
        2 if [3, 4].contains(&size(1)) => {
            let rows = read_rows(&file, description.dtype)?;
            file.verify_checksums()?;
            Ok(NeuronArray::Rows(rows))
        }
        dimensions @ (3 | 4) => {
            let tokens = if dimensions == 4 { size(1) } else { 1 };
            let (layers, neurons) = (size(dimensions - 2), size(dimensions - 1));
            let sample = shape.iter().skip(1).product::<u64>();
            if sample > SAMPLE_MAX {
                let found = format!("{sample} scores of a sample");
                let allowed = "at most 16777216 a sample";
                return Err(UserFileError::value(name, "shape", found, allowed));
            }
            let samples = size(0);
            Ok(NeuronArray::Dense(DenseScores { file, samples, tokens, layers, neurons, is_binary: whole }))
        }
        _ => Err(array.shape_error(ALLOWED_SHAPES).into()),
    }
}

/// Rows of three or four numbers.
fn read_rows(file: &DataFile, dtype: DType) -> Result<Vec<NeuronRow>, UserFileError> {
    /// Whole numbers that a float of 32 bits holds.
    const EXACT_MAX: f32 = 16_777_216.0;
    /// Rows that are read at a time.
    const BLOCK_ROWS: usize = 1 << 14;
    let array = file.only_array()?;
    let (count, cols) = (array.rows(), array.cols());
    if count > ROWS_MAX {
        let allowed = "at most 8388608 rows";
        return Err(UserFileError::value(file.name(), "rows", count.to_string(), allowed));
    }
    if dtype == DType::Float16 || dtype == DType::BFloat16 {
        let allowed = "numbers of 32 bits or more: those of 16 do not hold a neuron's number";
        return Err(UserFileError::value(file.name(), "type", dtype.name(), allowed));
    }
    let mut found = Vec::with_capacity(count);
    let mut block = vec![0.0; BLOCK_ROWS.min(count) * cols];
    for start in (0..count).step_by(BLOCK_ROWS) {
        let block = &mut block[..BLOCK_ROWS.min(count - start) * cols];
        array.read_rows(start, block)?;
        for (at, row) in block.chunks_exact(cols).enumerate() {
            let index = |column: usize, what: &str| {
                let number = row.get(column).copied().unwrap_or(-1.0);
                // What is rounded on its way is none of these any more.
                if (0.0..EXACT_MAX).contains(&number) && number.fract() == 0.0 {
                    return Ok(number as u32);
                }
                let field = format!("row {}, {what}", start + at);
                let allowed = "a whole number from 0 to 16777215";
                Err(UserFileError::value(file.name(), field, number.to_string(), allowed))
            };
            let sample = index(0, "sample")?;
            let (layer, neuron) = (index(1, "layer")?, index(2, "neuron")?);
            let score = row.get(3).copied();
            let entry = ScoreEntry { layer, neuron, position: None, score: score.map_or(0.0, f64::from) };
            found.push(NeuronRow { sample, entry, has_score: score.is_some() });
        }
    }
    Ok(found)
}

/// The same from a table: columns sample, layer, neuron and if it is there score, named or in this order.
pub(super) fn rows_from_table(
    file: &str,
    header: Option<&[String]>,
    rows: &[(u64, Vec<String>)],
) -> Result<Vec<NeuronRow>, UserFileError> {
    let place = |name: &str, usual: usize| match header {
        Some(header) => header.iter().position(|column| column == name),
        None => Some(usual),
    };
    let scored = match header {
        Some(header) => header.iter().any(|column| column == "score"),
        None => rows.first().is_some_and(|(_, cells)| cells.len() == 4),
    };
    let columns = [("sample", 0), ("layer", 1), ("neuron", 2)].map(|(name, at)| place(name, at));
    let score = place("score", 3).filter(|_| scored);
    let mut found = Vec::with_capacity(rows.len());
    for (line, cells) in rows {
        let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map_or("", String::as_str);
        let refuse = |what: &str, cell: &str, allowed: &str| {
            let field = format!("line {line}, {what}");
            UserFileError::value(file, field, format!("{cell:?}"), allowed)
        };
        let index = |at: usize, what: &str| {
            let cell = cell(columns.get(at).copied().flatten());
            let number = cell.parse::<u32>().ok().filter(|number| *number < u32::MAX);
            number.ok_or_else(|| refuse(what, cell, "a whole number from 0 to 4294967294"))
        };
        let (sample, layer, neuron) = (index(0, "sample")?, index(1, "layer")?, index(2, "neuron")?);
        let score = match score {
            None => 0.0,
            Some(_) => {
                let cell = cell(score);
                let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
                number.ok_or_else(|| refuse("score", cell, "a finite number"))?
            }
        };
        found.push(NeuronRow { sample, entry: ScoreEntry { layer, neuron, position: None, score }, has_score: scored });
    }
    Ok(found)
}

impl DenseScores {
    /// A sample's scores, of each layer tokens × neurons.
    pub fn read_sample(&self, at: usize) -> Result<Vec<Vec<f64>>, UserFileError> {
        let rows = self.tokens * self.layers;
        let mut values = vec![0.0; rows * self.neurons];
        self.file.only_array()?.read_rows(at * rows, &mut values)?;
        let mut layers = vec![Vec::with_capacity(self.tokens * self.neurons); self.layers];
        for (row, scores) in values.chunks_exact(self.neurons).enumerate() {
            if let Some(layer) = layers.get_mut(row % self.layers) {
                layer.extend_from_slice(scores);
            }
        }
        if self.is_binary
            && let Some(other) = values.iter().find(|value| ![0.0, 1.0].contains(*value))
        {
            let field = format!("sample {at}");
            let allowed = "1 for a used neuron, else 0, where numbers are whole; scores as floats";
            return Err(UserFileError::value(self.file.name(), field, other.to_string(), allowed));
        }
        Ok(layers)
    }

    /// Whatever checksums the file has.
    pub fn verify_checksums(&self) -> Result<(), UserFileError> {
        Ok(self.file.verify_checksums()?)
    }
}

//! Matrices of which a file has the numbers that are not 0, with their places: read as rows of all their numbers.

use std::rc::Rc;

use super::array::{Array, Layout, Storage, payload_bytes};
use super::{ArrayRef, DType, DataFile, IoError, ReadAt, Scalar, source};

/// How a file says where its numbers are.
enum SparseFormat {
    /// sparsify's: a row of numbers and of columns a row.
    TopK,
    /// delphi's: batch, position and latent of each, beside the tokens.
    Delphi,
    /// SciPy's compressed rows.
    CompressedRows,
    /// SciPy's coordinates.
    Coordinates,
    /// PyTorch's coordinates, two rows of them, under what the tensor is called.
    TorchCoordinates(String),
}

impl SparseFormat {
    fn detect(file: &DataFile) -> Option<Self> {
        let has = |names: &[&str]| names.iter().all(|name| file.array(name).is_ok());
        if has(&["top_acts", "top_indices"]) {
            return Some(Self::TopK);
        }
        if has(&["locations", "activations"]) {
            return Some(Self::Delphi);
        }
        if has(&["data", "indices", "indptr", "shape"]) {
            return Some(Self::CompressedRows);
        }
        if has(&["data", "row", "col", "shape"]) {
            return Some(Self::Coordinates);
        }
        let mut called = file.arrays().iter().filter_map(|array| {
            let name = array.display_name().strip_suffix("indices")?;
            let shaped = file.scalar(&format!("{name}shape")).is_some();
            (shaped && has(&[&format!("{name}values")])).then(|| name.to_owned())
        });
        called.next().map(Self::TorchCoordinates)
    }
}

/// Whether a file has a matrix so.
#[must_use]
pub fn is_sparse(file: &DataFile) -> bool {
    SparseFormat::detect(file).is_some()
}

/// Numbers with their places, row by row.
struct SparseRows {
    cols: usize,
    /// Where each row begins, and the end.
    starts: Vec<usize>,
    places: Vec<(u32, f64)>,
    wide: bool,
}

/// The matrix of `rows` × `cols` that one or several files have, each some of its columns or all.
///
/// # Errors
/// [`IoError::Field`] for places outside, [`IoError::Shape`] for another shape, [`IoError::Missing`] where a file has no
/// such matrix, and those of reading.
pub fn open_sparse(files: &[Rc<DataFile>], rows: usize, cols: usize) -> Result<ArrayRef, IoError> {
    let mut all: Vec<(usize, u32, f64)> = Vec::new();
    let mut wide = false;
    for file in files {
        let Some(places) = SparseFormat::detect(file) else {
            return Err(IoError::Missing {
                file: file.name().to_owned(),
                wanted: "numbers with their places, as the first file of codes has".to_owned(),
                held: file.names().take(12).collect::<Vec<_>>().join(", "),
            });
        };
        let reader = SparseFileReader { file, rows, cols };
        wide |= reader.read_entries(places, &mut all)?;
    }
    let Some(first) = files.first() else {
        return Err(IoError::Missing { file: String::new(), wanted: "a file".to_owned(), held: String::new() });
    };
    // Those of one place, which are summed, in the order in which they are read.
    all.sort_by_key(|(row, column, _)| (*row, *column));
    let mut starts = Vec::with_capacity(rows + 1);
    let mut places: Vec<(u32, f64)> = Vec::with_capacity(all.len());
    let mut all = all.into_iter().peekable();
    for row in 0..rows {
        let start = places.len();
        starts.push(start);
        while let Some((_, column, value)) = all.next_if(|(of, ..)| *of == row) {
            match places[start..].last_mut() {
                Some((last, sum)) if *last == column => *sum += value,
                _ => places.push((column, value)),
            }
        }
    }
    starts.push(places.len());
    let dtype = if wide { DType::Float64 } else { DType::Float32 };
    let shape = vec![rows as u64, cols as u64];
    let layout = Layout { dtype, big_endian: false, fortran_order: false, shape };
    payload_bytes(first.name(), "", &layout)?;
    let held = SparseRows { cols, starts, places, wide };
    let array = Array::new(first.name(), "", layout, Storage::InFile(Rc::new(held), 0));
    Ok(ArrayRef::from_array(first, array))
}

struct SparseFileReader<'a> {
    file: &'a DataFile,
    rows: usize,
    cols: usize,
}

impl SparseFileReader<'_> {
    fn read_numbers(&self, name: &str) -> Result<Vec<f64>, IoError> {
        self.file.array(name)?.read_all_as()
    }

    fn refuse<T>(&self, field: &str, found: String, allowed: String) -> Result<T, IoError> {
        Err(IoError::field(self.file.name(), field, found, allowed))
    }

    /// A place, where there is one.
    fn parse_coordinates(&self, field: &str, row: f64, column: f64) -> Result<(usize, u32), IoError> {
        let whole = |value: f64, below: usize| {
            (value >= 0.0 && value < below as f64 && libm::trunc(value) == value).then_some(value as usize)
        };
        match (whole(row, self.rows), whole(column, self.cols)) {
            (Some(row), Some(column)) => Ok((row, column as u32)),
            _ => {
                let allowed =
                    format!("rows below {}, as there are of activations, and latents below {}", self.rows, self.cols);
                self.refuse(field, format!("row {row}, latent {column}"), allowed)
            }
        }
    }

    /// As many numbers as places.
    fn check_same_length(&self, name: &str, other: &str) -> Result<(), IoError> {
        let count = |name: &str| Ok(self.file.array(name)?.shape().iter().product::<u64>());
        let (one, of) = (count(name)?, count(other)?);
        if one == of {
            return Ok(());
        }
        self.refuse(name, format!("{one} entries"), format!("{of}, as {other} has"))
    }

    fn check_shape(&self, found: &[f64]) -> Result<(), IoError> {
        if found == [self.rows as f64, self.cols as f64] {
            return Ok(());
        }
        let allowed = format!("{} × {}, rows of activations by rows of the dictionary", self.rows, self.cols);
        let found: Vec<String> = found.iter().map(f64::to_string).collect();
        self.refuse("shape", found.join(" × "), allowed)
    }

    /// Adds the numbers of the file; whether they are wider than single precision.
    fn read_entries(&self, places: SparseFormat, all: &mut Vec<(usize, u32, f64)>) -> Result<bool, IoError> {
        let wide = |name: &str| Ok(self.file.array(name)?.dtype().exceeds_f32());
        match places {
            SparseFormat::TopK => {
                self.check_same_length("top_indices", "top_acts")?;
                let array = self.file.array("top_acts")?;
                let (values, columns) = (self.read_numbers("top_acts")?, self.read_numbers("top_indices")?);
                if array.rows() != self.rows {
                    return Err(array.shape_error(&format!("{} rows, as the activations have", self.rows)));
                }
                let each = array.cols().max(1);
                for (at, (value, column)) in values.iter().zip(&columns).enumerate() {
                    let (row, column) = self.parse_coordinates("top_indices", (at / each) as f64, *column)?;
                    all.push((row, column, *value));
                }
                wide("top_acts")
            }
            SparseFormat::Delphi => {
                let (locations, activations) = (self.file.array("locations")?, self.file.array("activations")?);
                let count = activations.shape().iter().product::<u64>() as usize;
                locations.expect_shape(count, 3, "batch, position and latent of each activation")?;
                let tokens = self.file.array("tokens")?;
                if tokens.rows() * tokens.cols() != self.rows {
                    return Err(tokens.shape_error(&format!("{} tokens, one a row of activations", self.rows)));
                }
                let context = tokens.cols();
                let from = self.first_latent_from_name(&locations.dtype());
                let (places, values) = (self.read_numbers("locations")?, self.read_numbers("activations")?);
                let (places, _) = places.as_chunks::<3>();
                for ([batch, position, latent], value) in places.iter().zip(&values) {
                    if *position >= context as f64 {
                        let allowed = format!("below {context}, the tokens of a sequence");
                        return self.refuse("locations", format!("the position {position}"), allowed);
                    }
                    let row = batch * context as f64 + position;
                    let (row, latent) = self.parse_coordinates("locations", row, latent + from)?;
                    all.push((row, latent, *value));
                }
                wide("activations")
            }
            SparseFormat::CompressedRows => {
                self.check_shape(&self.read_numbers("shape")?)?;
                self.check_same_length("indices", "data")?;
                let ends = self.read_numbers("indptr")?;
                if self.rows == self.cols || ends.len() != self.rows + 1 {
                    let allowed = format!("{}, of compressed rows (csr) of a matrix that is not square", self.rows + 1);
                    return self.refuse("indptr", format!("{} entries", ends.len()), allowed);
                }
                let (values, columns) = (self.read_numbers("data")?, self.read_numbers("indices")?);
                let ordered = ends.first() == Some(&0.0) && ends.is_sorted();
                if !ordered || ends.last() != Some(&(values.len() as f64)) {
                    let allowed = format!("numbers that rise from 0 to {}", values.len());
                    return self.refuse("indptr", "others".to_owned(), allowed);
                }
                for (row, range) in ends.windows(2).enumerate() {
                    for at in range[0] as usize..range[1] as usize {
                        let (row, column) = self.parse_coordinates("indices", row as f64, columns[at])?;
                        all.push((row, column, values[at]));
                    }
                }
                wide("data")
            }
            SparseFormat::Coordinates => {
                self.check_shape(&self.read_numbers("shape")?)?;
                self.check_same_length("row", "data")?;
                self.check_same_length("col", "data")?;
                let (rows, columns) = (self.read_numbers("row")?, self.read_numbers("col")?);
                for ((row, column), value) in rows.iter().zip(&columns).zip(self.read_numbers("data")?) {
                    let (row, column) = self.parse_coordinates("row", *row, *column)?;
                    all.push((row, column, value));
                }
                wide("data")
            }
            SparseFormat::TorchCoordinates(called) => {
                let name = |part: &str| format!("{called}{part}");
                let wanted = format!("{} × {}", self.rows, self.cols);
                match self.file.scalar(&name("shape")) {
                    Some(Scalar::Text(shape)) if *shape == wanted => {}
                    Some(Scalar::Text(shape)) => {
                        return self.refuse("shape", shape.clone(), wanted);
                    }
                    _ => return self.refuse("shape", "nothing".to_owned(), wanted),
                }
                let values = self.read_numbers(&name("values"))?;
                let indices = self.file.array(&name("indices"))?;
                indices.expect_shape(2, values.len(), "row and column of each value")?;
                let indices = self.read_numbers(&name("indices"))?;
                let (rows, columns) = indices.split_at(values.len());
                for ((row, column), value) in rows.iter().zip(columns).zip(&values) {
                    let (row, column) = self.parse_coordinates(&name("indices"), *row, *column)?;
                    all.push((row, column, *value));
                }
                wide(&name("values"))
            }
        }
    }

    /// The latent from which on a file of some counts: `0_11.safetensors` has those from 0 to 11.
    fn first_latent_from_name(&self, of: &DType) -> f64 {
        let name = self.file.name().rsplit(['/', '\\']).next().unwrap_or_default();
        let range = name.split_once('.').map_or(name, |(stem, _)| stem).split_once('_');
        let first = range.and_then(|(first, last)| {
            last.parse::<u32>().ok()?;
            first.parse::<u32>().ok()
        });
        // Before it is split, latents are written as they are.
        first.filter(|_| *of != DType::Int64).map_or(0.0, f64::from)
    }
}

impl ReadAt for SparseRows {
    fn size(&self) -> u64 {
        let size: u64 = if self.wide { 8 } else { 4 };
        (self.starts.len() - 1) as u64 * self.cols as u64 * size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        source::check_range(self.size(), offset, into.len())?;
        let size = if self.wide { 8 } else { 4 };
        if !offset.is_multiple_of(size as u64) || !into.len().is_multiple_of(size) {
            return Err("a number would be read in part".to_owned());
        }
        into.fill(0);
        let first = (offset / size as u64) as usize;
        let end = first + into.len() / size;
        for row in first / self.cols..end.div_ceil(self.cols) {
            for (column, value) in &self.places[self.starts[row]..self.starts[row + 1]] {
                let at = row * self.cols + *column as usize;
                if (first..end).contains(&at) {
                    let place = &mut into[(at - first) * size..][..size];
                    if self.wide {
                        place.copy_from_slice(&value.to_le_bytes());
                    } else {
                        place.copy_from_slice(&(*value as f32).to_le_bytes());
                    }
                }
            }
        }
        Ok(())
    }

    fn held_bytes(&self) -> u64 {
        (size_of_val(&*self.places) + size_of_val(&*self.starts)) as u64
    }
}

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::number::FloatValue;
use super::strided::Strided;
use super::{DType, IoError, ReadAt, source};

/// Where an array's numbers are.
#[derive(Clone)]
pub(super) enum Storage {
    /// In the file, from a byte on.
    InFile(Rc<dyn ReadAt>, u64),
    /// Unpacked, in memory.
    InMemory(Rc<Vec<u8>>),
    /// Parsed, in memory.
    Parsed(Rc<Vec<f64>>),
}

/// Values that are read at a time, and so held twice: a browser takes a millisecond for every time.
const BLOCK_VALUES: usize = 1 << 16;
/// Values of an array of columns that are turned into rows at a time: 32 MiB, or 64 in double precision.
const TILE_VALUES: usize = 1 << 23;

/// Rows of an array that the file has by columns. Columns are far apart in the file: as many rows as fit
/// are read of each together, and kept until others are asked for.
pub struct Tile<T> {
    start: usize,
    rows: Vec<T>,
}

impl<T> Tile<T> {
    const EMPTY: Self = Self { start: 0, rows: Vec::new() };
}

/// What is the same of both kinds of entries: `match_entries!(entries, values => …)`.
#[doc(hidden)]
#[macro_export]
macro_rules! match_entries {
    ($entries:expr, $values:ident => $body:expr) => {
        match $entries {
            $crate::io::Entries::Single($values) => $body,
            $crate::io::Entries::Double($values) => $body,
        }
    };
}
pub use match_entries;

/// Entries of an array, no less precise than their file has them.
#[derive(Debug)]
pub enum Entries {
    /// Of types that `f32` has all numbers of.
    Single(Vec<f32>),
    /// Of wider types.
    Double(Vec<f64>),
}

impl Entries {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match_entries!(self, values => values.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<f64> {
        match self {
            Self::Single(values) => values.get(at).map(|value| f64::from(*value)),
            Self::Double(values) => values.get(at).copied(),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// One of them, as the number whose shortest digits it has: 0.1 stays 0.1 where it came by way of `f32`.
    #[must_use]
    pub fn get_shortest_decimal(&self, at: usize) -> Option<f64> {
        match self {
            Self::Single(values) => {
                let value = values.get(at)?;
                Some(value.to_string().parse().unwrap_or_else(|_| f64::from(*value)))
            }
            Self::Double(values) => values.get(at).copied(),
        }
    }
}

/// What entries are read as: `f32` or `f64`.
pub trait Entry: FloatValue {
    /// The place of its tile.
    #[doc(hidden)]
    fn tile(array: &Array) -> &RefCell<Tile<Self>>;
}

impl Entry for f32 {
    fn tile(array: &Array) -> &RefCell<Tile<Self>> {
        &array.single
    }
}

impl Entry for f64 {
    fn tile(array: &Array) -> &RefCell<Tile<Self>> {
        &array.double
    }
}

/// What an array's header says.
#[derive(Clone)]
pub(super) struct Layout {
    pub dtype: DType,
    pub big_endian: bool,
    /// Columns one after the other, rather than rows.
    pub fortran_order: bool,
    pub shape: Vec<u64>,
}

/// A matrix in a file, with at least one row and one column.
///
/// One dimension is one row; of more than two, all but the last are rows.
pub struct Array {
    file: String,
    name: String,
    /// What it is called where its file has another name for it, and how it is read there.
    seen: Option<(String, MatrixView)>,
    dtype: DType,
    big_endian: bool,
    fortran: bool,
    shape: Vec<u64>,
    rows: usize,
    cols: usize,
    storage: Storage,
    single: RefCell<Tile<f32>>,
    double: RefCell<Tile<f64>>,
}

/// How an array's dimensions are read as those of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixView {
    /// As they are: all but the last are rows.
    AsStored,
    /// Two of them exchanged.
    Transposed,
    /// The first are rows, all others columns.
    FirstAxisRows,
    /// Of three, the second are rows, the first and the third columns.
    SecondAxisRows,
    /// All of them columns, of one row.
    Flat,
    /// The last so many numbers are columns, all before them rows: heads or layers of one row together.
    RowsOfWidth(usize),
}

/// What an array is, in words and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ArrayDescription"))]
pub struct Description {
    /// Its name in the file.
    pub name: String,
    /// Its numbers.
    pub dtype: DType,
    /// Its dimensions, as the file has them.
    #[cfg_attr(feature = "types", ts(type = "Array<number>"))]
    pub shape: Vec<u64>,
    /// Rows of the matrix it is read as.
    pub rows: usize,
    /// Columns of the matrix it is read as.
    pub cols: usize,
}

/// "2000 × 64".
pub(super) fn format_shape(shape: &[u64]) -> String {
    let mut words: Vec<String> = shape.iter().take(8).map(u64::to_string).collect();
    if shape.len() > 8 {
        words.push("…".to_owned());
    }
    if words.is_empty() { "() of a single number".to_owned() } else { words.join(" × ") }
}

/// Bytes that an array of this layout takes; refuses what no matrix can be.
pub(super) fn payload_bytes(file: &str, name: &str, layout: &Layout) -> Result<u64, IoError> {
    let Layout { dtype, fortran_order: fortran, shape, .. } = layout;
    let refuse = |allowed: &str| {
        Err(IoError::Shape {
            file: file.to_owned(),
            array: name.to_owned(),
            found: format_shape(shape),
            allowed: allowed.to_owned(),
        })
    };
    if shape.len() > 32 {
        return refuse("1 to 32 dimensions");
    }
    if shape.contains(&0) {
        return refuse("at least one row and one column");
    }
    if *fortran && shape.len() > 2 {
        return refuse("1 or 2 dimensions where columns are stored one after the other");
    }
    let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
    // Half of the addresses, so that no sum of an offset and a size can overflow.
    let bytes = count
        .and_then(|count| count.checked_mul(dtype.size() as u64))
        .filter(|bytes| *bytes <= i64::MAX as u64 && usize::try_from(*bytes).is_ok());
    match bytes {
        Some(bytes) => Ok(bytes),
        None => refuse("a number of bytes that this machine can address"),
    }
}

impl Array {
    /// The layout must have passed [`payload_bytes`], and the storage must hold as many bytes.
    pub(super) fn new(file: &str, name: &str, layout: Layout, storage: Storage) -> Self {
        let Layout { dtype, big_endian, fortran_order: fortran, shape } = layout;
        // Their product fits: it has been checked.
        let cols = shape.last().map_or(1, |cols| *cols as usize);
        let rows = shape.iter().rev().skip(1).product::<u64>() as usize;
        // A single row or column is the same in both orders.
        let fortran = fortran && rows > 1 && cols > 1;
        let (file, name) = (file.to_owned(), name.to_owned());
        let (single, double) = (RefCell::new(Tile::EMPTY), RefCell::new(Tile::EMPTY));
        let seen = None;
        Self { file, name, seen, dtype, big_endian, fortran, shape, rows, cols, storage, single, double }
    }

    /// The same numbers under another name, read in another way.
    ///
    /// # Errors
    /// [`IoError::Shape`] where it has not the dimensions for it.
    pub fn with_view(&self, name: &str, view: MatrixView) -> Result<Self, IoError> {
        let refuse = |allowed: &str| Err(self.shape_error(allowed));
        let (mut shape, mut fortran) = (self.shape.clone(), self.fortran);
        let mut storage = self.storage.clone();
        let count = shape.iter().product::<u64>();
        match view {
            MatrixView::AsStored => {}
            MatrixView::Transposed => {
                if shape.len() != 2 {
                    return refuse("2 dimensions");
                }
                shape.reverse();
                fortran = !fortran;
            }
            // Columns that follow one another are rows' numbers no more.
            _ if fortran => return refuse("rows that follow one another"),
            MatrixView::FirstAxisRows => {
                let first = shape.first().copied().unwrap_or(1);
                shape = vec![first, count / first.max(1)];
            }
            MatrixView::SecondAxisRows => {
                let &[first, second, third] = shape.as_slice() else {
                    return refuse("3 dimensions");
                };
                let (from, at): (Rc<dyn ReadAt>, u64) = match &storage {
                    Storage::InFile(from, at) => (Rc::clone(from), *at),
                    Storage::InMemory(bytes) => (Rc::clone(bytes) as Rc<dyn ReadAt>, 0),
                    Storage::Parsed(_) => return refuse("2 dimensions"),
                };
                let size = self.dtype.size() as u64;
                let strided = Strided::permuted(from, at, size, &shape, &[1, 0, 2]);
                storage = Storage::InFile(Rc::new(strided), 0);
                shape = vec![second, first * third];
            }
            MatrixView::Flat => shape = vec![count],
            MatrixView::RowsOfWidth(cols) => {
                let cols = cols as u64;
                if cols == 0 || !count.is_multiple_of(cols) {
                    return refuse(&format!("rows of {cols}"));
                }
                shape = vec![count / cols, cols];
            }
        }
        let (dtype, big_endian) = (self.dtype, self.big_endian);
        let layout = Layout { dtype, big_endian, fortran_order: fortran, shape };
        let seen = Some((name.to_owned(), view));
        Ok(Self { seen, ..Self::new(&self.file, &self.name, layout, storage) })
    }

    /// Whether so many of its last dimensions, more than one of them, come to this width: heads or layers.
    #[must_use]
    pub fn can_fold_to(&self, width: usize) -> bool {
        let mut product = 1u64;
        let mut last = self.shape.iter().rev();
        let all = self.shape.len() > 2 && !self.fortran;
        all && last.by_ref().take(self.shape.len() - 1).any(|size| {
            product = product.saturating_mul(*size);
            product == width as u64
        })
    }

    /// What it is called: its name in the file, or the one it is read under.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.seen.as_ref().map_or(&self.name, |(name, _)| name)
    }

    /// How it is read, where that is not as it is.
    #[must_use]
    pub fn view(&self) -> MatrixView {
        self.seen.as_ref().map_or(MatrixView::AsStored, |(_, view)| *view)
    }

    /// Its dimensions.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Rows of a [`Tile`].
    fn tile_rows(&self) -> usize {
        (TILE_VALUES / self.cols).clamp(1, self.rows)
    }

    /// The name of the file.
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.file
    }

    /// The array's name in its file; empty where it is the only one.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// What its numbers are.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Number of dimensions in the file.
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Whether its numbers have their greatest byte first.
    #[must_use]
    pub fn is_big_endian(&self) -> bool {
        self.big_endian
    }

    /// Bytes that may come to be held in memory for it: of one that is read from the file, what is turned
    /// from columns into rows at a time, and what is kept of what is unpacked.
    #[must_use]
    pub fn held_bytes(&self) -> u64 {
        match &self.storage {
            Storage::InFile(from, _) if self.fortran => {
                let bytes = if self.dtype.exceeds_f32() { 8 } else { 4 };
                from.held_bytes().saturating_add(bytes * (self.tile_rows() * self.cols) as u64)
            }
            Storage::InFile(from, _) => from.held_bytes(),
            Storage::InMemory(bytes) => bytes.len() as u64,
            Storage::Parsed(values) => 8 * values.len() as u64,
        }
    }

    /// Bytes held in memory of what had to be unpacked.
    pub(super) fn unpacked_bytes(&self) -> u64 {
        match &self.storage {
            Storage::InFile(..) => 0,
            Storage::InMemory(_) | Storage::Parsed(_) => self.held_bytes(),
        }
    }

    /// What it is.
    #[must_use]
    pub fn description(&self) -> Description {
        Description {
            name: self.name.clone(),
            dtype: self.dtype,
            shape: self.shape.clone(),
            rows: self.rows,
            cols: self.cols,
        }
    }

    /// Refuses it where it has another shape than `rows × cols`.
    ///
    /// # Errors
    /// [`IoError::Shape`], with `allowed` saying what the shape belongs to.
    pub fn expect_shape(&self, rows: usize, cols: usize, what: &str) -> Result<(), IoError> {
        if (self.rows, self.cols) == (rows, cols) {
            return Ok(());
        }
        Err(self.shape_error(&format!("{rows} × {cols} ({what})")))
    }

    /// The error that its shape is not what is `allowed`.
    #[must_use]
    pub fn shape_error(&self, allowed: &str) -> IoError {
        IoError::Shape {
            file: self.file.clone(),
            array: self.label(),
            found: format_shape(&self.shape),
            allowed: allowed.to_owned(),
        }
    }

    fn label(&self) -> String {
        if self.name.is_empty() { "its array".to_owned() } else { self.name.clone() }
    }

    /// All values, row by row.
    ///
    /// # Errors
    /// [`IoError::NonFinite`], [`IoError::Unreadable`].
    pub fn read_all(&self) -> Result<Vec<f32>, IoError> {
        self.read_all_as()
    }

    /// All values, row by row, as `f32` or `f64`.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_all_as<T: Entry>(&self) -> Result<Vec<T>, IoError> {
        let mut values = vec![T::default(); self.rows * self.cols];
        self.read_rows(0, &mut values)?;
        Ok(values)
    }

    /// All values, row by row, in the least of the two types that has them.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_entries(&self) -> Result<Entries, IoError> {
        Ok(match self.dtype.exceeds_f32() {
            true => Entries::Double(self.read_all_as()?),
            false => Entries::Single(self.read_all_as()?),
        })
    }

    /// As [`Array::read_entries`], column by column.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_entries_by_columns(&self) -> Result<Entries, IoError> {
        Ok(match self.dtype.exceeds_f32() {
            true => Entries::Double(self.read_columns_as()?),
            false => Entries::Single(self.read_columns_as()?),
        })
    }

    /// Rows from `start` on, as many as `into` has room for.
    ///
    /// # Errors
    /// [`IoError::NonFinite`] with the place of the first entry that is no finite number of that type (by rows;
    /// by columns where the file is), [`IoError::Unreadable`], and [`IoError::Shape`] where there are not
    /// so many rows.
    pub fn read_rows<T: Entry>(&self, start: usize, into: &mut [T]) -> Result<(), IoError> {
        let count = into.len() / self.cols;
        if start.checked_add(count).is_none_or(|end| end > self.rows) {
            return Err(self.shape_error(&format!("at least {} rows", start.saturating_add(count))));
        }
        if !self.fortran {
            return self.read_values(start * self.cols, into, |index| (start + index / self.cols, index % self.cols));
        }
        if let Storage::InMemory(_) | Storage::Parsed(_) = self.storage {
            return self.read_rows_transposed(start, into);
        }
        let mut tile =
            T::tile(self).try_borrow_mut().map_err(|_| IoError::unreadable(&self.file, "it is read already"))?;
        let mut done = 0;
        while done < count {
            let at = start + done;
            let held = tile.rows.len() / self.cols;
            if !(tile.start..tile.start + held).contains(&at) {
                let size = self.tile_rows();
                // Where it was read from the first row on, tiles follow one another.
                let start = at / size * size;
                let size = size.min(self.rows - start);
                // What failed is not taken for read.
                let mut rows = std::mem::take(&mut tile.rows);
                rows.resize(size * self.cols, T::default());
                self.read_rows_transposed(start, &mut rows)?;
                *tile = Tile { start, rows };
                continue;
            }
            let from = (at - tile.start) * self.cols;
            let some = (count - done).min(tile.start + held - at);
            into[done * self.cols..][..some * self.cols].copy_from_slice(&tile.rows[from..][..some * self.cols]);
            done += some;
        }
        Ok(())
    }

    /// Reads rows column by column.
    fn read_rows_transposed<T: FloatValue>(&self, start: usize, into: &mut [T]) -> Result<(), IoError> {
        let count = into.len() / self.cols;
        // Whole columns lie one after the other.
        let together = if count == self.rows { (BLOCK_VALUES / count).max(1) } else { 1 };
        let mut columns = vec![T::default(); together.min(self.cols) * count];
        for first in (0..self.cols).step_by(together) {
            let some = together.min(self.cols - first);
            let columns = &mut columns[..some * count];
            let place = |index: usize| (start + index % count, first + index / count);
            self.read_values(first * self.rows + start, columns, place)?;
            for (j, column) in columns.chunks_exact(count.max(1)).enumerate() {
                for (value, row) in column.iter().zip(into.chunks_exact_mut(self.cols)) {
                    row[first + j] = *value;
                }
            }
        }
        Ok(())
    }

    /// All values, column by column.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_columns(&self) -> Result<Vec<f32>, IoError> {
        self.read_columns_as()
    }

    /// All values, column by column, as `f32` or `f64`.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_columns_as<T: Entry>(&self) -> Result<Vec<T>, IoError> {
        /// Rows that are read at a time.
        const ROWS_AT_ONCE: usize = 64;
        let (rows, cols) = (self.rows, self.cols);
        let mut out = vec![T::default(); rows * cols];
        if self.fortran {
            self.read_values(0, &mut out, |index| (index % rows, index / rows))?;
            return Ok(out);
        }
        let mut block = vec![T::default(); ROWS_AT_ONCE.min(rows) * cols];
        for start in (0..rows).step_by(ROWS_AT_ONCE) {
            let count = ROWS_AT_ONCE.min(rows - start);
            let block = &mut block[..count * cols];
            self.read_rows(start, block)?;
            for (j, column) in out.chunks_exact_mut(rows).enumerate() {
                for (value, row) in column[start..start + count].iter_mut().zip(block.chunks(cols)) {
                    *value = row[j];
                }
            }
        }
        Ok(out)
    }

    /// All its bytes as the file has them, least first, after a check that each number is finite.
    ///
    /// # Errors
    /// As [`Array::read_all`]; [`IoError::Shape`] where its bytes are in another order than that of rows.
    pub fn read_bytes(&self) -> Result<Vec<u8>, IoError> {
        let Storage::InFile(from, offset) = &self.storage else {
            return Err(self.shape_error("an array that is not packed"));
        };
        if self.fortran || self.big_endian {
            return Err(self.shape_error("rows of numbers with the least byte first"));
        }
        let size = self.dtype.size();
        let mut bytes = vec![0; self.rows * self.cols * size];
        source::read(&self.file, &**from, *offset, &mut bytes)?;
        let mut values = [0.0f32; 256];
        for (block, bytes) in bytes.chunks(values.len() * size).enumerate() {
            let into = &mut values[..bytes.len() / size];
            self.dtype.decode(bytes, false, into).map_err(|(index, value)| {
                let at = block * 256 + index;
                let (row, column) = (at / self.cols, at % self.cols);
                let (file, array) = (self.file.clone(), self.label());
                let allowed = <f32 as FloatValue>::ALLOWED_VALUES;
                IoError::NonFinite { file, array, row, column, value, allowed }
            })?;
        }
        Ok(bytes)
    }

    /// Values from one on, in the file's order; `place` tells row and column of the n-th.
    fn read_values<T: FloatValue>(
        &self,
        first: usize,
        into: &mut [T],
        place: impl Fn(usize) -> (usize, usize),
    ) -> Result<(), IoError> {
        let size = self.dtype.size();
        let mut buffer = Vec::new();
        let refuse = |index, value| {
            let (row, column) = place(index);
            let (file, array) = (self.file.clone(), self.label());
            IoError::NonFinite { file, array, row, column, value, allowed: T::ALLOWED_VALUES }
        };
        for (block, into) in into.chunks_mut(BLOCK_VALUES).enumerate() {
            let at = first + block * BLOCK_VALUES;
            let bytes = match &self.storage {
                Storage::Parsed(values) => {
                    let values = &values[at..at + into.len()];
                    for (index, (into, value)) in into.iter_mut().zip(values).enumerate() {
                        *into = T::from_f64(*value);
                        if !into.is_finite_value() {
                            return Err(refuse(block * BLOCK_VALUES + index, value.to_string()));
                        }
                    }
                    continue;
                }
                Storage::InMemory(bytes) => &bytes[at * size..(at + into.len()) * size],
                Storage::InFile(from, offset) => {
                    buffer.resize(into.len() * size, 0);
                    source::read(&self.file, &**from, offset + (at * size) as u64, &mut buffer)?;
                    &buffer
                }
            };
            self.dtype
                .decode(bytes, self.big_endian, into)
                .map_err(|(index, value)| refuse(block * BLOCK_VALUES + index, value))?;
        }
        Ok(())
    }
}

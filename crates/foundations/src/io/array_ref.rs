use std::rc::Rc;

use super::{Array, DataFile, Description, Entries, Entry, Format, IoError, MatrixView};

/// The only matrix among the tensors of a file of PyTorch's.
fn find_only_matrix(file: &DataFile) -> Option<&Array> {
    let mut found = file.arrays().iter().filter(|array| array.ndim() > 1);
    let one = found.next().filter(|_| file.detected_format() == Format::Pt);
    one.filter(|_| found.next().is_none())
}

/// One array of an open file, as a matrix that may be read transposed; or several, one after the other.
#[derive(Clone)]
pub struct ArrayRef {
    file: Rc<DataFile>,
    index: usize,
    /// The array read in another way than the file has it.
    viewed: Option<Rc<Array>>,
    transposed: bool,
    /// Arrays whose rows come after its own.
    more: Vec<ArrayRef>,
}

impl ArrayRef {
    /// The array of a name; without one, the only array, or the first that has one of the usual names,
    /// in whatever folder of an archive.
    ///
    /// # Errors
    /// [`IoError::Missing`], with the names there are.
    pub fn find(file: &Rc<DataFile>, name: Option<&str>, usual: &[&str]) -> Result<Self, IoError> {
        let in_folder = |name: &&str| {
            let last = |array: &&Array| array.name().rsplit('/').next() == Some(*name);
            let mut found = file.arrays().iter().filter(last);
            found.next().filter(|_| found.next().is_none())
        };
        let array = match name {
            Some(name) => file.array(name)?,
            None => {
                let exact = usual.iter().find_map(|name| file.array(name).ok());
                let found = exact.or_else(|| usual.iter().find_map(in_folder));
                found.map_or_else(|| file.only_array().or_else(|why| find_only_matrix(file).ok_or(why)), Ok)?
            }
        };
        let index = file.arrays().iter().position(|other| std::ptr::eq(other, array));
        Ok(Self { file: Rc::clone(file), index: index.unwrap_or(0), viewed: None, transposed: false, more: Vec::new() })
    }

    /// An array that was made of a file's.
    pub(super) fn from_array(file: &Rc<DataFile>, array: Array) -> Self {
        Self { file: Rc::clone(file), index: 0, viewed: Some(Rc::new(array)), transposed: false, more: Vec::new() }
    }

    /// Whether it was made of several arrays of its file.
    #[must_use]
    pub fn is_derived(&self) -> bool {
        self.viewed.as_ref().is_some_and(|array| array.view() == MatrixView::AsStored)
    }

    /// The same, its rows taken for columns where `transposed` says so.
    #[must_use]
    pub fn with_transposed(self, transposed: bool) -> Self {
        Self { transposed, ..self }
    }

    /// The same with the rows of others after its own.
    ///
    /// # Errors
    /// [`IoError::Shape`] for one that is not as wide.
    pub fn concat_rows(mut self, others: Vec<Self>) -> Result<Self, IoError> {
        for other in &others {
            other.expect_shape(other.rows(), self.cols(), "as wide as the first file of them")?;
        }
        self.more.extend(others);
        Ok(self)
    }

    /// Its arrays, each by itself.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.more)
    }

    /// Whether it has numbers that `f32` has not.
    #[must_use]
    pub fn exceeds_f32(&self) -> bool {
        self.parts().any(|part| part.array().dtype().exceeds_f32())
    }

    /// Rows from `start` on of what is not read transposed, as many as `into` has room for.
    ///
    /// # Errors
    /// As [`Array::read_rows`].
    pub fn read_rows<T: Entry>(&self, start: usize, into: &mut [T]) -> Result<(), IoError> {
        let cols = self.cols().max(1);
        let (mut start, mut left) = (start, into);
        for part in self.parts() {
            let array = part.array();
            let Some(there) = array.rows().checked_sub(start).filter(|there| *there > 0) else {
                start -= array.rows();
                continue;
            };
            let count = there.min(left.len() / cols);
            let (now, later) = left.split_at_mut(count * cols);
            array.read_rows(start, now)?;
            left = later;
            start = 0;
            if left.is_empty() {
                return Ok(());
            }
        }
        Err(self.array().shape_error("as many rows as are read"))
    }

    /// The array, as it is in the file; the first of several.
    #[must_use]
    pub fn array(&self) -> &Array {
        self.viewed.as_deref().unwrap_or(&self.file.arrays()[self.index])
    }

    /// The same with rows of `width`, where heads or layers of one row stand one after the other: the last dimensions of
    /// an array, and more than one, that come to this width.
    ///
    /// # Errors
    /// Those of [`Array::with_view`].
    pub fn fold_to_width(mut self, width: usize) -> Result<Self, IoError> {
        self.more = self.more.into_iter().map(|part| part.fold_to_width(width)).collect::<Result<_, _>>()?;
        let array = self.array();
        if !self.transposed && array.cols() != width && array.can_fold_to(width) {
            self.viewed = Some(Rc::new(array.with_view(array.name(), MatrixView::RowsOfWidth(width))?));
        }
        Ok(self)
    }

    /// Its file.
    #[must_use]
    pub fn file(&self) -> &Rc<DataFile> {
        &self.file
    }

    /// Whether its rows are taken for columns.
    #[must_use]
    pub fn is_transposed(&self) -> bool {
        self.transposed
    }

    /// Number of rows, as it is read, of all its arrays.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.parts().map(Self::first_array_rows).sum()
    }

    fn first_array_rows(&self) -> usize {
        if self.transposed { self.array().cols() } else { self.array().rows() }
    }

    /// Number of columns, as it is read.
    #[must_use]
    pub fn cols(&self) -> usize {
        if self.transposed { self.array().rows() } else { self.array().cols() }
    }

    /// What it is, as it is read.
    #[must_use]
    pub fn description(&self) -> Description {
        let (rows, cols) = (self.first_array_rows(), self.cols());
        Description { rows, cols, ..self.array().description() }
    }

    /// Refuses it where it is read as another shape than `rows × cols`.
    ///
    /// # Errors
    /// [`IoError::Shape`], with `allowed` saying what the shape belongs to.
    pub fn expect_shape(&self, rows: usize, cols: usize, what: &str) -> Result<(), IoError> {
        if (self.rows(), self.cols()) == (rows, cols) {
            return Ok(());
        }
        let read = if self.transposed { ", read transposed" } else { "" };
        Err(self.array().shape_error(&format!("{rows} × {cols} ({what}{read})")))
    }

    /// All values, row by row as it is read.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_all(&self) -> Result<Vec<f32>, IoError> {
        if self.transposed { self.array().read_columns() } else { self.array().read_all() }
    }

    /// All values, row by row as it is read, as `f32` or `f64`.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_all_as<T: Entry>(&self) -> Result<Vec<T>, IoError> {
        if self.transposed { self.array().read_columns_as() } else { self.array().read_all_as() }
    }

    /// All values, row by row as it is read, in the least of the two types that has them.
    ///
    /// # Errors
    /// As [`Array::read_all`].
    pub fn read_entries(&self) -> Result<Entries, IoError> {
        if self.transposed { self.array().read_entries_by_columns() } else { self.array().read_entries() }
    }
}

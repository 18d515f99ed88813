use super::EvaluationError;
use super::inputs::readout_width;
use crate::io::{ArrayRef, digest};
use crate::synthetic::{DrawnRows, Sample, UserActivations, World};

/// Rows read at a time where many of them are wanted.
const BLOCK_ROWS: usize = 256;
/// Rows are read one by one where fewer than one in so many is wanted.
const SPARSE_FACTOR: u64 = 16;

/// A reader's own activations, and what reads them out, as a world to train on.
#[derive(Clone)]
pub struct UserRows {
    activations: ArrayRef,
    readout: Option<ArrayRef>,
    bias: Option<ArrayRef>,
}

impl UserRows {
    /// Holds shapes against each other: activations N × D, a readout outputs × D, its bias one value
    /// an output. Nothing but headers is read.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] with the file whose shape does not fit.
    pub fn new(
        activations: ArrayRef,
        readout: Option<ArrayRef>,
        bias: Option<ArrayRef>,
    ) -> Result<Self, EvaluationError> {
        readout_width(readout.as_ref(), bias.as_ref(), activations.cols())?;
        Ok(Self { activations, readout, bias })
    }

    /// What of the files was not read as numbers, in sentences.
    #[must_use]
    pub fn unread_notes(&self) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        let others = [self.readout.as_ref(), self.bias.as_ref()].into_iter().flatten();
        for picked in self.activations.parts().chain(others) {
            for sentence in picked.file().unread_notes() {
                if !seen.contains(&sentence) {
                    seen.push(sentence);
                }
            }
        }
        seen
    }

    /// The world they are. With `digest` all files are read whole, for what tells them from others.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`].
    pub fn to_world(&self, seed: u32, digest: bool) -> Result<UserActivations, EvaluationError> {
        let sha256 = digest.then(|| self.activations.file().digest()).transpose()?;
        let with = if digest { self.digest_beyond_first_file()? } else { None };
        Ok(UserActivations {
            rows: self.activations.rows() as u64,
            dimensions: self.activations.cols(),
            outputs: self.readout.as_ref().map(ArrayRef::rows),
            sha256,
            with,
            seed,
        })
    }

    /// The digest of everything that the first file of the activations does not say by itself.
    fn digest_beyond_first_file(&self) -> Result<Option<String>, EvaluationError> {
        let name = |picked: &ArrayRef| {
            let name = match picked.file().arrays().len() {
                1 => "",
                _ => picked.array().name(),
            };
            format!("{name}{}", if picked.is_transposed() { ", transposed" } else { "" })
        };
        let mut lines = vec![name(&self.activations)];
        for picked in self.activations.parts().skip(1) {
            lines.extend([picked.file().digest()?, format!("{}, further rows", name(picked))]);
        }
        for picked in [&self.readout, &self.bias].into_iter().flatten() {
            lines.extend([picked.file().digest()?, name(picked)]);
        }
        if lines == [""] {
            return Ok(None);
        }
        Ok(Some(digest("", &lines.join("\n").into_bytes())?))
    }

    /// The rows that an autoencoder is trained on, at most `rows` of them, in the order that the seed says, and those that
    /// are held back to measure it on; `digest` is as of [`UserRows::to_world`].
    ///
    /// # Errors
    /// [`EvaluationError::Problems`] where the world refuses so many, [`EvaluationError::Sae`].
    pub fn training_split(
        &self,
        seed: u32,
        rows: usize,
        digest: bool,
    ) -> Result<(World, Sample, Sample), EvaluationError> {
        let own = self.to_world(seed, digest)?;
        let world = World::Own(own.clone());
        let (rows, held) = world.train_and_held_out_rows(rows);
        let sample = own.sample(rows + held, &self.draw_rows(seed, rows + held)?)?;
        let (sample, held) = sample.split(rows);
        Ok((world, sample, held))
    }

    /// Reads as many rows as are wanted, in the world's order, and the readout.
    ///
    /// # Errors
    /// [`EvaluationError::Problems`] where the world refuses so many, [`EvaluationError::Sae`].
    pub fn draw_rows(&self, seed: u32, wanted: usize) -> Result<DrawnRows, EvaluationError> {
        let given = self.to_world(seed, false)?;
        let order = given.row_order(wanted)?;
        let (rows, d) = (self.activations.rows(), given.dimensions);
        // By where they are in the files, with where they belong.
        let mut places: Vec<(u64, usize)> = order.into_iter().zip(0..).collect();
        places.sort_unstable();
        let mut activations = vec![0.0; wanted * d];
        let block = if given.rows / SPARSE_FACTOR > wanted as u64 { 1 } else { BLOCK_ROWS };
        let mut values = Vec::new();
        for chunk in places.chunk_by(|a, b| a.0 / block as u64 == b.0 / block as u64) {
            let start = (chunk[0].0 / block as u64) as usize * block;
            values.resize(block.min(rows - start) * d, 0.0);
            self.activations.read_rows(start, &mut values)?;
            for (row, at) in chunk {
                let row = *row as usize - start;
                activations[at * d..][..d].copy_from_slice(&values[row * d..][..d]);
            }
        }
        let all = |picked: &Option<ArrayRef>| picked.as_ref().map(ArrayRef::read_all).transpose();
        Ok(DrawnRows { activations, readout: all(&self.readout)?, bias: all(&self.bias)? })
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::io::DataFile;

    /// N rows of 2 as text, each of its index and its negative.
    fn picked(rows: usize) -> ArrayRef {
        let text: String = (0..rows).map(|row| format!("{row},-{row}\n")).collect();
        let file = DataFile::open("a.csv", Box::new(text.into_bytes()), 1 << 30).unwrap();
        ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
    }

    #[test]
    fn rows_come_in_the_worlds_order_however_they_are_read() {
        // Blocks, a last short block, and rows one by one.
        for (rows, wanted) in [(1_000, 1_000), (1_001, 300), (5_000, 20)] {
            let files = UserRows::new(picked(rows), None, None).unwrap();
            let order = files.to_world(9, false).unwrap().row_order(wanted).unwrap();
            let drawn = files.draw_rows(9, wanted).unwrap();
            let wanted: Vec<f32> = order.iter().flat_map(|row| [*row as f32, -(*row as f32)]).collect();
            assert_eq!(drawn.activations, wanted, "{rows}");
        }
        let files = UserRows::new(picked(10), None, None).unwrap();
        assert_eq!(files.draw_rows(9, 11).unwrap_err().field(), Some("train_rows"));
        let world = files.to_world(9, true).unwrap();
        assert_eq!((world.sha256.unwrap().len(), world.with), (64, None));
    }

    #[test]
    fn rows_of_several_files_are_those_of_one() {
        let text = |rows: std::ops::Range<usize>| {
            let text: String = rows.map(|row| format!("{row},-{row}\n")).collect();
            let file = DataFile::open("a.csv", Box::new(text.into_bytes()), 1 << 30).unwrap();
            ArrayRef::find(&Rc::new(file), None, &[]).unwrap()
        };
        let several = text(0..300).concat_rows(vec![text(300..301), text(301..1_001)]).unwrap();
        let files = UserRows::new(several, None, None).unwrap();
        let whole = UserRows::new(picked(1_001), None, None).unwrap();
        for wanted in [1_001, 300, 20] {
            let [found, wanted] = [&files, &whole].map(|rows| rows.draw_rows(3, wanted).unwrap());
            assert_eq!(found.activations, wanted.activations);
        }
        // Other further rows are another world.
        let other = text(0..300).concat_rows(vec![text(300..301), text(302..1_002)]).unwrap();
        let other = UserRows::new(other, None, None).unwrap();
        let [found, other, whole] = [files, other, whole].map(|rows| rows.to_world(0, true).unwrap().with);
        assert!(found.is_some() && other.is_some() && found != other && whole.is_none());
    }

    #[test]
    fn a_readout_that_does_not_fit_is_refused() {
        let wide = |text: &str| {
            let file = DataFile::open("w.csv", Box::new(text.as_bytes().to_vec()), 1 << 20);
            Some(ArrayRef::find(&Rc::new(file.unwrap()), None, &[]).unwrap())
        };
        let files = UserRows::new(picked(10), wide("1,2\n3,4\n5,6\n"), wide("1,2,3\n")).unwrap();
        let drawn = files.draw_rows(0, 4).unwrap();
        assert_eq!(drawn.readout.unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(drawn.bias.unwrap(), [1.0, 2.0, 3.0]);
        // Another readout, or none of its bias, is another world.
        let with = |readout: &str, bias: Option<&str>| {
            let bias = bias.and_then(wide);
            let files = UserRows::new(picked(10), wide(readout), bias).unwrap();
            files.to_world(0, true).unwrap().with.unwrap()
        };
        assert_ne!(with("1,2\n3,4\n", None), with("1,2\n3,5\n", None));
        assert_ne!(with("1,2\n3,4\n", None), with("1,2\n3,4\n", Some("0,0\n")));
        assert_ne!(with("1,2\n3,4\n", Some("1,0\n")), with("1,2\n3,4\n", Some("0,0\n")));
        assert!(UserRows::new(picked(10), wide("1,2,3\n"), None).is_err());
        assert!(UserRows::new(picked(10), wide("1,2\n"), wide("1,2\n")).is_err());
    }
}

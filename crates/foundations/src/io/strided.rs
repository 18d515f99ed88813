use std::rc::Rc;

use super::{ReadAt, source};

/// Numbers that lie apart, as if they followed one another: rows first, as `shape` has them.
pub(super) struct Strided {
    pub source: Rc<dyn ReadAt>,
    /// Byte of the first number.
    pub offset: u64,
    /// Bytes of a number.
    pub item_size: u64,
    pub shape: Vec<u64>,
    /// In numbers.
    pub strides: Vec<u64>,
}

impl Strided {
    /// A view of an array's numbers, which follow one another from a byte on, with its dimensions in another order.
    pub(super) fn permuted(source: Rc<dyn ReadAt>, from: u64, size: u64, shape: &[u64], order: &[usize]) -> Self {
        let mut strides = vec![1; shape.len()];
        for at in (1..shape.len()).rev() {
            strides[at - 1] = strides[at] * shape[at];
        }
        let of = |all: &[u64]| order.iter().filter_map(|at| all.get(*at).copied()).collect();
        Self { source, offset: from, item_size: size, shape: of(shape), strides: of(&strides) }
    }

    /// The place, in numbers, of the n-th.
    fn source_index(&self, mut n: u64) -> u64 {
        let mut at = 0;
        for (size, stride) in self.shape.iter().zip(&self.strides).rev() {
            at += n % size * stride;
            n /= size;
        }
        at
    }
}

impl ReadAt for Strided {
    fn size(&self) -> u64 {
        self.shape.iter().product::<u64>() * self.item_size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        /// Bytes that are read for the sake of a few among them.
        const SPAN_BYTES: u64 = 1 << 18;
        source::check_range(self.size(), offset, into.len())?;
        if !offset.is_multiple_of(self.item_size) || !(into.len() as u64).is_multiple_of(self.item_size) {
            return Err("a number would be read in part".to_owned());
        }
        let (last, stride) = match (self.shape.last(), self.strides.last()) {
            (Some(last), Some(stride)) => (*last, *stride),
            _ => (1, 1),
        };
        let size = self.item_size as usize;
        let mut n = offset / self.item_size;
        let mut left = into;
        let mut span = Vec::new();
        while !left.is_empty() {
            // As many of the last dimension as are wanted and near one another.
            let near = if stride == 0 { u64::MAX } else { (SPAN_BYTES / (stride * self.item_size)).max(1) };
            let run = (last - n % last).min(near).min((left.len() / size) as u64);
            let (now, later) = left.split_at_mut(run as usize * size);
            let from = self.offset + self.source_index(n) * self.item_size;
            if stride == 1 {
                self.source.read_at(from, now)?;
            } else {
                span.resize((((run - 1) * stride + 1) * self.item_size) as usize, 0);
                self.source.read_at(from, &mut span)?;
                for (at, number) in now.chunks_exact_mut(size).enumerate() {
                    let begin = at * stride as usize * size;
                    number.copy_from_slice(&span[begin..begin + size]);
                }
            }
            left = later;
            n += run;
        }
        Ok(())
    }

    fn held_bytes(&self) -> u64 {
        self.source.held_bytes()
    }
}

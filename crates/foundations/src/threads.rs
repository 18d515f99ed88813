//! Independent pieces of work on as many threads as there are: natively, with the feature `threads`. What comes of them does
//! not depend on how many these are.

#[cfg(feature = "threads")]
use rayon::prelude::*;

#[cfg(feature = "threads")]
use crate::cancel;

/// How many threads there are; one where this thread is asked whether its work is still wanted, since no other can ask.
#[must_use]
pub fn thread_count() -> usize {
    #[cfg(feature = "threads")]
    if !cancel::has_cancel_check() {
        return rayon::current_num_threads();
    }
    1
}

/// What comes of each piece, in their order.
///
/// # Errors
/// That of the first piece that fails.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::threads::parallel_map;
/// let squares = parallel_map(vec![1, 2, 3], |piece: u32| piece.checked_mul(piece).ok_or("too large"));
/// assert_eq!(squares, Ok(vec![1, 4, 9]));
/// ```
pub fn parallel_map<T: Send, R: Send, E: Send>(
    pieces: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "threads")]
    if pieces.len() > 1 && thread_count() > 1 {
        // All of them are waited for, so that it is the first one's error in the order of pieces.
        let found: Vec<Result<R, E>> = pieces.into_par_iter().map(work).collect();
        return found.into_iter().collect();
    }
    pieces.into_iter().map(work).collect()
}

/// As [`parallel_map`] of what cannot fail, with something to work in that several pieces use one after the other.
pub(crate) fn parallel_map_with<T: Send, S, R: Send>(
    pieces: Vec<T>,
    new: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    if pieces.len() > 1 && thread_count() > 1 {
        return pieces.into_par_iter().map_init(new, work).collect();
    }
    let mut held = new();
    pieces.into_iter().map(|piece| work(&mut held, piece)).collect()
}

/// Changes numbers in place, so many at a time.
pub(crate) fn for_each_chunk(values: &mut [f32], length: usize, work: impl Fn(&mut [f32]) + Sync + Send) {
    #[cfg(feature = "threads")]
    if values.len() > length && thread_count() > 1 {
        values.par_chunks_mut(length).for_each(work);
        return;
    }
    values.chunks_mut(length).for_each(work);
}

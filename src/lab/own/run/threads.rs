//! Independent pieces of work on as many threads as there are. What comes of them does not depend on how many these are.

/// How many threads there are.
pub fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    return 1;
}

/// What comes of each piece, in their order; the first that fails is the error.
pub(super) fn each<T: Send, R: Send, E: Send>(
    pieces: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        // All of them are waited for, so that it is the first one's error in the order of pieces.
        let found: Vec<Result<R, E>> = pieces.into_par_iter().map(work).collect();
        found.into_iter().collect()
    }
    #[cfg(not(feature = "threads"))]
    pieces.into_iter().map(work).collect()
}

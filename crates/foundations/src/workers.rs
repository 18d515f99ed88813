//! The pieces of a study's step, by several workers that share no memory, in a browser; or on threads. What comes of them does
//! not depend on how many these are.
//!
//! Workers all hold the same and take the same steps, each as a rank of so many ([`set_rank`]). Of the pieces of a step a worker
//! does its own share; the step then ends with [`Cancelled`], and the share is taken ([`take_computed_pieces`]) and handed to all
//! workers, which take the step again with what all have computed ([`set_gathered_pieces`]).
//!
//! A run that may be ended has its pieces kept as they come ([`set_store`]): the same run goes on with them.

use std::cell::RefCell;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cancel::Cancelled;
use crate::threads;

/// One of several workers.
struct WorkerRank {
    rank: usize,
    world_size: usize,
    /// Its share of the pieces that wait.
    computed: Option<Vec<u8>>,
    /// The shares of all, by rank.
    gathered: Option<Vec<Vec<u8>>>,
}

/// Where what comes of pieces is kept, by their numbers in the whole run.
pub trait PieceStore: Send + Sync {
    /// Asked before each piece that is not kept.
    ///
    /// # Errors
    /// [`Cancelled`] where the run is to end.
    fn check(&self) -> Result<(), Cancelled>;

    /// What is kept of a piece; asked once.
    fn load(&self, number: usize) -> Option<Vec<u8>>;

    /// Keeps what came of a piece.
    ///
    /// # Errors
    /// [`Cancelled`] where it cannot be kept.
    fn store(&self, number: usize, piece: Vec<u8>) -> Result<(), Cancelled>;
}

thread_local! {
    static RANK: RefCell<Option<WorkerRank>> = const { RefCell::new(None) };
    /// With the number of the next piece.
    static STORE: RefCell<Option<(Arc<dyn PieceStore>, usize)>> = const { RefCell::new(None) };
}

/// Has the pieces of this thread's steps kept, numbered from the given number on; or no longer. Their order does not depend
/// on how many are done at once.
pub fn set_store(store: Option<(Arc<dyn PieceStore>, usize)>) {
    STORE.set(store);
}

/// Makes this thread one of `world_size` workers, the one numbered `rank`, or leaves it alone where there is but one; what
/// others have computed is let go.
pub fn set_rank(rank: usize, world_size: usize) {
    let (computed, gathered) = (None, None);
    RANK.set((world_size > 1).then_some(WorkerRank { rank, world_size, computed, gathered }));
}

/// This worker's share of the pieces of the step that just ended unfinished: to be handed to all, and taken once. Nothing
/// where the step waits for nobody.
#[must_use]
pub fn take_computed_pieces() -> Option<Vec<u8>> {
    RANK.with_borrow_mut(|rank| rank.as_mut()?.computed.take())
}

/// The shares of all workers, by rank, for the step that waits for them.
pub fn set_gathered_pieces(shares: Vec<Vec<u8>>) {
    RANK.with_borrow_mut(|rank| {
        if let Some(rank) = rank {
            rank.gathered = Some(shares);
        }
    });
}

/// How many pieces are done at once: one a worker, or one a thread where this is the only worker.
#[must_use]
pub fn worker_count() -> usize {
    let world_size = RANK.with_borrow(|rank| rank.as_ref().map(|rank| rank.world_size));
    world_size.unwrap_or_else(threads::thread_count)
}

/// What comes of each piece, in their order.
///
/// # Errors
/// That of the first piece that fails; [`Cancelled`] where other workers' shares are waited for.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::cancel::Cancelled;
/// use sfc_bench::workers::{take_computed_pieces, parallel_map, set_gathered_pieces, set_rank};
///
/// let squares = || parallel_map(vec![1, 2, 3], |piece: u32| piece.checked_mul(piece).ok_or(Cancelled));
/// let shares = [0, 1].map(|rank| {
///     set_rank(rank, 2);
///     assert_eq!(squares(), Err(Cancelled));
///     take_computed_pieces().unwrap()
/// });
/// set_gathered_pieces(shares.to_vec());
/// assert_eq!(squares(), Ok(vec![1, 4, 9]));
/// ```
pub fn parallel_map<T: Send, R: Send + Serialize + DeserializeOwned, E: Send + From<Cancelled>>(
    pieces: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    let store = STORE.with_borrow_mut(|store| {
        let (store, next) = store.as_mut()?;
        let first = *next;
        *next += pieces.len();
        Some((Arc::clone(store), first))
    });
    let Some((store, first)) = store else { return parallel_map_unstored(pieces, work) };
    parallel_map_unstored((first..).zip(pieces).collect(), |(number, piece)| {
        let kept = store.load(number);
        // One that cannot be read is as one that was not kept.
        if let Some(found) = kept.and_then(|bytes| rmp_serde::from_slice(&bytes).ok()) {
            return Ok(found);
        }
        store.check()?;
        let found = work(piece)?;
        store.store(number, rmp_serde::to_vec(&found).map_err(|_| Cancelled)?)?;
        Ok(found)
    })
}

/// As [`parallel_map`] of pieces that are done again where a run goes on: those that take less time than room.
///
/// # Errors
/// As there.
pub fn parallel_map_unstored<T: Send, R: Send + Serialize + DeserializeOwned, E: Send + From<Cancelled>>(
    pieces: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    let of = RANK.with_borrow_mut(|rank| {
        let rank = rank.as_mut().filter(|_| pieces.len() > 1)?;
        Some((rank.rank, rank.world_size, rank.gathered.take()))
    });
    let Some((rank, world_size, gathered)) = of else { return threads::parallel_map(pieces, work) };
    // A share that cannot be read is as one that has not come.
    let decoded = |shares: Vec<Vec<u8>>| -> Option<Vec<R>> {
        let read = |share: &Vec<u8>| rmp_serde::from_slice::<Vec<R>>(share).ok();
        let shares = shares.iter().map(read).collect::<Option<Vec<_>>>()?;
        let mut shares: Vec<_> = shares.into_iter().map(Vec::into_iter).collect();
        (0..pieces.len()).map(|at| shares.get_mut(at % world_size)?.next()).collect()
    };
    if let Some(found) = gathered.and_then(decoded) {
        return Ok(found);
    }
    let mine = pieces.into_iter().skip(rank).step_by(world_size);
    let mine: Vec<R> = mine.map(work).collect::<Result<_, _>>()?;
    let mine = rmp_serde::to_vec(&mine).map_err(|_| Cancelled)?;
    RANK.with_borrow_mut(|rank| {
        if let Some(rank) = rank {
            rank.computed = Some(mine);
        }
    });
    Err(Cancelled.into())
}

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What several metrics of one subject share, made once; what it cost counts for each of them.
///
/// ```
/// use sfc_bench::lab::audit::Memo;
/// let memo = Memo::new(|| 0.0);
/// let make = || Ok::<_, String>(vec![1.0, 2.0]);
/// assert_eq!(memo.get_or_make("codes", 2, make).unwrap().len(), 2);
/// // The second time nothing is made, and it costs as much.
/// assert_eq!(memo.get_or_make("codes", 2, || Err::<Vec<f64>, _>("made again".to_owned())).unwrap()[1], 2.0);
/// assert_eq!(memo.take_costs().1, 4);
/// ```
pub struct Memo {
    clock: fn() -> f64,
    kept: RefCell<BTreeMap<&'static str, MemoEntry>>,
    /// Seconds of what was found made already, less those of what was made for the first time.
    seconds: Cell<f64>,
    evaluations: Cell<u64>,
}

#[derive(Clone)]
struct MemoEntry {
    value: Rc<dyn Any>,
    seconds: f64,
    evaluations: u64,
}

impl Memo {
    /// Nothing yet. `clock` says seconds.
    #[must_use]
    pub fn new(clock: fn() -> f64) -> Self {
        Self { clock, kept: RefCell::default(), seconds: Cell::new(0.0), evaluations: Cell::new(0) }
    }

    /// What is kept under a name, made if it is not there yet; `evaluations` is what making it takes (prompts passed
    /// through a model, rows encoded).
    ///
    /// # Errors
    /// What `make` fails with; nothing is kept then.
    pub fn get_or_make<T: 'static, E>(
        &self,
        name: &'static str,
        evaluations: u64,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Rc<T>, E> {
        let kept = self.kept.borrow().get(name).cloned();
        if let Some(kept) = kept
            && let Ok(value) = kept.value.downcast::<T>()
        {
            self.seconds.set(self.seconds.get() + kept.seconds);
            self.add_evaluations(kept.evaluations);
            return Ok(value);
        }
        let before = (self.seconds.get(), self.evaluations.get());
        let began = (self.clock)();
        let value = Rc::new(make()?);
        // What was taken from here on the way counts for this, too.
        let seconds = (self.clock)() - began + self.seconds.get() - before.0;
        let own = self.evaluations.get() - before.1 + evaluations;
        let kept = MemoEntry { value: value.clone(), seconds, evaluations: own };
        self.kept.borrow_mut().insert(name, kept);
        self.add_evaluations(evaluations);
        Ok(value)
    }

    /// The clock's seconds: what several subjects share is timed by whoever makes it.
    #[must_use]
    pub fn now(&self) -> f64 {
        (self.clock)()
    }

    /// Counts seconds that another subject took for what this one found made.
    pub fn add_saved_seconds(&self, seconds: f64) {
        self.seconds.set(self.seconds.get() + seconds);
    }

    /// Counts evaluations that are made for one metric alone.
    pub fn add_evaluations(&self, evaluations: u64) {
        self.evaluations.set(self.evaluations.get() + evaluations);
    }

    /// Seconds saved and evaluations counted since the last time this was asked.
    pub fn take_costs(&self) -> (f64, u64) {
        (self.seconds.replace(0.0), self.evaluations.replace(0))
    }

    /// Measures something: its value, its seconds as if nothing had been kept, its evaluations.
    pub fn measure<T>(&self, measure: impl FnOnce() -> T) -> (T, f64, u64) {
        self.take_costs();
        let began = (self.clock)();
        let value = measure();
        let own = (self.clock)() - began;
        let (saved, evaluations) = self.take_costs();
        (value, own + saved, evaluations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static NOW: Cell<f64> = const { Cell::new(0.0) };
    }

    fn pass(seconds: f64) {
        NOW.set(NOW.get() + seconds);
    }

    #[test]
    fn what_is_shared_costs_every_metric_as_much() {
        let memo = Memo::new(|| NOW.get());
        let metric = |own: f64| {
            let shared = memo.get_or_make("shared", 10, || {
                let inner = memo.get_or_make("inner", 5, || {
                    pass(2.0);
                    Ok::<_, ()>(1)
                })?;
                pass(1.0);
                Ok::<_, ()>(*inner)
            });
            pass(own);
            shared.map(|shared| *shared)
        };
        assert_eq!(memo.measure(|| metric(0.5)), (Ok(1), 3.5, 15));
        assert_eq!(memo.measure(|| metric(0.25)), (Ok(1), 3.25, 15));
        let inner = || memo.get_or_make("inner", 5, || Err::<i32, ()>(())).map(|inner| *inner);
        assert_eq!(memo.measure(inner), (Ok(1), 2.0, 5));
    }

    #[test]
    fn what_another_subject_took_counts() {
        let memo = Memo::new(|| NOW.get());
        let metric = || {
            let make = || {
                memo.add_saved_seconds(4.0);
                pass(1.0);
                Ok::<_, ()>(1)
            };
            memo.get_or_make("texts", 0, make).map(|texts| *texts)
        };
        assert_eq!(memo.measure(metric), (Ok(1), 5.0, 0));
        assert_eq!(memo.measure(metric), (Ok(1), 5.0, 0));
    }

    #[test]
    fn what_failed_is_not_kept() {
        let memo = Memo::new(|| 0.0);
        assert_eq!(memo.get_or_make("it", 1, || Err::<u8, _>("no")).unwrap_err(), "no");
        assert_eq!(*memo.get_or_make("it", 1, || Ok::<_, ()>(3_u8)).unwrap(), 3);
    }
}

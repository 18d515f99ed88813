/// The k largest of numbers that come by one after the other; of equal ones those that came first.
#[derive(Clone, Debug)]
pub(super) struct TopK {
    k: usize,
    /// By falling key: key, index, and what stands beside it.
    held: Vec<(f64, usize, f64)>,
}

impl TopK {
    pub fn new(k: usize) -> Self {
        Self { k, held: Vec::new() }
    }

    /// Comes by: `key` decides, `beside` is kept.
    #[inline]
    pub fn offer(&mut self, key: f64, index: usize, beside: f64) {
        let full = self.held.len() >= self.k;
        if full && self.held.last().is_none_or(|(least, _, _)| key <= *least) {
            return;
        }
        let place = self.held.partition_point(|(held, _, _)| *held >= key);
        self.held.insert(place, (key, index, beside));
        self.held.truncate(self.k);
    }

    /// (key, index, what stood beside it), the largest first.
    pub fn entries(&self) -> &[(f64, usize, f64)] {
        &self.held
    }

    /// The indices alone, ascending.
    pub fn indices(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = self.held.iter().map(|(_, index, _)| *index).collect();
        indices.sort_unstable();
        indices
    }
}

/// Indices of the k largest of a list, ascending; of equal ones the first.
pub(super) fn top_k_indices(k: usize, values: impl IntoIterator<Item = f64>) -> Vec<usize> {
    let mut found = TopK::new(k);
    values.into_iter().enumerate().for_each(|(index, value)| found.offer(value, index, value));
    found.indices()
}

/// The Jaccard index of two ascending lists without repetitions; none of two empty ones.
pub(super) fn jaccard(a: &[usize], b: &[usize]) -> Option<f64> {
    let both = a.iter().filter(|index| b.binary_search(index).is_ok()).count();
    let either = a.len() + b.len() - both;
    (either > 0).then(|| both as f64 / either as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumpyRng;
    use crate::order::argsort_descending;

    #[test]
    fn the_largest_are_the_first_of_the_falling_order() {
        let mut rng = NumpyRng::new(4);
        for k in [0, 1, 3, 20, 40] {
            // Few different values, so that many tie.
            let values: Vec<f64> = (0..30).map(|_| f64::from(rng.next_word() % 7)).collect();
            let mut wanted = argsort_descending(values.iter().copied());
            wanted.truncate(k);
            let mut found = TopK::new(k);
            values.iter().enumerate().for_each(|(at, value)| found.offer(*value, at, 0.0));
            let order: Vec<usize> = found.entries().iter().map(|(_, index, _)| *index).collect();
            assert_eq!(order, wanted);
            wanted.sort_unstable();
            assert_eq!(top_k_indices(k, values), wanted);
        }
    }

    #[test]
    fn jaccard_of_sets() {
        assert_eq!(jaccard(&[0, 2, 5], &[2, 3, 5, 9]), Some(0.4));
        assert_eq!(jaccard(&[], &[1]), Some(0.0));
        assert_eq!(jaccard(&[], &[]), None);
    }
}

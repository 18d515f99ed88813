//! Orders of numbers, through one sort: a sort by a comparison of its own is compiled anew wherever it
//! stands, several kilobytes apiece, and the page loads them all before it draws.

/// Bits that sort as [`f64::total_cmp`] does.
#[must_use]
pub const fn sort_key(value: f64) -> u64 {
    let bits = value.to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

/// The number of a [`sort_key`].
const fn number_from_sort_key(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key ^ (1 << 63) } else { !key })
}

/// Indices by rising key, equal ones by index.
#[inline(never)]
#[must_use]
pub fn argsort(keys: Vec<u64>) -> Vec<usize> {
    let mut order: Vec<(u64, usize)> = keys.into_iter().zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, index)| index).collect()
}

/// Indices by rising value as [`f64::total_cmp`] has it, equal ones by index.
#[must_use]
pub fn argsort_ascending(values: impl IntoIterator<Item = f64>) -> Vec<usize> {
    argsort(values.into_iter().map(sort_key).collect())
}

/// Indices by falling value as [`f64::total_cmp`] has it, equal ones by index.
#[must_use]
pub fn argsort_descending(values: impl IntoIterator<Item = f64>) -> Vec<usize> {
    argsort(values.into_iter().map(|value| !sort_key(value)).collect())
}

/// Sorts indices by falling value, equal ones as they were; an index of no value counts as of 0.
pub fn sort_indices_descending(order: &mut [usize], values: &[f64]) {
    let before = order.to_vec();
    let value = |index: &usize| values.get(*index).copied().unwrap_or_default();
    for (place, from) in order.iter_mut().zip(argsort_descending(before.iter().map(value))) {
        *place = before[from];
    }
}

/// The values in ascending order as [`f64::total_cmp`] has it.
#[must_use]
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut keys: Vec<u64> = values.into_iter().map(sort_key).collect();
    keys.sort_unstable();
    keys.into_iter().map(number_from_sort_key).collect()
}

/// The first of the greatest values.
pub fn argmax(values: &[f64]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (i, value) in values.iter().enumerate() {
        if value.is_finite() && best.is_none_or(|(_, most)| *value > most) {
            best = Some((i, *value));
        }
    }
    best.map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: [f64; 12] = [
        0.5,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        0.0,
        -1.0,
        0.5,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
        -5e-324,
        -f64::NAN,
        1e300,
    ];

    #[test]
    fn keys_order_as_total_cmp_does() {
        for a in ODD {
            assert_eq!(number_from_sort_key(sort_key(a)).to_bits(), a.to_bits());
            for b in ODD {
                assert_eq!(sort_key(a).cmp(&sort_key(b)), a.total_cmp(&b), "{a} and {b}");
            }
        }
    }

    #[test]
    fn orders_are_those_of_stable_sorts() {
        let mut expected: Vec<usize> = (0..ODD.len()).collect();
        expected.sort_by(|a, b| ODD[*a].total_cmp(&ODD[*b]));
        assert_eq!(argsort_ascending(ODD), expected);
        expected.sort_unstable();
        expected.sort_by(|a, b| ODD[*b].total_cmp(&ODD[*a]));
        assert_eq!(argsort_descending(ODD), expected);

        let mut values = ODD;
        values.sort_by(f64::total_cmp);
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&sorted(ODD)), bits(&values));
        assert_eq!(argsort(vec![2, 1, 2, 0]), [3, 1, 0, 2]);
    }
}

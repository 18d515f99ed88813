/// A text's activation: that of the token where it is largest in size, with its sign; the first of equal
/// ones. Padding is left out before. Nothing where there is no token, or one is no finite number.
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::metric::max_abs_pool;
/// assert_eq!(max_abs_pool(&[0.1, -3.0, 2.0]), Some(-3.0));
/// assert_eq!(max_abs_pool(&[]), None);
/// ```
#[must_use]
pub fn max_abs_pool(tokens: &[f64]) -> Option<f64> {
    if tokens.iter().any(|activation| !activation.is_finite()) {
        return None;
    }
    let mut tokens = tokens.iter().copied();
    let first = tokens.next()?;
    Some(tokens.fold(first, |most, next| if next.abs() > most.abs() { next } else { most }))
}

//! Lists of numbers as text, short and exact.

use super::{ListSpan, format_number, read_number};

/// Decimals up to which values are laid out exactly: 10¹⁵ is below 2⁵³, so quotients are rounded once.
const DECIMALS_MAX: u32 = 15;
/// Largest whole number up to which quotients are rounded once.
const EXACT_MAX: i64 = 1 << 53;
/// Fewest values that are worth a grid.
const GRID_VALUES_MIN: usize = 4;

pub fn format_list(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|value| format_number(*value)).collect();
    texts.join(",")
}

/// Values: as a grid where that gives every one of them back to the last bit, otherwise as a list.
pub fn format_grid(values: &[f64]) -> String {
    if let (GRID_VALUES_MIN.., Some(&first), Some(&last)) = (values.len(), values.first(), values.last()) {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if expand_grid(first, last, values.len()).iter().zip(values).all(same) {
            return format!("{}..{}x{}", format_number(first), format_number(last), values.len());
        }
    }
    format_list(values)
}

/// Reads `first..lastxcount`; none where it is not that.
pub fn read_grid(text: &str, span: ListSpan) -> Option<Vec<f64>> {
    let (first, rest) = text.split_once("..")?;
    let (last, count) = rest.split_once('x')?;
    let (first, last) = (read_number(first)?, read_number(last)?);
    let count: usize = count.parse().ok()?;
    let fits = span.contains(first) && span.contains(last) && (1..=span.count_max).contains(&count);
    fits.then(|| expand_grid(first, last, count))
}

/// `count` values from `first` to `last`: the exact decimals where the step has a finite number of
/// them (0, 0.05, 0.1, …), otherwise as `numpy.linspace` lays them.
fn expand_grid(first: f64, last: f64, count: usize) -> Vec<f64> {
    let steps = count.saturating_sub(1);
    if steps == 0 {
        return vec![first + 0.0];
    }
    if let Some(exact) = decimal_grid(first, last, steps as i64) {
        return exact;
    }
    let step = (last - first) / steps as f64;
    let mut out: Vec<f64> = (0..steps).map(|index| index as f64 * step + first).collect();
    out.push(last);
    out
}

fn decimal_grid(first: f64, last: f64, steps: i64) -> Option<Vec<f64>> {
    let (first_digits, last_digits) = (decimal_digits(first)?, decimal_digits(last)?);
    let least = first_digits.1.max(last_digits.1);
    (least..=DECIMALS_MAX).find_map(|decimals| {
        let scaled = |(digits, of): (i64, u32)| {
            let scaled = digits.checked_mul(10i64.checked_pow(decimals - of)?)?;
            (scaled.abs() <= EXACT_MAX).then_some(scaled)
        };
        let (first, last) = (scaled(first_digits)?, scaled(last_digits)?);
        let step = ((last - first) % steps == 0).then(|| (last - first) / steps)?;
        let unit = 10i64.checked_pow(decimals)? as f64;
        Some((0..=steps).map(|index| (first + index * step) as f64 / unit).collect())
    })
}

/// A value as whole digits and how many of them are decimals; none where there are too many.
fn decimal_digits(value: f64) -> Option<(i64, u32)> {
    let text = value.to_string();
    let decimals = text.split_once('.').map_or("", |(_, decimals)| decimals);
    let count = u32::try_from(decimals.len()).ok().filter(|count| *count <= DECIMALS_MAX)?;
    Some((text.replace('.', "").parse().ok()?, count))
}

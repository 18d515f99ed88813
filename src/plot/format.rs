//! Numbers as text: the one place that decides digits, signs and what stands for "no value".

/// Three decimals, as the paper prints; a true minus; no negative zero; "–" for no number.
pub(crate) fn fixed3(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let magnitude = value.abs();
    let text = if magnitude >= 1e5 {
        format!("{value:.2e}")
    } else if magnitude >= 1e3 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    };
    normalise_minus(text)
}

/// Three decimals or fewer, as [`fixed3`].
pub(crate) fn fixed(value: f64, digits: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e3 {
        return fixed3(value);
    }
    format_decimals(value, digits)
}

/// "p = 0.012", "p < 0.001".
pub(crate) fn format_p_value(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "p < 0.001".to_owned(),
        Some(p) => format!("p = {}", fixed3(p)),
        None => "no p-value".to_owned(),
    }
}

/// Up to four decimals, without trailing zeros.
pub(crate) fn format_trimmed(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    normalise_minus(text.to_owned())
}

/// A given number of decimals, for the ticks of an axis.
pub(crate) fn format_decimals(value: f64, digits: usize) -> String {
    normalise_minus(format!("{value:.digits$}"))
}

/// A level as Table 3 prints it, two decimals, or more where two do not tell it.
pub(crate) fn format_level(value: f64) -> String {
    if (value * 100.0 - (value * 100.0).round()).abs() < 1e-9 { format!("{value:.2}") } else { format_trimmed(value) }
}

/// How many there are of something, in groups of three digits.
pub(crate) fn format_grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number at full precision.
pub(crate) fn format_exact(value: f64) -> String {
    if value.is_finite() { normalise_minus(format!("{value}")) } else { "–".to_owned() }
}

/// Replaces the hyphen by a minus, and "−0.000" by "0.000".
fn normalise_minus(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// How far a study is of which only some parts are there: what these say is often the contrary of what all of them say.
/// None where all are.
pub(crate) fn unfinished_note((done, all): (usize, usize), things: &str) -> Option<String> {
    (done < all).then(|| format!("{done} of {all} {things} are measured. The summary follows when all are."))
}

/// "a", "a and b", "a, b and c".
pub(crate) fn join_with_and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// "Standard".
pub(crate) fn capitalise_name(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// "1 level", "8 levels".
pub(crate) fn format_with_noun(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Seconds as people say them.
pub(crate) fn format_seconds(value: f64) -> String {
    match value {
        value if value < 9.95e-4 => format!("{} µs", fixed(value * 1e6, 0)),
        value if value < 0.995 => {
            format!("{} ms", fixed(value * 1e3, if value < 0.01 { 1 } else { 0 }))
        }
        value => format!("{} s", fixed(value, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_like_the_paper() {
        assert_eq!(fixed3(0.9049962), "0.905");
        assert_eq!(fixed3(-0.0001), "0.000");
        assert_eq!(fixed3(-0.25), "−0.250");
        assert_eq!(fixed3(-53.21), "−53.210");
        assert_eq!(fixed3(2e7), "2.00e7");
        assert_eq!(fixed3(f64::NAN), "–");
        assert_eq!(fixed3(f64::INFINITY), "–");
        assert_eq!(fixed(0.9049962, 2), "0.90");
        assert_eq!(format_exact(0.1), "0.1");
        assert_eq!([0, 100, 1_000, 1_234_567].map(format_grouped), ["0", "100", "1,000", "1,234,567"]);
    }

    #[test]
    fn levels_print_as_many_decimals_as_they_need() {
        assert_eq!(format_level(0.85), "0.85");
        assert_eq!(format_level(0.0), "0.00");
        assert_eq!(format_level(0.125), "0.125");
        assert_eq!(format_trimmed(0.5), "0.5");
    }
}

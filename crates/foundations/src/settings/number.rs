//! Numbers as text, short and exact.

/// Longest number that is written out; a longer one takes an exponent.
const PLAIN_LENGTH_MAX: usize = 20;

/// The shortest digits that give this number back.
pub fn format_number(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() <= PLAIN_LENGTH_MAX { plain } else { format!("{value:e}") }
}

/// Reads a number: digits, a sign, a decimal point, an exponent, and nothing else. One too large is
/// infinite.
pub fn read_number(text: &str) -> Option<f64> {
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let plain = !text.is_empty() && text.bytes().all(plain);
    plain.then(|| parse_correctly_rounded(text)).filter(|value| !value.is_nan())
}

#[cfg(not(target_arch = "wasm32"))]
fn parse_correctly_rounded(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// The browser reads numbers to the same bits, and has the tables for it already.
#[cfg(target_arch = "wasm32")]
fn parse_correctly_rounded(text: &str) -> f64 {
    wasm_bindgen::JsValue::from_str(text).unchecked_into_f64()
}

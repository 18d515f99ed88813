//! GPT-2's way to write bytes as characters that can be seen.

use std::collections::HashMap;

/// Bytes that are written as the character of their number; the others follow from U+0100 on, in order.
fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

/// Each character's byte.
pub fn byte_alphabet() -> HashMap<char, u8> {
    let seen = (0..=u8::MAX).filter(|byte| is_printable(*byte)).map(|byte| (char::from(byte), byte));
    let unseen = ('\u{100}'..).zip((0..=u8::MAX).filter(|byte| !is_printable(*byte)));
    seen.chain(unseen).collect()
}

/// The bytes that a token is written for; nothing where one of its characters is no byte's.
pub fn token_bytes(alphabet: &HashMap<char, u8>, token: &str) -> Option<Box<[u8]>> {
    token.chars().map(|c| alphabet.get(&c).copied()).collect()
}

//! What digests of results are made of: a hash of each group of numbers, five characters a group. Each
//! study names its own groups.

use crate::hash::Fnv;

/// Bits kept of each group's hash: five characters of five.
const BITS_PER_GROUP: u32 = 25;
/// Characters of a group.
const LETTERS_PER_GROUP: usize = 5;
/// Crockford's base 32, small: no i, l, o, u, which read like others.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The hash of some results.
pub(crate) struct ResultHash(Fnv);

impl ResultHash {
    pub const EMPTY: Self = Self(Fnv::OFFSET_BASIS);

    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn update_count(&mut self, count: usize) {
        self.update(&(count as u64).to_le_bytes());
    }

    /// The bits of a number; a NaN's, which targets may choose, are always the same.
    pub fn update_real(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
        self.update(&bits.to_le_bytes());
    }

    /// The top bits, after every bit of the state has had its say in them.
    pub fn finish(self) -> u32 {
        (self.0.mixed_value() >> (u64::BITS - BITS_PER_GROUP)) as u32
    }
}

/// The hashes of groups as text: `2k9ah-0pq3v-zz81d`.
pub(crate) fn format_groups(groups: impl IntoIterator<Item = u32>) -> String {
    let mut text = String::new();
    for (index, group) in groups.into_iter().enumerate() {
        if index > 0 {
            text.push('-');
        }
        for shift in (0..BITS_PER_GROUP).step_by(5).rev() {
            text.push(char::from(ALPHABET[(group >> shift) as usize % ALPHABET.len()]));
        }
    }
    text
}

/// The hashes of so many groups; none where the text is not what [`print`] writes.
pub(crate) fn parse_groups(text: &str, count: usize) -> Option<Vec<u32>> {
    let groups = text.split('-').map(|group| {
        let fits = group.len() == LETTERS_PER_GROUP;
        fits.then(|| {
            group.bytes().try_fold(0, |sum, byte| {
                let value = ALPHABET.iter().position(|letter| *letter == byte)?;
                Some(sum << 5 | value as u32)
            })
        })?
    });
    // No more than are wanted are looked at, and one.
    let groups: Vec<u32> = groups.take(count + 1).collect::<Option<_>>()?;
    (groups.len() == count).then_some(groups)
}

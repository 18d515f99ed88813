//! FNV-1a with 64 bits: a short fingerprint of bytes, the same everywhere. It tells that two things
//! differ, not who made them.

/// The state of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// Of no bytes at all.
    pub const OFFSET_BASIS: Self = Self(0xcbf2_9ce4_8422_2325);

    // One copy in the page, not one a caller.
    #[inline(never)]
    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// As it stands.
    pub fn value(self) -> u64 {
        self.0
    }

    /// After every bit of the state has had its say in every other (MurmurHash3's finaliser).
    pub fn mixed_value(self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        mixed ^ mixed >> 33
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv;

    #[test]
    fn it_is_the_published_function() {
        let of = |text: &str| {
            let mut hash = Fnv::OFFSET_BASIS;
            hash.update(text.as_bytes());
            hash.value()
        };
        // From the reference tables of its authors.
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    }
}

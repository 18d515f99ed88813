use std::fmt::{self, Write as _};

/// Constructors of an error's variants whose fields are all texts, and who may call them: `pub name => Variant { fields };`.
#[doc(hidden)]
#[macro_export]
macro_rules! text_constructors {
    ($($vis:vis $name:ident => $variant:ident { $($field:ident),+ };)+) => {
        $(#[doc = concat!("[`Self::", stringify!($variant), "`] of these.")]
        $vis fn $name($($field: impl Into<String>),+) -> Self {
            Self::$variant { $($field: $field.into()),+ }
        })+
    };
}
pub use text_constructors;

/// Text that comes from a file, as part of one line: what steers a terminal or the direction of writing is
/// escaped, and long text is cut.
pub struct EscapedText<'a>(pub &'a str);

impl fmt::Display for EscapedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(self.0, 300, f)
    }
}

/// What is allowed, as part of one line: our own words, which may be long, and at times what a file said before.
pub struct EscapedRule<'a>(pub &'a str);

impl fmt::Display for EscapedRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(self.0, 3_000, f)
    }
}

/// At most `chars_max` characters of a text, those escaped that steer.
fn write_escaped(text: &str, chars_max: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, c) in text.chars().enumerate() {
        if index == chars_max {
            return f.write_char('…');
        }
        let steers = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}');
        if c.is_control() || steers {
            write!(f, "{}", c.escape_unicode())?;
        } else {
            f.write_char(c)?;
        }
    }
    Ok(())
}

/// Why a file is refused: which file, where in it, what was found, what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// It is none of the formats.
    #[error("{}: {}; allowed: .npy, .npz, .safetensors, .pt or .csv", EscapedText(file), EscapedText(found))]
    Format {
        /// The file.
        file: String,
        /// How it begins.
        found: String,
    },
    /// It ends too early.
    #[error("{}, byte {at}: {} needs {needed} bytes, but {held} are left", EscapedText(file), EscapedText(what))]
    Truncated {
        /// The file.
        file: String,
        /// What should be there.
        what: String,
        /// Where it should begin.
        at: u64,
        /// Bytes that it takes.
        needed: u64,
        /// Bytes there are.
        held: u64,
    },
    /// Its header cannot be understood.
    #[error("{}, byte {at}: {}; allowed: {}", EscapedText(file), EscapedText(found), EscapedRule(allowed))]
    Header {
        /// The file.
        file: String,
        /// Where.
        at: u64,
        /// What is there.
        found: String,
        /// What may be.
        allowed: String,
    },
    /// A pickle of PyTorch's asks for more than tensors, or for tensors that cannot be.
    #[error(
        "{}, byte {at} of its pickle: {}; allowed: {}",
        EscapedText(file),
        EscapedText(found),
        EscapedRule(allowed)
    )]
    Pickle {
        /// The file.
        file: String,
        /// Where in the pickle.
        at: u64,
        /// What is there.
        found: String,
        /// What may be.
        allowed: String,
    },
    /// An array is of numbers that are not read.
    #[error(
        "{}, {}: numbers of type {}; allowed: float16, bfloat16, float32, float64 \
         and whole numbers",
        EscapedText(file),
        EscapedText(array),
        EscapedText(found)
    )]
    DType {
        /// The file.
        file: String,
        /// The array.
        array: String,
        /// Its type, as the file has it.
        found: String,
    },
    /// An array's shape is no matrix's, or does not fit its bytes or another array.
    #[error(
        "{}, {}: shape {}; allowed: {}",
        EscapedText(file),
        EscapedText(array),
        EscapedText(found),
        EscapedRule(allowed)
    )]
    Shape {
        /// The file.
        file: String,
        /// The array.
        array: String,
        /// Its shape.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// An entry is NaN or infinite, or becomes so in the precision in which it is read.
    #[error("{}, {}, row {row}, column {column}: {value}; allowed: {allowed}", EscapedText(file), EscapedText(array))]
    NonFinite {
        /// The file.
        file: String,
        /// The array.
        array: String,
        /// Row of the first such entry, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// The entry.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// It takes more memory than it may.
    #[error("{}: {} takes {needed} bytes; allowed: {cap}", EscapedText(file), EscapedText(what))]
    TooLarge {
        /// The file.
        file: String,
        /// What takes it.
        what: String,
        /// How much.
        needed: u64,
        /// How much is allowed.
        cap: u64,
    },
    /// It has no such array.
    #[error("{} has {}; {} is needed", EscapedText(file), EscapedText(held), EscapedRule(wanted))]
    Missing {
        /// The file.
        file: String,
        /// What was looked for.
        wanted: String,
        /// The arrays there are.
        held: String,
    },
    /// A zip archive or one of its entries cannot be read.
    #[error("{}, {}: {}", EscapedText(file), EscapedText(entry), EscapedText(reason))]
    Archive {
        /// The file.
        file: String,
        /// The entry, or the directory.
        entry: String,
        /// What is wrong.
        reason: String,
    },
    /// A cell of a text file is not a number, or a line has another number of cells.
    #[error("{}, line {line}: {}; allowed: {}", EscapedText(file), EscapedText(found), EscapedRule(allowed))]
    Text {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is there.
        found: String,
        /// What may be.
        allowed: String,
    },
    /// A value of a file of JSON is of another type, or out of its range.
    #[error("{}, {}: {}; allowed: {}", EscapedText(file), EscapedText(field), EscapedText(found), EscapedRule(allowed))]
    Field {
        /// The file.
        file: String,
        /// Where in it: the keys on the way, between points.
        field: String,
        /// What is there.
        found: String,
        /// What may be.
        allowed: String,
    },
    /// The bytes could not be had.
    #[error("cannot read {} at byte {at}: {}", EscapedText(file), EscapedText(reason))]
    Unreadable {
        /// The file.
        file: String,
        /// Where.
        at: u64,
        /// Why not.
        reason: String,
    },
}

impl IoError {
    /// [`IoError::Text`] of these.
    pub fn text(file: impl Into<String>, line: u64, found: impl Into<String>, allowed: impl Into<String>) -> Self {
        let (file, found, allowed) = (file.into(), found.into(), allowed.into());
        Self::Text { file, line, found, allowed }
    }

    text_constructors! {
        pub field => Field { file, field, found, allowed };
        pub archive => Archive { file, entry, reason };
    }

    /// The bytes of a file could not be had from its first on.
    pub fn unreadable(file: impl Into<String>, reason: impl ToString) -> Self {
        Self::Unreadable { file: file.into(), at: 0, reason: reason.to_string() }
    }

    /// A stable code, e.g. `io.truncated`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format { .. } => "io.format",
            Self::Truncated { .. } => "io.truncated",
            Self::Header { .. } => "io.header",
            Self::Pickle { .. } => "io.pickle",
            Self::DType { .. } => "io.dtype",
            Self::Shape { .. } => "io.shape",
            Self::NonFinite { .. } => "io.non-finite",
            Self::TooLarge { .. } => "io.too-large",
            Self::Missing { .. } => "io.missing",
            Self::Archive { .. } => "io.archive",
            Self::Text { .. } => "io.text",
            Self::Field { .. } => "io.field",
            Self::Unreadable { .. } => "io.unreadable",
        }
    }

    /// The file that is refused.
    #[must_use]
    pub fn file_name(&self) -> &str {
        match self {
            Self::Format { file, .. }
            | Self::Truncated { file, .. }
            | Self::Header { file, .. }
            | Self::Pickle { file, .. }
            | Self::DType { file, .. }
            | Self::Shape { file, .. }
            | Self::NonFinite { file, .. }
            | Self::TooLarge { file, .. }
            | Self::Missing { file, .. }
            | Self::Archive { file, .. }
            | Self::Text { file, .. }
            | Self::Field { file, .. }
            | Self::Unreadable { file, .. } => file,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of files may come out of an archive, and names of arrays out of any file.
    #[test]
    fn nothing_that_a_file_says_steers_the_line_that_refuses_it() {
        let hostile = || format!("a\n\u{1b}[2J\u{202e}{}", "x".repeat(9_000));
        let (file, what, found, allowed) = (hostile(), hostile(), hostile(), hostile());
        let (array, entry, field, held) = (hostile(), hostile(), hostile(), hostile());
        let (wanted, reason, value) = (hostile(), hostile(), "NaN".to_owned());
        let all = [
            IoError::Format { file: file.clone(), found: found.clone() },
            IoError::Truncated { file: file.clone(), what: what.clone(), at: 1, needed: 2, held: 1 },
            IoError::Header { file: file.clone(), at: 1, found: found.clone(), allowed: allowed.clone() },
            IoError::Pickle { file: file.clone(), at: 1, found: found.clone(), allowed: allowed.clone() },
            IoError::DType { file: file.clone(), array: array.clone(), found: found.clone() },
            IoError::Shape { file: file.clone(), array: array.clone(), found: found.clone(), allowed: allowed.clone() },
            IoError::NonFinite { file: file.clone(), array, row: 0, column: 0, value, allowed: "finite numbers" },
            IoError::TooLarge { file: file.clone(), what, needed: 2, cap: 1 },
            IoError::Missing { file: file.clone(), wanted, held },
            IoError::archive(file.clone(), entry, reason.clone()),
            IoError::text(file.clone(), 1, found.clone(), allowed.clone()),
            IoError::field(file.clone(), field, found, allowed),
            IoError::unreadable(file, reason),
        ];
        for error in all {
            let text = error.to_string();
            assert!(!text.contains(['\n', '\u{1b}', '\u{202e}']) && text.len() < 5_000, "{text}");
        }
    }
}

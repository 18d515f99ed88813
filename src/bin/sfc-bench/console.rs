//! What is printed, and said on standard error.

use std::borrow::Cow;
use std::io::{self, Write};

/// Says a sentence on standard error. Where nobody can be told (a full disk, a closed pipe), the command goes on
/// all the same.
pub fn print_stderr(sentence: &str) {
    let line = sentence.lines().collect::<Vec<_>>().join(" ");
    let _ = writeln!(io::stderr().lock(), "sfc-bench: {}", escape_controls(&line));
}

/// Prints a text.
pub fn print_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(escape_controls(text).as_bytes())?;
    out.flush()
}

/// A text without characters that steer a terminal: from a file's names and values they would move its cursor,
/// clear it, or set its title. They are written as JSON has them, which JSON reads back. Lines and tabs stay.
fn escape_controls(text: &str) -> Cow<'_, str> {
    let mut after = text.chars().skip(1).map(Some).chain([None]);
    let steers = |c: char, next: Option<char>| match c {
        '\n' | '\t' => false,
        '\r' => next != Some('\n'),
        c => c.is_control(),
    };
    if !text.chars().zip(&mut after).any(|(c, next)| steers(c, next)) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if steers(c, rest.peek().copied()) {
            plain += &format!("\\u{:04x}", u32::from(c));
        } else {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::escape_controls;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(escape_controls("a\tb\r\nλ\n"), "a\tb\r\nλ\n");
        assert_eq!(
            escape_controls("\u{1b}]0;title\u{7}\u{9b}2J\rx\r"),
            "\\u001b]0;title\\u0007\\u009b2J\\u000dx\\u000d"
        );
    }
}

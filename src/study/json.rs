//! JSON that people can read too: one member, heading or row on a line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Deeper lists than this stay on their line: the rows of a document's data.
const INDENT_DEPTH_MAX: usize = 3;

/// Lays out JSON, and writes numbers as the standard library does, in the shortest form that reads
/// back as the same number. (Serde's own way is faster, and 12 KB of tables for the page to load.)
#[derive(Default)]
struct JsonFormatter {
    depth: usize,
    empty: bool,
}

impl JsonFormatter {
    fn open_bracket<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.empty = true;
        writer.write_all(bracket)
    }

    fn close_bracket<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let filled = !self.empty && self.depth <= INDENT_DEPTH_MAX;
        self.depth = self.depth.saturating_sub(1);
        self.empty = false;
        if filled {
            self.new_line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn begin_element<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.empty = false;
        let comma: &[u8] = if first { b"" } else { b"," };
        writer.write_all(comma)?;
        match (self.depth <= INDENT_DEPTH_MAX, first) {
            (true, _) => self.new_line(writer),
            (false, true) => Ok(()),
            (false, false) => writer.write_all(b" "),
        }
    }

    fn new_line<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for &mut JsonFormatter {
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value}")
    }

    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open_bracket(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close_bracket(writer, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_element(writer, first)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open_bracket(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close_bracket(writer, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_element(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

/// A value as JSON, with a last line end.
pub(crate) fn to_json_text(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    let mut layout = JsonFormatter::default();
    let written = value.serialize(&mut Serializer::with_formatter(&mut text, &mut layout));
    // Strings, numbers and lists of them, into memory: nothing here can be refused.
    debug_assert!(written.is_ok(), "{written:?}");
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

//! How far a long command is, where somebody watches: on standard error, if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

use crate::console;
use crate::format::Format;

/// A bar over `total` pieces of work, gone when it is dropped; nothing is drawn where standard error is no
/// terminal.
pub fn progress_bar(what: &'static str, total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos} of {len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.with_finish(indicatif::ProgressFinish::AndClear)
}

/// What a reader must know, on standard error, where what is printed has no place for it.
pub fn print_notes(sentences: &[String]) {
    for sentence in sentences {
        console::print_stderr(sentence);
    }
}

/// What is printed of a run that was stopped, with a word that it is not all: a first line of a table, a
/// member of JSON.
pub fn mark_partial(format: Format, text: &str, said: &str, done: usize, of: usize) -> String {
    match (format, text.strip_prefix("{\n")) {
        (Format::Json, Some(rest)) => {
            format!("{{\n  \"partial\": {{ \"done\": {done}, \"of\": {of} }},\n{rest}")
        }
        _ => format!("Partial: {said}\n{text}"),
    }
}

//! What NumPy programs about the toy model have in common: its language, the model with its
//! autoencoders, and a table that holds their numbers against the core's.
//!
//! The programs are Python's text beside this file and beside the studies; the core writes settings and
//! numbers in front of it. They need nothing but NumPy and the shipped files, which they know by SHA-256,
//! and are plain ASCII.

use super::shipped::FILES;
use super::{DICTIONARIES, LatentKind, NamedDictionary, ToyModelError};
use crate::settings::format_number;

/// Columns a line of a program may take.
const LINE_WIDTH: usize = 100;

/// The planted language, the model with its autoencoders, and the table.
const COMMON_SOURCES: [&str; 3] =
    [include_str!("script/language.py"), include_str!("script/model.py"), include_str!("script/table.py")];

/// A program: what it is, settings and numbers in front (`constants`), what all programs share, and the
/// study's own part. `model` is the name of the checkpoint, `files` are those of autoencoders.
pub(crate) fn numpy_program(what: &str, constants: &str, model: &str, files: &[&str], own: &str) -> String {
    let mut out = format!(
        "#!/usr/bin/env python3
\"\"\"{what}

Written by sfc-bench {}. Run as it is, it reads the model beside it, or in the folder that is its
first argument, computes everything anew in double precision, and prints its numbers above those
that sfc-bench found, which stand in here. The exit status is 0 if all agree.
\"\"\"
import hashlib
import json
import os
import sys

import numpy as np

",
        env!("CARGO_PKG_VERSION")
    );
    out += constants;
    let shipped = FILES.iter().find(|file| file.name == model);
    let model_file = shipped.map_or_else(|| "None".to_owned(), |file| python_string(file.file));
    out += &format!("MODEL = {model_file}\n");
    let wanted = FILES.iter().filter(|file| file.name == model || files.contains(&file.name));
    let digests = wanted.map(|file| format!("{}: {}", python_string(file.file), python_string(file.sha256))).collect();
    out += &wrap_python_list("FILES = {", digests, "}", "by SHA-256", 0);
    for part in COMMON_SOURCES {
        out += part;
    }
    out += own;
    out
}

/// A shipped autoencoder, by its name: a program has no other.
///
/// # Errors
/// [`ToyModelError::Unknown`], also for one that was trained here.
pub(crate) fn shipped_sae(name: &str) -> Result<&'static NamedDictionary, ToyModelError> {
    DICTIONARIES.iter().find(|known| known.name == name).ok_or_else(|| ToyModelError::Unknown {
        field: "sae",
        found: name.to_owned(),
        allowed: DICTIONARIES.map(|known| known.name).join(", "),
    })
}

/// An autoencoder as a program makes it of: its file, what its tensors' names begin with, and how many
/// latents are kept, 0 for all.
pub(crate) fn sae_expression(named: &NamedDictionary) -> String {
    let kept = if let LatentKind::TopK(kept) = named.kind { kept } else { 0 };
    let file = FILES.iter().find(|file| file.name == named.file);
    let file = file.map_or_else(|| "None".to_owned(), |file| python_string(file.file));
    format!("{file}, {}, {kept}", python_string(named.tensors))
}

/// A name that is known not to need escapes.
pub(crate) fn python_string(name: &str) -> String {
    format!("\"{name}\"")
}

/// A number at full precision; what is none, or not finite, is `None`.
pub(crate) fn python_number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "None".to_owned(), format_number)
}

/// Numbers in brackets.
pub(crate) fn python_list(values: impl IntoIterator<Item = f64>) -> String {
    let values: Vec<String> = values.into_iter().map(|one| python_number(Some(one))).collect();
    format!("[{}]", values.join(", "))
}

/// Items between brackets, on as many lines as they take, `indent` columns in; what they are is said behind
/// the first bracket, or above it.
pub(crate) fn wrap_python_list(open: &str, items: Vec<String>, close: &str, about: &str, indent: usize) -> String {
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 4));
    let beside = indent + open.len() + about.chars().count() + 4 <= LINE_WIDTH;
    let mut out = if beside { format!("{outer}{open}  # {about}") } else { format!("{outer}# {about}\n{outer}{open}") };
    let mut column = LINE_WIDTH;
    for item in items {
        if column + item.len() + 2 > LINE_WIDTH {
            out.push('\n');
            out.push_str(&inner);
            column = inner.len();
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(&item);
        out.push(',');
        column += item.len() + 1;
    }
    format!("{out}\n{outer}{close}\n")
}

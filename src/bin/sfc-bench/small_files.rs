//! Small files all together, as a reader of FADE or CE-Bench has them: named one by one, or in folders.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sfc_bench::io::IoError;
use sfc_bench::study::user_file::{BYTES_MAX, FILES_MAX, Table, UserFile, UserFileError};

use crate::format::{BoxError, Format, TextResult, TextTable, to_json};

/// Folders within one another that are looked into.
const FOLDER_DEPTH_MAX: usize = 16;

/// The refusal of what cannot be read.
pub fn unreadable_error(path: &Path, reason: &dyn ToString) -> UserFileError {
    let file = path.display().to_string();
    IoError::Unreadable { file, at: 0, reason: reason.to_string() }.into()
}

/// The files that are named, and those of folders whose names end so; what else a folder has is left.
pub fn read_files(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<UserFile>, BoxError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            collect_files(path, endings, FOLDER_DEPTH_MAX, &mut found)?;
            if found.len() == before {
                let reason = format!("no file in it ends in {}", endings.join(", "));
                return Err(unreadable_error(path, &reason).into());
            }
        } else {
            found.push(path.clone());
        }
    }
    let mut left = BYTES_MAX;
    let mut files = Vec::with_capacity(found.len());
    for path in found {
        let (file, size) = crate::input::open_regular(&path).map_err(|error| unreadable_error(&path, &error))?;
        let needed = BYTES_MAX - left + size;
        left = left.checked_sub(size).ok_or(UserFileError::Memory { what: "the files", needed, cap: BYTES_MAX })?;
        let mut bytes = Vec::with_capacity(size as usize);
        // One that grows meanwhile is read no further.
        file.take(size).read_to_end(&mut bytes).map_err(|error| unreadable_error(&path, &error))?;
        files.push(UserFile { name: path.display().to_string(), bytes });
    }
    Ok(files)
}

/// Files under a folder, in the order of their names.
fn collect_files(folder: &Path, endings: &[&str], depth: usize, found: &mut Vec<PathBuf>) -> Result<(), UserFileError> {
    let wrong = |error: std::io::Error| unreadable_error(folder, &error);
    let entries = fs::read_dir(folder).map_err(wrong)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // A link may lead round in a circle: it is not followed.
        let kind = entry.file_type().map_err(wrong)?;
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        if kind.is_dir() && depth > 0 {
            collect_files(&entry.path(), endings, depth - 1, found)?;
        } else if kind.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(entry.path());
            if found.len() > FILES_MAX {
                return Err(UserFileError::Count { found: found.len() });
            }
        }
    }
    Ok(())
}

/// A report as JSON; the first of its tables as CSV; or all of them under their titles, then sentences.
pub fn format_tables(format: Format, report: &impl Serialize, tables: Vec<Table>, notes: &[String]) -> TextResult {
    match format {
        Format::Json => to_json(report),
        Format::Csv => Ok(tables.first().map(Table::to_csv).unwrap_or_default()),
        Format::Table => {
            let mut text = String::new();
            for Table { title, columns, rows } in tables {
                text += &format!("{title}\n{}", TextTable { columns, rows }.to_table());
            }
            notes.iter().for_each(|note| text += &format!("{note}\n"));
            Ok(text)
        }
    }
}

//! Where an autoencoder's files are, of a folder or a file that is named.

use std::path::Path;

use super::{EvaluationError, SaeFileNames, expect_one_sae};
use crate::io::IoError;
use crate::sae::SaeFolder;
use crate::sae::layout::files::{files_of_weights, find_autoencoders};

/// Folders within one another that are looked into.
const DEPTH_MAX: usize = 4;
/// Files that are looked at.
const FILES_MAX: usize = 10_000;

/// The files of the one autoencoder of a folder, in it or in folders in it; or of the weights that are named, with
/// what lies beside them. `named` gives the name of a path.
///
/// # Errors
/// [`EvaluationError::Layout`] for a folder with none, or with several, which are named; [`EvaluationError::Sae`].
pub fn find_sae_on_disk(path: &Path, named: &dyn Fn(&Path) -> String) -> Result<SaeFileNames, EvaluationError> {
    expect_one_sae(&named(path), find_saes_on_disk(path, named)?)
}

/// The files of all autoencoders of a folder, as a release has several: of those in it or, where there are none, of
/// those in folders in it; or of the weights that are named. None where there are none.
///
/// # Errors
/// [`EvaluationError::Sae`].
pub fn find_saes_on_disk(path: &Path, named: &dyn Fn(&Path) -> String) -> Result<Vec<SaeFileNames>, EvaluationError> {
    let name = named(path);
    if path.is_dir() {
        let mut found = find_autoencoders(&list_files(path, 0, named)?);
        if found.is_empty() {
            found = find_autoencoders(&list_files(path, DEPTH_MAX, named)?);
        }
        if found.is_empty() && path.join(SaeFolder::CONFIG_FILE).exists() {
            // What is wrong with SAELens' weights is told where they are read.
            found.push(files_of_weights(&named(&path.join(SaeFolder::WEIGHTS_FILE)), &list_files(path, 0, named)?));
        }
        return Ok(found);
    }
    // Those above lie beside weights in a folder of checkpoints.
    let mut names = Vec::new();
    for folder in path.ancestors().skip(1).take(2) {
        if folder.as_os_str().is_empty() {
            let here = |path: &Path| named(path.strip_prefix(".").unwrap_or(path));
            names.extend(list_files(Path::new("."), 0, &here).unwrap_or_default());
        } else {
            names.extend(list_files(folder, 0, named).unwrap_or_default());
        }
    }
    Ok(vec![files_of_weights(&name, &names)])
}

/// The files in a folder, and in those in it.
fn list_files(folder: &Path, depth: usize, named: &dyn Fn(&Path) -> String) -> Result<Vec<String>, EvaluationError> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, at)) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| IoError::unreadable(named(&folder), error))?;
        for entry in entries.take(FILES_MAX).flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            // A link may lead round in a circle: one to a folder is not followed.
            if kind.is_ok_and(|kind| kind.is_dir()) {
                if at < depth {
                    open.push((path, at + 1));
                }
            } else if found.len() < FILES_MAX {
                // What is no regular file is refused where it is read.
                found.push(named(&path));
            }
        }
    }
    Ok(found)
}

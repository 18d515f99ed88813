//! FADE on what a reader brings: activations with labels and ratings, and the files that FADE itself writes.
//!
//! [`score_files`] takes files as they were dropped, tells by their names what each is, and makes an
//! [`UserReport`]. Arrays (`.npy`, `.npz`, `.safetensors`, `.csv`) are
//!
//! | name has the word | what it is |
//! |---|---|
//! | `activations`, `acts`, `natural` | a text's activation: N texts, or N texts × F features |
//! | `labels` | 0, 1 or 2 a text: N, or N × F where features have concepts of their own |
//! | `synthetic`, `made`, `generated` | activations of texts that were made from the concept: M, or M × F |
//! | `ratings` | rows of factor, label and, with several features, the feature from 0 on; or, with `factors`, factors × continuations of labels (for F features one such block after the other) |
//! | `factors` | the factors of those rows |
//!
//! in files of their own or as arrays of one. FADE's files are known by their names; they may stand in one
//! folder a feature, as FADE leaves them (`MODULE/INDEX/data/…`). FADE keeps no activations: where
//! those are given together with `texts.json` (a list of the data set's texts, or an object of them by index,
//! in the order of the activations), the ratings label them, and the reported numbers are computed anew.
//!
//! [`parse_settings`] says which of FADE's settings have a part in it: what the note's formula divides by, and whether
//! responsiveness and purity are of all labelled texts or of a sample by activation. No sample is drawn of FADE's own
//! ratings: they are of one already.

mod arrays;
mod options;
mod report;
mod results;

pub use arrays::{FEATURES_MAX, TEXTS_MAX};
pub use options::parse_settings;
pub use report::{FolderReport, LabelCounts, UserDose, UserFeature, UserReport, UserScore};

use super::Settings;
use crate::study::user_file::{ArrayReader, GivenRow, UserFile, UserFileError, check_sizes};
use arrays::ArrayCollector;
use results::ResultCollector;

/// What files are understood, for refusals.
const ALLOWED_FILES: &str = "names with activations, labels, synthetic, ratings or factors among arrays; \
    activation_centric_ratings.json, activation_centric_synthetic_data.json, activation_centric_metrics.json, \
    output_centric_ratings.json, output_centric_metrics.json and texts.json";

/// Scores what the files hold; of the settings, what [`parse_settings`] says has a part in it.
///
/// A file of FADE's that cannot be read is left out and told in [`UserReport::files`]; arrays belong
/// together, and one that is refused refuses all.
///
/// # Errors
/// [`UserFileError`]: for arrays that are refused, contradict one another or whose names say nothing, and where no
/// file at all could be read.
///
/// # Examples
/// ```
/// use sfc_bench::papers::fade::{Settings, user_files::score_files};
/// use sfc_bench::study::user_file::UserFile;
///
/// let file = |name: &str, text: &str| UserFile { name: name.into(), bytes: text.into() };
/// let files = vec![
///     file("activations.csv", "0\n0.5\n2\n3\n"),
///     file("labels.csv", "0\n0\n2\n2\n"),
/// ];
/// let report = score_files(files, &Settings::default())?;
/// let feature = &report.features[0];
/// assert_eq!(feature.responsiveness.code, Some(1.0));
/// assert_eq!(feature.clarity.code, None);
/// # Ok::<(), sfc_bench::study::user_file::UserFileError>(())
/// ```
pub fn score_files(files: Vec<UserFile>, settings: &Settings) -> Result<UserReport, UserFileError> {
    check_sizes(&files, ALLOWED_FILES)?;
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    let (mut arrays, mut results) = (ArrayCollector::default(), ResultCollector::default());
    let mut reader = ArrayReader::new();
    let mut first = None;
    for file in files {
        if file.name.to_ascii_lowercase().ends_with(".json") {
            let name = file.name.clone();
            let (role, outcome) = results.add_file(file);
            let error = outcome.err();
            rows.push(GivenRow::new(&name, role, error.as_ref()));
            first = first.or(error);
            continue;
        }
        let given = reader.classify_arrays(file, ALLOWED_FILES, &mut notes, |array| arrays.add_array(array))?;
        rows.push(given);
    }
    if let Some(error) = first
        && rows.iter().all(|row| row.refused.is_some())
    {
        return Err(error);
    }
    notes.extend(reader.notes);
    results.label_activations(&mut arrays, &mut notes)?;
    let features = arrays.score_features(results.folders.is_empty(), settings)?;
    notes.extend(arrays.no_sample_reason(settings));
    let folders = results.report_folders(&features);
    Ok(UserReport { files: rows, features, folders, notes })
}

//! What somebody brings to a paper: activations with labels, pairs of stories, files that reference programs write.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Map;
use sfc_bench::io::IoError;
use sfc_bench::object;
use sfc_bench::papers::{ce_bench, fade, measurement, mui};
use sfc_bench::study::user_file::{BYTES_MAX, StreamedUserFile, UserFile, UserFileError};

use crate::error::{Refusal, Result};
use crate::evaluate::{PythonFiles, read_python_files};
use crate::run::{ProgressListener, run_with_progress};
use crate::text::{read_json, write_pretty_json};

/// What may be brought.
const ALLOWED_KINDS: &str = "fade, ce-bench, ce-bench-results, mui, mui-law, measurement";

/// Files as they are held whole; what is too large together is not read.
fn read_user_files(names: &[String], given: &PythonFiles<'_>) -> Result<Vec<UserFile>> {
    let mut needed = 0_u64;
    let mut files = Vec::new();
    for name in names {
        let source = given.open_source(name)?;
        needed = needed.saturating_add(source.size());
        if needed > BYTES_MAX {
            return Err(UserFileError::Memory { what: "the files", needed, cap: BYTES_MAX }.into());
        }
        let mut bytes = vec![0; source.size() as usize];
        source.read_at(0, &mut bytes).map_err(|reason| IoError::Unreadable { file: name.clone(), at: 0, reason })?;
        files.push(UserFile { name: name.clone(), bytes });
    }
    Ok(files)
}

fn score_user_files(
    kind: &str,
    names: &[String],
    given: &PythonFiles<'_>,
    asked: &str,
    listener: &mut ProgressListener<'_>,
) -> Result<String> {
    match kind {
        "fade" => {
            let settings = fade::user_files::parse_settings(&read_json::<fade::Draft>("settings", asked)?)?;
            write_pretty_json(&fade::user_files::score_files(read_user_files(names, given)?, &settings)?)
        }
        "ce-bench" => write_pretty_json(&ce_bench::user_files::score_files(read_user_files(names, given)?)?),
        "ce-bench-results" => write_pretty_json(&ce_bench::user_files::read_results(read_user_files(names, given)?)?),
        "mui" => {
            let asked = read_json::<mui::user_files::OptionsDraft>("settings", asked)?.validate()?;
            let files = names
                .iter()
                .map(|name| Ok(StreamedUserFile { name: name.clone(), source: given.open_source(name)?.into() }));
            let files = files.collect::<Result<Vec<_>>>()?;
            let mut tell = |stage: &str, part: f64| listener.report(stage, part);
            write_pretty_json(&mui::user_files::measure_files(files, &asked, &mut tell)?)
        }
        "mui-law" => match read_user_files(names, given)?.as_slice() {
            [file] => write_pretty_json(&mui::user_files::read_law(file)?),
            files => {
                let found = format!("{} files", files.len());
                Err(Refusal::invalid_value("given", found, "one table of models"))
            }
        },
        "measurement" => {
            let json = |error| Refusal::invalid_json("result", &error);
            let mut all = Vec::new();
            for (file, found) in measurement::user_files::read(read_user_files(names, given)?)? {
                all.push(object! {
                    file,
                    #[serde(flatten)]
                    found: serde_json::to_value(found).map_err(json)?,
                });
            }
            let all = serde_json::to_value(all).map_err(json)?;
            write_pretty_json(&Map::from_iter([("found".to_owned(), all)]))
        }
        _ => Err(Refusal::invalid_value("paper", format!("{kind:?}"), ALLOWED_KINDS)),
    }
}

/// What a paper's metrics say of what somebody brings, as the command line prints it: of files by their names, some of
/// them in memory. `asked` says what of neurons, where files of them are brought.
#[pyfunction]
#[pyo3(signature = (kind, names, files, asked, tell = None))]
pub fn own(
    py: Python<'_>,
    kind: &str,
    names: Vec<String>,
    files: &Bound<'_, PyDict>,
    asked: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let held = read_python_files(files)?;
    run_with_progress(py, tell, |listener| {
        score_user_files(kind, &names, &PythonFiles::new(&held, BYTES_MAX), asked, listener)
    })
}

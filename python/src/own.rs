//! What somebody brings to a paper: activations with labels, pairs of stories, files that reference programs write.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Map;
use sfc_bench::io::IoError;
use sfc_bench::object;
use sfc_bench::papers::{ce_bench, fade, measurement, mui};
use sfc_bench::study::user_file::{BYTES_MAX, OwnFile, UserFile, UserFileError};

use crate::error::{Refusal, Result};
use crate::evaluate::{Given, sources};
use crate::run::{Listener, heard};
use crate::text::{pretty, read};

/// What may be brought.
const KINDS: &str = "fade, ce-bench, ce-bench-results, mui, mui-law, measurement";

/// Files as they are held whole; what is too large together is not read.
fn whole(names: &[String], given: &Given<'_>) -> Result<Vec<UserFile>> {
    let mut needed = 0_u64;
    let mut files = Vec::new();
    for name in names {
        let source = given.source(name)?;
        needed = needed.saturating_add(source.size());
        if needed > BYTES_MAX {
            return Err(UserFileError::Memory { what: "the files", needed, cap: BYTES_MAX }.into());
        }
        let mut bytes = vec![0; source.size() as usize];
        source.read_at(0, &mut bytes).map_err(|reason| IoError::Unreadable {
            file: name.clone(),
            at: 0,
            reason,
        })?;
        files.push(UserFile { name: name.clone(), bytes });
    }
    Ok(files)
}

fn found(
    kind: &str,
    names: &[String],
    given: &Given<'_>,
    asked: &str,
    listener: &mut Listener<'_>,
) -> Result<String> {
    match kind {
        "fade" => {
            let settings = fade::own::settings(&read::<fade::Draft>("settings", asked)?)?;
            pretty(&fade::own::read(whole(names, given)?, &settings)?)
        }
        "ce-bench" => pretty(&ce_bench::own::read(whole(names, given)?)?),
        "ce-bench-results" => pretty(&ce_bench::own::results(whole(names, given)?)?),
        "mui" => {
            let asked = read::<mui::own::OptionsDraft>("settings", asked)?.check()?;
            let files = names
                .iter()
                .map(|name| Ok(OwnFile { name: name.clone(), source: given.source(name)?.into() }));
            let files = files.collect::<Result<Vec<_>>>()?;
            let mut tell = |stage: &str, part: f64| listener.hear(stage, part);
            pretty(&mui::own::read(files, &asked, &mut tell)?)
        }
        "mui-law" => match whole(names, given)?.as_slice() {
            [file] => pretty(&mui::own::law(file)?),
            files => {
                let found = format!("{} files", files.len());
                Err(Refusal::value("given", found, "one table of models"))
            }
        },
        "measurement" => {
            let json = |error| Refusal::json("result", &error);
            let mut all = Vec::new();
            for (file, found) in measurement::own::read(whole(names, given)?)? {
                all.push(object! {
                    file,
                    #[serde(flatten)]
                    found: serde_json::to_value(found).map_err(json)?,
                });
            }
            let all = serde_json::to_value(all).map_err(json)?;
            pretty(&Map::from_iter([("found".to_owned(), all)]))
        }
        _ => Err(Refusal::value("paper", format!("{kind:?}"), KINDS)),
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
    let held = sources(files)?;
    heard(py, tell, |listener| found(kind, &names, &Given::of(&held, BYTES_MAX), asked, listener))
}

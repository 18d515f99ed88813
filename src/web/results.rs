//! What readers of FADE and of CE-Bench bring, in one call each: small files in, a report out.
//!
//! `files` is a list of `{name, bytes}`, `bytes` being a `Uint8Array` and `name` a path as a dropped folder gives
//! it (`webkitRelativePath`), since folders tell one feature or dictionary from another. They may have 64 MiB
//! together; a page need not read files that are neither arrays nor JSON. What is refused is thrown as
//! `{code, message, field?}`, `field` being a file's name; of files that stand each for itself, one that is refused
//! is told in the report's `files`, and the others are read.

use std::rc::Rc;

use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, js_error, report_progress, to_js};
use super::evaluate::JsSource;
use crate::lab::audit;
use crate::lab::audit::clock::seconds;
use crate::papers::{ce_bench, fade, measurement};
use crate::study::user_file::{BYTES_MAX, StreamedUserFile, UserFile, UserFileError};

/// Files from JavaScript; their bytes are copied once all of them are known to be few enough.
fn read_files(files: &JsValue) -> Result<Vec<UserFile>, JsValue> {
    let malformed = || {
        let message = "files are a list of {name, bytes}, bytes being a Uint8Array";
        js_error("given.malformed", message, Some("files"))
    };
    let list = files.dyn_ref::<Array>().ok_or_else(malformed)?;
    let mut found = Vec::new();
    for file in list.iter() {
        let name = Reflect::get(&file, &"name".into()).ok().and_then(|name| name.as_string());
        let bytes = Reflect::get(&file, &"bytes".into()).ok();
        let bytes = bytes.and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
        found.push(name.zip(bytes).ok_or_else(malformed)?);
    }
    let needed = found.iter().map(|(_, bytes)| u64::from(bytes.length())).sum();
    if needed > BYTES_MAX {
        return Err(failure_error(&UserFileError::Memory { what: "the files", needed, cap: BYTES_MAX }));
    }
    let copied = found.into_iter().map(|(name, bytes)| UserFile { name, bytes: bytes.to_vec() });
    Ok(copied.collect())
}

/// Files from JavaScript that are read piece by piece: a list of `{name, size, read}`, where `read(offset, length)` returns
/// the `Uint8Array` of that part synchronously, as a worker can.
pub(super) fn open_files(files: &JsValue) -> Result<Vec<StreamedUserFile>, JsValue> {
    let malformed = || {
        let message = "files are a list of {name, size, read}, read(offset, length) returning a Uint8Array";
        js_error("given.malformed", message, Some("files"))
    };
    let list = files.dyn_ref::<Array>().ok_or_else(malformed)?;
    let mut opened = Vec::new();
    for file in list.iter() {
        let get = |key: &str| Reflect::get(&file, &key.into()).ok();
        let name = get("name").and_then(|name| name.as_string()).ok_or_else(malformed)?;
        let size = get("size").and_then(|size| size.as_f64());
        // A float becomes the nearest number there is.
        let size = size.filter(|size| (0.0..=9e15).contains(size)).ok_or_else(malformed)? as u64;
        let read = get("read").and_then(|read| read.dyn_into::<Function>().ok());
        let read = read.ok_or_else(malformed)?;
        opened.push(StreamedUserFile { name, source: Rc::new(JsSource::Parts { size, read }) });
    }
    Ok(opened)
}

/// FADE's scores of activations with labels and ratings, and the files that FADE writes, their numbers beside
/// what is computed anew: a `FadeOwnReport`. Names say what each file is; the library's
/// `papers::fade::user_files` lists them, and which of FADE's settings `draft` may have, if it is given.
#[wasm_bindgen]
pub fn fade_own(files: &JsValue, draft: JsValue) -> Result<JsValue, JsValue> {
    let draft = if draft.is_undefined() { Default::default() } else { from_js("settings", draft)? };
    let settings = fade::user_files::parse_settings(&draft);
    let settings = settings.map_err(|problems| failure_error(&problems))?;
    let report = fade::user_files::score_files(read_files(files)?, &settings).map_err(|error| failure_error(&error))?;
    to_js(&report)
}

/// `results.json` files of CE-Bench, ranked by the share of what their width allows: a
/// `CeBenchResultsReport`.
#[wasm_bindgen]
pub fn ce_results(files: &JsValue) -> Result<JsValue, JsValue> {
    let report = ce_bench::user_files::read_results(read_files(files)?).map_err(|error| failure_error(&error))?;
    to_js(&report)
}

/// CE-Bench's scores of a reader's own story pairs in four readings: a `CeBenchOwnReport`. Names say what each
/// array is; the library's `papers::ce_bench::user_files` lists them.
#[wasm_bindgen]
pub fn ce_own(files: &JsValue) -> Result<JsValue, JsValue> {
    let report = ce_bench::user_files::score_files(read_files(files)?).map_err(|error| failure_error(&error))?;
    to_js(&report)
}

/// What measurement theory's metrics find in a reader's own files, each by the name of what it was found in:
/// `[[name, {metric, found}]]`. The library's `papers::measurement::user_files` lists what may be given.
#[wasm_bindgen]
pub fn measure_own(files: &JsValue) -> Result<JsValue, JsValue> {
    to_js(&measurement::user_files::read(read_files(files)?).map_err(|error| failure_error(&error))?)
}

/// What the audit says of a reader's own autoencoders, or of results that were published, judged by settings: an
/// `AuditGiven`. `files` are as those of MUI, read piece by piece; the library's `lab::audit::user_files` lists what may be given.
/// `tell(stage, part)` hears how far it is, from 0 to 1. Blocks: for workers.
#[wasm_bindgen]
pub fn audit_own(files: &JsValue, settings: JsValue, tell: &Function) -> Result<JsValue, JsValue> {
    let settings: audit::Settings = from_js("settings", settings)?;
    let mut hear = |part: f64| report_progress(tell, "autoencoders", part);
    let found = audit::user_files::audit_files(open_files(files)?, &settings.rule(), seconds, &mut hear);
    to_js(&found.map_err(failure_error)?)
}

#[cfg(test)]
mod tests {
    use js_sys::Object;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    macro_rules! golden {
        ($name:literal) => {
            ($name, &include_bytes!(concat!("../../tests/golden/", $name))[..])
        };
    }

    fn list(files: &[(&str, &[u8])]) -> JsValue {
        let all = files.iter().map(|(name, bytes)| {
            let file = Object::new();
            Reflect::set(&file, &"name".into(), &(*name).into()).unwrap();
            Reflect::set(&file, &"bytes".into(), &Uint8Array::from(*bytes)).unwrap();
            file
        });
        all.collect::<Array>().into()
    }

    fn get(value: &JsValue, key: &str) -> JsValue {
        Reflect::get(value, &key.into()).unwrap()
    }

    fn first(value: &JsValue, key: &str) -> JsValue {
        Array::from(&get(value, key)).get(0)
    }

    #[wasm_bindgen_test]
    fn files_become_reports() {
        let files = list(&[
            golden!("fade_results/own/activations.npy"),
            golden!("fade_results/own/labels.npy"),
            golden!("fade_results/model.layers[3].mlp/7/data/output_centric_ratings.json"),
            golden!("fade_results/model.layers[3].mlp/7/data/output_centric_metrics.json"),
        ]);
        let report = fade_own(&files, JsValue::UNDEFINED).unwrap();
        let responsiveness = get(&first(&report, "features"), "responsiveness");
        assert!(get(&responsiveness, "code").as_f64().unwrap() > 0.0);
        let faithfulness = first(&first(&report, "folders"), "rows");
        assert_eq!(get(&faithfulness, "reported_as").as_string().unwrap(), "NaN");
        assert_eq!(get(&faithfulness, "verdict").as_string().unwrap(), "agrees");

        let report = ce_results(&list(&[
            golden!("ce_bench_results/interpretability_eval/standard_64k/trainer_3/results.json"),
            golden!("ce_bench_results/interpretability_eval/nan/trainer_0/results.json"),
        ]))
        .unwrap();
        assert_eq!(get(&get(&report, "claim"), "holds").as_f64(), Some(1.0));

        let found = measure_own(&list(&[("curve.csv", b"threshold,faithfulness\n0.5,1\n1,1\n")]));
        let curve = Array::from(&Array::from(&found.unwrap()).get(0)).get(1);
        assert_eq!(get(&curve, "metric").as_string().unwrap(), "mib");
        assert_eq!(get(&get(&get(&curve, "found"), "area"), "cpr").as_f64(), Some(0.5));

        let report = ce_own(&list(&[golden!("ce_bench_results/own/pairs.npz")])).unwrap();
        assert_eq!(get(&first(&report, "readings"), "reading").as_string().unwrap(), "v1_marked");
    }

    #[wasm_bindgen_test]
    fn what_is_refused_says_why() {
        let code = |error: JsValue| get(&error, "code").as_string().unwrap();
        assert_eq!(code(fade_own(&JsValue::from("a"), JsValue::UNDEFINED).unwrap_err()), "given.malformed");
        let nameless: JsValue = Array::of1(&Object::new().into()).into();
        assert_eq!(code(ce_own(&nameless).unwrap_err()), "given.malformed");
        assert_eq!(code(ce_results(&list(&[])).unwrap_err()), "given.none");
        let refused = ce_results(&list(&[("results.json", b"{")])).unwrap_err();
        assert_eq!(get(&refused, "field").as_string().unwrap(), "results.json");
        assert_eq!(code(refused), "io.text");
        let large = Object::new();
        Reflect::set(&large, &"name".into(), &"a.npy".into()).unwrap();
        let bytes = Uint8Array::new_with_length(BYTES_MAX as u32 / 2 + 1);
        Reflect::set(&large, &"bytes".into(), &bytes).unwrap();
        let twice: JsValue = Array::of2(&large, &large).into();
        assert_eq!(code(fade_own(&twice, JsValue::UNDEFINED).unwrap_err()), "given.memory");
        let sample = Object::new();
        Reflect::set(&sample, &"sample".into(), &5.into()).unwrap();
        let refused = fade_own(&list(&[]), sample.into()).unwrap_err();
        assert!(get(&refused, "message").as_string().unwrap().contains("unless rated is sampled"));
    }
}

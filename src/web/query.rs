//! What the lab's links say of studies of families and of own files, as text and as somebody typed it.

use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, to_js};
use crate::io::{differ_by_number, numeric_sort_key};
use crate::lab::evaluate::{EvaluationError, InputFile, Options, query as evaluation_query};
use crate::lab::families::{FamiliesConfig, query as families_query};
use crate::sae::layout::files::files_of_weights;
use crate::settings::Field;

/// What a study's text says: `{config, changes}`. Nothing is thrown, whatever the text.
#[wasm_bindgen]
pub fn families_read(text: &str) -> Result<JsValue, JsValue> {
    to_js(&families_query::parse(text))
}

/// The text of a study; undefined where a text cannot say it.
#[wasm_bindgen]
pub fn families_print(config: JsValue) -> Result<Option<String>, JsValue> {
    Ok(families_query::to_query(&from_js::<FamiliesConfig>("families", config)?))
}

/// Everything that is not allowed of a study whose numbers may be anything: a list of problems, one or
/// more a field.
#[wasm_bindgen]
pub fn families_check(config: JsValue) -> Result<JsValue, JsValue> {
    to_js(&families_query::find_problems(&from_js("families", config)?))
}

/// The options of a decomposition of somebody's own that a link may set, as a form has them.
#[wasm_bindgen]
pub fn own_fields() -> Result<JsValue, JsValue> {
    to_js(&evaluation_query::FIELDS.iter().map(Field::to_form_field).collect::<Vec<_>>())
}

/// The numbers that the form for own files asks for: `{kept, active_rows, memory}`, each
/// `{usual, max}`.
#[wasm_bindgen]
pub fn own_numbers() -> Result<JsValue, JsValue> {
    to_js(&Options::form_number_fields())
}

/// Everything that is not allowed of such options as somebody typed them: a list of problems, one a field.
#[wasm_bindgen]
pub fn own_check(options: JsValue) -> Result<JsValue, JsValue> {
    to_js(&evaluation_query::find_problems(&from_js("options", options)?))
}

/// What a link says of own files: `{options, files, changes}`, the files as pairs of role and SHA-256.
/// Nothing is thrown, whatever the text.
#[wasm_bindgen]
pub fn own_read(text: &str) -> Result<JsValue, JsValue> {
    to_js(&evaluation_query::parse(text))
}

/// The text of options and files; undefined where a text cannot say it, and where there is nothing to say: no
/// link may hold an empty one.
#[wasm_bindgen]
pub fn own_print(options: JsValue, files: JsValue) -> Result<Option<String>, JsValue> {
    let files: Vec<(String, String)> = from_js("files", files)?;
    Ok(evaluation_query::to_text(&from_js("options", options)?, &files).filter(|text| !text.is_empty()))
}

/// The files of a report as a link has them: pairs of role and SHA-256, of those whose digests were taken.
#[wasm_bindgen]
pub fn own_digests(files: JsValue) -> Result<JsValue, JsValue> {
    let found = evaluation_query::file_digests(&from_js::<Vec<InputFile>>("files", files)?);
    to_js(&found.map_err(|error| failure_error(EvaluationError::from(error)))?)
}

/// Names of files in the order in which these are read: numbers in them by their values.
#[wasm_bindgen]
#[must_use]
pub fn own_in_order(mut names: Vec<String>) -> Vec<String> {
    names.sort_by_cached_key(|name| numeric_sort_key(name));
    names
}

/// Whether two files of one folder are alike but for numbers in their names, as the parts of one array are.
#[wasm_bindgen]
#[must_use]
pub fn own_alike(one: &str, other: &str) -> bool {
    differ_by_number(one, other)
}

/// The further files of an autoencoder's weights among the names of files: a checkpoint's whitening, the decoder of its layer.
#[wasm_bindgen]
#[must_use]
pub fn own_further_weights(weights: &str, names: Vec<String>) -> Vec<String> {
    files_of_weights(weights, &names).more
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn own_files_are_read_and_printed() {
        let text = format!("f:r2,rows:250,activations:{}", "0a".repeat(32));
        let read = own_read(&text).unwrap();
        let of = |name: &str| js_sys::Reflect::get(&read, &name.into()).unwrap();
        assert_eq!(own_print(of("options"), of("files")).unwrap(), Some(text));
        assert_eq!(js_sys::Array::from(&of("changes")).length(), 0);
        assert_eq!(js_sys::Array::from(&own_fields().unwrap()).length(), 8);
        assert!(own_print(JsValue::from(3), of("files")).is_err());
        assert_eq!(js_sys::Array::from(&own_check(of("options")).unwrap()).length(), 0);
        let options = js_sys::Object::new();
        js_sys::Reflect::set(&options, &"skip_rows".into(), &"9-5".into()).unwrap();
        assert_eq!(js_sys::Array::from(&own_check(options.into()).unwrap()).length(), 1);

        let nothing = own_read("a").unwrap();
        let of = |name: &str| js_sys::Reflect::get(&nothing, &name.into()).unwrap();
        assert_eq!(own_print(of("options"), of("files")).unwrap(), None);
    }

    #[wasm_bindgen_test]
    fn a_study_is_read_changed_and_judged() {
        let read = families_read("small,world:nonlinear,ks:1_99").unwrap();
        let config = js_sys::Reflect::get(&read, &"config".into()).unwrap();
        let text = families_print(config.clone()).unwrap();
        assert_eq!(text.as_deref(), Some("small,world:nonlinear,ks:1"));
        let problems = |config: &JsValue| {
            let found = js_sys::Array::from(&families_check(config.clone()).unwrap());
            let field = |found: JsValue| js_sys::Reflect::get(&found, &"field".into()).unwrap();
            found.iter().map(|found| field(found).as_string().unwrap()).collect::<Vec<_>>()
        };
        assert!(problems(&config).is_empty());
        js_sys::Reflect::set(&config, &"train_rows".into(), &f64::NAN.into()).unwrap();
        let train = js_sys::Reflect::get(&config, &"train".into()).unwrap();
        js_sys::Reflect::set(&train, &"latents".into(), &0.5.into()).unwrap();
        js_sys::Reflect::set(&train, &"batch".into(), &5_000.into()).unwrap();
        assert_eq!(problems(&config), ["latents", "train_rows", "batch"]);
        assert!(families_print(config).is_err());
        assert_eq!(problems(&JsValue::UNDEFINED), ["families"]);
    }
}

//! Studies of families as text, and as somebody typed them, for the page's form and its links.

use wasm_bindgen::prelude::*;

use super::convert::{from_js, to_js};
use crate::lab::families::{FamiliesConfig, query};

/// What a study's text says: `{config, changes}`. Nothing is thrown, whatever the text.
#[wasm_bindgen]
pub fn families_read(text: &str) -> Result<JsValue, JsValue> {
    to_js(&query::parse(text))
}

/// The text of a study; undefined where a text cannot say it.
#[wasm_bindgen]
pub fn families_print(config: JsValue) -> Result<Option<String>, JsValue> {
    Ok(query::print(&from_js::<FamiliesConfig>("families", config)?))
}

/// Everything that is not allowed of a study whose numbers may be anything: a list of problems, one or
/// more a field.
#[wasm_bindgen]
pub fn families_check(config: JsValue) -> Result<JsValue, JsValue> {
    to_js(&query::problems(&from_js("families", config)?))
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

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

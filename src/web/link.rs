//! Links and scripts, for the page.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failure_error, js_error, parse_settings, to_js};
use crate::link::{self, Digest, Figure, PAGE_PARTS, State, VIEW_KEYS, Version};
use crate::object;
use crate::papers::sfc;
use crate::papers::sfc::settings::Settings;

/// A state as a query string; what is left out of the state is as in the paper.
#[wasm_bindgen]
pub fn print_state(state: JsValue) -> Result<String, JsValue> {
    let field = |name: &str| {
        let value = Reflect::get(&state, &name.into()).unwrap_or(JsValue::UNDEFINED);
        Some(value).filter(|value| !(value.is_null() || value.is_undefined()))
    };
    let settings = |name: &str| {
        let read = |value| parse_settings(&value).map_err(|problems| failure_error(&problems));
        field(name).map(read).transpose()
    };
    // The rest takes the way of a link, so that the same rules refuse it in the same words.
    let mut query = String::new();
    for row in VIEW_KEYS.iter().filter(|row| !matches!(row.field, "" | "pin")) {
        if let Some(value) = field(row.field) {
            let text = (&JsValue::from_str("") + &value).as_string().unwrap_or_default();
            let text = String::from(js_sys::encode_uri_component(&text));
            query.extend(["&", row.key, "=", &text]);
        }
    }
    let read = link::parse(&query);
    if let Some(change) = read.changes.first() {
        return Err(js_error("state.refused", &change.sentence, Some(&change.key)));
    }
    let state = State { settings: settings("settings")?.unwrap_or_default(), pin: settings("pin")?, ..read.state };
    Ok(link::to_query(&state))
}

/// What a link can name: `{figures, parts, settings}`, the last of pairs of key and field.
#[wasm_bindgen]
pub fn link_names() -> Result<JsValue, JsValue> {
    let settings = link::setting_keys::<Settings>().map(|row| (row.key, row.field));
    to_js(&object! {
        figures: Figure::names().collect::<Vec<_>>(),
        parts: &PAGE_PARTS[..],
        settings: settings.collect::<Vec<_>>(),
    })
}

/// The settings as a NumPy program.
#[wasm_bindgen]
pub fn numpy_script(settings: JsValue) -> Result<String, JsValue> {
    let settings = parse_settings(&settings).map_err(|problems| failure_error(&problems))?;
    Ok(sfc::numpy_script(&settings))
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Digest of the results under the weights in use; undefined of a study that has none.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        self.opened.digest()
    }

    /// Holds the report, under its present weights, against a link's digest and the version it was
    /// made with: `{equal, differs, sentence}`.
    pub fn check_digest(&self, claimed: &str, made: Option<String>) -> Result<JsValue, JsValue> {
        let claimed: Digest =
            claimed.parse().map_err(|error: crate::Problem| js_error("link.digest", &error.message, Some("digest")))?;
        let made = made.as_deref().and_then(Version::new);
        to_js(&link::compare(&self.paper_study()?.report, &claimed, made.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::Draft;
    use crate::papers::sfc::NoProgress;
    use crate::web::parse_state;

    fn parsed(text: &str) -> JsValue {
        js_sys::JSON::parse(text).unwrap()
    }

    #[wasm_bindgen_test]
    fn a_state_survives_the_way_through_javascript() {
        for query in [
            "",
            "v=1&net=large&k=32&levels=0..0.9x10&pin=paper&seeds=10&vary=model-and-data&\
             fam=small,c:row-space&own=f:r2,activations:0a&fig=table6&embed=1&hide=verdict,k&theme=dark&id=one&digest=00000-abcde-zzzzz&made=0.1.0",
        ] {
            let read = parse_state(query).unwrap();
            let state = js_sys::Reflect::get(&read, &"state".into()).unwrap();
            assert_eq!(print_state(state).unwrap(), query);
        }
        assert_eq!(print_state(parsed(r#"{"settings": {"k": 32}}"#)).unwrap(), "v=1&k=32");
        assert!(print_state(parsed(r#"{"settings": {"k": 320}}"#)).is_err());
        assert!(print_state(parsed(r#"{"figure": "fig99"}"#)).is_err());
        assert!(numpy_script(parsed(r#"{"k": 32}"#)).unwrap().contains("K = 32"));
        assert!(numpy_script(parsed(r#"{"k": 320}"#)).is_err());
    }

    #[wasm_bindgen_test]
    fn a_digest_is_that_of_the_report_on_screen() {
        #[derive(Deserialize)]
        struct Checked {
            equal: bool,
        }
        let settings: Settings = Draft { samples: Some(200.0), ..Draft::default() }.parse().unwrap();
        let report = sfc::run(&settings, &mut NoProgress).unwrap();
        let mut view = StudyHandle::open("sfc", to_js(&report).unwrap()).unwrap();
        let claimed = view.digest().unwrap();
        assert_eq!(claimed, link::digest(&report).to_string());
        let check = |view: &StudyHandle| {
            let checked = view.check_digest(&claimed, Some("0.0.1".to_owned())).unwrap();
            serde_wasm_bindgen::from_value::<Checked>(checked).unwrap().equal
        };
        assert!(check(&view));
        view.set_weights(5.0, 1.0, 1.0).unwrap();
        assert!(!check(&view));
        assert!(view.check_digest("no digest", None).is_err());
    }
}

//! Files on their way to JavaScript.

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::convert::js_error;
use crate::export::Archive;

/// A file as `{name, bytes}`, `bytes` being a `Uint8Array`.
pub(super) fn file_object(name: &str, bytes: &[u8]) -> Result<Object, JsValue> {
    let object = Object::new();
    Reflect::set(&object, &"name".into(), &name.into())?;
    Reflect::set(&object, &"bytes".into(), &Uint8Array::from(bytes))?;
    Ok(object)
}

/// A .zip of files, names and contents, in one folder.
pub(super) fn zip_files<'a>(
    folder: &str,
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Result<Uint8Array, JsValue> {
    let mut archive = Archive::new(folder);
    for (name, bytes) in files {
        let added = archive.add(name, bytes);
        added.map_err(|error| js_error(error.code(), &error.to_string(), None))?;
    }
    Ok(Uint8Array::from(archive.finish().as_slice()))
}

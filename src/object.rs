//! What is serialised in one place alone, written there.

/// An object for a serialiser: `object! { name: value, … }`, or `name` alone where a variable has that name. Unlike
/// `serde_json::json!` it keeps the order of its members, and an `f32` stays one; its members can be read as those of any
/// struct, and may have serde's attributes, such as `#[serde(flatten)]`.
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($($(#[$about:meta])* $name:ident $(: $value:expr)?),+ $(,)?) => {{
        // Each member's type is a parameter of its name.
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($name),+> { $($(#[$about])* $name: $name),+ }
            Object { $($name $(: $value)?),+ }
        };
        object
    }};
}

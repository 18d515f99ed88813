//! What a field of a draft holds, by the field's name.

/// A value of a draft, of whatever kind of field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, or a seed.
    Number(f64),
    /// One of a few words.
    Word(String),
    /// On or off.
    Switch(bool),
    /// Numbers in an order.
    List(Vec<f64>),
}

/// Somebody's wish for the settings of a study, unchecked, with any part of it missing.
///
/// A study's draft is a plain struct of optional fields; the macro `wish` writes it with this.
pub trait ParameterDraft: Clone + Default {
    /// What a field holds; none where it is missing, or where there is no such field.
    fn get(&self, name: &str) -> Option<Value>;

    /// Puts a value into a field; false where there is no such field, or one of another kind.
    fn set(&mut self, name: &str, value: Value) -> bool;

    /// Takes a field's value away.
    fn clear(&mut self, name: &str);

    /// The number that a field holds.
    fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(Value::Number(value)) => Some(value),
            _ => None,
        }
    }
}

// One copy of each in the page, not one a caller.
/// Declares a draft: a struct of optional fields, each of a kind of [`Value`], that is a [`ParameterDraft`].
macro_rules! wish {
    ($(#[$about:meta])* pub struct $name:ident { $($field:ident: $kind:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[allow(missing_docs)] // the fields are those of the settings, described there
        pub struct $name {
            $(pub $field: Option<$crate::settings::wish!(@ $kind)>,)*
        }

        impl $crate::settings::ParameterDraft for $name {
            #[inline(never)]
            fn get(&self, name: &str) -> Option<$crate::settings::Value> {
                match name {
                    $(stringify!($field) => {
                        self.$field.clone().map($crate::settings::Value::$kind)
                    })*
                    _ => None,
                }
            }

            #[inline(never)]
            fn set(&mut self, name: &str, value: $crate::settings::Value) -> bool {
                match (name, value) {
                    $((stringify!($field), $crate::settings::Value::$kind(value)) => {
                        self.$field = Some(value);
                    })*
                    _ => return false,
                }
                true
            }

            #[inline(never)]
            fn clear(&mut self, name: &str) {
                match name {
                    $(stringify!($field) => self.$field = None,)*
                    _ => {}
                }
            }
        }
    };
    (@ Number) => { f64 };
    (@ Word) => { String };
    (@ Switch) => { bool };
    (@ List) => { Vec<f64> };
}
pub(crate) use wish;

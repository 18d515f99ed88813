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

/// The settings of a study as somebody typed them, unchecked, with any part of them missing.
///
/// A study's draft is a plain struct of optional fields; the macro `draft` writes it with this.
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

/// What a draft holds of a parameter: a number, a word, a switch or a list.
pub trait Raw: Clone {
    /// As a [`Value`].
    fn value(self) -> Value;

    /// Of a [`Value`]; none of one of another kind.
    fn from_value(value: Value) -> Option<Self>;
}

/// The type of a parameter in a study's settings, and how a draft that is allowed becomes one.
pub trait Parameter {
    /// What a draft holds of it.
    type Raw: Raw;

    /// Of a value that the parameter's row allows.
    fn from_raw(raw: Self::Raw) -> Self;

    /// As a draft has it.
    fn raw(&self) -> Self::Raw;
}

macro_rules! impl_raw {
    ($($type:ty as $kind:ident;)*) => {$(
        impl Raw for $type {
            fn value(self) -> Value {
                Value::$kind(self)
            }

            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::$kind(value) => Some(value),
                    _ => None,
                }
            }
        }

        impl Parameter for $type {
            type Raw = Self;

            fn from_raw(raw: Self) -> Self {
                raw
            }

            fn raw(&self) -> Self {
                self.clone()
            }
        }
    )*};
}

impl_raw! {
    f64 as Number;
    String as Word;
    bool as Switch;
    Vec<f64> as List;
}

macro_rules! impl_integer_parameter {
    ($($type:ty)*) => {$(
        impl Parameter for $type {
            type Raw = f64;

            fn from_raw(raw: f64) -> Self {
                raw as Self
            }

            fn raw(&self) -> f64 {
                *self as f64
            }
        }
    )*};
}

impl_integer_parameter! { u32 usize }

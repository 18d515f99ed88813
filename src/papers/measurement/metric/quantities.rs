//! What a metric's result says, number by number.

/// A number of a result, which may be none.
pub(crate) trait QuantityValue {
    fn number(&self) -> Option<f64>;
}

impl QuantityValue for f64 {
    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl QuantityValue for usize {
    fn number(&self) -> Option<f64> {
        Some(*self as f64)
    }
}

impl QuantityValue for Option<f64> {
    fn number(&self) -> Option<f64> {
        *self
    }
}

/// Names the quantities of a result, in the order in which they are shown: its fields, and with `()` what a method of it
/// computes.
macro_rules! quantities {
    ($result:ty: $($name:ident $(($($none:tt)*))?),+ $(,)?) => {
        impl $result {
            /// Its quantities by their names, in the order in which they are shown; none where one has no value.
            #[must_use]
            pub fn quantities(&self) -> Vec<(&'static str, Option<f64>)> {
                use $crate::papers::measurement::metric::QuantityValue;
                vec![$((stringify!($name), self.$name $(($($none)*))?.number())),+]
            }

            /// A quantity by its name.
            #[must_use]
            pub fn value_by_name(&self, name: &str) -> Option<f64> {
                let found = self.quantities().into_iter().find(|(other, _)| *other == name);
                found.and_then(|(_, value)| value)
            }
        }
    };
}
pub(crate) use quantities;

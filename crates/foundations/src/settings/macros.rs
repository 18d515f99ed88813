//! What a row a parameter makes: the draft, the settings and their description; and enums with names.

// One copy of each in the page, not one a caller.
/// Declares a draft: a struct of optional fields, each of a type that is [`Raw`], that is a [`ParameterDraft`].
#[doc(hidden)]
#[macro_export]
macro_rules! draft {
    ($(#[$about:meta])* pub struct $name:ident { $($field:ident: $raw:ty),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[allow(missing_docs)] // the fields are those of the settings, described there
        pub struct $name {
            $(pub $field: Option<$raw>,)*
        }

        impl $crate::settings::ParameterDraft for $name {
            #[inline(never)]
            fn get(&self, name: &str) -> Option<$crate::settings::Value> {
                use $crate::settings::Raw;
                match name {
                    $(stringify!($field) => self.$field.clone().map(Raw::value),)*
                    _ => None,
                }
            }

            #[inline(never)]
            fn set(&mut self, name: &str, value: $crate::settings::Value) -> bool {
                use $crate::settings::Raw;
                match name {
                    $(stringify!($field) => match Raw::from_value(value) {
                        Some(value) => self.$field = Some(value),
                        None => return false,
                    },)*
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
}
pub use draft;

/// Declares what a study's parameters are, a row each, and a draft of them: the type of what is typed, and the rest as
/// [`parameters`] has it.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    (
        $(#[$about:meta])*
        pub struct $draft:ident;
        $($field:ident: $raw:ty, ($key:expr, $group:expr, $label:expr, $help:expr), $kind:expr, $part:expr;)*
    ) => {
        /// Every parameter, in the order in which a link has them.
        pub const FIELDS: [$crate::settings::Field; [$(stringify!($field)),*].len()] = [$(
            $crate::settings::Field {
                name: stringify!($field),
                key: $key,
                group: $group,
                label: $label,
                help: $help,
                kind: $kind,
                name_part: $part,
            }
        ),*];

        $crate::settings::draft! {
            $(#[$about])*
            pub struct $draft { $($field: $raw),* }
        }
    };
}
pub use fields;

/// Declares a study's settings, a row a parameter: its type, its default, its key in links, the part of the form that it
/// stands in, what it is called, what it is, what it may hold, and what a file's name says of it. Of the rows come the
/// `Settings` themselves, their `Draft`, their `FIELDS` and [`Parameters`](crate::settings::Parameters), to which what
/// is in braces after them is added.
#[doc(hidden)]
#[macro_export]
macro_rules! parameters {
    (
        $(#[$about:meta])*
        pub struct Settings of $study:literal, in TypeScript $ts:literal, where $gives_way:ident gives way;
        $(
            $(#[$doc:meta])*
            $field:ident: $type:ty = $default:expr,
            ($key:literal, $group:expr, $label:literal, $help:expr), $kind:expr, $part:expr;
        )*
        $({ $($more:tt)* })?
    ) => {
        $crate::settings::fields! {
            /// [`Settings`] as somebody typed them, unchecked, any of them missing.
            pub struct Draft;
            $($field: <$type as $crate::settings::Parameter>::Raw, ($key, $group, $label, $help), $kind, $part;)*
        }

        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = $ts))]
        #[serde(try_from = "Draft")]
        pub struct Settings {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl TryFrom<Draft> for Settings {
            type Error = $crate::settings::Problems;

            fn try_from(draft: Draft) -> Result<Self, Self::Error> {
                $crate::settings::check(&draft)
            }
        }

        impl $crate::settings::Parameters for Settings {
            type ParameterDraft = Draft;
            const STUDY: &'static str = $study;
            const FIELDS: &'static [$crate::settings::Field] = &FIELDS;
            const CONFLICT_RESET_FIELD: &'static str = stringify!($gives_way);

            fn from_valid_draft(draft: &Draft) -> Self {
                use $crate::settings::Parameter;
                let usual = Self::defaults_for(draft);
                Self { $($field: draft.$field.clone().map_or(usual.$field, Parameter::from_raw),)* }
            }

            fn draft(&self) -> Draft {
                use $crate::settings::Parameter;
                Draft { $($field: Some(self.$field.raw()),)* }
            }

            $($($more)*)?
        }
    };
}
pub use parameters;

/// Declares an enum, a name a variant; of the rows come `ALL`, in their order, and `name`.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $vis:vis enum $Type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)? }
    ) => {
        $(#[$about])*
        $vis enum $Type { $($(#[$doc])* $variant),+ }

        impl $Type {
            /// All of them, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name, as it stands in files, in links and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The first one of that name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}
pub use named;

/// Makes an enum with names a parameter: what a draft has is its name, and any other word stands for the usual one.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_parameter_by_name {
    ($($type:ident, else $usual:ident;)*) => {$(
        impl $crate::settings::Parameter for $type {
            type Raw = String;

            fn from_raw(raw: String) -> Self {
                Self::named(&raw).unwrap_or(Self::$usual)
            }

            fn raw(&self) -> String {
                self.name().to_owned()
            }
        }
    )*};
}
pub use impl_parameter_by_name;

/// Reads an enum from its name; any other is a refusal of the field it was given for.
#[doc(hidden)]
#[macro_export]
macro_rules! from_name {
    ($($type:ident of $field:literal;)*) => {$(
        impl std::str::FromStr for $type {
            type Err = $crate::settings::Problem;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::named(name).ok_or_else(|| {
                    let allowed = Self::ALL.map(Self::name).join(", ");
                    Self::Err::new($field, format!("{name:?}"), allowed)
                })
            }
        }
    )*};
}
pub use from_name;

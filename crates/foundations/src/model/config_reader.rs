//! The values of a configuration in JSON, each checked as it is taken.

use serde_json::{Map, Value};

use super::ModelError;

/// Largest configuration that is read, in bytes.
pub const CONFIG_BYTES_MAX: usize = 1 << 20;

/// Most of anything that a configuration may ask for.
pub(super) const DIMENSION_MAX: u64 = 1 << 24;
/// Most layers: hooks, names and shapes are listed layer by layer before a weight is read.
pub(super) const LAYERS_MAX: usize = 1_024;

fn parse_object(file: &str, json: &[u8]) -> Result<Map<String, Value>, ModelError> {
    if json.len() > CONFIG_BYTES_MAX {
        let allowed = format!("at most {CONFIG_BYTES_MAX}");
        return Err(ModelError::config(file, "bytes", json.len().to_string(), allowed));
    }
    let refuse = |found: &str| ModelError::config(file, "the file", found, "a JSON object");
    // serde_json refuses what is nested more than 128 deep.
    match serde_json::from_slice(json) {
        Ok(Value::Object(all)) => Ok(all),
        Ok(_) => Err(refuse("no object")),
        Err(error) => Err(refuse(&error.to_string())),
    }
}

/// An object of a file, and what its fields' names begin with in messages.
pub(super) struct ConfigObject<'a> {
    file: &'a str,
    before: String,
    all: Map<String, Value>,
}

impl<'a> ConfigObject<'a> {
    pub fn parse(file: &'a str, json: &[u8]) -> Result<Self, ModelError> {
        Ok(Self { file, before: String::new(), all: parse_object(file, json)? })
    }

    /// An object within; nothing where there is none.
    pub fn nested(&self, field: &str) -> Result<Option<Self>, ModelError> {
        match self.all.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(all)) => {
                Ok(Some(Self { file: self.file, before: format!("{}{field}.", self.before), all: all.clone() }))
            }
            Some(_) => Err(self.config_error(field, &self.format_field(field), "an object")),
        }
    }

    /// Whether a field says anything.
    pub fn has(&self, field: &str) -> bool {
        self.all.get(field).is_some_and(|value| !value.is_null())
    }

    pub fn get(&self, field: &str) -> Option<&Value> {
        self.all.get(field)
    }

    pub fn config_error(&self, field: &str, found: &str, allowed: &str) -> ModelError {
        ModelError::config(self.file, format!("{}{field}", self.before), found, allowed)
    }

    /// As it stands, cut where it is long.
    pub fn format_field(&self, field: &str) -> String {
        self.all.get(field).map_or("nothing".to_owned(), |value| {
            let text = value.to_string();
            if text.chars().count() > 40 { text.chars().take(40).chain(['…']).collect() } else { text }
        })
    }

    pub fn get_size(&self, field: &str, default: Option<usize>) -> Result<usize, ModelError> {
        if let (None | Some(Value::Null), Some(default)) = (self.all.get(field), default) {
            return Ok(default);
        }
        let found = self.all.get(field).and_then(Value::as_u64);
        match found.filter(|size| (1..=DIMENSION_MAX).contains(size)) {
            Some(size) => Ok(size as usize),
            None => Err(self.config_error(field, &self.format_field(field), &format!("1 to {DIMENSION_MAX}"))),
        }
    }

    pub fn get_bool(&self, field: &str, default: bool) -> Result<bool, ModelError> {
        match self.all.get(field) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.config_error(field, &self.format_field(field), "true or false")),
        }
    }

    pub fn get_number(&self, field: &str, default: f32) -> Result<f32, ModelError> {
        match self.all.get(field) {
            None | Some(Value::Null) => Ok(default),
            Some(value) => {
                // What is so small that it would be 0 as an f32 is not above 0.
                let found = value.as_f64().filter(|value| *value < 1.0).map(|value| value as f32);
                let above = found.filter(|value| *value > 0.0);
                above.ok_or_else(|| self.config_error(field, &self.format_field(field), "above 0, below 1"))
            }
        }
    }

    /// One of some words, the first where nothing is said.
    pub fn get_choice<'w>(&self, field: &str, allowed: &[&'w str]) -> Result<&'w str, ModelError> {
        let found = match self.all.get(field) {
            None | Some(Value::Null) => return Ok(allowed[0]),
            Some(value) => value.as_str(),
        };
        let known = found.and_then(|found| allowed.iter().find(|word| **word == found));
        known.copied().ok_or_else(|| self.config_error(field, &self.format_field(field), &allowed.join(", ")))
    }

    /// How many layers.
    pub fn get_layer_count(&self, field: &str, default: Option<usize>) -> Result<usize, ModelError> {
        let layers = self.get_size(field, default)?;
        if layers > LAYERS_MAX {
            let allowed = format!("1 to {LAYERS_MAX}");
            return Err(self.config_error(field, &layers.to_string(), &allowed));
        }
        Ok(layers)
    }

    /// A number above 0; nothing where there is none.
    pub fn get_positive(&self, field: &str) -> Result<Option<f64>, ModelError> {
        match self.all.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let found = value.as_f64().filter(|value| *value > 0.0 && *value < 1e12);
                // What is 0 as an f32 is not above 0.
                match found.filter(|value| *value as f32 > 0.0) {
                    Some(found) => Ok(Some(found)),
                    None => Err(self.config_error(field, &self.format_field(field), "above 0, below 1e12")),
                }
            }
        }
    }
}

//! Refusals as Python's exceptions: which field, what it holds, what it may hold.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::types::PyType;
use sfc_bench::io::IoError;
use sfc_bench::lab::audit::user_files::UserAuditError;
use sfc_bench::lab::ensemble::EnsembleError;
use sfc_bench::lab::evaluate::EvaluationError;
use sfc_bench::lab::families::FamiliesError;
use sfc_bench::model::ModelError;
use sfc_bench::papers::sfc::RunError;
use sfc_bench::pareto::ParetoError;
use sfc_bench::plot::DrawError;
use sfc_bench::sae::SaeError;
use sfc_bench::sae::train::TrainError;
use sfc_bench::statistics::MetricError;
use sfc_bench::study::Failure;
use sfc_bench::study::user_file::UserFileError;
use sfc_bench::toy_model::ToyModelError;
use sfc_bench::{Problem, Problems};

/// Why something was refused.
#[derive(Debug, Default)]
pub struct Refusal {
    message: String,
    code: String,
    field: Option<String>,
    value: Option<String>,
    allowed: Option<String>,
}

pub type Result<T> = std::result::Result<T, Refusal>;

impl Refusal {
    /// Of an error with a stable code, and the field that is to blame.
    pub fn new(code: &str, error: &impl Display, field: Option<&str>) -> Self {
        Self { message: error.to_string(), code: code.to_owned(), field: field.map(str::to_owned), ..Self::default() }
    }

    /// A value that a field may not have.
    pub fn invalid_value(field: &str, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        Problem::new(field, value, allowed).into()
    }

    /// Text that is not the JSON that it should be.
    pub fn invalid_json(field: &str, error: &serde_json::Error) -> Self {
        let mut refusal = Self::invalid_value(field, "not understood", "what this package writes");
        refusal.message = format!("{field} is not understood: {error}");
        refusal.code = "json.malformed".to_owned();
        refusal
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self {
            message: problem.message,
            code: problem.code,
            field: Some(problem.field),
            value: Some(problem.value),
            allowed: Some(problem.allowed),
        }
    }
}

impl From<Problems> for Refusal {
    fn from(problems: Problems) -> Self {
        let message = problems.to_string();
        let first = problems.0.into_iter().next().map(Self::from).unwrap_or_default();
        Self { message, ..first }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::new(&failure.code, &failure.message, failure.field.as_deref())
    }
}

/// What the core makes of an error: its code, and the field that is to blame.
macro_rules! impl_from_failure {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Failure::from(&error).into()
            }
        })*
    };
}

impl_from_failure![EnsembleError, ModelError, UserAuditError, RunError, ToyModelError, UserFileError];

/// An error's own code, and the field that is to blame as it is called here.
macro_rules! impl_from_coded_error {
    ($($error:ty: $field:expr;)*) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                let field: fn(&$error) -> Option<&'static str> = $field;
                Self::new(error.code(), &error, field(&error))
            }
        })*
    };
}

impl_from_coded_error! {
    DrawError: |_| Some("width");
    MetricError: |_| None;
    ParetoError: |error| Some(match error {
        ParetoError::Reference { .. } => "reference",
        ParetoError::Tolerance { .. } => "tolerance",
        _ => "points",
    });
}

/// What is in memory has the name of its argument, as a file.
fn argument_name(file: &str) -> &str {
    const ARGUMENTS: [&str; 5] = ["activations", "dictionary", "readout", "readout_bias", "codes"];
    let name = file.strip_suffix(".npy").filter(|name| ARGUMENTS.contains(name));
    name.unwrap_or(file)
}

impl From<IoError> for Refusal {
    fn from(error: IoError) -> Self {
        let (value, allowed) = match &error {
            IoError::Header { found, allowed, .. }
            | IoError::Shape { found, allowed, .. }
            | IoError::Text { found, allowed, .. }
            | IoError::Field { found, allowed, .. } => (Some(found.clone()), Some(allowed.clone())),
            IoError::DType { found, .. } => (Some(found.clone()), Some("numbers".to_owned())),
            IoError::NonFinite { value, allowed, .. } => (Some(value.clone()), Some((*allowed).to_owned())),
            IoError::TooLarge { needed, cap, .. } => (Some(format!("{needed} bytes")), Some(format!("{cap} bytes"))),
            _ => (None, None),
        };
        let field = argument_name(error.file_name());
        Self { value, allowed, ..Self::new(error.code(), &error, Some(field)) }
    }
}

impl From<EvaluationError> for Refusal {
    fn from(error: EvaluationError) -> Self {
        let (value, allowed) = match &error {
            EvaluationError::Sae(SaeError::Io(io)) => return io.clone().into(),
            EvaluationError::Problems(problems) => return problems.clone().into(),
            EvaluationError::Sae(SaeError::Config { found, allowed, .. }) => {
                (Some(found.clone()), Some(allowed.clone()))
            }
            EvaluationError::Memory { needed, cap } => (Some(format!("{needed} bytes")), Some(format!("{cap} bytes"))),
            EvaluationError::Sae(SaeError::NonFinite { value, .. })
            | EvaluationError::NonFiniteMeasure { value, .. } => {
                (Some(value.to_string()), Some("finite numbers".to_owned()))
            }
            _ => (None, None),
        };
        Self { value, allowed, ..Self::new(error.code(), &error, error.field()) }
    }
}

impl From<TrainError> for Refusal {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Config(problems) => problems.into(),
            error => Self::new(error.code(), &error, None),
        }
    }
}

impl From<FamiliesError> for Refusal {
    fn from(error: FamiliesError) -> Self {
        match error {
            FamiliesError::Config(problems) => problems.into(),
            error => Self::new(error.code(), &error, error.field()),
        }
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        Python::attach(|py| {
            let made = || -> PyResult<PyErr> {
                // Written in Python: the stable interface has no classes with a built-in one above them.
                let class = py.import("sfc_bench._errors")?.getattr("SfcBenchError")?;
                let class = class.cast_into::<PyType>()?;
                let Refusal { message, code, field, value, allowed } = refusal;
                Ok(PyErr::from_type(class, (message, code, field, value, allowed)))
            };
            made().unwrap_or_else(|error| error)
        })
    }
}

impl Refusal {
    /// What is to blame.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Says what is allowed in better words.
    pub fn set_allowed(&mut self, allowed: &str) {
        let value = self.value.clone().unwrap_or_default();
        self.message = format!("{} is {value}; allowed: {allowed}", self.field().unwrap_or_default());
        self.allowed = Some(allowed.to_owned());
    }

    /// With another code.
    pub fn with_code(mut self, code: &str) -> Self {
        code.clone_into(&mut self.code);
        self
    }

    /// Says it in other words.
    pub fn set_message(&mut self, message: &str) {
        message.clone_into(&mut self.message);
    }
}

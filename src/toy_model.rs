//! The toy model as it is shipped: checkpoints of one training, autoencoders on its residual stream, and
//! what both make of the planted language's texts.
//!
//! Natively the files are part of the library. In WebAssembly they are not, so that a page loads only those
//! that it needs: whoever has one [`give`]s it, and it is taken if it is the very file that was shipped.
//!
//! ```
//! use sfc_bench::toy_model::{self, task};
//! use sfc_bench::synthetic::language::Task;
//!
//! let model = toy_model::model("ck-12000")?;
//! let found = task::measured(&model, Task::Ioi, 32, &[])?;
//! assert_eq!(found.accuracy, 1.0);
//! # Ok::<(), toy_model::ToyModelError>(())
//! ```

mod dictionary;
pub(crate) mod script;
mod shipped;
pub mod stream;
pub mod task;
pub mod training;
pub mod view;
pub mod workload;

pub(crate) use dictionary::choices;
pub use dictionary::{DICTIONARIES, Dictionary, Kind, Named, OWN, RESIDUAL, Role};
#[cfg(all(test, target_arch = "wasm32"))]
pub(crate) use shipped::forget_all;
pub use shipped::{
    CHECKPOINTS, FILES, FINAL, Shipped, ToyModelError, dictionary, file, give, has, keep, model,
    parameters,
};
pub(crate) use shipped::{is_here, keep_model};

/// The layer after which autoencoders read the residual stream: `blocks.1.hook_resid_post`.
pub const LAYER: usize = 1;

//! The toy model as it is shipped: checkpoints of one training, autoencoders on its residual stream, and
//! what both make of the planted language's texts.
//!
//! Natively the files are part of the library. In WebAssembly they are not, so that a page loads only those
//! that it needs: whoever has one [`provide_file`]s it, and it is taken if it is the very file that was shipped.
//!
//! ```
//! use sfc_bench::toy_model::{self, task};
//! use sfc_bench::synthetic::language::Task;
//!
//! let model = toy_model::load_model("ck-12000")?;
//! let found = task::score_task(&model, Task::Ioi, 32, &[])?;
//! assert_eq!(found.accuracy, 1.0);
//! # Ok::<(), toy_model::ToyModelError>(())
//! ```

mod dictionary;
pub mod residual_stream;
pub(crate) mod script;
mod shipped;
pub mod task;
pub mod training;
pub mod view;
pub mod workload;

pub(crate) use dictionary::dictionary_choices;
pub use dictionary::{
    DICTIONARIES, Dictionary, DictionaryRole, LatentKind, NamedDictionary, RESIDUAL_STREAM_NAME, USER_TRAINED_NAME,
};
#[cfg(all(test, target_arch = "wasm32"))]
pub(crate) use shipped::forget_all;
pub use shipped::{
    CHECKPOINTS, FILES, FINAL_CHECKPOINT, ShippedFile, ToyModelError, has_file, load_dictionary, load_model,
    load_parameters, open_file, provide_file, store_dictionary,
};
pub(crate) use shipped::{is_model_available, store_model};

/// The layer after which autoencoders read the residual stream: `blocks.1.hook_resid_post`.
pub const AUTOENCODER_LAYER: usize = 1;

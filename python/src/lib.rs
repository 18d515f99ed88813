//! The core as a Python module. What it takes and gives is plain: text in JSON, NumPy's arrays, numbers. The
//! package around it (python/sfc_bench) makes Python's own things of it.

mod compare;
mod error;
mod evaluate;
mod jobs;
mod metrics;
mod model;
mod own;
mod run;
mod study;
mod subjects;
mod text;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What is compiled of sfc-bench.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::compare::{compare, train};
    #[pymodule_export]
    use crate::evaluate::{
        autoencoder_files, autoencoders_in, check_request, evaluate, is_autoencoder, is_meant, shards,
    };
    #[pymodule_export]
    use crate::jobs::{
        EnsembleRunner, FamiliesRunner, band, ensemble_merge, ensemble_of, families_config, families_gather,
        families_settled, families_text,
    };
    #[pymodule_export]
    use crate::metrics::{
        completeness_of_outputs, distortion, dominates, front, hypervolume, of_completeness, of_fidelity, of_sparsity,
        rate, relevance, score, simplex,
    };
    #[pymodule_export]
    use crate::model::{LanguageModel, mui_directions};
    #[pymodule_export]
    use crate::own::own;
    #[pymodule_export]
    use crate::study::{StudyView, curve, figures, link, sizes, study_run, study_settings};
    #[pymodule_export]
    use crate::subjects::{
        measure_circuit, measure_decomposition, measure_model, measure_scores, registry, world_rows,
    };

    /// The sources of which the core was compiled.
    #[pyo3::pyfunction]
    fn build() -> &'static str {
        sfc_bench::study::BUILD_ID
    }

    /// The version of the core.
    #[pyo3::pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }
}

/// Whether everything is part of this build: natively, and in the wasm module that is loaded once the
/// paper is drawn. Elsewhere what only the lab shows is left out, as nothing can reach it.
pub(crate) const LAB_INCLUDED: bool = cfg!(any(feature = "lab", not(target_arch = "wasm32")));

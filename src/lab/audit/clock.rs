//! Seconds, natively and in a browser.

/// Seconds since some moment.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn seconds() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Seconds since some moment: the page's or the worker's own clock.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn seconds() -> f64 {
    use wasm_bindgen::prelude::wasm_bindgen;
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance, js_name = now)]
        fn milliseconds() -> f64;
    }
    milliseconds() / 1e3
}

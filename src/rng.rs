//! NumPy's legacy random stream, bit for bit.

mod log;
mod numpy;

pub use numpy::NumpyRng;

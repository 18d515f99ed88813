//! Random streams of other programs: NumPy's legacy one, bit for bit, and PyTorch's on the CPU.

mod log;
mod numpy;
mod torch;

pub use numpy::NumpyRng;
pub use torch::TorchRng;

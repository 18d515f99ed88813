//! CE-Bench: whether an autoencoder's latents tell contrasting stories apart (Gulko, Peng 2025,
//! arXiv:2509.00691).

pub mod metric;

//! FADE: how well a description fits a feature (Puri et al. 2025, arXiv:2502.16994).

pub mod metric;

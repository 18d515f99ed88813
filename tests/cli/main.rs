//! The command line, the files it writes, and Python beside it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
#[path = "../common/killed.rs"]
mod killed;
#[path = "../common/python.rs"]
mod python;

mod audit_check;
mod audit_own;
mod commands;
mod compare;
mod documents;
mod evaluate;
mod export;
#[cfg(unix)]
mod inputs;
#[cfg(unix)]
mod interrupted;
mod link;
mod measure_decomposition;
mod measure_evaluated;
mod measure_reach;
mod measurement_numpy;
mod model_metrics;
mod numpy;
mod own_model;
mod readme;
#[cfg(unix)]
mod reporting;
mod results;
mod script;
mod smollm2;
mod surface;
#[cfg(unix)]
mod synth;
mod toy_model;

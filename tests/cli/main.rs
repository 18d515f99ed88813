//! The command line, the files it writes, and Python beside it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod evaluate;
mod export;
mod link;
mod numpy;
mod readme;
mod script;

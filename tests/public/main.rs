//! The tests of what the library makes public.

// Both folders have what is common to them.
#![allow(clippy::duplicate_mod)]

#[path = "../core/main.rs"]
mod core_tests;
#[path = "../files/main.rs"]
mod files_tests;

//! Nothing. For each set of features of the crates below it Cargo compiles the core once more: whichever packages are
//! selected, the tests have those that the Python module asks for (Cargo.toml), so that both share one compiled core; and
//! the foundations' own tests have those of the core's, so that both share what is below.

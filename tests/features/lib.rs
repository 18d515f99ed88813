//! Nothing: for each set of features of the crates below Cargo compiles the core once more, and whichever packages are
//! selected, the tests now have those of the Python module (Cargo.toml).

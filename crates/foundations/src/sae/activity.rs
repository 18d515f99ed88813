//! What counts as active, and as a direction: the one definition that every measure of a decomposition
//! takes, whoever made it.
//!
//! A feature is active in a row where its code's magnitude exceeds [`ACTIVE_THRESHOLD`]. Directions are
//! told apart as far as single precision does, in which dictionaries are kept: see
//! [`rank_threshold`](crate::linalg::span::rank_threshold). What is projected on them is measured from a point,
//! [`ProjectionCentre`].

/// A code counts as active above this magnitude (τ of §3.2).
pub const ACTIVE_THRESHOLD: f64 = 1e-6;

/// A feature that is active on more than this share of the rows is dense.
pub const DENSE_ACTIVE_SHARE_MIN: f64 = 0.1;

/// Whether a feature with this code is active.
#[must_use]
pub fn is_active(code: f64) -> bool {
    code.abs() > ACTIVE_THRESHOLD
}

/// From where activations are measured that are projected on directions. The two differ for autoencoders
/// with a decoder's bias, and both are in use: a report says which by what it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectionCentre {
    /// The origin: π(a) is a's projection, whatever the bias. What is scored of a reader's own files.
    Origin,
    /// The decoder's bias b: π(a) is b and the projection of a − b, as the autoencoder itself would have
    /// it. How families are compared.
    Bias,
}

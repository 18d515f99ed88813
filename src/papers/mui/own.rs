//! What a reader brings: performances and indices of models of their own.

mod law;

pub use law::{LawFound, ModelPoint, OwnLaw, law, points, read};

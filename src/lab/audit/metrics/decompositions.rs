//! Of decompositions: what needs activations and a dictionary alone, or a model beside them.

use crate::lab::audit::Metric;

/// They.
pub(super) const METRICS: &[Metric] = &[];

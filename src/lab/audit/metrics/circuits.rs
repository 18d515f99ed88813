//! Of some heads of a model.

use crate::lab::audit::Metric;

/// They.
pub(super) const METRICS: &[Metric] = &[];

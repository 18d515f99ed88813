//! Of decompositions: what needs texts that are judged.

use crate::lab::audit::Metric;

/// They.
pub(super) const METRICS: &[Metric] = &[];

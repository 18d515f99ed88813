//! Of models.

use crate::lab::audit::Metric;

/// They.
pub(super) const METRICS: &[Metric] = &[];

//! Of what another metric said.

use crate::lab::audit::Metric;

/// They.
pub(super) const METRICS: &[Metric] = &[];

use super::metric::Metric;
use super::metrics;

/// Every metric that is audited.
#[derive(Clone)]
pub struct Registry {
    metrics: Vec<Metric>,
}

impl Registry {
    /// Those of all papers, paper by paper.
    #[must_use]
    pub fn all() -> Self {
        Self { metrics: metrics::all_metrics().into_iter().copied().collect() }
    }

    /// These and one more, which takes part like any other.
    #[must_use]
    pub fn with_metric(mut self, metric: Metric) -> Self {
        self.metrics.push(metric);
        self
    }

    /// Those of them alone that something holds of.
    #[must_use]
    pub fn filter_metrics(mut self, holds: impl FnMut(&Metric) -> bool) -> Self {
        self.metrics.retain(holds);
        self
    }

    /// They.
    #[must_use]
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The metric of an id.
    #[must_use]
    pub fn find_metric(&self, id: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.id == id)
    }
}

use super::{
    CompletenessValues, CurveError, LayerAnalysis, LayerSums, LevelScan, NetworkOutputs, SvdDictionary,
    draw_paper_rows, encode, entropy_terms, histogram_features, magnitude_orders,
};
use crate::papers::sfc::run::assemble_curve;
use crate::papers::sfc::settings::Settings;
use crate::papers::sfc::{Curve, RunError};
use crate::settings::named;
use crate::synthetic::{NetworkInputs, PlantedNetwork};

named! {
    /// A part of computing a level curve.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Stage {
        /// Drawing X from the data seed.
        Inputs = "inputs",
        /// Drawing the network from the model seed.
        Network = "network",
        /// H = ReLU(X·W₁ᵀ + b₁).
        Activations = "activations",
        /// HᵀH and its eigenvectors.
        Dictionary = "dictionary",
        /// The codes H·V, by rows and by features.
        Codes = "codes",
        /// Each feature's codes binned over all rows, and the terms of entropies tabled.
        Bins = "bins",
        /// Sorting each row's codes by magnitude.
        Orders = "sorting",
        /// Lengths and deviations of the rows of H.
        RowSums = "row sums",
        /// The network's outputs.
        Outputs = "outputs",
        /// S, F, distortion and relevance at every level.
        Levels = "levels",
        /// Counts of bins and entropies at every level.
        Rates = "rates",
        /// The rows that C looks at, C, and C_GT.
        Completeness = "completeness",
        /// Scores, the Pareto front, and hypervolumes.
        Front = "front and volume",
    }
}

/// A level curve cut into its stages, each of which can be repeated by itself: for benchmarks.
///
/// The stages are the functions that [`curve`](crate::papers::sfc::compute_curve) is made of, and together they
/// are all of it. Only the inputs are kept whole here, as ensembles keep them, where a single curve
/// draws them block by block.
pub struct StagedCurve {
    settings: Settings,
    inputs: NetworkInputs,
    analysis: LayerAnalysis,
    downstream: NetworkOutputs,
    scan: LevelScan,
    rates: Vec<f64>,
    truth: CompletenessValues,
    curve: Curve,
}

impl StagedCurve {
    /// Runs every stage once.
    ///
    /// # Errors
    /// As [`curve`](crate::papers::sfc::compute_curve).
    pub fn new(settings: Settings) -> Result<Self, RunError> {
        let k = settings.k();
        let inputs = NetworkInputs::draw(&settings.data_spec(), settings.shape().inputs);
        let network = PlantedNetwork::new(&settings.network_spec());
        let analysis = LayerAnalysis::new(inputs.activations(&network, &settings.data_spec()), &settings, k)?;
        let downstream = analysis.attach_network(network);
        let scan = analysis.scan_levels(&settings, k, settings.levels(), &[&downstream], &mut |_| {})?;
        let rates = analysis.rates_at_cuts(k, &scan);
        let truth = analysis.measure_completeness(&settings, k, &downstream).map_err(CurveError::Metric)?;
        let points = analysis.assemble_points(&settings, k, settings.levels(), (&scan, 0), &rates, truth);
        let curve = assemble_curve(&settings, k, points)?;
        Ok(Self { settings, inputs, analysis, downstream, scan, rates, truth, curve })
    }

    /// Runs one stage on what the stages before it left, in place of its former result.
    ///
    /// # Errors
    /// As [`curve`](crate::papers::sfc::compute_curve).
    pub fn run(&mut self, stage: Stage) -> Result<(), RunError> {
        let Self { settings, inputs, analysis, downstream, scan, rates, truth, curve } = self;
        let (k, levels) = (settings.k(), settings.levels());
        match stage {
            Stage::Inputs => *inputs = NetworkInputs::draw(&settings.data_spec(), settings.shape().inputs),
            Stage::Network => downstream.network = PlantedNetwork::new(&settings.network_spec()),
            Stage::Activations => analysis.h = inputs.activations(&downstream.network, &settings.data_spec()),
            Stage::Dictionary => {
                analysis.dictionary =
                    SvdDictionary::new(&analysis.h, settings.centred()).map_err(CurveError::Dictionary)?;
            }
            Stage::Codes => {
                (analysis.codes, analysis.features) = encode(&analysis.h, &analysis.dictionary, k)?;
            }
            Stage::Bins => {
                (analysis.bins, analysis.spans) = histogram_features(&analysis.features);
                analysis.terms = entropy_terms(analysis.h.rows());
            }
            Stage::Orders => analysis.orders = magnitude_orders(&analysis.codes),
            Stage::RowSums => {
                analysis.layer = LayerSums::new(&analysis.h, &analysis.dictionary).map_err(CurveError::Metric)?;
            }
            Stage::Outputs => {
                (downstream.outputs, downstream.output_norms) = analysis.outputs(&downstream.network);
            }
            Stage::Levels => {
                *scan = analysis.scan_levels(settings, k, levels, &[downstream], &mut |_| {})?;
            }
            Stage::Rates => *rates = analysis.rates_at_cuts(k, scan),
            Stage::Completeness => {
                analysis.drawn = draw_paper_rows(&analysis.h, settings);
                *truth = analysis.measure_completeness(settings, k, downstream).map_err(CurveError::Metric)?;
            }
            Stage::Front => {
                let points = analysis.assemble_points(settings, k, levels, (scan, 0), rates, *truth);
                *curve = assemble_curve(settings, k, points)?;
            }
        }
        Ok(())
    }

    /// What the stages came to.
    #[must_use]
    pub fn curve(&self) -> &Curve {
        &self.curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;
    use crate::papers::sfc::Preset;
    use crate::papers::sfc::{NoProgress, compute_curve};

    /// Equal floating-point numbers serialise to equal text, −0 and 0 apart.
    fn text(curve: &Curve) -> String {
        serde_json::to_string(curve).unwrap()
    }

    fn several() -> Vec<Settings> {
        let draft = |draft: Draft| draft.parse().unwrap();
        vec![
            Settings::default(),
            Settings::default().with_preset(Preset::Large).with_model_seed(7).with_data_seed(3),
            draft(Draft {
                samples: Some(300.0),
                k: Some(20.0),
                noise: Some(0.1),
                centred: Some(true),
                ..Draft::default()
            }),
        ]
    }

    #[test]
    fn the_stages_together_are_the_curve() {
        for settings in several() {
            let wanted = compute_curve(&settings, &mut NoProgress).unwrap();
            assert_eq!(text(StagedCurve::new(settings).unwrap().curve()), text(&wanted));
        }
    }

    #[test]
    fn every_stage_replaces_what_it_left_before() {
        // From another run's state, the thirteen stages must lead to this one's curve; were one of
        // them skipped, something of the other would be left.
        for settings in several() {
            let wanted = text(&compute_curve(&settings, &mut NoProgress).unwrap());
            let from = || {
                let mut stages =
                    StagedCurve::new(Settings::default().with_model_seed(1000).with_data_seed(2000)).unwrap();
                stages.settings = settings.clone();
                stages
            };
            let mut stages = from();
            Stage::ALL.into_iter().for_each(|stage| stages.run(stage).unwrap());
            assert_eq!(text(stages.curve()), wanted);
        }
        // The quickest of them will do: it is run once without each stage.
        let settings = several().pop().unwrap();
        let wanted = text(&compute_curve(&settings, &mut NoProgress).unwrap());
        for skipped in Stage::ALL {
            let mut stages = StagedCurve::new(settings.with_model_seed(1000).with_data_seed(2000)).unwrap();
            stages.settings = settings.clone();
            for stage in Stage::ALL.into_iter().filter(|stage| *stage != skipped) {
                stages.run(stage).unwrap();
            }
            assert_ne!(text(stages.curve()), wanted, "without {}", skipped.name());
        }
    }
}

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::rule::Edition;
use super::subject::{Subject, World};
use crate::settings::impl_parameter_by_name;
use crate::settings::named;

/// Says seconds.
pub type Clock = fn() -> f64;

named! {
    /// How much is measured.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditPreset"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Preset {
        /// What a reader waits for.
        Small = "small",
        /// What a report is made of.
        Full = "full",
    }
}

impl Preset {
    /// The worlds that it has, those that are there soonest first.
    #[must_use]
    pub fn worlds(self, edition: Edition) -> Vec<World> {
        use World::{Layer, Models, Planted, Scores, Stream1, Superposition, Synth, Tasks, Toys};
        match (edition, self) {
            // The truth of tasks is found by a metric that is audited, on one model.
            (Edition::Second, _) => {
                vec![Scores, Planted, Superposition, Synth, Layer, Toys, Models]
            }
            (Edition::First, Self::Small) => {
                vec![Scores, Planted, Superposition, Layer, Stream1, Models, Tasks]
            }
            (Edition::First, Self::Full) => {
                World::BUILT_IN.into_iter().filter(|world| world.in_first_edition()).collect()
            }
        }
    }
}

impl_parameter_by_name! {
    Preset, else Small;
}

/// All subjects of one world and one seed: what one worker measures at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    /// Where.
    pub world: World,
    /// Which draw.
    pub seed: u32,
    /// How much.
    pub preset: Preset,
}

/// A subject with what is known of it, ready to be measured.
pub struct PreparedSubject<T> {
    /// The task or model, where there are several; empty else.
    pub place: String,
    /// What it is there for.
    pub subject: Subject,
    /// As [`SubjectRow::truth`](super::SubjectRow::truth).
    pub truth: Option<f64>,
    /// As [`SubjectRow::truths`](super::SubjectRow::truths).
    pub truths: BTreeMap<String, f64>,
    /// As [`SubjectRow::size`](super::SubjectRow::size).
    pub size: Option<f64>,
    /// As [`SubjectRow::width`](super::SubjectRow::width).
    pub width: Option<f64>,
    /// It.
    pub data: T,
}

impl Job {
    /// Everything of a preset of an edition under some seeds, seed by seed.
    #[must_use]
    pub fn for_seeds(preset: Preset, edition: Edition, seeds: std::ops::Range<u32>) -> Vec<Self> {
        let worlds = preset.worlds(edition);
        let of = |seed| worlds.clone().into_iter().map(move |world| Self { world, seed, preset });
        seeds.flat_map(of).collect()
    }

    /// Its name: "stream1-0".
    #[must_use]
    pub fn name(self) -> String {
        format!("{}-{}", self.world, self.seed)
    }

    /// The job of a name.
    #[must_use]
    pub fn from_name(preset: Preset, name: &str) -> Option<Self> {
        let (world, seed) = name.rsplit_once('-')?;
        let world = World::BUILT_IN.into_iter().find(|other| other.name() == world)?;
        Some(Self { world, seed: seed.parse().ok()?, preset })
    }
}

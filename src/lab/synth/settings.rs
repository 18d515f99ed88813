//! What a run of SynthSAEBench is made of.

use super::printed::PrintedTable;
use crate::settings::{Choice, FieldKind, FormGroup, Problem, Range, choice, parameters, part_if_changed};

const FEATURES_RANGE: Range = Range::integer("features", 128, 4_096);
const DIMENSIONS_RANGE: Range = Range::integer("dimensions", 8, 512);
const K_RANGE: Range = Range::integer("k", 1, 64);
const SAMPLES_RANGE: Range = Range::integer("samples", 1_000, 200_000_000);
const EVALUATED_RANGE: Range = Range::integer("evaluated", 1_000, 1_000_000);
const SEEDS_RANGE: Range = Range::integer("seeds", 1, 20);

/// Rows of a training batch: the printed table's are of 1,024.
pub const BATCH_ROWS: usize = 256;

const SIZE_GROUP: FormGroup = FormGroup { name: "size", heading: "Size" };
const TRAINING_GROUP: FormGroup = FormGroup { name: "training", heading: "Training" };

const TABLE_CHOICES: [Choice; 2] = [choice("25", "L0 = 25", ""), choice("20", "L0 = 20", "")];

parameters! {
    /// What a run of SynthSAEBench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "synth", in TypeScript "SynthSettings", where k gives way;

    /// Planted features F. An autoencoder has a quarter as many latents.
    features: usize = 512, ("f", SIZE_GROUP, "Features", "Planted features; an autoencoder has a quarter as many latents. SynthSAEBench-16k has 16,384"),
        FieldKind::Number(FEATURES_RANGE), part_if_changed(1, "-f");
    /// Dimensions D of the rows.
    dimensions: usize = 64, ("d", SIZE_GROUP, "Dimensions", "Dimensions of the rows. SynthSAEBench-16k has 768"),
        FieldKind::Number(DIMENSIONS_RANGE), part_if_changed(2, "-d");
    /// Active latents of a row.
    k: usize = 4, ("k", SIZE_GROUP, "k", "Active latents of a row; the L0 that L1 and JumpReLU are tuned to"),
        FieldKind::Number(K_RANGE), part_if_changed(3, "-k");
    /// Rows that each autoencoder is trained on.
    samples: usize = 1_000_000, ("n", TRAINING_GROUP, "Training samples", "Rows that each autoencoder is trained on, in whole batches of 256. The printed table: 200 million"),
        FieldKind::Number(SAMPLES_RANGE), part_if_changed(4, "-n");
    /// Adam's rate.
    rate: f64 = 0.002, ("lr", TRAINING_GROUP, "Learning rate", "Adam’s rate. The printed table: 0.0003"),
        FieldKind::Number(Range::real("rate", 1e-6, 0.1)), part_if_changed(5, "-lr");
    /// Trainings of each architecture.
    seeds: u32 = 3, ("seeds", TRAINING_GROUP, "Seeds", "Trainings of each architecture, with weights and samples of their own"),
        FieldKind::Number(SEEDS_RANGE), part_if_changed(6, "-seeds");
    /// Seed of the planted features.
    seed: u32 = 0, ("seed", SIZE_GROUP, "Seed of the features", "Seed of the planted features: one model for all trainings"),
        FieldKind::Seed, part_if_changed(7, "-seed");
    /// Rows on which every autoencoder is measured, the same for all.
    evaluated: usize = 100_000, ("eval", TRAINING_GROUP, "Evaluated rows", "Rows on which every autoencoder is measured, the same for all"),
        FieldKind::Number(EVALUATED_RANGE), part_if_changed(8, "-eval");
    /// Which printed table stands beside it: "25" or "20".
    table: String = "25".to_owned(), ("table", SIZE_GROUP, "Printed table", "Which printed table stands beside it"),
        FieldKind::Choice(&TABLE_CHOICES), part_if_changed(9, "-l0-");
    {
        /// No more latents are active than there are, and no more of them are wanted than dimensions.
        fn problem(&self) -> Option<Problem> {
            let most = self.latents().min(self.dimensions);
            Range::integer("k", 1, most as u32).check(self.k as f64).err()
        }
    }
}

impl Settings {
    /// Latents of an autoencoder: a quarter of the features, as in print.
    #[must_use]
    pub fn latents(&self) -> usize {
        self.features / 4
    }

    /// Steps of a training.
    #[must_use]
    pub fn steps(&self) -> u32 {
        (self.samples / BATCH_ROWS).max(1) as u32
    }

    /// The printed table that stands beside it.
    #[must_use]
    pub fn printed_table(&self) -> PrintedTable {
        PrintedTable::for_l0(&self.table)
    }
}

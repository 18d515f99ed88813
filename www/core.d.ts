/* What crosses the border between JavaScript and the core. Written from the Rust types by
   `SFC_BENCH_TYPES=write cargo test --lib types`; a test fails where the two part. */

/**
 * Alignment of a column.
 */
export type Align = "left" | "right";

/**
 * Where a point wins on an edge of the triangle only: it is 0 on the axis that has no weight there.
 */
export type Border = {
/**
 * Which point.
 */
index: number,
/**
 * Both ends; equal where it is one corner of the triangle.
 */
ends: [[number, number, number], [number, number, number]], };

/**
 * One printed number of the paper beside ours.
 */
export type Cell = {
/**
 * "Table 3", "Table 4", "Table 5", "Table 6" or "Figure 4".
 */
table: string,
/**
 * Row label, e.g. "λ = 0.85", "Equal (1:1:1)", "Large", "K = 48".
 */
row: string,
/**
 * Column label, e.g. "SFC".
 */
column: string,
/**
 * As the paper prints it.
 */
printed: Printed,
/**
 * As we compute it, at full precision.
 */
computed: Printed,
/**
 * Whether the computed value rounds to the printed one at the printed digits.
 */
agrees: boolean, };

/**
 * What is known about a cell against the paper.
 */
export type CellStatus = "plain" | "agrees" | "differs" | "not-compared" | "ordinary" | "unusual";

/**
 * `light` or `dark`.
 */
export type Colours = string;

/**
 * How completeness (Eq. 3) is read.
 */
export type CompletenessReading = "paper" | "total";

/**
 * One configuration's level curve with its Pareto front.
 */
export type Curve = {
/**
 * "standard", "large", "dense", "sparse" or "custom".
 */
name: string,
/**
 * The network behind it.
 */
shape: Shape,
/**
 * Dictionary size K.
 */
k: number,
/**
 * One point a level, in the order the levels were given.
 */
points: Array<Point>,
/**
 * Volume of the union of the boxes [0, point] over *all* points.
 */
hypervolume: number,
/**
 * The same over the front alone (equal by definition; computed, not copied).
 */
hypervolume_front: number,
/**
 * Indices of the non-dominated points, ascending.
 */
front: Array<number>,
/**
 * Each point's exclusive contribution to the hypervolume.
 */
contributions: Array<number>,
/**
 * K/D: what C_GT is expected to be for a random K-dimensional subspace.
 */
c_gt_chance: number, };

/**
 * A cell of a [`DataTable`].
 */
export type DataCell = {
/**
 * As computed, at the paper's precision.
 */
text: string,
/**
 * As the paper prints it.
 */
printed?: string,
/**
 * Against the paper.
 */
status?: CellStatus, };

/**
 * A heading of a [`DataTable`].
 */
export type DataColumn = {
/**
 * What the column holds.
 */
title: string,
/**
 * Alignment of its cells.
 */
align: Align, };

/**
 * A chart as plain text: what a screen reader or a spreadsheet gets.
 */
export type DataTable = {
/**
 * Headings.
 */
columns: Array<DataColumn>,
/**
 * Rows, each as long as `columns`.
 */
rows: Array<Array<DataCell>>, };

/**
 * A short digest of every bit of a report's results, five characters for each [`Group`]:
 * `2k9ah-0pq3v-zz81d`.
 *
 * It tells that results differ, not who made them: there is nothing secret in it, and a digest to
 * suit any results is easily made. Two groups that differ have the same five characters once in 33
 * million.
 */
export type Digest = string;

/**
 * The parts of a report that are told apart, so that a reader learns which figures differ.
 */
export type DigestGroup = "curve" | "sizes" | "networks";

/**
 * Which point wins under which weights, who wins under some, and the nearest change.
 */
export type Divided = {
/**
 * The weights, of positive area, under which one point wins.
 */
regions: Array<Region>,
/**
 * Who else wins on the triangle's edges.
 */
borders: Array<Border>,
/**
 * The best point under the given weights; none where every score is 0.
 */
standing: Standing | null,
/**
 * The smallest change of weights that changes the winner; none where it wins everywhere.
 */
flip: Flip | null, };

/**
 * How fidelity (Eq. 2) is measured.
 */
export type FidelityMode = "cosine" | "r2" | "rel-mse";

/**
 * One of [`plot::FIGURES`], [`plot::INSTRUMENTS`] or [`plot::ENSEMBLE_FIGURES`].
 */
export type Figure = string;

/**
 * The smallest change of weights that changes the winner.
 */
export type Flip = {
/**
 * Who wins on the other side.
 */
to: number,
/**
 * The nearest weights at which `to` draws level, or at the triangle's edge, wins.
 */
weights: [number, number, number],
/**
 * Euclidean distance to them, between normalised weights; 0 at a tie.
 */
distance: number,
/**
 * The smallest change that moves one weight alone.
 */
slide: Slide | null, };

/**
 * A name: 1 to 32 letters, digits and hyphens.
 */
export type FrameId = string;

/**
 * A set of [`PARTS`] and of settings, named by their keys.
 */
export type Hidden = Array<string>;

/**
 * A hypervolume and what each point alone adds to it.
 */
export type Hypervolume = {
/**
 * Volume of the union of the boxes from the reference point to each point.
 */
hypervolume: number,
/**
 * For each point, the volume that no other point's box covers: what would be lost without it.
 * Duplicates and dominated points have none.
 */
contributions: Array<number>, };

/**
 * Where things are on a drawn chart, in CSS pixels from its top left corner.
 */
export type Layout = {
/**
 * Width of the drawing.
 */
width: number,
/**
 * Height of the drawing.
 */
height: number,
/**
 * The rectangle that holds the data.
 */
plot: PlotRect,
/**
 * What there is to point at, in drawing order.
 */
marks: Array<Mark>, };

/**
 * Something of a link that could not be used as it stood. Everything in it is printable ASCII, and
 * short.
 */
export type LinkChange = {
/**
 * The key.
 */
key: string,
/**
 * What stood there.
 */
found: string,
/**
 * What is used instead; empty where the pair is left out.
 */
used: string,
/**
 * All of it, with the reason, in one line.
 */
sentence: string, };

/**
 * Everything of the page that a link holds. (The theme is the reader's own, but for a page that is
 * shown inside another.)
 */
export type LinkState = {
/**
 * What is run.
 */
settings: Settings,
/**
 * Settings kept for comparison.
 */
pin: Settings | null,
/**
 * How many seeds the ensemble has.
 */
seeds: Seeds,
/**
 * Which seeds it varies.
 */
vary: Varied,
/**
 * The figure in focus.
 */
figure: Figure | null,
/**
 * Whether the page is shown inside another one.
 */
embed: boolean,
/**
 * What is hidden.
 */
hide: Hidden,
/**
 * Colours of an embedded page; the reader's own system decides where there are none.
 */
theme: Colours | null,
/**
 * What an embedded page calls itself towards the page around it.
 */
id: FrameId | null,
/**
 * Digest of the results the link's maker saw.
 */
digest: Digest | null,
/**
 * Version of this crate that the link was made with.
 */
made: Version | null, };

/**
 * Whether results are those of a link.
 */
export type LinkVerdict = {
/**
 * Whether all of them are.
 */
equal: boolean,
/**
 * Those that are not.
 */
differs: Array<DigestGroup>,
/**
 * In words, with the versions.
 */
sentence: string, };

/**
 * A place on the chart and what it reads out: "λ = 0.85 — F = 0.907".
 */
export type Mark = {
/**
 * Left edge of the target.
 */
x: number,
/**
 * Top edge of the target.
 */
y: number,
/**
 * Width of the target.
 */
w: number,
/**
 * Height of the target.
 */
h: number,
/**
 * The series it belongs to: a curve, a profile, a column.
 */
series: string,
/**
 * What is pointed at, e.g. "λ = 0.85".
 */
title: string,
/**
 * What is known there, e.g. "F = 0.907".
 */
text: string, };

/**
 * What a link says.
 */
export type ParsedLink = {
/**
 * The nearest valid state.
 */
state: LinkState,
/**
 * What had to be changed for it; empty for a link that [`print`](super::print()) made.
 */
changes: Array<LinkChange>, };

/**
 * A rectangle in CSS pixels.
 */
export type PlotRect = {
/**
 * Left edge.
 */
x: number,
/**
 * Top edge.
 */
y: number,
/**
 * Width.
 */
w: number,
/**
 * Height.
 */
h: number, };

/**
 * One decomposition: one sparsity level of one dictionary, on every axis.
 */
export type Point = {
/**
 * λ ∈ [0, 1): the share of each row's codes that is zeroed.
 */
level: number,
/**
 * Dictionary size K.
 */
k: number,
/**
 * Codes zeroed in each row: floor(λ·K).
 */
dropped: number,
/**
 * S, Eq. 1.
 */
sparsity: number,
/**
 * F, Eq. 2 (or the fidelity mode the settings name).
 */
fidelity: number,
/**
 * C, Eq. 3 (in the reading the settings name).
 */
completeness: number,
/**
 * C_GT: mean squared projection of the circuit's units on the dictionary's row space.
 */
c_gt: number,
/**
 * SFC, Eq. 4, under the weights of the settings.
 */
sfc: number,
/**
 * Rate: mean normalised histogram entropy of the codes.
 */
rate: number,
/**
 * Distortion: mean squared error over the variance of the activations.
 */
distortion: number,
/**
 * Relevance: |Pearson| of ‖codes‖₂ with ‖output‖₂. Our definition; the paper's is not identified.
 */
relevance: number, };

/**
 * The configurations of Table 1, and any other.
 */
export type Preset = "standard" | "large" | "dense" | "sparse" | "custom";

/**
 * A printed value: a number or a word (the winner's name, "8/8").
 */
export type Printed = number | string;

/**
 * One refused value: which field, what it held, what it may hold.
 */
export type Problem = {
/**
 * Stable code, e.g. `settings.samples`.
 */
code: string,
/**
 * The field's name, as in [`Draft`].
 */
field: string,
/**
 * The refused value.
 */
value: string,
/**
 * What is allowed.
 */
allowed: string,
/**
 * All of it in one line.
 */
message: string, };

/**
 * The weights, of positive area, under which one point wins.
 */
export type Region = {
/**
 * Which point.
 */
index: number,
/**
 * The corners of its convex polygon, counter-clockwise where S, F, C are.
 */
corners: Array<[number, number, number]>,
/**
 * Its share of the triangle's area, in (0, 1].
 */
share: number, };

/**
 * Everything the page draws.
 */
export type Report = {
/**
 * Version of this crate.
 */
version: string,
/**
 * The settings that were run, complete and canonical.
 */
settings: Settings,
/**
 * True when the settings are the paper's recipe (the weights aside).
 */
paper_settings: boolean,
/**
 * The configuration in view (Figures 1, 2, 4, 5; Tables 3, 4).
 */
main: Curve,
/**
 * Dictionary sizes at λ = 0.5 on the configuration in view (Table 6).
 */
sizes: Array<Point>,
/**
 * Standard, large, dense, sparse (Figure 3; Table 5); one that cannot be run under these settings
 * is left out.
 */
cross: Array<Curve>, };

/**
 * A number of seeds, 1 to [`SEEDS_MAX`]; 100 unless it is said otherwise.
 */
export type Seeds = number;

/**
 * A complete, valid description of a run.
 *
 * Two settings that mean the same are equal: the configuration's name follows from its sizes.
 *
 * ```
 * use sfc_bench::{Draft, Settings};
 * let paper = Settings::default();
 * assert_eq!((paper.shape().hidden, paper.k(), paper.samples()), (64, 48, 2000));
 * let refused = Draft { hidden: Some(-3.0), ..Draft::default() }.parse().unwrap_err();
 * assert_eq!(refused.0[0].field, "hidden");
 * ```
 */
export type Settings = { config: Preset, weight_scale: number, bias_scale: number, noise: number, model_seed: number, data_seed: number, completeness_seed: number, samples: number, k: number, levels: Array<number>, completeness: CompletenessReading, fidelity: FidelityMode, centred: boolean, weights: Weights,
/**
 * Input width.
 */
inputs: number,
/**
 * Hidden width D: the dimension of the activations.
 */
hidden: number,
/**
 * Output width.
 */
outputs: number,
/**
 * Hidden units that reach the output.
 */
circuit: number, };

/**
 * The shape of a planted network (Table 1).
 */
export type Shape = {
/**
 * Input width.
 */
inputs: number,
/**
 * Hidden width D: the dimension of the activations.
 */
hidden: number,
/**
 * Output width.
 */
outputs: number,
/**
 * Hidden units that reach the output.
 */
circuit: number, };

/**
 * A change of one weight, the two others kept, that changes the winner.
 */
export type Slide = {
/**
 * Whose weight: 0 for S, 1 for F, 2 for C.
 */
axis: number,
/**
 * The weight beyond which, or at 0 for which, `to` wins. Equal to the present weight where any
 * change suffices.
 */
weight: number,
/**
 * Who wins then.
 */
to: number,
/**
 * Euclidean distance between the normalised weights.
 */
distance: number, };

/**
 * The best point under some weights.
 */
export type Standing = {
/**
 * Which point: the first of equals.
 */
index: number,
/**
 * Its SFC, above 0.
 */
score: number,
/**
 * The best of the others.
 */
runner_up: number | null,
/**
 * SFC less the runner-up's; the whole of it where there is no other point.
 */
margin: number, };

/**
 * How one table's printed cells compare.
 */
export type Tally = {
/**
 * The table.
 */
table: string,
/**
 * Cells that agree.
 */
agree: number,
/**
 * Cells compared.
 */
total: number, };

/**
 * Which of the two seeds an ensemble varies.
 */
export type Varied = "model" | "model-and-data";

/**
 * How a report compares with the paper, in numbers and in words.
 */
export type Verdict = {
/**
 * Cells of Tables 3, 4 and 6 that agree.
 */
agree: number,
/**
 * Cells of Tables 3, 4 and 6 that were compared.
 */
total: number,
/**
 * The headline.
 */
sentence: string,
/**
 * What else there is to know, a sentence each.
 */
notes: Array<string>,
/**
 * Every table by itself.
 */
per_table: Array<Tally>, };

/**
 * A version: digits, letters, full stops and hyphens, at most 32, a digit first.
 */
export type Version = string;

/**
 * Preference weights (α, β, γ) of sparsity, fidelity and completeness: each 0 or from
 * [`WEIGHT_MIN`] to [`WEIGHT_MAX`], at least one positive. A zero weight drops its axis.
 *
 * ```
 * use sfc_bench::Weights;
 * let sparsity_heavy = Weights::new(5.0, 1.0, 1.0)?;
 * assert!((sparsity_heavy.sfc(0.9375, 0.7774, 0.9878) - 0.917).abs() < 5e-4);
 * assert_eq!(Weights::EQUAL.sfc(0.0, 0.991, 0.988), 0.0);
 * assert!(Weights::new(1.0, -1.0, 1.0).is_err());
 * # Ok::<(), sfc_bench::WeightsError>(())
 * ```
 */
export type Weights = [number, number, number];

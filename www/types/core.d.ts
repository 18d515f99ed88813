/* What crosses the border between JavaScript and the core. Written from the Rust types by
   `SFC_BENCH_TYPES=write cargo types`; a test fails where the two part. */

/**
 * Alignment of a column.
 */
export type Align = "left" | "right";

/**
 * What an array is, in words and numbers.
 */
export type ArrayDescription = {
/**
 * Its name in the file.
 */
name: string,
/**
 * Its numbers.
 */
dtype: DType,
/**
 * Its dimensions, as the file has them.
 */
shape: Array<number>,
/**
 * Rows of the matrix it is read as.
 */
rows: number,
/**
 * Columns of the matrix it is read as.
 */
cols: number, };

/**
 * An answer.
 */
export type AuditAdvice = {
/**
 * The metric that it is about, by its id; none where nothing was measured.
 */
metric: string | null,
/**
 * Which number, and on how many seeds which difference may be believed; or that there is none, and why.
 */
says: [string, string], };

/**
 * Which way a metric's paper reads it.
 */
export type AuditBetter = "higher" | "lower";

/**
 * What a column says of one metric.
 */
export type AuditCell = {
/**
 * Which.
 */
column: AuditColumn,
/**
 * In a word.
 */
word: AuditWord,
/**
 * The number behind it, in the column's own terms: the intraclass correlation (first edition: the coefficient of
 * variation), AUC of the worst control, ρ with the truth, the greatest change in standard deviations (first edition: in
 * distances from random), share of subjects that pass, greatest |ρ| with another metric, seconds.
 */
value: number | null,
/**
 * Its interval, where there is one.
 */
interval: [number, number] | null,
/**
 * In a full sentence.
 */
says: string, };

/**
 * How a metric takes a change that should not matter.
 */
export type AuditChange = {
/**
 * Which: "scaled".
 */
name: string,
/**
 * The size of the change in units of the reference's distance from random, from 0; second edition: in standard
 * deviations of the metric over the world's subjects.
 */
change: AuditEstimate,
/**
 * Second edition: where; empty in the first.
 */
world: string,
/**
 * Second edition: whether the seeds of its estimate are models.
 */
models: boolean,
/**
 * Second edition: in a word.
 */
word?: AuditWord, };

/**
 * What a metric is asked.
 */
export type AuditColumn = "reliability" | "discrimination" | "validity" | "invariance" | "reach" | "redundancy" | "cost";

/**
 * How a metric finds a control.
 */
export type AuditControl = {
/**
 * Which: "random".
 */
name: string,
/**
 * By how many pooled standard deviations the reference is better, each seed's difference over that of all seeds,
 * with Hedges' correction: the mean is Hedges' g. Where neither varies, and of one seed: in sizes of the reference.
 */
difference: AuditEstimate,
/**
 * How often a reference is better than a control, over all pairs of seeds, from 0 to 1.
 */
auc: number,
/**
 * The 95 % interval of it.
 */
auc_interval: [number, number] | null,
/**
 * The share of seeds in which the control meets the paper's condition; none where there is no condition.
 */
passes: number | null,
/**
 * In a word.
 */
word: AuditTold,
/**
 * Second edition: where; empty in the first, which takes all worlds together.
 */
world: string,
/**
 * Second edition: whether the seeds of its estimates are models.
 */
models: boolean, };

/**
 * How metrics go together over subjects.
 */
export type AuditCorrelations = {
/**
 * Their ids, in the registry's order.
 */
metrics: Array<string>,
/**
 * Spearman's ρ of each with each, averaged over seeds; none where two have too few subjects in common or one does
 * not vary there.
 */
rho: Array<Array<number | null>>,
/**
 * Indices as the leaves of the tree that average linkage makes stand beside each other.
 */
order: Array<number>,
/**
 * The cluster of each metric, from 0.
 */
clusters: Array<number>, };

/**
 * What a metric takes of one subject, as if nothing were shared.
 */
export type AuditCost = {
/**
 * The median.
 */
seconds: number,
/**
 * Rows encoded, prompts passed: the median.
 */
evaluations: number, };

/**
 * How many readings pass each basic test, and all three.
 */
export type AuditCounts = {
/**
 * Readings that have values.
 */
readings: number,
/**
 * The metrics that these are readings of.
 */
metrics: number,
/**
 * The readings that score autoencoders.
 */
of_autoencoders: number,
/**
 * Controls separated, truths followed, invariant; all three.
 */
tests: [AuditTestCount, AuditTestCount, AuditTestCount, AuditTestCount],
/**
 * Of those that separate every control, how many are held against one alone.
 */
alone: number,
/**
 * How many verdicts hang on the limits.
 */
sensitivity: AuditSensitivity | null, };

/**
 * How a metric follows a dose.
 */
export type AuditDose = {
/**
 * Of what: "steps".
 */
name: string,
/**
 * Level, mean over seeds and its 95 % interval, ascending; the reference is level 1.
 */
levels: Array<[number, number, [number, number] | null]>,
/**
 * Spearman's ρ of level and value as its paper reads it, 0 where values do not vary; none of fewer than three.
 */
rho: AuditEstimate | null, };

/**
 * A protocol.
 */
export type AuditEdition = "1" | "2";

/**
 * What is said of one metric.
 */
export type AuditEntry = {
/**
 * Its id.
 */
metric: string,
/**
 * One a column, in the order of [`Column::ALL`].
 */
cells: Array<AuditCell>,
/**
 * What they follow from.
 */
evidence: AuditEvidence, };

/**
 * A statistic over seeds.
 */
export type AuditEstimate = {
/**
 * Its mean.
 */
mean: number,
/**
 * The 95 % interval of its mean; none from one seed.
 */
interval: [number, number] | null,
/**
 * How surprising it would be if its mean were 0; none from one seed, and of a size, which is never below 0.
 */
p: number | null,
/**
 * The same, such that the false discovery rate of the table is controlled.
 */
q: number | null,
/**
 * Of how many seeds.
 */
seeds: number, };

/**
 * All numbers that the cells of one metric follow from.
 */
export type AuditEvidence = {
/**
 * How much it varies.
 */
reliability: AuditReliability,
/**
 * One a control, by name.
 */
controls: Array<AuditControl>,
/**
 * One a dose, by name.
 */
doses: Array<AuditDose>,
/**
 * How it follows the truth.
 */
validity: AuditValidity,
/**
 * One a change that should not matter, by name.
 */
changes: Array<AuditChange>,
/**
 * How far it reaches; none where it was never defined.
 */
reach: AuditReach | null,
/**
 * Metrics that were defined on the same subjects and ρ with each, the largest |ρ| first.
 */
alike: Array<[string, number]>,
/**
 * What it takes; none where it was never defined.
 */
cost: AuditCost | null, };

/**
 * What a reader's files say.
 */
export type AuditGiven = { "kind": "autoencoders",
/**
 * How many there are.
 */
autoencoders: number,
/**
 * How many rows of the activations were taken.
 */
activations: number,
/**
 * What was measured.
 */
rows: Array<AuditRow>,
/**
 * What must be known of their files, in sentences.
 */
notes: Array<string>, } | { "kind": "published",
/**
 * What is said of each number.
 */
scores: Array<AuditPublished>, };

/**
 * What a subject is there for: which question it answers.
 */
export type AuditGroup = "reference" | "truth" | "control" | "dose" | "variant" | "same" | "sample" | "again" | "extreme" | "trained";

/**
 * A job, done.
 */
export type AuditJob = {
/**
 * Its name: "stream1-0".
 */
job: string,
/**
 * What was measured.
 */
rows: Array<AuditRow>,
/**
 * What it took, by one thread, in seconds. Not part of any digest.
 */
seconds: number, };

/**
 * What metrics are defined on.
 */
export type AuditKind = "decomposition" | "circuit" | "model" | "scores";

/**
 * What a metric needs to have of somebody's model.
 */
export type AuditNeeds = "activations" | "model" | "judge" | "scores";

/**
 * How much is measured.
 */
export type AuditPreset = "small" | "full";

/**
 * What can be said of a number that an evaluation reports: there is neither a truth nor a control.
 */
export type AuditPublished = {
/**
 * The evaluation: "sparse_probing".
 */
evaluation: string,
/**
 * Which number.
 */
quantity: string,
/**
 * How many autoencoders it is of under two seeds or more.
 */
configurations: number,
/**
 * The fewest seeds of one of these.
 */
seeds: number,
/**
 * Its coefficient of variation over seeds (ddof 1), averaged over autoencoders; none where some mean is 0, or no
 * autoencoder has two seeds.
 */
variation: number | null,
/**
 * What the rule says of that.
 */
reliability: AuditWord,
/**
 * Pairs of autoencoders.
 */
pairs: number,
/**
 * The share of pairs that EX24 passes as its text has it; none without a pair.
 */
passes: number | null,
/**
 * The share of pairs whose seeds an interval of AUC tells apart; none without a pair.
 */
told: number | null, };

/**
 * How far a metric reaches, against its paper's condition.
 */
export type AuditReach = {
/**
 * Its least value.
 */
least: number,
/**
 * Its greatest.
 */
greatest: number,
/**
 * Where it is least: "random on stream1".
 */
least_subject: string,
/**
 * Where it is greatest.
 */
greatest_subject: string,
/**
 * The share of subjects that pass, of those that were not searched for; none where the paper has no condition.
 */
share: number | null,
/**
 * Whether the condition was seen to pass; none where the paper has none.
 */
passes: boolean | null,
/**
 * Whether it was seen to fail.
 */
fails: boolean | null,
/**
 * Whether what its formula reaches has a value that fails.
 */
formula_can_fail: boolean | null,
/**
 * Whether it has one that passes.
 */
formula_can_pass: boolean | null, };

/**
 * Coefficients of variation, from 0; none where there are not two values or their mean is 0.
 */
export type AuditReliability = {
/**
 * How many seeds have a reference.
 */
seeds: number,
/**
 * Of the reference over seeds.
 */
cv_seeds: number | null,
/**
 * Over other data of the same kind, averaged over seeds.
 */
cv_samples: number | null,
/**
 * Over seeds of the metric's own, averaged over seeds.
 */
cv_own: number | null,
/**
 * How many seeds it takes to tell the reference from its nearest control; none where no number does.
 */
seeds_to_tell: number | null,
/**
 * Second edition: one a world, how far values are the subject's rather than chance's.
 */
worlds: Array<AuditStability>, };

/**
 * An audit, as far as it has come.
 */
export type AuditReport = {
/**
 * What was wanted.
 */
settings: AuditSettings,
/**
 * Jobs that are done, by name, each with its rows.
 */
jobs: Array<AuditJob>,
/**
 * A reader's own, measured in place of any job.
 */
own?: Array<AuditRow>, };

/**
 * One subject of one world and seed, and what every metric says of it.
 */
export type AuditRow = {
/**
 * Where.
 */
world: AuditWorld,
/**
 * Which of several places of one kind there: the task of a circuit, the name of a model; empty where there is one.
 */
place: string,
/**
 * The seed of the world and of what is trained in it.
 */
seed: number,
/**
 * What it is there for.
 */
subject: AuditSubject,
/**
 * The first edition's truth: how good it is by what is planted, more is better; none where nothing is known of it.
 */
truth: number | null,
/**
 * What is known of it by name, more is better, each computed without any metric of the registry; none in reports
 * of the first edition.
 */
truths?: { [key in string]: number },
/**
 * Active latents of a row, or heads; none of what has neither.
 */
size: number | null,
/**
 * Latents, or all heads; none of what has neither.
 */
width: number | null,
/**
 * One a metric; none where the subject is not applicable.
 */
values: Array<AuditValue>,
/**
 * Why what is given has no such control, dose or guise, where it has none.
 */
not_applicable?: string, };

/**
 * How many words change when the rule's limits do.
 */
export type AuditSensitivity = {
/**
 * By how much every limit is moved, but that of q and those of seconds.
 */
by: number,
/**
 * Words that hang on such a limit, of metrics that have values.
 */
words: number,
/**
 * How many are others where the limits are lower.
 */
lower: number,
/**
 * Where they are higher.
 */
higher: number, };

/**
 * What is measured and shown. Out-of-range values cannot be held: it is made from a [`Draft`].
 */
export type AuditSettings = {
/**
 * How much is measured.
 */
preset: AuditPreset,
/**
 * How many seeds.
 */
seeds: number,
/**
 * The first of them.
 */
first_seed: number,
/**
 * The only world that is measured, or "all" of the preset.
 */
world: string,
/**
 * Coefficient of variation up to which a metric is reliable.
 */
cv: number,
/**
 * Coefficient of variation up to which it partly is.
 */
cv_partly: number,
/**
 * False discovery rate.
 */
fdr: number,
/**
 * Area under the curve from which a control is told.
 */
auc: number,
/**
 * Rank correlation with the truth above which a metric is valid.
 */
validity: number,
/**
 * Relative change up to which nothing changed.
 */
change: number,
/**
 * Rank correlation from which two metrics are one.
 */
redundancy: number,
/**
 * Seconds up to which a metric is cheap.
 */
seconds: number,
/**
 * Seconds up to which it partly is.
 */
seconds_partly: number,
/**
 * Weight of a column in the reader's own order, from 0 to 1.
 */
weigh_reliability: number,
/**
 * As the first.
 */
weigh_discrimination: number,
/**
 * As the first.
 */
weigh_validity: number,
/**
 * As the first.
 */
weigh_invariance: number,
/**
 * As the first.
 */
weigh_reach: number,
/**
 * As the first.
 */
weigh_redundancy: number,
/**
 * As the first.
 */
weigh_cost: number,
/**
 * By what rows are ordered: "score", "paper" or the name of a column.
 */
sort: string,
/**
 * The metric that is opened, by its id, or "first" of the table.
 */
metric: string,
/**
 * The study whose metrics are shown, or "all".
 */
paper: string,
/**
 * What one has: only what can be measured with it is shown.
 */
has: string,
/**
 * The column in which what is shown passes, at least in part; or "all" are shown.
 */
asks: string,
/**
 * The protocol, by its number.
 */
edition: AuditEdition,
/**
 * Second edition: lower end of AUC's interval from which a control is separated.
 */
separates: number,
/**
 * Second edition: lower end of the intraclass correlation's interval from which a metric is reliable.
 */
icc: number,
/**
 * Second edition: lower end from which it partly is.
 */
icc_partly: number, };

/**
 * How far a metric's values are the subject's, in one world.
 */
export type AuditStability = {
/**
 * Where: "streams".
 */
world: string,
/**
 * The intraclass correlation ICC(C,1) of subjects over models.
 */
icc: number,
/**
 * Its exact 95 % interval.
 */
interval: [number, number],
/**
 * How many subjects.
 */
subjects: number,
/**
 * On how many models, or seeds.
 */
units: number,
/**
 * Whether those are models.
 */
models: boolean,
/**
 * The smallest difference of two subjects on one model that chance does not make.
 */
least_difference: number,
/**
 * In a word.
 */
word: AuditWord, };

/**
 * A subject by what it is there for.
 */
export type AuditSubject = {
/**
 * What it is there for.
 */
group: AuditGroup,
/**
 * Which of them: "random", "steps", "scaled".
 */
name: string,
/**
 * How much of it, where there is more and less.
 */
level: number, };

/**
 * What is said of all metrics.
 */
export type AuditTable = {
/**
 * One a metric, in the registry's order.
 */
entries: Array<AuditEntry>,
/**
 * How they go together.
 */
correlations: AuditCorrelations,
/**
 * Second edition, of a whole report: what the words owe to where the limits are.
 */
sensitivity?: AuditSensitivity, };

/**
 * How many readings with values have the best word of a test.
 */
export type AuditTestCount = {
/**
 * The test, in words.
 */
test: string,
/**
 * Of all readings.
 */
all: number,
/**
 * Of those that score autoencoders.
 */
of_autoencoders: number, };

/**
 * Whether a control is separated from the reference.
 */
export type AuditTold = "told" | "reversed" | "not-seen" | "unknown" | "overlaps" | "inconclusive" | "equal" | "not-applicable";

/**
 * How a metric follows one truth in one world, among trained subjects.
 */
export type AuditTruth = {
/**
 * Where: "streams".
 */
world: string,
/**
 * Which: "steering".
 */
truth: string,
/**
 * Whether the metric shares a term with it.
 */
tied: boolean,
/**
 * The most trained subjects of a place.
 */
subjects: number,
/**
 * Whether the seeds of its estimate are models.
 */
models: boolean,
/**
 * Spearman's ρ; none where the metric is constant or too few subjects differ. Its p is the larger of the two below.
 */
rho: AuditEstimate | null,
/**
 * p of ρ over models, or seeds: whether it is 0 on other models of the same subjects.
 */
p_models: number | null,
/**
 * p of ρ over subjects: whether as large a ρ is had where it is chance which of them has which truth, the same chance
 * on all models.
 */
p_subjects: number | null,
/**
 * Partial Spearman's ρ given active latents, or heads; none where that has no value.
 */
given_size: AuditEstimate | null,
/**
 * What a metric that reads nothing else would have: ρ of the truth and fewer active latents, or heads, over the same
 * subjects.
 */
of_size: AuditEstimate | null,
/**
 * The same of the truth and the width.
 */
of_width: AuditEstimate | null,
/**
 * In a word.
 */
word: AuditWord, };

/**
 * Spearman's ρ with the truth, of values as the paper reads them: 0 where values do not vary, none where truths do not.
 */
export type AuditValidity = {
/**
 * Whether the truth of any of its subjects is known.
 */
known: boolean,
/**
 * With nothing given.
 */
rho: AuditEstimate | null,
/**
 * Given active latents or heads.
 */
given_size: AuditEstimate | null,
/**
 * Given all latents or heads.
 */
given_width: AuditEstimate | null,
/**
 * Second edition: one a world and truth.
 */
truths: Array<AuditTruth>, };

/**
 * What one metric says of one subject.
 */
export type AuditValue = {
/**
 * The metric's id.
 */
metric: string,
/**
 * What it says; none where it is not defined or refuses.
 */
value: number | null,
/**
 * What it took, as if nothing were shared between metrics, in seconds. Not part of any digest.
 */
seconds: number,
/**
 * Rows that were encoded, prompts that were passed through a model.
 */
evaluations: bigint, };

/**
 * What a column says of a metric.
 */
export type AuditWord = "holds" | "partly" | "fails" | "unknown" | "none" | "separates" | "overlaps" | "inconclusive" | "reversed" | "equal" | "tied" | "not-applicable";

/**
 * Where subjects come from, and what is known there.
 */
export type AuditWorld = "superposition" | "layer" | "stream0" | "stream1" | "stream2" | "planted" | "tasks" | "models" | "scores" | "toys" | "synth" | "own";

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
 * How often the winning latent is about what a pair contrasts, by the truth that was planted.
 */
export type CeBenchAbout = {
/**
 * Share of the pairs of topics; none where there is none.
 */
topic: number | null,
/**
 * Share of the pairs of moods.
 */
mood: number | null,
/**
 * The share by chance: of all latents those that are about what a pair contrasts, over the pairs of
 * topics.
 */
base_topic: number | null,
/**
 * The same of moods.
 */
base_mood: number | null, };

/**
 * Where a pair's marks come from.
 */
export type CeBenchMarksFrom = "arrays" | "tokens" | "words";

/**
 * A pair of stories.
 */
export type CeBenchOwnPair = {
/**
 * What names say of it: "0".
 */
pair: string,
/**
 * The subject, where its entry says it.
 */
subject: string | null,
/**
 * Tokens of each story.
 */
tokens: [number, number],
/**
 * Marked ones; null where nothing is known of marks.
 */
marked: [number, number] | null,
/**
 * Where marks come from.
 */
marks_from: CeBenchMarksFrom | null,
/**
 * Scores in each reading that there are.
 */
scores: Array<CeBenchOwnScores>,
/**
 * Why a reading is missing.
 */
why: string | null, };

/**
 * Means over the pairs in one reading.
 */
export type CeBenchOwnReading = {
/**
 * Which.
 */
reading: 'v1_marked' | 'code_head' | 'readme' | 'paper',
/**
 * Whether its independence holds marked tokens against the others; without marks where not.
 */
reads_marks: boolean,
/**
 * Pairs that have scores in it.
 */
pairs: number,
/**
 * Mean contrastive score.
 */
contrastive: number | null,
/**
 * Mean independent score.
 */
independence: number | null,
/**
 * Mean interpretability score.
 */
interpretability: number | null,
/**
 * The largest z-score that so many latents allow; null where the reading has no z-scores.
 */
bound: number | null,
/**
 * The contrastive score as a share of it.
 */
contrastive_share: number | null,
/**
 * The independent score as a share of it.
 */
independence_share: number | null,
/**
 * The interpretability score as a share of it.
 */
interpretability_share: number | null,
/**
 * Why a score is missing, or is of some pairs only.
 */
why: string | null, };

/**
 * Scores of a reader's own activations.
 */
export type CeBenchOwnReport = {
/**
 * Every file, and whether it was read.
 */
files: Array<GivenRow>,
/**
 * Latents D.
 */
latents: number,
/**
 * The means over the pairs, a row a reading.
 */
readings: Array<CeBenchOwnReading>,
/**
 * Every pair.
 */
pairs: Array<CeBenchOwnPair>,
/**
 * What a reader must know to read the numbers rightly, in sentences.
 */
notes: Array<string>, };

/**
 * A pair's scores in one reading.
 */
export type CeBenchOwnScores = {
/**
 * Which.
 */
reading: 'v1_marked' | 'code_head' | 'readme' | 'paper',
/**
 * How far the stories are apart; null where that is no number (one latent alone, ddof 1).
 */
contrastive: number | null,
/**
 * How far marked tokens are from unmarked ones, or what the reading has instead.
 */
independence: number | null,
/**
 * Both together.
 */
interpretability: number | null,
/**
 * The first latent with the largest difference between the stories, from 0.
 */
contrastive_latent: number,
/**
 * That with the largest difference of the other kind.
 */
independence_latent: number, };

/**
 * A pair, of the autoencoder that is opened.
 */
export type CeBenchPair = {
/**
 * In what the stories differ: "topic" or "mood".
 */
contrast: string,
/**
 * What each is told to be: a topic, or a mood.
 */
told: [string, string],
/**
 * Both, in order.
 */
stories: Array<CeBenchStory>,
/**
 * The scores, in the order of [`Reading::ALL`].
 */
scores: Array<CeBenchScores>,
/**
 * The latent where the stories are farthest apart, in the same order.
 */
winners: Array<number>, };

/**
 * The scores in every reading.
 */
export type CeBenchReadings = {
/**
 * The older code.
 */
v1_marked: CeBenchScores,
/**
 * The newest code.
 */
code_head: CeBenchScores,
/**
 * The README's words.
 */
readme: CeBenchScores,
/**
 * The abstract's.
 */
paper: CeBenchScores, };

/**
 * What a run of CE-Bench found.
 */
export type CeBenchReport = {
/**
 * What was run.
 */
settings: CeBenchSettings,
/**
 * Every autoencoder that was scored; first the one that is opened.
 */
subjects: Array<CeBenchSubject>,
/**
 * The pairs of the one that is opened.
 */
pairs: Array<CeBenchPair>, };

/**
 * One dictionary's results, as its file reports them and beside what comes of them.
 */
export type CeBenchResultRow = {
/**
 * Its place, from 1: by the share of what the width allows that its interpretability score is.
 */
rank: number | null,
/**
 * The file.
 */
file: string,
/**
 * The dictionary: release and identifier, or what else names it.
 */
sae: string,
/**
 * Whether the folders that the file came in say the same; null where it came in none.
 */
folder_agrees: boolean | null,
/**
 * The data set of stories, where the file says it.
 */
dataset: string | null,
/**
 * Pairs of stories (`total_rows`).
 */
pairs: number | null,
/**
 * Latents (`d_sae`).
 */
latents: number | null,
/**
 * The model, where the file says it.
 */
model: string | null,
/**
 * The contrastive score.
 */
contrastive: number | null,
/**
 * The independent score.
 */
independence: number | null,
/**
 * The interpretability score.
 */
interpretability: number | null,
/**
 * The sum of the first two.
 */
sum: number | null,
/**
 * Interpretability score less sum.
 */
difference: number | null,
/**
 * Whether they are the same.
 */
sum_holds: boolean | null,
/**
 * Whether the interpretability score is above the larger of the others.
 */
above_both: boolean | null,
/**
 * The largest z-score that so many latents allow, (D − 1)/√D: the newest program's.
 */
bound: number | null,
/**
 * The same of the older program, √(D − 1).
 */
bound_ddof0: number | null,
/**
 * The contrastive score as a share of `bound`.
 */
contrastive_share: number | null,
/**
 * The independent score as a share of it.
 */
independence_share: number | null,
/**
 * The interpretability score as a share of it.
 */
interpretability_share: number | null,
/**
 * Whether no score is above it.
 */
within_bound: boolean | null,
/**
 * Why something is missing.
 */
why: string | null, };

/**
 * What was found of `results.json` files.
 */
export type CeBenchResultsReport = {
/**
 * Every file, and whether it was read.
 */
files: Array<GivenRow>,
/**
 * A row a file, the highest share of what its width allows first; those without a width last.
 */
rows: Array<CeBenchResultRow>,
/**
 * What becomes of the sum over all of them.
 */
claim: CeBenchSumClaim,
/**
 * What a reader must know to read the numbers rightly, in sentences.
 */
notes: Array<string>, };

/**
 * Means of the scores over pairs.
 */
export type CeBenchScores = {
/**
 * How far the stories are apart.
 */
contrastive: number,
/**
 * How far marked tokens are from the others, or what the reading has instead.
 */
independence: number,
/**
 * Both together.
 */
interpretability: number, };

/**
 * What a run of CE-Bench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
 */
export type CeBenchSettings = {
/**
 * The name of the autoencoder whose pairs are opened.
 */
sae: string,
/**
 * How many story pairs.
 */
pairs: number,
/**
 * Their seed.
 */
seed: number, };

/**
 * One story of a pair.
 */
export type CeBenchStory = {
/**
 * Its tokens.
 */
tokens: Array<number>,
/**
 * Which of them carry the contrast.
 */
marks: Array<boolean>,
/**
 * What the winning latent of each reading is on each token but the first.
 */
activations: Array<Array<number>>, };

/**
 * An autoencoder's scores.
 */
export type CeBenchSubject = {
/**
 * Its name.
 */
name: string,
/**
 * What it is, in a few words.
 */
label: string,
/**
 * Whether it was trained; a control otherwise.
 */
trained: boolean,
/**
 * Its latents.
 */
latents: number,
/**
 * Means over all pairs.
 */
readings: CeBenchReadings,
/**
 * Whether winning latents are about the contrast.
 */
about: CeBenchAbout, };

/**
 * How often the interpretability score is what the README says: the sum of the two others.
 */
export type CeBenchSumClaim = {
/**
 * Files with all three scores.
 */
files: number,
/**
 * Those where the sum holds.
 */
holds: number,
/**
 * Those whose interpretability score is above the larger of the two others.
 */
above_both: number,
/**
 * Those with a score above the largest that the width allows.
 */
above_bound: number,
/**
 * The least difference of interpretability score and sum.
 */
least: number | null,
/**
 * The greatest.
 */
greatest: number | null,
/**
 * How far, as a share of the larger, numbers may be apart that are called the same.
 */
tolerance: number, };

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
 * How codes on a dictionary that comes alone are made.
 *
 * Everywhere (in a request, on the command line, in a link) it is the same word: `projection`,
 * `least-squares`, or `top-8` for the eight largest.
 */
export type CodesBy = 'projection' | 'least-squares' | `top-${number}`;

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
 * The result of [`d_prime`].
 */
export type DPrime = {
/**
 * Share of prompts with a logit difference above 0 in the whole model.
 */
hit_rate: number,
/**
 * The same without the circuit.
 */
false_alarm_rate: number,
/**
 * The hit rate, from 1/2N to 1 − 1/2N.
 */
hit_rate_adj: number,
/**
 * The false alarms' rate, from 1/2N to 1 − 1/2N.
 */
fa_rate_adj: number,
/**
 * d′, in standard deviations.
 */
dprime: number,
/**
 * The criterion, which the page calls β: below 0 is liberal, above 0 conservative.
 */
criterion_c: number,
/**
 * The likelihood ratio at the criterion, which the literature calls β.
 */
beta_likelihood_ratio: number,
/**
 * The area under the ROC curve, a tie counting ½.
 */
auc: number,
/**
 * Whether it passes where limits count as met: the code.
 */
passed_code_ge: boolean,
/**
 * Whether it passes where limits must be exceeded: the text.
 */
passed_document_gt: boolean,
/**
 * The largest d′ that so many prompts can have.
 */
dprime_max: number, };

/**
 * The numbers an array is made of. What they become, `f32` or `f64`, is its reader's choice: exactly where that type has
 * them, else rounded to nearest.
 */
export type DType = "float16" | "bfloat16" | "float32" | "float64" | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64";

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
 * How far two decompositions have the same directions.
 */
export type DecompositionConsistency = {
/**
 * The name of one.
 */
first: string,
/**
 * The name of the other.
 */
second: string,
/**
 * The pairwise dictionary mean correlation coefficient: the mean |cosine| of the directions of both, matched one to one
 * so that it is largest; 0 to 1.
 */
pw_mcc: number, };

/**
 * What a decomposition is there for.
 */
export type DecompositionRole = "given" | "random" | "permuted" | "pca";

/**
 * One decomposition of the table.
 */
export type DecompositionRow = {
/**
 * Its name, which no other row has.
 */
name: string,
/**
 * What it is there for.
 */
role: DecompositionRole,
/**
 * The names of those that it is a control of.
 */
control_of?: Array<string>,
/**
 * S.
 */
sparsity: number,
/**
 * F in the mode that is scored; null where it has no value.
 */
fidelity: number | null,
/**
 * C by the reading and over the variance that are scored, the same for all rows; null where it has no value.
 */
completeness: number | null,
/**
 * SFC; null where an axis that has a weight has no value.
 */
sfc: number | null,
/**
 * Whether no other row is at least as good in S, F and C and better in one of them; null where one of these has no
 * value.
 */
on_front: boolean | null,
/**
 * The volume above (0, 0, 0) in S, F and C that this row alone covers; null where one of these has no value.
 */
contribution: number | null,
/**
 * Everything else that was measured.
 */
report: EvaluateReport, };

/**
 * Decompositions of the same activations, by falling score.
 */
export type DecompositionsReport = {
/**
 * The version of this program.
 */
version: string,
/**
 * The decompositions, by falling SFC; those without one come last.
 */
rows: Array<DecompositionRow>,
/**
 * Weights of the score.
 */
weights: Weights,
/**
 * The fidelity that the score takes.
 */
mode: FidelityMode,
/**
 * The reading of completeness that the score takes.
 */
reading: Reading,
/**
 * The variance that completeness divides by.
 */
variance: Variance,
/**
 * Seed of the controls; null where there are none.
 */
seed: number | null,
/**
 * Volume of the union of the boxes from (0, 0, 0) to (S, F, C) of all rows.
 */
hypervolume: number,
/**
 * How far each two of those that were asked for have the same directions, where they have as many, and not too many
 * to be matched.
 */
consistency?: Array<DecompositionConsistency>,
/**
 * What a reader must know to read the numbers rightly, in sentences.
 */
notes: Array<string>, };

/**
 * What an autoencoder is to a comparison.
 */
export type DictionaryRole = "trained" | "control";

/**
 * The result of [`dif`].
 */
export type Dif = {
/**
 * Groups as they were given.
 */
groups: Array<DifGroup>,
/**
 * All pairs of groups with two prompts or more.
 */
pairs: Array<DifPair>,
/**
 * The largest |d| in the code's reading; 0 without pairs.
 */
max_dif_code: number,
/**
 * The largest |d| as it is defined; 0 without pairs.
 */
max_dif_standard: number,
/**
 * What the code reports: 1 − min(largest |d|, 1).
 */
value_code: number,
/**
 * Whether the code's largest |d| is below ½.
 */
passed_code: boolean,
/**
 * Whether the largest |d| as it is defined is below ½.
 */
passed_standard: boolean, };

/**
 * A group by itself.
 */
export type DifGroup = {
/**
 * Its name.
 */
name: string,
/**
 * Its prompts.
 */
n: number,
/**
 * Its mean logit difference; none without prompts.
 */
mean_ld: number | null,
/**
 * The standard deviation of its logit differences, ddof 0; none without prompts.
 */
std_ld: number | null,
/**
 * Share of its logit differences above 0; none without prompts.
 */
accuracy: number | null, };

/**
 * Two groups compared.
 */
export type DifPair = {
/**
 * The one group.
 */
first: string,
/**
 * The other.
 */
second: string,
/**
 * Cohen's d with variances of ddof 0, and 0 where nothing varies: the code.
 */
d_code_ddof0: number,
/**
 * Cohen's d as it is defined; infinite where nothing varies and the means differ.
 */
d_standard_ddof1: number, };

/**
 * A short digest of every bit of a report's results, five characters for each [`DigestGroup`]:
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
 * An array of a file.
 */
export type EvaluateChoice = {
/**
 * The file's name.
 */
file: string,
/**
 * The array's, where there are several.
 */
array?: string,
/**
 * Whether its rows are to be taken for columns: of a dictionary or a readout.
 */
transposed?: boolean, };

/**
 * Completeness by one reading.
 */
export type EvaluateCompleteness = {
/**
 * Which.
 */
reading: Reading,
/**
 * 1 − Σ‖f(a) − f(·)‖² / Σ‖f(a) − mean f‖²; null where f(a) does not vary.
 */
total: number | null,
/**
 * The same over the deviations of all entries from their one grand mean.
 */
grand: number | null,
/**
 * Rows it is computed on.
 */
rows: number,
/**
 * Whether it is 1 whatever the activations are, since nothing is projected away.
 */
identically_one: boolean,
/**
 * SFC under this reading and the given weights.
 */
sfc: number | null, };

/**
 * Lengths of the dictionary's rows, as codes are decoded by them.
 */
export type EvaluateDecoderNorms = {
/**
 * The smallest.
 */
min: number,
/**
 * The median.
 */
median: number,
/**
 * The mean.
 */
mean: number,
/**
 * The largest.
 */
max: number, };

/**
 * How often features are active.
 */
export type EvaluateFeatures = {
/**
 * Features that are active on no row.
 */
dead: number,
/**
 * Features that are active on more than a tenth of the rows.
 */
dense: number,
/**
 * Features by the share of rows on which they are active, dead ones left out; edges are about √10
 * apart.
 */
frequencies: Histogram, };

/**
 * How well â agrees with a.
 */
export type EvaluateFidelity = {
/**
 * Mean cosine of a and â (Eq. 2), with the recipe's guard of 10⁻¹⁰.
 */
cosine: number,
/**
 * 1 − Σ‖a − â‖² / Σ‖a − ā‖², which SAELens calls explained variance; null where the activations do not vary.
 */
r2: number | null,
/**
 * The fraction of variance unexplained, Σ‖a − â‖² / Σ‖a − ā‖² = 1 − r2; null where the activations do not vary.
 */
fvu: number | null,
/**
 * 1 − Σ‖a − â‖² / Σ‖a‖²; null where they are zero.
 */
one_minus_rel_mse: number | null,
/**
 * 1 − Σ Var(a − â) / Σ Var(a), variances of each dimension over the rows and summed over the
 * dimensions: as R², but an error that is the same in every row costs nothing. dictionary_learning calls it so.
 */
frac_variance_explained: number | null,
/**
 * Mean of ‖â‖/‖a‖ over rows with a ≠ 0, SAEBench's l2_ratio: below 1 where reconstructions shrink.
 */
shrinkage: number | null,
/**
 * The one of `cosine`, `r2`, `one_minus_rel_mse` ("rel-mse") that the score takes.
 */
mode: FidelityMode, };

/**
 * A file that was read.
 */
export type EvaluateFile = {
/**
 * What it is here: "activations", "dictionary", ….
 */
role: string,
/**
 * Its name.
 */
file: string,
/**
 * The array of it that was read, where it is one.
 */
array?: ArrayDescription,
/**
 * Whether its rows were taken for columns.
 */
transposed?: boolean,
/**
 * SHA-256 of the whole file; none until somebody asks for it.
 */
sha256?: string, };

/**
 * The files of an autoencoder, by their names.
 */
export type EvaluateFolder = {
/**
 * The name of its configuration, as SAELens' `cfg.json`, where it has one.
 */
config?: string,
/**
 * The name of its weights, as SAELens' `sae_weights.safetensors`.
 */
weights: string,
/**
 * The name of its `activation_scaler.json`, where a checkpoint has one.
 */
scaler?: string,
/**
 * Further files of weights: SAELens' `activation_whitening.safetensors`, circuit-tracer's `W_dec_0.safetensors`.
 */
more?: Array<string>, };

/**
 * What is asked for.
 */
export type EvaluateOptions = {
/**
 * The form of Eq. 2 that the score takes.
 */
fidelity: FidelityMode,
/**
 * The reading of Eq. 3 that the score takes; none: by the row space, the paper's, and by the
 * reconstruction where the dictionary spans the whole space and the former is always 1.
 */
completeness: Reading | null,
/**
 * The variance that completeness divides by.
 */
variance: Variance,
/**
 * Weights of Eq. 4.
 */
weights: Weights,
/**
 * Most rows, evenly spaced, that the active-subspace reading looks at; fewer where they would
 * take long.
 */
active_rows: number,
/**
 * Memory the run may take, in bytes.
 */
memory: number, };

/**
 * What an evaluation is doing.
 */
export type EvaluatePhase = "loading" | "lengths" | "rows" | "active-subspace" | "directions" | "done";

/**
 * How far an evaluation has come.
 */
export type EvaluateProgress = {
/**
 * What is being done.
 */
phase: EvaluatePhase,
/**
 * Rows, or features, of this phase that are done.
 */
done: number,
/**
 * Rows, or features, of this phase.
 */
total: number, };

/**
 * What an evaluation found.
 */
export type EvaluateReport = {
/**
 * The version of this program.
 */
version: string,
/**
 * What was read.
 */
files: Array<EvaluateFile>,
/**
 * Rows N that were scored.
 */
rows: number,
/**
 * Rows that were left out, where some were asked to be.
 */
skipped?: EvaluateSkipped,
/**
 * Width D.
 */
dimensions: number,
/**
 * Dictionary size K.
 */
k: number,
/**
 * Width of f's output.
 */
outputs: number,
/**
 * What the autoencoder's files were recognised as, where there are any.
 */
autoencoder?: Recognised,
/**
 * How codes were made: an architecture, a way of coding, or "given".
 */
codes: string,
/**
 * Whether f is a readout that was given; otherwise it is the identity.
 */
readout_given: boolean,
/**
 * S and L0.
 */
sparsity: EvaluateSparsity,
/**
 * F, in three modes, and its relatives.
 */
fidelity: EvaluateFidelity,
/**
 * C, by three readings.
 */
completeness: Array<EvaluateCompleteness>,
/**
 * Rank of the dictionary.
 */
rank: number,
/**
 * Activity of the features.
 */
features: EvaluateFeatures,
/**
 * Likeness of the directions.
 */
similarity: EvaluateSimilarity,
/**
 * Lengths of the dictionary's rows.
 */
decoder_norms?: EvaluateDecoderNorms,
/**
 * The ten rows with the largest squared error, the largest first: those of first tokens and of padding, often.
 */
worst_rows: Array<EvaluateWorstRow>,
/**
 * Weights of the score.
 */
weights: Weights,
/**
 * The reading the score takes.
 */
reading: Reading,
/**
 * The variance the score's completeness divides by.
 */
variance: Variance,
/**
 * SFC (Eq. 4); null where an axis that has a weight has no value.
 */
sfc: number | null,
/**
 * What a reader must know to read the numbers rightly, in sentences.
 */
notes: Array<string>, };

/**
 * What is to be scored, among files that are open under their names.
 */
export type EvaluateRequest = {
/**
 * A, N × D.
 */
activations: EvaluateChoice,
/**
 * Further files of A, whose rows come after these.
 */
more_activations?: Array<EvaluateChoice>,
/**
 * An autoencoder,
 */
sae?: EvaluateFolder,
/**
 * or a transcoder with what it reconstructs, as many rows,
 */
targets?: Array<EvaluateChoice>,
/**
 * or a dictionary alone, K × D,
 */
dictionary?: EvaluateChoice,
/**
 * with codes, N × K,
 */
codes?: EvaluateChoice,
/**
 * further files of them, of other latents, where codes are written in parts,
 */
more_codes?: Array<EvaluateChoice>,
/**
 * of a decoder that adds a bias, D values,
 */
decoder_bias?: EvaluateChoice,
/**
 * or of any decoder, with what it makes of them, N × D,
 */
reconstruction?: EvaluateChoice,
/**
 * or a way to make them.
 */
codes_by?: CodesBy,
/**
 * A linear readout, o × D; without one f is the identity.
 */
readout?: EvaluateChoice,
/**
 * Its bias, o values.
 */
readout_bias?: EvaluateChoice,
/**
 * Rows that are left out; none where nothing is said.
 */
skip?: EvaluateSkip,
/**
 * What the score takes, and what the run may take.
 */
options?: Partial<EvaluateOptions>, };

/**
 * How alike the dictionary's directions are.
 */
export type EvaluateSimilarity = {
/**
 * Mean, over features, of the largest cosine with any other feature's direction; null where fewer
 * than two features have one.
 */
mean_max_cosine: number | null,
/**
 * The largest cosine of any two directions, of which one is among those that were compared; null where there are none.
 */
max_cosine: number | null,
/**
 * Features whose largest cosine was found: all, or evenly spaced ones where all would take long.
 */
compared: number,
/**
 * Those by their largest cosine.
 */
max_cosines: Histogram, };

/**
 * Which rows are left out, of the activations and of codes; none where nothing is said.
 */
export type EvaluateSkip = {
/**
 * Rows of zeros, as padding is.
 */
zero_rows?: boolean,
/**
 * Rows by their numbers from 0: "0,5-9".
 */
rows?: string,
/**
 * Rows that are longer than so many times the median length of those that are neither named nor zeros.
 */
norm_above?: number, };

/**
 * How many rows were left out, each counted once, and why.
 */
export type EvaluateSkipped = {
/**
 * Rows that were named.
 */
named: number,
/**
 * Other rows of zeros.
 */
zero: number,
/**
 * Others that were too long.
 */
long: number,
/**
 * The median length that these were held against; none where there are none to be.
 */
median?: number,
/**
 * Rows of zeros, as padding is.
 */
zero_rows?: boolean,
/**
 * Rows by their numbers from 0: "0,5-9".
 */
rows?: string,
/**
 * Rows that are longer than so many times the median length of those that are neither named nor zeros.
 */
norm_above?: number, };

/**
 * How few features are active.
 */
export type EvaluateSparsity = {
/**
 * S = 1 − L0/K (Eq. 1), |c| > 10⁻⁶ counting as active.
 */
s: number,
/**
 * Mean number of active features a row.
 */
l0: number, };

/**
 * A row that is reconstructed worse than others.
 */
export type EvaluateWorstRow = {
/**
 * Its number from 0, in all files together, those that are left out among them.
 */
row: number,
/**
 * ‖a‖.
 */
norm: number,
/**
 * ‖a − â‖².
 */
squared_error: number,
/**
 * Its part of Σ ‖a − â‖² over all rows.
 */
share: number, };

/**
 * Why a feature is held against a description.
 */
export type FadeCase = "best" | "wrong" | "broad" | "narrow" | "dead" | "dense";

/**
 * Continuations at one factor.
 */
export type FadeDose = {
/**
 * By what the feature was multiplied, or its largest activation.
 */
factor: number,
/**
 * How many there are.
 */
continuations: number,
/**
 * The share labelled 2; null without a continuation.
 */
share: number | null, };

/**
 * A feature held against a description.
 */
export type FadeFeature = {
/**
 * What it is said to be about.
 */
concept: string,
/**
 * Why it is looked at.
 */
case: FadeCase,
/**
 * Its number among the latents.
 */
latent: number,
/**
 * F1 of its being active, as a detector of the concept's tokens.
 */
f1: number,
/**
 * How well it tells made texts from natural ones.
 */
clarity: FadeReadings,
/**
 * How well it tells natural texts with the concept from those without.
 */
responsiveness: FadeReadings,
/**
 * Whether its strong activations are the concept's alone.
 */
purity: FadeReadings,
/**
 * Whether the code would go on to faithfulness: clarity and responsiveness of at least ½.
 */
gate: boolean,
/**
 * Clarity that a perfect detector of the concept would have.
 */
ceiling: number,
/**
 * Share labelled 2 among texts labelled 0 or 2, of those that the code would rate: purity by chance.
 */
prevalence: number,
/**
 * Share of natural texts on which it is active.
 */
active: number,
/**
 * Its largest activation in size.
 */
largest: number,
/**
 * Activations of the natural texts.
 */
natural: Array<number>,
/**
 * Their labels, of those as well that a sample leaves out.
 */
labels: Array<number>,
/**
 * The natural texts that are rated in the code's reading, by their places, rising; null where all are.
 */
rated: Array<number> | null,
/**
 * Activations of the made texts.
 */
made: Array<number>,
/**
 * Natural texts on which it is strongest.
 */
top: Array<FadeText>,
/**
 * Its scores of texts under every choice of rated texts and of the norm, those of the settings among them; none in
 * a report of an older version.
 */
variants: Array<FadeVariant>,
/**
 * Faithfulness, once it was measured.
 */
steered: FadeSteered | null, };

/**
 * What FADE wrote of a feature.
 */
export type FadeFolder = {
/**
 * The folder its files came in, without FADE's `data`; empty where they came in none.
 */
folder: string,
/**
 * Rated texts by label, where there are ratings.
 */
labels: FadeLabels | null,
/**
 * Texts that were made from the concept, where they are there.
 */
made: number | null,
/**
 * What was rated at each factor.
 */
doses: Array<FadeDose>,
/**
 * Faithfulness, computed from the ratings.
 */
faithfulness: FadeScore,
/**
 * The first factor with the largest share, where that is above the share at 0.
 */
best_factor: number | null,
/**
 * Whether the code would go on to faithfulness, by what is computed anew or else by what is reported.
 */
gate: boolean | null,
/**
 * Reported numbers beside those computed anew.
 */
rows: Array<Reported>,
/**
 * What is to be known of the files, in sentences.
 */
notes: Array<string>, };

/**
 * Texts by their label.
 */
export type FadeLabels = {
/**
 * Labelled 0: the concept is not there.
 */
without: number,
/**
 * Labelled 1: partially; in no score.
 */
partial: number,
/**
 * Labelled 2: clearly there.
 */
with: number,
/**
 * Labelled 3, which FADE's own check lets a rater say, though it asks for 0 to 2; in no score of
 * activations.
 */
beyond: number,
/**
 * Not labelled.
 */
unrated: number, };

/**
 * Mean scores over the concepts, each with its best latent, in the code's reading; of a score that some
 * concept does not have, over those that have it.
 */
export type FadeMeans = {
/**
 * Clarity.
 */
clarity: number,
/**
 * Responsiveness.
 */
responsiveness: number,
/**
 * Purity.
 */
purity: number,
/**
 * Faithfulness; nothing before all were measured.
 */
faithfulness: number | null,
/**
 * How many pass the gate.
 */
gate: number, };

/**
 * What ‖A‖₀ is, by which the note's Gini formula divides for each of the two sets.
 */
export type FadeNorm = "elements" | "nonzero";

/**
 * A feature of a reader's arrays.
 */
export type FadeOwnFeature = {
/**
 * Its column, from 0.
 */
feature: number,
/**
 * Natural texts by label; null without activations.
 */
labels: FadeLabels | null,
/**
 * Texts that were made from the concept; null where their activations were not given.
 */
made: number | null,
/**
 * Clarity.
 */
clarity: FadeScore,
/**
 * Responsiveness.
 */
responsiveness: FadeScore,
/**
 * Purity.
 */
purity: FadeScore,
/**
 * How many texts a sample has, by the note and by the code; null where all are rated.
 */
rated: [number, number] | null,
/**
 * What purity is by chance: the share of texts labelled 2 among those labelled 0 and 2, of a sample by the code's.
 */
purity_by_chance: number | null,
/**
 * Faithfulness.
 */
faithfulness: FadeScore,
/**
 * Whether the code would go on to faithfulness; null where clarity or responsiveness is missing.
 */
gate: boolean | null,
/**
 * What was rated at each factor.
 */
doses: Array<FadeDose>,
/**
 * The first factor with the largest share, where that is above the share at 0.
 */
best_factor: number | null,
/**
 * What the code has in its place: the largest factor of all.
 */
largest_factor: number | null, };

/**
 * What was found of a reader's files.
 */
export type FadeOwnReport = {
/**
 * Every file, and whether it was read.
 */
files: Array<GivenRow>,
/**
 * Scores of each feature of the arrays.
 */
features: Array<FadeOwnFeature>,
/**
 * What FADE wrote, a folder a feature.
 */
folders: Array<FadeFolder>,
/**
 * What a reader must know to read the numbers rightly, in sentences.
 */
notes: Array<string>, };

/**
 * Which natural texts the rater rates: responsiveness and purity are of those alone.
 */
export type FadeRatedTexts = "all" | "sampled";

/**
 * A score in both readings; nothing where one has no value.
 */
export type FadeReadings = {
/**
 * As the note's formula has it.
 */
document: number | null,
/**
 * As the reference code has it.
 */
code: number | null, };

/**
 * What a run of FADE found.
 */
export type FadeReport = {
/**
 * What was run.
 */
settings: FadeSettings,
/**
 * Latents of the autoencoder.
 */
latents: number,
/**
 * How many of them are never active on the natural texts.
 */
dead: number,
/**
 * The concepts, each with its best latent, and then the bad descriptions.
 */
features: Array<FadeFeature>, };

/**
 * A score in both readings.
 */
export type FadeScore = {
/**
 * By the document, 0 to 1, or above it where its norm is literally that of activations other than 0; null where it has no value.
 */
document: number | null,
/**
 * By the reference code, 0 to 1; null where it has no value.
 */
code: number | null,
/**
 * Why a value is missing.
 */
why: string | null, };

/**
 * What a run of FADE is made of. Out-of-range values cannot be held: it is made by [`Draft::parse`].
 */
export type FadeSettings = {
/**
 * The autoencoder's name.
 */
sae: string,
/**
 * Natural texts that are rated.
 */
texts: number,
/**
 * Texts made from each description.
 */
made: number,
/**
 * Seed of the natural texts.
 */
seed: number,
/**
 * Continuations written at each factor.
 */
continuations: number,
/**
 * Multiples of a feature's largest activation, 0 among them.
 */
factors: Array<number>,
/**
 * Share of wrong labels.
 */
error: number,
/**
 * Natural texts that responsiveness and purity are of.
 */
rated: FadeRatedTexts,
/**
 * Texts of a sample, whether it is what is rated or stands beside that.
 */
sample: number,
/**
 * Share of a sample that comes from the most active texts, from 0 to 1.
 */
top: number,
/**
 * What the note's formula of clarity and responsiveness divides by.
 */
norm: FadeNorm, };

/**
 * What the model wrote while a feature was set to multiples of its largest activation.
 */
export type FadeSteered = {
/**
 * Of each factor, how many continuations are labelled 0, 1 and 2.
 */
labels: Array<[number, number, number]>,
/**
 * Of each factor, the share labelled 2.
 */
shares: Array<number>,
/**
 * From 0 to 1.
 */
faithfulness: number,
/**
 * The first factor with the largest share above that at 0.
 */
best_factor: number | null,
/**
 * What the code reports instead: the largest factor of all.
 */
largest_factor: number | null,
/**
 * Whether all continuations at factor 0 express the concept: the code has no number then.
 */
saturated: boolean,
/**
 * Of each factor, what the first prompts came to, as tokens: prefix and continuation.
 */
written: Array<Array<Array<number>>>, };

/**
 * A text on which a feature is strongest.
 */
export type FadeText = {
/**
 * Its tokens.
 */
tokens: Array<number>,
/**
 * The feature's activation on each token but the first.
 */
activations: Array<number>,
/**
 * Which tokens express the concept.
 */
expressed: Array<boolean>,
/**
 * 0, 1 or 2, as the rater has it.
 */
label: number, };

/**
 * A feature's scores of texts under one choice of which texts are rated and of what ‖A‖₀ counts.
 */
export type FadeVariant = {
/**
 * Which natural texts are rated.
 */
rated: FadeRatedTexts,
/**
 * What the note's formula divides by.
 */
norm: FadeNorm,
/**
 * How many texts are rated in the note's reading.
 */
document_texts: number,
/**
 * How many are in the code's.
 */
code_texts: number,
/**
 * Clarity, which compares with all natural texts, rated or not.
 */
clarity: FadeReadings,
/**
 * Responsiveness, among rated texts.
 */
responsiveness: FadeReadings,
/**
 * Purity, among rated texts.
 */
purity: FadeReadings,
/**
 * Purity by chance: the share labelled 2 among the rated texts labelled 0 or 2.
 */
prevalence: FadeReadings, };

/**
 * The result of [`faithfulness_area`].
 */
export type FaithfulnessArea = {
/**
 * The area under the curve. The page spells it Cumulative Performance Recovery, MIB Circuit Performance Ratio.
 */
cpr: number,
/**
 * The area between the curve and 1, what is above 1 counting against what is below: the page.
 */
cmd_signed_document: number,
/**
 * The area between the curve and 1 on either side: MIB, whose name for it is circuit–model distance.
 */
cmd_abs_mib: number,
/**
 * What the thresholds span: a perfect circuit's area.
 */
span: number,
/**
 * The area as a share of what they span; none of one threshold.
 */
cpr_over_span: number | null,
/**
 * The area over the thresholds' natural logarithms, which MIB allows.
 */
cpr_log_mib: number,
/**
 * The mean of the values.
 */
mean_faithfulness: number,
/**
 * The least of the values.
 */
least_faithfulness: number,
/**
 * By how much the curve rises most from one threshold to the next; 0 of one threshold.
 */
largest_step: number,
/**
 * Whether the area is above ½.
 */
passed: boolean, };

/**
 * A quantity that random directions may pass.
 */
export type FamiliesAxis = "sparsity" | "fidelity" | "row-space" | "reconstruction" | "active-subspace";

/**
 * What a page offers to choose from, and the numbers that a training has where nobody says otherwise.
 */
export type FamiliesChoices = {
/**
 * Every method, in the order of a study.
 */
methods: Array<MethodChoice>,
/**
 * The worlds, a reader's own activations among them.
 */
worlds: Array<FieldChoice>,
/**
 * The presets.
 */
presets: Array<FieldChoice>,
/**
 * The readings of completeness.
 */
readings: Array<FieldChoice>,
/**
 * Every family of autoencoders, in the same order.
 */
families: Array<FamilyChoice>,
/**
 * Codes a row.
 */
k: number,
/**
 * Rows trained on.
 */
rows: number,
/**
 * Most rows trained on.
 */
rows_max: number,
/**
 * Points of a training's curve.
 */
points: number,
/**
 * Most points of a training's curve.
 */
points_max: number,
/**
 * Most steps of a training.
 */
steps_max: number,
/**
 * Most members of a study.
 */
jobs_max: number, };

/**
 * What is compared.
 */
export type FamiliesConfig = {
/**
 * Where the activations come from.
 */
world: World,
/**
 * What is compared, in this order; planted directions are left out where there are none.
 */
methods: Array<FamiliesMethod>,
/**
 * Rows trained on.
 */
train_rows: number,
/**
 * Further rows, measured on.
 */
eval_rows: number,
/**
 * How autoencoders are trained; family, k, λ and seed come from each job.
 */
train: TrainConfig,
/**
 * The knob of every method but the next three: codes a row.
 */
ks: Array<number>,
/**
 * The knob of ReLU: λ.
 */
relu: Array<number>,
/**
 * The knob of Gated: λ.
 */
gated: Array<number>,
/**
 * The knob of JumpReLU: λ.
 */
jumprelu: Array<number>,
/**
 * Training seeds.
 */
seeds: Array<number>,
/**
 * The reading of completeness for fronts and volumes.
 */
completeness: Reading, };

/**
 * How much of a study there is.
 */
export type FamiliesCoverage = {
/**
 * Members that there are, of methods that wait too.
 */
members: number,
/**
 * Members of the whole study.
 */
of: number,
/**
 * Methods that have not all of their members, and so no place in the report.
 */
waiting: Array<FamiliesMethod>, };

/**
 * Two methods' volumes.
 */
export type FamiliesDifference = {
/**
 * One.
 */
first: FamiliesMethod,
/**
 * The other.
 */
second: FamiliesMethod,
/**
 * The first's mean hypervolume less the second's.
 */
difference: number,
/**
 * How large a difference seed noise explains; none with too few seeds.
 */
noise: number | null,
/**
 * Whether the difference exceeds it, by [`NOISE_CRITERION`].
 */
exceeds: boolean | null, };

/**
 * One member of a study.
 */
export type FamiliesJob = {
/**
 * The method.
 */
method: FamiliesMethod,
/**
 * Its knob's value: k, or λ.
 */
knob: number,
/**
 * Its seed.
 */
seed: number, };

/**
 * A way to decompose activations.
 */
export type FamiliesMethod = "svd" | "pca" | "relu" | "topk" | "batch-topk" | "jumprelu" | "gated" | "matryoshka" | "oracle" | "random" | "permuted" | "untrained";

/**
 * A method at one value of its knob, over the seeds.
 */
export type FamiliesPoint = {
/**
 * k, or λ.
 */
knob: number,
/**
 * S.
 */
sparsity: Spread,
/**
 * F.
 */
fidelity: Spread,
/**
 * C, in the configuration's reading.
 */
completeness: Spread,
/**
 * The SFC-Score with equal weights.
 */
sfc: Spread,
/**
 * Mean codes in a row.
 */
l0: Spread,
/**
 * C by the row space.
 */
row_space: Spread,
/**
 * C by the reconstruction.
 */
reconstruction: Spread,
/**
 * C by the active subspace.
 */
active_subspace: Spread,
/**
 * C_GT, where a circuit is planted.
 */
c_gt: Spread | null,
/**
 * Mean matched |cosine|, where features are planted.
 */
mcc: Spread | null,
/**
 * Share of planted directions recovered.
 */
recovered: Spread | null,
/**
 * Mean F1 of latents as detectors.
 */
f1: Spread | null,
/**
 * In how many seeds it is on its method's own Pareto front.
 */
on_front: number, };

/**
 * What a study found. It depends on the results alone, not on their order.
 */
export type FamiliesReport = {
/**
 * What was compared.
 */
config: FamiliesConfig,
/**
 * Every member, in the order of the jobs.
 */
results: Array<FamiliesResult>,
/**
 * Each method.
 */
methods: Array<MethodReport>,
/**
 * Each pair of methods.
 */
differences: Array<FamiliesDifference>,
/**
 * [`NOISE_CRITERION`].
 */
criterion: string,
/**
 * What should not be.
 */
warnings: Array<FamiliesWarning>,
/**
 * Of a study that is not finished: how much of it this is of. Whatever needs all methods is not
 * said then.
 */
provisional?: FamiliesCoverage, };

/**
 * What a member's measurement found.
 */
export type FamiliesResult = {
/**
 * S.
 */
sparsity: number,
/**
 * F: mean cosine of rows and reconstructions.
 */
fidelity: number,
/**
 * C in every reading.
 */
completeness: Readings,
/**
 * Mean codes in a row.
 */
l0: number,
/**
 * Share of the variance that the reconstruction explains.
 */
explained: number,
/**
 * Share of the latents that are never active.
 */
dead: number,
/**
 * C_GT: mean squared length of the circuit's directions in the dictionary's row space; where a
 * circuit is planted.
 */
c_gt: number | null,
/**
 * Mean |cosine| with planted directions, matched one to one; where features are planted.
 */
mcc: number | null,
/**
 * Distinct features among the latents' best matches, over the latents.
 */
uniqueness: number | null,
/**
 * Share of the planted directions that are recovered.
 */
recovered: number | null,
/**
 * Mean F1 of latents as detectors of their features.
 */
f1: number | null,
/**
 * The method.
 */
method: FamiliesMethod,
/**
 * Its knob's value: k, or λ.
 */
knob: number,
/**
 * Its seed.
 */
seed: number, };

/**
 * Something that should not be.
 */
export type FamiliesWarning = { "kind": "control-wins",
/**
 * The control.
 */
control: FamiliesMethod,
/**
 * The trained method.
 */
method: FamiliesMethod,
/**
 * By how much.
 */
by: number,
/**
 * In words.
 */
message: string, } | { "kind": "random-passes",
/**
 * Which axis.
 */
axis: FamiliesAxis,
/**
 * Their mean over all knobs and seeds.
 */
random: number,
/**
 * The trained methods' mean over all methods, knobs and seeds.
 */
trained: number,
/**
 * In words.
 */
message: string, };

/**
 * A family to train.
 */
export type FamilyChoice = {
/**
 * Which.
 */
family: TrainFamily,
/**
 * Its name for readers.
 */
label: string,
/**
 * Whether a number of codes sets its sparsity, rather than a coefficient.
 */
has_k: boolean, };

/**
 * How fidelity (Eq. 2) is measured.
 */
export type FidelityMode = "cosine" | "r2" | "rel-mse";

/**
 * A word that a field may hold.
 */
export type FieldChoice = {
/**
 * As a draft, a link and the command line have it.
 */
value: string,
/**
 * As the form has it.
 */
label: string,
/**
 * What it means.
 */
help: string, };

/**
 * A figure of the paper or of its ensemble.
 */
export type Figure = string;

/**
 * A figure as others know it.
 */
export type FigureRow = {
/**
 * As [`FigureSpec::id`].
 */
id: string,
/**
 * As [`FigureSpec::name`].
 */
name: string,
/**
 * As [`FigureSpec::section`].
 */
section: string, };

/**
 * The files of somebody's own decomposition, by their digests, and what is scored of them: of this
 * the page alone knows more than that it is 1 to [`FILES_LENGTH_MAX`] letters, digits and
 * `. , : _ -`.
 */
export type Files = string;

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
 * A field as a form has it.
 */
export type FormField = {
/**
 * Its name in the settings.
 */
name: string,
/**
 * Its key in a link, and its attribute on an element.
 */
key: string,
/**
 * The part of the form that it stands in.
 */
group: string,
/**
 * What kind of input it takes.
 */
kind: 'preset' | 'number' | 'seed' | 'choice' | 'switch' | 'list' | 'weights',
/**
 * What it is called.
 */
label: string,
/**
 * What it is, in a sentence.
 */
help: string,
/**
 * The words that it may hold, if it holds words.
 */
options: Array<FieldChoice>,
/**
 * What its numbers may be, if it holds numbers.
 */
limit: Limit | null, };

/**
 * A name: 1 to 32 letters, digits and hyphens.
 */
export type FrameId = string;

/**
 * A file that was given, and whether it could be read.
 */
export type GivenRow = {
/**
 * Its name.
 */
file: string,
/**
 * What it was taken for: "activations", "results", "output_centric_ratings", ….
 */
role: string,
/**
 * Why it was left out, where it was.
 */
refused?: Refused, };

/**
 * Where the cells of a drawn table are, in CSS pixels.
 */
export type Grid = {
/**
 * Size of ordinary text.
 */
size: number,
/**
 * Size of what is written beside or under it.
 */
side_size: number,
/**
 * Whether that is written under.
 */
stacked: boolean,
/**
 * Top and height of the line of headings.
 */
header: [number, number],
/**
 * Top of the first row.
 */
top: number,
/**
 * Height of every row.
 */
row: number,
/**
 * The columns, from left to right.
 */
columns: Array<GridColumn>, };

/**
 * Where a column's parts are.
 */
export type GridColumn = {
/**
 * Left edge.
 */
x: number,
/**
 * Width.
 */
w: number,
/**
 * Left edge of its texts, where they are aligned left.
 */
left: number,
/**
 * Right edge of its texts, where they are aligned right.
 */
right: number,
/**
 * Left edge of what is written beside.
 */
side: number, };

/**
 * What a head does for a task.
 */
export type HeadEffect = {
/**
 * Layer and head, from 0.
 */
head: [number, number],
/**
 * By how much the mean logit difference drops without it.
 */
effect: number,
/**
 * The accuracy without it.
 */
accuracy: number, };

/**
 * A set of [`PAGE_PARTS`] and of settings, named by their keys.
 */
export type Hidden = Array<string>;

/**
 * Counts of values in bins.
 */
export type Histogram = {
/**
 * Bounds of the bins, one more than counts; a bin holds its lower bound, the last one both.
 */
edges: Array<number>,
/**
 * Values in each bin.
 */
counts: Array<number>, };

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
 * A latent whose code is multiplied before it is decoded.
 */
export type LatentEdit = {
/**
 * Its number, from 0.
 */
latent: number,
/**
 * By what, a finite number; 0 ablates it.
 */
scale: number, };

/**
 * How latents are made of a row.
 */
export type LatentKind = "relu" | { "topk": number } | "itself" | "trained";

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
marks: Array<Mark>,
/**
 * Where the cells of a table are, if all its rows are drawn: a page lays text over them that can be
 * selected and found.
 */
grid: Grid | null, };

/**
 * What a field that holds numbers may hold, in numbers.
 */
export type Limit = {
/**
 * The field's name.
 */
field: string,
/**
 * The smallest value.
 */
min: number,
/**
 * The largest value; not itself allowed where `below` says so.
 */
max: number,
/**
 * Whether only whole numbers are allowed.
 */
whole: boolean,
/**
 * Whether values must lie below `max`.
 */
below?: boolean,
/**
 * The smallest value that is not 0, where there is a gap.
 */
least?: number,
/**
 * Fewest and most values, of a list.
 */
count?: [number, number],
/**
 * All of it, in words.
 */
allowed: string, };

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
 * Everything of a study's page that a link holds. (The theme is the reader's own, but for a page that is
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
 * The study of families that the form is set to; its default one where there is none.
 */
families: Study | null,
/**
 * The files that a decomposition of somebody's own was scored from.
 */
own: Files | null,
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
 * A file that is shipped with the library.
 */
export type LittleFile = {
/**
 * By this it is asked for: "ck-12000".
 */
name: string,
/**
 * Its name in the folder `assets/little`.
 */
file: string,
/**
 * Its length.
 */
bytes: number,
/**
 * SHA-256 of it, 64 hexadecimal digits.
 */
sha256: string, };

/**
 * A latent's activations on a text.
 */
export type LittleLatent = {
/**
 * Its number.
 */
latent: number,
/**
 * Of every position; 0 at the first, which autoencoders do not read.
 */
values: Array<number>, };

/**
 * A neuron's activations on a text.
 */
export type LittleNeuron = {
/**
 * Its layer, from 0.
 */
layer: number,
/**
 * Its number in the layer.
 */
index: number,
/**
 * Of every position.
 */
values: Array<number>, };

/**
 * A word that may come next.
 */
export type LittleNext = {
/**
 * The word.
 */
token: number,
/**
 * From 0 to 1.
 */
probability: number, };

/**
 * What a model makes of a text.
 */
export type LittleReading = {
/**
 * The likeliest next words after every position, the likeliest first.
 */
next: Array<Array<LittleNext>>,
/**
 * The probability that every position gives to the word that does come next; of all but the last.
 */
own: Array<number>,
/**
 * Of each layer and head, how much each position looks at each: rows sum to 1.
 */
patterns: Array<Array<Array<Array<number>>>>,
/**
 * The neurons that are strongest anywhere, the strongest first.
 */
neurons: Array<LittleNeuron>,
/**
 * The latents that are strongest anywhere, the strongest first.
 */
latents: Array<LittleLatent>, };

/**
 * What is trained, and on what.
 */
export type LittleTrainingWanted = {
/**
 * How.
 */
config: TrainConfig,
/**
 * The checkpoint whose residual stream is read: the untrained one for a control.
 */
checkpoint: string,
/**
 * Texts whose tokens it is trained on, 10 to 6,000.
 */
texts: number, };

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
 * How a dictionary's directions match the planted ones.
 */
export type Matching = {
/**
 * Mean |cosine| of the matched pairs, over as many pairs as there can be: from 0 to 1.
 */
mcc: number,
/**
 * (latent, feature) pairs, by ascending latent: a matching with the largest sum of |cosines|.
 */
pairs: Array<[number, number]>,
/**
 * For each latent, the feature whose |cosine| with it is largest; of equal ones the first.
 */
best_match: Array<number>,
/**
 * Distinct features among the best matches, over the latents.
 */
uniqueness: number,
/**
 * Share of the features that some latent has a |cosine| of [`RECOVERED_COSINE_MIN`] or more with.
 */
recovered: number, };

/**
 * A cell of a table.
 */
export type MeasurementCell = number | string;

/**
 * A claim of the page.
 */
export type MeasurementClaim = {
/**
 * Its metric's id.
 */
metric: string,
/**
 * What is claimed, in our words.
 */
says: string,
/**
 * What becomes of it.
 */
standing: MeasurementStanding,
/**
 * Why.
 */
found: string, };

/**
 * Where the truth is known.
 */
export type MeasurementGround = "planted" | "language";

/**
 * A limit, or another number to hold values against.
 */
export type MeasurementLimit = {
/**
 * What it is: "passes above", "Welch bound".
 */
name: string,
/**
 * Where.
 */
at: number, };

/**
 * Values of one quantity of one metric, of one subject.
 */
export type MeasurementLine = {
/**
 * The metric's id: "m07".
 */
metric: string,
/**
 * The quantity, as [`VALIDATION_ROWS`] have it.
 */
quantity: string,
/**
 * Where.
 */
ground: MeasurementGround,
/**
 * Of what.
 */
subject: MeasurementSubject,
/**
 * One a seed, or one a task.
 */
values: Array<number>, };

/**
 * One picture.
 */
export type MeasurementPanel = {
/**
 * A heading: "Where each feature's nearest stands".
 */
title: string,
/**
 * One sentence with its key numbers.
 */
summary: string,
/**
 * What is shown, and how to read it.
 */
caption: string,
/**
 * The data.
 */
shown: MeasurementShown, };

/**
 * A part, measured.
 */
export type MeasurementPart = {
/**
 * Its name: "features-0".
 */
part: string,
/**
 * What is measured.
 */
lines: Array<MeasurementLine>, };

/**
 * A metric, opened.
 */
export type MeasurementPicture = {
/**
 * Its id: "m07".
 */
metric: string,
/**
 * What was found: quantities by the names that the metric's result and its conditions have, both readings.
 */
quantities: Array<MeasurementQuantity>,
/**
 * Pictures, the one that says most first; one to three.
 */
panels: Array<MeasurementPanel>, };

/**
 * A number by its name.
 */
export type MeasurementQuantity = {
/**
 * Its name: "agreement_code".
 */
name: string,
/**
 * What it is measured of: "topk256", "random256", "found circuit".
 */
subject: string,
/**
 * The number; none where there is none.
 */
value: number | null, };

/**
 * A measurement, as far as it has come.
 */
export type MeasurementReport = {
/**
 * What was wanted.
 */
settings: MeasurementSettings,
/**
 * Parts that are there, by name, each with its lines.
 */
parts: Array<MeasurementPart>,
/**
 * The metric that is opened.
 */
picture: MeasurementPicture | null,
/**
 * Which of its built cases is shown, from 0.
 */
case: number, };

/**
 * A series of a plane.
 */
export type MeasurementSeries = {
/**
 * Its name.
 */
name: string,
/**
 * Whether its points are joined, in their order.
 */
joined: boolean,
/**
 * Whether it is a control or a chance level: drawn in grey.
 */
control: boolean,
/**
 * Points, with what each one is where there is something to say.
 */
points: Array<[number, number, string]>, };

/**
 * What is measured. Out-of-range values cannot be held: it is made from a [`Draft`].
 */
export type MeasurementSettings = {
/**
 * Prompts of each task.
 */
n_prompts: number,
/**
 * How many seeds.
 */
seeds: number,
/**
 * The metric that is opened, by its id: "m07".
 */
metric: string,
/**
 * The autoencoder that is measured.
 */
sae: string,
/**
 * M07's other one.
 */
beside: string,
/**
 * M11's small one.
 */
small: string,
/**
 * Where M13 takes the residual stream.
 */
hook: string,
/**
 * The name of the checkpoint.
 */
checkpoint: string,
/**
 * The task whose circuit is measured.
 */
task: string,
/**
 * Words, positions or features that are compared: of M08 50 by default, else 20.
 */
top_k: number,
/**
 * Features that are looked at: of EX34 64 by default, else 100.
 */
n_features: number,
/**
 * M10's.
 */
cluster_threshold: number,
/**
 * M12's.
 */
mismatch_threshold: number,
/**
 * M09's.
 */
n_cycles: number,
/**
 * Of each training of M09.
 */
steps: number,
/**
 * Positions that M13 and EX34 take.
 */
n_samples: number,
/**
 * M14's.
 */
n_stability_runs: number,
/**
 * EX24's.
 */
n_reseeds: number,
/**
 * EX25's.
 */
n_runs: number, };

/**
 * What a panel shows.
 */
export type MeasurementShown = { "kind": "plane",
/**
 * The horizontal axis.
 */
x: string,
/**
 * The vertical one.
 */
y: string,
/**
 * What is drawn.
 */
series: Array<MeasurementSeries>,
/**
 * Limits that the metric holds values of the vertical axis against.
 */
limits: Array<MeasurementLimit>, } | { "kind": "histogram",
/**
 * What the values are.
 */
x: string,
/**
 * Each with its values.
 */
series: Array<MeasurementValues>,
/**
 * Limits that the metric holds the values against.
 */
limits: Array<MeasurementLimit>, } | { "kind": "table",
/**
 * Headings.
 */
columns: Array<string>,
/**
 * Each as long as there are columns.
 */
rows: Array<Array<MeasurementCell>>, };

/**
 * What becomes of a claim.
 */
export type MeasurementStanding = "follows" | "contradicted" | "not-derivable";

/**
 * What a metric is given.
 */
export type MeasurementSubject = "oracle" | "trained" | "found" | "half-trained" | "dealt" | "full" | "empty" | "untrained" | "random" | "permuted" | "differing";

/**
 * Values with a name.
 */
export type MeasurementValues = {
/**
 * Their name.
 */
name: string,
/**
 * Whether they are a control or a chance level.
 */
control: boolean,
/**
 * The values.
 */
values: Array<number>, };

/**
 * What the values of good and of bad subjects say of a condition.
 */
export type MeasurementVerdict = "tells" | "passes-bad" | "passes-all" | "fails-all" | "fails-good" | "backwards" | "cannot-fail" | "cannot-pass" | "reports-only" | "not-tried";

/**
 * A method to choose.
 */
export type MethodChoice = {
/**
 * Which.
 */
method: FamiliesMethod,
/**
 * Its name for readers.
 */
label: string,
/**
 * What it is there for.
 */
role: MethodRole, };

/**
 * A method over all knobs and seeds.
 */
export type MethodReport = {
/**
 * Which.
 */
method: FamiliesMethod,
/**
 * Its name for readers.
 */
label: string,
/**
 * What it is there for.
 */
role: MethodRole,
/**
 * How many seeds.
 */
seeds: number,
/**
 * Each knob's points.
 */
points: Array<FamiliesPoint>,
/**
 * Volume (from (0, 0, 0)) of all its points (S, F, C) of one seed, over the seeds.
 */
hypervolume: Spread,
/**
 * The best SFC-Score with equal weights of one seed, over the seeds.
 */
best_sfc: Spread,
/**
 * The best matched |cosine| of one seed, over the seeds; where features are planted.
 */
best_mcc: Spread | null, };

/**
 * What a method is there for.
 */
export type MethodRole = "baseline" | "trained" | "ceiling" | "control";

/**
 * CE-Bench of an autoencoder.
 */
export type ModelCeBench = {
/**
 * TransformerLens' name of the place.
 */
hook: string,
/**
 * Of random directions and random stories.
 */
seed: number,
/**
 * The pairs.
 */
pairs: Array<ModelCeBenchPair>,
/**
 * The autoencoder's latents.
 */
autoencoder: ModelCeBenchScores,
/**
 * Random directions, of whose products the positive part is taken.
 */
random: ModelCeBenchScores,
/**
 * The latents, with tokens and marks of both stories of each pair in random order.
 */
shuffled: ModelCeBenchScores, };

/**
 * Intervals of the scores of one reading; none of fewer than ten pairs.
 */
export type ModelCeBenchIntervals = {
/**
 * Of contrastive.
 */
contrastive: [number, number] | null,
/**
 * Of independence.
 */
independence: [number, number] | null,
/**
 * Of interpretability.
 */
interpretability: [number, number] | null, };

/**
 * A pair's scores, in the order of [`Reading::ALL`].
 */
export type ModelCeBenchPair = {
/**
 * What it contrasts.
 */
name: string,
/**
 * The stories' tokens.
 */
tokens: [Array<number>, Array<number>],
/**
 * Which of these carry the contrast.
 */
marks: [Array<boolean>, Array<boolean>],
/**
 * The scores of the autoencoder's latents.
 */
scores: [ModelCeBenchPairScores, ModelCeBenchPairScores, ModelCeBenchPairScores, ModelCeBenchPairScores], };

/**
 * The scores of a pair.
 */
export type ModelCeBenchPairScores = {
/**
 * How far the stories are apart, on the latent where they are farthest.
 */
contrastive: number,
/**
 * How far marked tokens are from unmarked ones, or what the reading has instead.
 */
independence: number,
/**
 * Both together.
 */
interpretability: number,
/**
 * The first latent with the largest difference between the stories.
 */
contrastive_latent: number,
/**
 * That with the largest difference of the other kind.
 */
independence_latent: number, };

/**
 * The same by reading, as [`ScoresByReading`](crate::papers::ce_bench::ScoresByReading) has them.
 */
export type ModelCeBenchReadingIntervals = {
/**
 * The older code.
 */
v1_marked: ModelCeBenchIntervals,
/**
 * The newest code.
 */
code_head: ModelCeBenchIntervals,
/**
 * The README's words.
 */
readme: ModelCeBenchIntervals,
/**
 * The abstract's.
 */
paper: ModelCeBenchIntervals, };

/**
 * Scores of what the stories were encoded by.
 */
export type ModelCeBenchScores = {
/**
 * Latents, or random directions.
 */
latents: number,
/**
 * Means over pairs.
 */
readings: CeBenchReadings,
/**
 * 95 % intervals of these means, over pairs drawn with replacement.
 */
intervals: ModelCeBenchReadingIntervals,
/**
 * The older code's interpretability as a share of the largest that so many latents allow.
 */
of_bound: number, };

/**
 * How circuits are found and measured.
 */
export type ModelCircuitOptions = {
/**
 * Of the prompts, random circuits, shuffled labels and bootstraps.
 */
seed: number,
/**
 * Prompts of each task, 4 to 200: circuits are found on the first half and measured on the second.
 */
prompts: number,
/**
 * Shares of all heads that circuits have, rising, above 0 and at most 1: 1 to 10 of them.
 */
fractions: Array<number>,
/**
 * Random orders of heads, 1 to 20.
 */
random: number,
/**
 * What ablated heads write.
 */
ablation: ModelHeadAblation, };

/**
 * A prompt with its corrupted counterpart, cut into tokens.
 */
export type ModelCircuitPrompt = {
/**
 * Prompts of a task that are alike: the groups of EX2.
 */
group: string,
/**
 * Its tokens, with those that all answers begin with.
 */
tokens: Array<number>,
/**
 * The corrupted prompt's, as many.
 */
corrupted: Array<number>,
/**
 * First tokens of right answers.
 */
right: Array<number>,
/**
 * First tokens of wrong answers, none of them that of a right one.
 */
wrong: Array<number>, };

/**
 * What a prompt asks for.
 */
export type ModelCircuitTask = "ioi" | "greater-than" | "agreement";

/**
 * What can be said of a circuit.
 */
export type ModelCircuitVerdict = "not-performed" | "separates" | "inconclusive";

/**
 * Circuits of a language model's heads.
 */
export type ModelCircuits = {
/**
 * How they were found and measured.
 */
options: ModelCircuitOptions,
/**
 * Layers, and heads of each.
 */
layers: number,
/**
 * See `layers`.
 */
heads: number,
/**
 * Forward passes that there are in all, each over at most 8 prompts of one length.
 */
passes: number,
/**
 * A row a task, of those that have been measured.
 */
tasks: Array<ModelTaskCircuits>,
/**
 * Tasks of which too few prompts can be measured with this tokenizer.
 */
left_out: Array<ModelCircuitsLeftOut>, };

/**
 * A task that is not measured.
 */
export type ModelCircuitsLeftOut = {
/**
 * The task.
 */
task: ModelCircuitTask,
/**
 * Prompts that could be measured, fewer than 4.
 */
prompts: number,
/**
 * Those that could not.
 */
skipped: ModelSkippedPrompts, };

/**
 * What tells right answers from wrong ones.
 */
export type ModelDifference = "logit" | "probability";

/**
 * What a changed run does to the model's predictions of a text.
 */
export type ModelEffect = {
/**
 * Mean cross-entropy of all tokens but the first, in nats; nothing of a single token.
 */
cross_entropy: number | null,
/**
 * Mean over positions of KL(unchanged ‖ changed), in nats.
 */
kl: number,
/**
 * Share of positions at which both have the same likeliest token.
 */
top1_agreement: number, };

/**
 * A number with its interval at 95 %, by drawing prompts anew.
 */
export type ModelEstimate = {
/**
 * The number.
 */
value: number,
/**
 * Where the interval begins and ends; nothing where a sample of prompts has no such number.
 */
interval: [number, number] | null, };

/**
 * FADE of an autoencoder's latents.
 */
export type ModelFade = {
/**
 * TransformerLens' name of the place.
 */
hook: string,
/**
 * How latents were rated.
 */
options: ModelFadeOptions,
/**
 * Texts in which latents are chosen.
 */
chosen_in: number,
/**
 * Natural texts in which they are rated: the others.
 */
natural: Array<Array<number>>,
/**
 * The autoencoder's latents, and random directions that the best is chosen of.
 */
latents: number,
/**
 * See `latents`.
 */
directions: number,
/**
 * A row a concept.
 */
concepts: Array<ModelFadeConcept>, };

/**
 * A concept, with the latent that is rated and its controls.
 */
export type ModelFadeConcept = {
/**
 * The concept.
 */
concept: string,
/**
 * Natural texts that have it.
 */
with: number,
/**
 * Purity by chance: their share.
 */
prevalence: number | null,
/**
 * The made texts, as tokens.
 */
made: Array<Array<number>>,
/**
 * Whether each natural text has it.
 */
labels: Array<boolean>,
/**
 * The latent that separates the concept's tokens best in the texts in which is chosen. Nothing where it cannot be
 * chosen, or where no natural text has the concept or all have it.
 */
latent: ModelFadeFeature | null,
/**
 * The random direction that does.
 */
random: ModelFadeFeature | null,
/**
 * The latent that does for labels in random order, rated by labels in random order.
 */
shuffled: ModelFadeFeature | null, };

/**
 * FADE's scores of a feature under a concept. A text's activation is that of its token where it is largest in size.
 */
export type ModelFadeFeature = {
/**
 * The latent, or the random direction, from 0.
 */
index: number,
/**
 * How well texts made from the concept are told from natural ones.
 */
clarity: FadeReadings,
/**
 * How well natural texts with the concept are told from those without.
 */
responsiveness: FadeReadings,
/**
 * Average precision of natural texts with the concept.
 */
purity: FadeReadings,
/**
 * 95 % intervals of the first two by the reference code's reading.
 */
intervals: ModelFadeIntervals,
/**
 * Whether it is clear and responsive enough for the reference code to go on.
 */
gate: boolean,
/**
 * Its largest activation in natural texts, which factors multiply.
 */
largest: number,
/**
 * Whether the model writes of the concept with it; nothing where it was not steered.
 */
faithfulness: number | null,
/**
 * The share of continuations that do, of each factor.
 */
shares: Array<number | null>,
/**
 * The factor with the largest share, where that is above the share at 0.
 */
best_factor: number | null,
/**
 * Of each natural text.
 */
natural: Array<number>,
/**
 * Of each made text.
 */
made: Array<number>,
/**
 * What was written: factors × prompts, the prompt before it.
 */
written: Array<Array<Array<number>>>, };

/**
 * Intervals of scores, over texts drawn with replacement: made and natural ones, those with the concept and those without
 * it each by themselves; none of fewer than ten of a kind. The scores are sizes: an interval is in the direction in which the
 * whole sets differ, and 0 is in it where that is not sure. Of purity there is none: among texts that are drawn twice the
 * average precision is too high.
 */
export type ModelFadeIntervals = {
/**
 * Of clarity.
 */
clarity: [number, number] | null,
/**
 * Of responsiveness.
 */
responsiveness: [number, number] | null, };

/**
 * How latents are rated.
 */
export type ModelFadeOptions = {
/**
 * Of random directions and of shuffled labels.
 */
seed: number,
/**
 * Tokens of a natural text, at most; from 8 to the model's context.
 */
length: number,
/**
 * Made texts of a concept, 1 to 100.
 */
made: number,
/**
 * Which features are steered.
 */
steer: ModelFadeSteer,
/**
 * Prompts that are continued at each factor, 1 to 100.
 */
prompts: number,
/**
 * Tokens that are written after each, 1 to 100.
 */
written: number,
/**
 * By what the largest activation is multiplied: 1 to 20 finite numbers, 0 among them.
 */
factors: Array<number>, };

/**
 * Which features are steered, for faithfulness.
 */
export type ModelFadeSteer = "gated" | "all" | "none";

/**
 * What an ablated head writes instead.
 */
export type ModelHeadAblation = "corrupted" | "mean" | "zero";

/**
 * What a circuit does on the prompts that it was not found on.
 */
export type ModelHeadCircuit = {
/**
 * Its heads, by layer and number.
 */
heads: Array<[number, number]>,
/**
 * The mean difference with all other heads ablated.
 */
alone: number,
/**
 * The mean difference with its heads ablated.
 */
without: number,
/**
 * See [`faithfulness`].
 */
faithfulness: ModelEstimate,
/**
 * Faithfulness as MIB has it: see [`normalised_faithfulness`].
 */
faithfulness_mib: number | null,
/**
 * See [`completeness`].
 */
completeness: ModelEstimate,
/**
 * See [`ablation_recovery`].
 */
ablation_recovery: number,
/**
 * EX1.
 */
ex1: DPrime, };

/**
 * A head, and what ablating it alone does.
 */
export type ModelHeadEffect = {
/**
 * The head.
 */
head: [number, number],
/**
 * By how much the mean difference drops, on the prompts that circuits are found on.
 */
effect: ModelEstimate,
/**
 * The same where right and wrong answers are swapped in a random half of the prompts.
 */
shuffled: number, };

/**
 * Why an order of heads is what it is.
 */
export type ModelHeadOrder = "effect" | "least" | "shuffled" | "random";

/**
 * A prompt, and what the whole model makes of it.
 */
export type ModelMeasuredPrompt = {
/**
 * Whether circuits are measured on it, not found.
 */
held_out: boolean,
/**
 * The difference of right and wrong answers.
 */
clean: number,
/**
 * The same after the corrupted prompt.
 */
corrupt: number,
/**
 * Prompts of a task that are alike: the groups of EX2.
 */
group: string,
/**
 * Its tokens, with those that all answers begin with.
 */
tokens: Array<number>,
/**
 * The corrupted prompt's, as many.
 */
corrupted: Array<number>,
/**
 * First tokens of right answers.
 */
right: Array<number>,
/**
 * First tokens of wrong answers, none of them that of a right one.
 */
wrong: Array<number>, };

/**
 * The index of a language model.
 */
export type ModelMui = {
/**
 * How it was measured.
 */
options: ModelMuiOptions,
/**
 * Layers, and neurons of each.
 */
layers: number,
/**
 * See `layers`.
 */
neurons: number,
/**
 * From what score on a neuron counts as used for an answer, in words.
 */
threshold: string,
/**
 * How many neurons of each layer that is, where it is a number of them.
 */
kept: number | null,
/**
 * A row a task.
 */
tasks: Array<ModelMuiTask>,
/**
 * The index of the answers to all tasks.
 */
mui: number, };

/**
 * A question, and what came of it.
 */
export type ModelMuiAnswer = {
/**
 * Its number among all questions of the task, from 0: models with other tokenizers leave out other questions.
 */
question: number,
/**
 * The tokens of the question, and those that all choices begin with.
 */
tokens: Array<number>,
/**
 * How each choice goes on from there, of which the first is right.
 */
choices: Array<number>,
/**
 * Which choice has the largest logit.
 */
chosen: number,
/**
 * The neurons that count as used for the right choice, as (layer, neuron).
 */
neurons: Array<[number, number]>,
/**
 * Those that count as used for another choice.
 */
other: Array<[number, number]>, };

/**
 * A share of one model and of the next, over the same questions.
 */
export type ModelMuiChange = {
/**
 * Of the first.
 */
before: number,
/**
 * Of the second.
 */
after: number,
/**
 * Second less first.
 */
difference: number,
/**
 * 95 % of the difference over resamples of what each question adds to it.
 */
low: number,
/**
 * See `low`.
 */
high: number, };

/**
 * Several models against each other.
 */
export type ModelMuiDirections = {
/**
 * Resamples of the questions, and how often the intervals should hold.
 */
resamples: number,
/**
 * See `resamples`.
 */
confidence: number,
/**
 * From each model to the next.
 */
steps: Array<ModelMuiStep>,
/**
 * Of each task, where there are three models or more.
 */
laws: Array<ModelMuiTaskLaw>, };

/**
 * How the index is measured.
 */
export type ModelMuiOptions = {
/**
 * Of the questions.
 */
seed: number,
/**
 * Questions of each task, 1 to 1,000.
 */
questions: number,
/**
 * From what score on a neuron counts as used for an answer: "topk" (of each layer), "global-topk" (of all layers),
 * "top-share" (of each layer's neurons) or "topscore" (of a layer's largest score).
 */
threshold: string,
/**
 * How many neurons count, for the first two, at least 1; by default a thousandth of each layer's, as the paper has it, or
 * as many for each layer.
 */
kept: number | null,
/**
 * What share, for the last two: by default 0.001 of a layer's neurons, as the paper has it, or 0.8 of the largest score.
 */
share: number | null, };

/**
 * From one model to the next.
 */
export type ModelMuiStep = {
/**
 * The first.
 */
from: string,
/**
 * The second.
 */
to: string,
/**
 * A row a task.
 */
tasks: Array<ModelMuiTaskStep>, };

/**
 * A task's performance and index.
 */
export type ModelMuiTask = {
/**
 * The task.
 */
task: ModelMuiTaskKind,
/**
 * Share of right answers, and by chance.
 */
accuracy: number,
/**
 * See `accuracy`.
 */
chance: number,
/**
 * The index: the share of all neurons that some answer uses.
 */
mui: number,
/**
 * The same for another choice than the right one, a control.
 */
mui_other: number,
/**
 * The same were as many neurons drawn at random for each answer.
 */
mui_random: number,
/**
 * 95 % intervals of the accuracy, over questions drawn with replacement, and of the two indices, over what each question
 * adds; none of fewer than ten questions, and where all add the same.
 */
accuracy_interval: [number, number] | null,
/**
 * See `accuracy_interval`.
 */
mui_interval: [number, number] | null,
/**
 * See `accuracy_interval`.
 */
mui_other_interval: [number, number] | null,
/**
 * Neurons of a layer that an answer uses, in the mean.
 */
mean_k: number,
/**
 * The index after the first 1, 2, … answers.
 */
growth: Array<number>,
/**
 * The answers.
 */
answers: Array<ModelMuiAnswer>, };

/**
 * What a task asks.
 */
export type ModelMuiTaskKind = "copying" | "comparison" | "agreement";

/**
 * The utility law of a task over models.
 */
export type ModelMuiTaskLaw = {
/**
 * The task.
 */
task: ModelMuiTaskKind,
/**
 * Points in percent, and MUI = a ln P + b; none where there is no such line.
 */
law: MuiOwnLaw | null,
/**
 * The same by the index for another choice, a control.
 */
law_other: MuiOwnLaw | null,
/**
 * Why there is none.
 */
refused: string | null, };

/**
 * A task from one model to the next, over the questions that both answered.
 */
export type ModelMuiTaskStep = {
/**
 * The task.
 */
task: ModelMuiTaskKind,
/**
 * How many questions.
 */
questions: number,
/**
 * Shares of right answers.
 */
accuracy: ModelMuiChange,
/**
 * The same by chance.
 */
chance: number,
/**
 * The index.
 */
mui: ModelMuiChange,
/**
 * Where the model has moved; undetermined where the interval of accuracy or of the index includes 0, or of fewer than 10
 * questions.
 */
direction: MuiDirection,
/**
 * The index for another choice than the right one, a control.
 */
mui_other: ModelMuiChange,
/**
 * The direction by it.
 */
direction_other: MuiDirection,
/**
 * The index of both were as many neurons drawn at random for each answer.
 */
mui_random: [number, number], };

/**
 * Circuits of rising size, each with the heads of the one before.
 */
export type ModelOrderedCircuits = {
/**
 * In which order heads are added.
 */
order: ModelHeadOrder,
/**
 * The circuits.
 */
circuits: Array<ModelHeadCircuit>,
/**
 * MIB's areas of faithfulness over shares of heads, from the smallest circuit's to 1, where it is 1.
 */
area: FaithfulnessArea | null,
/**
 * The same of faithfulness as MIB has it.
 */
area_mib: FaithfulnessArea | null, };

/**
 * Prompts that were drawn and are not measured.
 */
export type ModelSkippedPrompts = {
/**
 * Those whose corrupted counterpart has not as many tokens.
 */
length: number,
/**
 * Those whose right and wrong answers share the first token.
 */
answers: number, };

/**
 * Circuits of a task.
 */
export type ModelTaskCircuits = {
/**
 * The task.
 */
task: ModelCircuitTask,
/**
 * What is measured of each answer.
 */
difference: ModelDifference,
/**
 * Prompts that were drawn and are not measured.
 */
skipped: ModelSkippedPrompts,
/**
 * Share of all prompts whose right answer is held likelier.
 */
accuracy: ModelEstimate,
/**
 * By chance.
 */
chance: number,
/**
 * The probability of as many right answers or more by chance (the binomial distribution's tail).
 */
p_chance: number,
/**
 * The same answers after the corrupted prompts.
 */
accuracy_corrupted: number,
/**
 * Whether the model does the task: so many right answers have a probability of at most 0.025 by chance, and the mean
 * difference is larger than after corrupted prompts.
 */
performed: boolean,
/**
 * The whole model's mean difference on the prompts that circuits are measured on.
 */
full: number,
/**
 * The same after the corrupted prompts.
 */
corrupted: number,
/**
 * With all heads ablated: the empty circuit.
 */
empty: number,
/**
 * Faithfulness of the empty circuit.
 */
faithfulness_empty: number,
/**
 * Every head, by layer and number.
 */
effects: Array<ModelHeadEffect>,
/**
 * Circuits by effect, then the controls.
 */
orders: Array<ModelOrderedCircuits>,
/**
 * Of the circuits by effect, one a size.
 */
verdicts: Array<ModelCircuitVerdict>,
/**
 * EX2 of the whole model, over groups of prompts.
 */
ex2: Dif,
/**
 * EX11 of the smallest circuit by effect; nothing where there is none.
 */
ex11: Weber | null,
/**
 * The prompts.
 */
prompts: Array<ModelMeasuredPrompt>, };

/**
 * A mean over draws, and how far they go.
 */
export type MuiBand = {
/**
 * The mean.
 */
mean: number,
/**
 * The lowest.
 */
low: number,
/**
 * The highest.
 */
high: number, };

/**
 * A checkpoint's tasks.
 */
export type MuiCheckpointFound = {
/**
 * Its name.
 */
checkpoint: string,
/**
 * In the tasks' order.
 */
tasks: Array<MuiTaskFound>, };

/**
 * A claim of the paper beside its own tables.
 */
export type MuiClaim = {
/**
 * A short name: "p-values".
 */
id: string,
/**
 * Where it is made: "Table 1".
 */
place: string,
/**
 * What is claimed, in a sentence.
 */
says: string,
/**
 * Whether it holds.
 */
verdict: MuiVerdict,
/**
 * Why, in a sentence, with its numbers.
 */
found: string,
/**
 * In how many cases it holds, and of how many; none where it is not counted.
 */
count: [number, number] | null, };

/**
 * A checkpoint on the items of the test, on others, and on the other tasks.
 */
export type MuiContaminated = {
/**
 * Its name.
 */
checkpoint: string,
/**
 * On the 128 test items at most, those that were trained on.
 */
test: MuiSeen,
/**
 * The accuracy on as many items that nobody has seen, over sets of them.
 */
fresh_accuracy: MuiBand,
/**
 * The index on them.
 */
fresh_mui: MuiBand,
/**
 * On the nine other tasks: their means.
 */
others: MuiSeen, };

/**
 * Right answers against equally many wrong ones.
 */
export type MuiCorrectness = {
/**
 * The test: "recall of 7".
 */
test: string,
/**
 * Share of right answers.
 */
accuracy: number,
/**
 * Answers in each sample; none is drawn where this is 0, since too few are wrong or right.
 */
answers: number,
/**
 * The index of right ones, over draws.
 */
right: MuiBand | null,
/**
 * The index of wrong ones.
 */
wrong: MuiBand | null,
/**
 * Of Mann and Whitney's test over the draws, which overlap: it finds a difference too easily.
 */
p: number | null, };

/**
 * One way to select, ever wider.
 */
export type MuiCurve = {
/**
 * The score or the threshold.
 */
name: string,
/**
 * By rising number of neurons.
 */
cuts: Array<MuiCut>, };

/**
 * What is left without some neurons.
 */
export type MuiCut = {
/**
 * At what the selection was cut off: "k = 5".
 */
at: string,
/**
 * How many neurons are off.
 */
neurons: number,
/**
 * Accuracy on the task that they were selected by.
 */
own: number,
/**
 * Mean accuracy on the other tasks.
 */
others: number, };

/**
 * Ways to select against each other and against random neurons.
 */
export type MuiCuts = {
/**
 * The task.
 */
task: string,
/**
 * With all neurons: accuracy on the task.
 */
own: number,
/**
 * And on the others.
 */
others: number,
/**
 * One a way.
 */
curves: Array<MuiCurve>,
/**
 * By rising number of neurons.
 */
random: Array<MuiRandomCut>, };

/**
 * A printed number and what the others make of it.
 */
export type MuiDerived = {
/**
 * "Table 1", "Section 3.2".
 */
table: string,
/**
 * "Vicuna-7B", "Spearman".
 */
row: string,
/**
 * "GSM8K PUR".
 */
column: string,
/**
 * As the paper prints it.
 */
printed: number,
/**
 * As it follows from the other numbers, at full precision.
 */
derived: number,
/**
 * How many decimals are printed.
 */
decimals: number,
/**
 * Whether the derived number rounds to the printed one.
 */
agrees: boolean,
/**
 * Whether it can, given that the numbers that it follows from are rounded, too.
 */
possible: boolean, };

/**
 * Does a harder test use more neurons, at equally many answers?
 */
export type MuiDifficulty = {
/**
 * The test.
 */
task: string,
/**
 * Answers of a set.
 */
answers: number,
/**
 * By rising difficulty.
 */
grades: Array<MuiGrade>,
/**
 * Sets of all grades in equal parts.
 */
mixed: MuiBand,
/**
 * Spearman's coefficient of grade and index over all sets of one grade.
 */
trend: number | null,
/**
 * Of no such trend.
 */
trend_p: number | null,
/**
 * The coefficients with the grades in random order.
 */
permuted: MuiBand | null,
/**
 * Of Mann and Whitney's test of the hardest sets against the mixed ones.
 */
hardest_p: number | null, };

/**
 * Where a model has moved between performance and index (Fig. 4).
 */
export type MuiDirection = "evolving" | "accumulating" | "coarsening" | "collapsing" | "undetermined";

/**
 * Does the index grow with the diversity of the answers, at equally many of them?
 */
export type MuiDiversity = {
/**
 * Numbers of answers.
 */
answers: Array<number>,
/**
 * By rising number of kinds.
 */
kinds: Array<MuiGrowing>,
/**
 * The same after all answers were dealt out to the kinds at random, so that a kind is none.
 */
dealt: Array<MuiGrowing>,
/**
 * Half as many answers of three kinds.
 */
three: MuiBand | null,
/**
 * All answers of one kind.
 */
one: MuiBand | null,
/**
 * In how many of the draws the former use at least as much as the latter.
 */
half_of_three: number,
/**
 * Draws there were.
 */
draws: number, };

/**
 * The index of right answers and of wrong ones, in the mean over all choices of so many.
 */
export type MuiEqually = {
/**
 * How many of each: as many as there are of the rarer kind.
 */
answers: number,
/**
 * Of right answers.
 */
right: number,
/**
 * Of wrong ones.
 */
wrong: number, };

/**
 * What was found, as far as it was asked for.
 */
export type MuiExperiments = {
/**
 * More kinds of tasks, as many answers (Fig. 9).
 */
diversity: MuiDiversity | null,
/**
 * More topics of stories, as many answers (Fig. 9).
 */
domains: MuiDiversity | null,
/**
 * Harder tests (Fig. 19).
 */
difficulty: Array<MuiDifficulty> | null,
/**
 * Short prompts against long ones (Fig. 16 to 18).
 */
length: Array<MuiLength> | null,
/**
 * The selected neurons switched off, against random ones (Fig. 11).
 */
masking: MuiMasking | null,
/**
 * The same, selected by each score (Fig. 22 to 26).
 */
scores: MuiCuts | null,
/**
 * The same, selected by each kind of threshold (Fig. 22 to 26).
 */
cutoffs: MuiCuts | null,
/**
 * How scores and thresholds order tasks and checkpoints (Tables 11 to 17).
 */
selection: MuiSelection | null,
/**
 * Test items seen in training (Fig. 8).
 */
contamination: Array<MuiContaminated> | null,
/**
 * Right answers against wrong ones (Fig. 10).
 */
correctness: Array<MuiCorrectness> | null,
/**
 * Models of several sizes, seeds and lengths of training, ranked (Table 1).
 */
models: MuiModels | null,
/**
 * The index by features of autoencoders (App. B.1).
 */
features: MuiFeatured | null, };

/**
 * The index by features beside that by neurons.
 */
export type MuiFeatured = {
/**
 * Features that count as used by one answer.
 */
k: number,
/**
 * The tasks.
 */
tasks: Array<string>,
/**
 * Each task's index by neurons.
 */
neurons: Array<number>,
/**
 * One a dictionary.
 */
dictionaries: Array<MuiFeatures>,
/**
 * Spearman's coefficients with the index by neurons, the tasks in random order.
 */
permuted: MuiBand | null, };

/**
 * The index by one dictionary's features.
 */
export type MuiFeatures = {
/**
 * The dictionary's name.
 */
name: string,
/**
 * What it is.
 */
label: string,
/**
 * Whether it is a control.
 */
control: boolean,
/**
 * Features there are.
 */
latents: number,
/**
 * Each task's index by the most active features (Eq. 5).
 */
active: Array<number>,
/**
 * By those that add most to the answer's logit directly: the latent times its direction · W_U.
 */
contributing: Array<number>, };

/**
 * Answers of one difficulty.
 */
export type MuiGrade = {
/**
 * How many items there are to choose from.
 */
items: number,
/**
 * Share of right answers, over all sets.
 */
accuracy: number,
/**
 * The index, over sets.
 */
index: MuiBand, };

/**
 * The index over ever more answers of so many kinds.
 */
export type MuiGrowing = {
/**
 * How many kinds.
 */
kinds: number,
/**
 * One for each of [`DiversityResult::answers`], over draws of kinds and of answers.
 */
indices: Array<MuiBand>, };

/**
 * How the index grows with the number of answers, at the opened checkpoint.
 */
export type MuiGrowth = {
/**
 * After 1, 2, … answers of the opened task.
 */
task: Array<number>,
/**
 * After 1, 2, … answers of all tasks, one of each in turn.
 */
mixed: Array<number>, };

/**
 * The index of so many answers.
 */
export type MuiGrowthPoint = {
/**
 * How many.
 */
answers: number,
/**
 * In the mean over all choices of so many.
 */
mui: number,
/**
 * If each drew as many neurons by lot: 1 − (1 − k/N)ᵀ at the file's own mean k.
 */
by_lot: number, };

/**
 * What the numbers of an experiment say of a claim of the paper, on the toy model.
 */
export type MuiJudgement = {
/**
 * The figure whose numbers it follows from: "mui-diversity".
 */
figure: string,
/**
 * What is claimed, and where.
 */
claim: string,
/**
 * Whether it holds.
 */
verdict: MuiVerdict,
/**
 * The same in words: "Holds here".
 */
words: string,
/**
 * The numbers that it follows from, in a sentence without its full stop.
 */
found: string, };

/**
 * The law as it was found.
 */
export type MuiLaw = {
/**
 * The slope: MUI = a ln P + b.
 */
a: number,
/**
 * The intercept.
 */
b: number,
/**
 * The correlation of ln P with the index; none where the index does not vary.
 */
r: number | null,
/**
 * The probability of a slope of this size by chance; none for two models.
 */
p: number | null,
/**
 * How many models.
 */
models: number,
/**
 * The index that the law has at a performance of 100 %.
 */
at_100: number,
/**
 * What else there is to know, a sentence each.
 */
notes: Array<string>, };

/**
 * A model of a reader's own, as a program has it.
 */
export type MuiLawRow = {
/**
 * Its name; its place in the list where it has none.
 */
model?: string,
/**
 * Performance in percent, above 0.
 */
accuracy: number,
/**
 * Index in percent, from 0.
 */
mui: number, };

/**
 * Short prompts against long ones, at equally many answers.
 */
export type MuiLength = {
/**
 * Of what: "recall", "stories".
 */
of: string,
/**
 * Answers of a set.
 */
answers: number,
/**
 * Tokens of a short prompt and of a long one.
 */
tokens: [number, number],
/**
 * The index of short ones, over sets.
 */
short: MuiBand,
/**
 * Of long ones.
 */
long: MuiBand,
/**
 * Of other short ones.
 */
control: MuiBand,
/**
 * Of Mann and Whitney's test of the short against the long.
 */
p: number | null,
/**
 * Of the short against the other short ones.
 */
control_p: number | null, };

/**
 * What a model is trained on.
 */
export type MuiLessons = "test" | "task" | "half" | "language";

/**
 * What is left without some neurons.
 */
export type MuiMasked = {
/**
 * How many neurons of a layer were taken for used by one answer.
 */
k: number,
/**
 * How many neurons are switched off, everywhere.
 */
neurons: number,
/**
 * Accuracy on the task that they were selected by.
 */
own: number,
/**
 * Mean accuracy on the other tasks.
 */
others: number,
/**
 * As many random ones of each layer off instead: accuracy on the task.
 */
random_own: MuiBand,
/**
 * And on the others.
 */
random_others: MuiBand, };

/**
 * Whether the selected neurons are those that the task needs.
 */
export type MuiMasking = {
/**
 * The task.
 */
task: string,
/**
 * With all neurons: accuracy on the task.
 */
own: number,
/**
 * And on the others.
 */
others: number,
/**
 * By rising k.
 */
steps: Array<MuiMasked>, };

/**
 * A model that is ranked.
 */
export type MuiModel = {
/**
 * Its name: "w24-l2", "ck-12000".
 */
name: string,
/**
 * Its neurons.
 */
neurons: number,
/**
 * Neurons of a layer that count as used by one answer.
 */
k: number,
/**
 * Mean share of right answers over the ten tasks.
 */
accuracy: number,
/**
 * Mean index over them.
 */
mui: number,
/**
 * Mean over them of PUR, from percent; of those of which some answer uses a neuron.
 */
pur: number,
/**
 * Mean share of right answers on harder tests, which no training has shown.
 */
truth: number, };

/**
 * Models, and how they are ordered.
 */
export type MuiModels = {
/**
 * The exponent in PUR: the paper's.
 */
alpha: number,
/**
 * The models.
 */
models: Array<MuiModel>,
/**
 * Spearman's coefficients of the truth with performance in random order.
 */
permuted: MuiBand | null, };

/**
 * A file of neurons: shares are of all neurons, from 0 to 1.
 */
export type MuiNeurons = {
/**
 * Its name.
 */
file: string,
/**
 * What it holds.
 */
holds: MuiNeuronsKind,
/**
 * How many answers; none of a union.
 */
answers: number | null,
/**
 * Layers of the model.
 */
layers: number,
/**
 * Neurons of each.
 */
neurons: number,
/**
 * From what score on a neuron counts, in words; none without scores.
 */
threshold: string | null,
/**
 * Neurons that some answer uses.
 */
used: number,
/**
 * The index, by the paper's reading: all scores above 0 that reach the threshold.
 */
mui: number,
/**
 * By the code's: ties cut off, whatever the sign; none without scores.
 */
mui_code: number | null,
/**
 * The index if every answer drew as many neurons by lot; none of a union.
 */
by_lot: number | null,
/**
 * Neurons of a layer that an answer uses, in the mean.
 */
mean_k: number | null,
/**
 * Performance in percent: stated, or the share of right answers among those told.
 */
performance: number | null,
/**
 * Answers told to be right, and told at all.
 */
right: number,
/**
 * How many are told to be right or wrong.
 */
told: number,
/**
 * The index of right answers alone.
 */
mui_correct: number | null,
/**
 * The same by the code's reading.
 */
mui_correct_code: number | null,
/**
 * Right answers against wrong ones, equally many of each.
 */
equally: MuiEqually | null,
/**
 * P / MUI^α, both in percent.
 */
pur: number | null,
/**
 * The index of 1, 2, … answers in the mean over all choices of so many.
 */
growth: Array<MuiGrowthPoint>,
/**
 * The index at other thresholds.
 */
thresholds: Array<MuiThresholdFound>,
/**
 * Of each layer, the share of its neurons that is used.
 */
by_layer: Array<number>, };

/**
 * What a file holds.
 */
export type MuiNeuronsKind = "scores" | "features" | "sets" | "union";

/**
 * All that a reader's files come to.
 */
export type MuiOwn = {
/**
 * What there is to say, a sentence each.
 */
said: Array<string>,
/**
 * Models of a table, and the law over them.
 */
law: MuiOwnLaw | null,
/**
 * Files of neurons, in their order.
 */
files: Array<MuiNeurons>,
/**
 * From each file of neurons to the next.
 */
steps: Array<MuiStepFound>,
/**
 * Rows of `proportion/result.csv`.
 */
proportions: Array<MuiProportion>,
/**
 * What was assumed or left out, a sentence each.
 */
notes: Array<string>, };

/**
 * A reader's own models, and the law over them.
 */
export type MuiOwnLaw = {
/**
 * The models.
 */
points: Array<MuiPoint>,
/**
 * The law.
 */
law: MuiLaw, };

/**
 * What a reader asks, unchecked.
 */
export type MuiOwnWanted = {
/**
 * Layers of the model; none where a file says it.
 */
layers?: number,
/**
 * Neurons of each layer, or features; none where a file says it.
 */
neurons?: number,
/**
 * The scores of each layer that count; none for the paper's number.
 */
k?: number,
/**
 * Exponent of the index in PUR; none for the paper's.
 */
alpha?: number,
/**
 * The accuracy of each file of neurons in percent, in their order, where answers do not tell it.
 */
accuracy?: Array<number>, };

/**
 * A model's performance and index.
 */
export type MuiPoint = {
/**
 * Its name; its line where the table has none.
 */
model: string,
/**
 * In percent.
 */
performance: number,
/**
 * In percent.
 */
index: number, };

/**
 * A row.
 */
export type MuiProportion = {
/**
 * The model, by MUI-Eval's name of it.
 */
model: string,
/**
 * The task.
 */
task: string,
/**
 * How neurons were scored: "score", "activate", "grad", …; none for features of an autoencoder.
 */
scored_by: string | null,
/**
 * "topk", "topscore" or "global_topk".
 */
mode: string,
/**
 * The threshold's number.
 */
value: number,
/**
 * The index, as a share.
 */
mui: number,
/**
 * Used neurons as a share of the most that the threshold allows over so many answers; none where the file
 * does not say it.
 */
overlap: number | null,
/**
 * The index that was computed anew, in the code's reading, where the file of neurons was given too.
 */
recomputed: number | null, };

/**
 * As many neurons at random, of whichever layer.
 */
export type MuiRandomCut = {
/**
 * How many are off.
 */
neurons: number,
/**
 * Accuracy on the task, over draws.
 */
own: MuiBand,
/**
 * On the others.
 */
others: MuiBand, };

/**
 * A measurement, as far as it has come: the paper's tables need none.
 */
export type MuiReport = {
/**
 * What was wanted.
 */
settings: MuiSettings,
/**
 * In the order of the shipped checkpoints.
 */
checkpoints: Array<MuiCheckpointFound>,
/**
 * Of the opened checkpoint.
 */
growth: MuiGrowth | null,
/**
 * What the paper's corollaries ask.
 */
experiments: MuiExperiments,
/**
 * Models that were trained here, in the order in which they were begun.
 */
trained: Array<MuiTrained>,
/**
 * What a reader's own files hold.
 */
own: MuiOwn | null, };

/**
 * Performance and index, as shares.
 */
export type MuiSeen = {
/**
 * Share of right answers.
 */
accuracy: number,
/**
 * The index.
 */
mui: number, };

/**
 * Whether it matters which neurons count as used.
 */
export type MuiSelection = {
/**
 * The checkpoints of one training, by rising steps.
 */
checkpoints: Array<string>,
/**
 * The first is the usual one.
 */
ways: Array<MuiWay>,
/**
 * Spearman's coefficients with the usual one, the tasks in random order.
 */
permuted: MuiBand | null, };

/**
 * What a measurement is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
 */
export type MuiSettings = {
/**
 * The data set of the paper that is opened.
 */
data_set: string,
/**
 * A model that the law is fitted without, or "none".
 */
without: string,
/**
 * Exponent of the index in PUR.
 */
alpha: number,
/**
 * "paper", "accuracy" or "gsm8k".
 */
reference: string,
/**
 * The task of the toy model that is opened.
 */
task: string,
/**
 * The name of the checkpoint.
 */
checkpoint: string,
/**
 * Prompts of each task.
 */
prompts: number,
/**
 * "contribution", "activation" or "integrated-gradients".
 */
score: string,
/**
 * "topk", "global-topk", "top-share" or "topscore".
 */
threshold: string,
/**
 * How many, for the first two.
 */
k: number,
/**
 * What share, for the last two.
 */
share: number,
/**
 * "answer" or "own".
 */
word: string,
/**
 * "document" or "code".
 */
reading: string,
/**
 * "new", or the name of a checkpoint.
 */
begin: string,
/**
 * "test", "task", "half" or "language".
 */
lessons: string,
/**
 * The task that is taught.
 */
taught: string,
/**
 * Steps of a training.
 */
steps: number,
/**
 * The highest learning rate.
 */
rate: number,
/**
 * The first training's seed.
 */
seed: number,
/**
 * How many trainings.
 */
seeds: number,
/**
 * Layers of a new model.
 */
layers: number,
/**
 * Width of a new model's residual stream: "48", "32", "24" or "16".
 */
width: string, };

/**
 * From a file of neurons to the next, at equally many answers.
 */
export type MuiStepFound = {
/**
 * The first file.
 */
from: string,
/**
 * The second.
 */
to: string,
/**
 * At how many answers the indices are compared; none where one is a union.
 */
answers: number | null,
/**
 * Performance before and after, in percent.
 */
performance: [number, number] | null,
/**
 * The index before and after, as shares.
 */
mui: [number, number],
/**
 * Where the model went; none without performance.
 */
direction: 'evolving' | 'accumulating' | 'coarsening' | 'collapsing' | 'undetermined' | null,
/**
 * Neurons that both use, as a share of those that either uses; none where the models have other sizes.
 */
jaccard: number | null,
/**
 * The same if each drew its neurons by lot, as many of each layer.
 */
jaccard_by_lot: number | null, };

/**
 * A task's index at a checkpoint.
 */
export type MuiTaskFound = {
/**
 * The task's name.
 */
task: string,
/**
 * Share of right answers.
 */
accuracy: number,
/**
 * Share of all neurons that some answer uses.
 */
mui: number,
/**
 * The same of right answers alone.
 */
mui_correct: number, };

/**
 * The index at a threshold.
 */
export type MuiThresholdFound = {
/**
 * In words.
 */
threshold: string,
/**
 * By the paper's reading.
 */
mui: number,
/**
 * By the code's.
 */
mui_code: number, };

/**
 * A training, as far as it has come.
 */
export type MuiTrained = {
/**
 * What was wanted.
 */
wanted: MuiTrainingWanted,
/**
 * From its beginning on.
 */
points: Array<MuiTrainingPoint>, };

/**
 * What a model in training does.
 */
export type MuiTrainingPoint = {
/**
 * Steps taken.
 */
step: number,
/**
 * Mean loss of the steps since the point before; none at the first.
 */
loss: number | null,
/**
 * Every task.
 */
tasks: Array<MuiTaskFound>,
/**
 * The task that is taught, on as many items that nothing was trained on.
 */
fresh: MuiSeen, };

/**
 * How far a training is; with its [`state_values`](TrainingSession::state_values) all that it takes to go on.
 */
export type MuiTrainingState = {
/**
 * Steps taken.
 */
step: number,
/**
 * The step that was looked at last; none before the first look.
 */
looked: number | null,
/**
 * The sum of losses since.
 */
loss: number, };

/**
 * One training that settings ask for.
 */
export type MuiTrainingWanted = {
/**
 * What is learnt from.
 */
lessons: MuiLessons,
/**
 * The seed of the texts, and of new weights.
 */
seed: number,
/**
 * Whether it is there to be compared with: what as many steps of the whole language do.
 */
control: boolean, };

/**
 * What becomes of a claim.
 */
export type MuiVerdict = "holds" | "partly" | "fails" | "open";

/**
 * A score and a threshold, and the indices that they give.
 */
export type MuiWay = {
/**
 * What is scored: "contribution".
 */
score: string,
/**
 * "top 5 of each layer".
 */
threshold: string,
/**
 * Each task's index at the opened checkpoint.
 */
tasks: Array<number>,
/**
 * The mean index of all tasks at each of [`SelectionResult::checkpoints`].
 */
checkpoints: Array<number>, };

/**
 * An autoencoder that is shipped.
 */
export type NamedDictionary = {
/**
 * By this it is asked for.
 */
name: string,
/**
 * What it is, in a few words.
 */
label: string,
/**
 * The shipped file that it is in; empty where it needs none.
 */
file: string,
/**
 * What its tensors' names begin with.
 */
tensors: string,
/**
 * How its latents are made.
 */
kind: LatentKind,
/**
 * What it is to a comparison.
 */
role: DictionaryRole, };

/**
 * The paper's Standard network and its inputs.
 */
export type Network = {
/**
 * Seed of circuit, weights and biases.
 */
seed: number,
/**
 * Seed of the inputs.
 */
data_seed: number, };

/**
 * The paper's Standard network with another readout. The paper's text concedes that a linear
 * dictionary cannot be complete where units interact by multiplication; here it shows.
 *
 * # Formula
 * f(a) = W₂·g(a) + b₂ with g_c = (1 − t)·s_c + t·s_c·s_c′ over the circuit's units c, each with the next
 * one c′ (the last with the first); s are a's entries less their mean, over their standard deviation,
 * both over the sample. With t = 0 the readout is affine.
 */
export type Nonlinear = {
/**
 * t, from 0 (sums alone) to 1 (products alone).
 */
interaction: number,
/**
 * Seed of circuit, weights and biases.
 */
seed: number,
/**
 * Seed of the inputs.
 */
data_seed: number, };

/**
 * A number that a form asks for, from 1.
 */
export type OwnNumber = {
/**
 * What it is where nobody says otherwise.
 */
usual: number,
/**
 * The most that it may be.
 */
max: number, };

/**
 * The numbers of a run that a form asks for.
 */
export type OwnNumbers = {
/**
 * Codes that are kept of each row, where only the largest are.
 */
kept: OwnNumber,
/**
 * As in [`Options`].
 */
active_rows: OwnNumber,
/**
 * As in [`Options`], in bytes.
 */
memory: OwnNumber, };

/**
 * Which activations: a file's, by their shape and digest; the numbers themselves come beside it, as
 * [`DrawnRows`].
 */
export type OwnWorld = {
/**
 * Rows that there are, 4 to 2³² − 1.
 */
rows: number,
/**
 * Dimensions D, 1 to 1,024.
 */
dimensions: number,
/**
 * Outputs of the readout that came with them; none: f is the identity.
 */
outputs: number | null,
/**
 * SHA-256 of the file with the activations, in hexadecimal, where it was taken.
 */
sha256: string | null,
/**
 * SHA-256 of what else tells them from others: which array of the file they are, where it has
 * several, and the readout's and its bias's files and arrays, where there are any.
 */
with: string | null,
/**
 * Seed of which rows are taken, and in which order.
 */
seed: number, };

/**
 * Activations among such files, and what reads them out, as a world to train on.
 */
export type OwnWorldRequest = {
/**
 * A, N × D.
 */
activations: EvaluateChoice,
/**
 * Further files of A, whose rows come after these.
 */
more_activations?: Array<EvaluateChoice>,
/**
 * A linear readout, o × D; without one f is the identity.
 */
readout?: EvaluateChoice,
/**
 * Its bias, o values.
 */
readout_bias?: EvaluateChoice,
/**
 * Seed of which rows are taken, and in which order.
 */
seed?: number, };

/**
 * What a link says.
 */
export type ParsedLink = {
/**
 * The nearest valid state.
 */
state: LinkState,
/**
 * What had to be changed for it; empty for a link that [`to_query`](super::to_query()) made.
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
 * Relevance: |Pearson| of ‖codes‖₂ with ‖output‖₂. Our definition; the paper's is not
 * identified.
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
 * The field's name, as a draft of the settings has it.
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
 * What f(a) is compared with in completeness (Eq. 3).
 */
export type Reading = "row-space" | "reconstruction" | "active-subspace";

/**
 * Completeness, over all rows and about the mean output, in three readings.
 */
export type Readings = {
/**
 * f of the projection on the span of all directions: the paper's.
 */
row_space: number,
/**
 * f of the reconstruction.
 */
reconstruction: number,
/**
 * f of each row's projection on the span of the directions active in it.
 */
active_subspace: number, };

/**
 * An autoencoder's files as they were recognised.
 */
export type Recognised = {
/**
 * The layout: "Gemma Scope".
 */
layout: string,
/**
 * The language model, where the files say it.
 */
model?: string,
/**
 * The place of the activations in it, as the tool has it.
 */
hook?: string,
/**
 * The place of the activations that a transcoder reconstructs.
 */
hook_out?: string,
/**
 * The layer, from 0.
 */
layer?: number,
/**
 * The number of latents, as its makers round it: "16k".
 */
width: string,
/**
 * The architecture: "jumprelu", "topk (32)".
 */
architecture: string,
/**
 * What the files leave open and was assumed, in sentences.
 */
assumed: Array<string>, };

/**
 * A refusal, as plain data.
 */
export type Refused = {
/**
 * Its stable code.
 */
code: string,
/**
 * What is wrong, in a sentence.
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
 * A number that a file reports, and the same computed anew.
 */
export type Reported = {
/**
 * The file.
 */
file: string,
/**
 * Which number, by the file's own name of it.
 */
quantity: string,
/**
 * What the file says; null where that is no finite number, or nothing.
 */
reported: number | null,
/**
 * What it says where that is no finite number: "NaN", "Infinity", "-Infinity" or "null".
 */
reported_as: string | null,
/**
 * What comes of the inputs by the code's reading; null where that has no value, or they were not given.
 */
recomputed: number | null,
/**
 * The same by the document's reading.
 */
document: number | null,
/**
 * Reported less recomputed.
 */
difference: number | null,
/**
 * How they stand.
 */
verdict: ReportedVerdict,
/**
 * Why there is nothing to compare, or why they differ where that is known.
 */
why: string | null, };

/**
 * How a reported number stands to the one that is computed anew.
 */
export type ReportedVerdict = "agrees" | "differs" | "as-reported" | "not-reported";

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
 * The shape of a planted network (the SFC-Score paper's, Table 1).
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
 * A control in the place of the activation.
 */
export type SpliceControl = {
/**
 * "zeros", "mean" or "random error".
 */
name: string,
/**
 * As [`SpliceReport::recovered`]: 0 for zeros.
 */
recovered: number | null,
/**
 * Mean cross-entropy of all tokens but the first, in nats; nothing of a single token.
 */
cross_entropy: number | null,
/**
 * Mean over positions of KL(unchanged ‖ changed), in nats.
 */
kl: number,
/**
 * Share of positions at which both have the same likeliest token.
 */
top1_agreement: number, };

/**
 * How an autoencoder is put into a model.
 */
export type SpliceOptions = {
/**
 * Whether what the reconstruction lacks is added to it.
 */
keep_error: boolean,
/**
 * Latents that are scaled.
 */
edits: Array<LatentEdit>,
/**
 * Of the random control.
 */
seed: number, };

/**
 * What becomes of a text's foretelling where an autoencoder stands in the place of an activation.
 */
export type SpliceReport = {
/**
 * TransformerLens' name of the place.
 */
hook: string,
/**
 * Tokens that cross-entropies are averages of: all but the first of the text.
 */
tokens: number,
/**
 * Latents that are active for a position but the first, on average.
 */
l0: number,
/**
 * Mean square of what the reconstruction lacks at positions but the first.
 */
mse: number,
/**
 * Mean cross-entropy of the model as it is, in nats.
 */
cross_entropy: number,
/**
 * The same with the autoencoder.
 */
cross_entropy_spliced: number,
/**
 * The same with zeros in the place of the activation.
 */
cross_entropy_zero: number,
/**
 * (zero − spliced)/(zero − as it is): 1 where nothing is lost. Nothing where zeros change nothing; where
 * `zeros_lose` is false, zeros lower the loss, and more of this is not better.
 */
recovered: number | null,
/**
 * Whether zeros raise the loss, so that there is something to recover.
 */
zeros_lose: boolean,
/**
 * Mean over positions of KL(as it is ‖ with the autoencoder), in nats.
 */
kl: number,
/**
 * Share of positions at which both have the same likeliest token.
 */
top1_agreement: number,
/**
 * What else in the place of the activation comes to.
 */
controls: Array<SpliceControl>,
/**
 * Whether what the reconstruction lacks is added to it.
 */
keep_error: boolean,
/**
 * Latents that are scaled.
 */
edits: Array<LatentEdit>,
/**
 * Of the random control.
 */
seed: number, };

/**
 * A quantity over the seeds.
 */
export type Spread = {
/**
 * Mean.
 */
mean: number,
/**
 * Standard deviation (n − 1); 0 for one value.
 */
deviation: number,
/**
 * Least.
 */
min: number,
/**
 * Greatest.
 */
max: number, };

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
 * A study of families as text, of which a link knows no more than that it is one:
 * [`query`] reads it. 1 to [`STUDY_LENGTH_MAX`] letters, digits
 * and `. , : _ -`.
 */
export type Study = string;

/**
 * Features that are unit directions, more of them than dimensions; rows are sums of those that fire.
 *
 * Feature i fires with probability pᵢ: Zipf's 1/(i + 1)ˢ, stretched to run from `p_max` to `p_min`. Its
 * magnitude is max(0.1, 1 + ¼·N(0, 1)). Eight features reach the output, by a linear readout.
 */
export type Superposition = {
/**
 * Features.
 */
features: number,
/**
 * Dimensions D.
 */
dimensions: number,
/**
 * Zipf's exponent s.
 */
zipf: number,
/**
 * How often the first feature fires.
 */
p_max: number,
/**
 * How often the last feature fires.
 */
p_min: number,
/**
 * With this probability a feature fires by a chance that it shares with its block of four.
 */
correlation: number,
/**
 * This many of the last features fire only where their parents (the first features) do.
 */
children: number,
/**
 * Steps of descent on the squared cosines between directions, which drive them apart.
 */
repulsion: number,
/**
 * Standard deviation of noise on every entry.
 */
noise: number,
/**
 * Seed of the directions and the readout.
 */
seed: number,
/**
 * Seed of the rows.
 */
data_seed: number, };

/**
 * Scores of an autoencoder and of its controls.
 */
export type SynthEvaluation = {
/**
 * The autoencoder's name: its folder, or its weights.
 */
name: string,
/**
 * What was scored, in a sentence.
 */
sentence: string,
/**
 * F and D of the model.
 */
model: [number, number],
/**
 * Latents.
 */
latents: number,
/**
 * Rows and their seed.
 */
options: SynthEvaluationOptions,
/**
 * Its own scores.
 */
autoencoder: SynthScores,
/**
 * Of its codes, decoded by its own directions in another order.
 */
permuted_decoder: SynthScores,
/**
 * Of its codes, decoded by random directions.
 */
random_decoder: SynthScores,
/**
 * Of random directions as encoder and decoder.
 */
untrained: SynthScores,
/**
 * For reference, the printed table of its L0; none where the model or the L0 is another.
 */
printed: Array<SynthPrintedRow>,
/**
 * What must be known, in sentences.
 */
notes: Array<string>,
/**
 * What the jobs took together, by one thread each, in seconds.
 */
seconds: number, };

/**
 * Rows and their seed.
 */
export type SynthEvaluationOptions = {
/**
 * Rows that are drawn: 1,000 to 10 million.
 */
rows: number,
/**
 * Seed of the rows.
 */
seed: number, };

/**
 * A job, done.
 */
export type SynthJob = {
/**
 * Its name: `batchtopk-0`.
 */
job: string,
/**
 * The benchmark's numbers of it.
 */
scores: SynthScores,
/**
 * What it took, by one thread, in seconds; 0 where nobody measured it. Not part of any digest.
 */
seconds: number, };

/**
 * A row of the printed tables.
 */
export type SynthPrintedRow = {
/**
 * The architecture, as it is printed.
 */
architecture: string,
/**
 * The table's L0.
 */
l0: number,
/**
 * Means over five seeds.
 */
f1: number,
/**
 * As above, of all below.
 */
mcc: number,
/**
 * As above.
 */
uniqueness: number,
/**
 * As above.
 */
explained_variance: number, };

/**
 * A run, as far as it has come.
 */
export type SynthReport = {
/**
 * What was wanted.
 */
settings: SynthSettings,
/**
 * Jobs that are done, by name.
 */
jobs: Array<SynthJob>, };

/**
 * All of them.
 */
export type SynthScores = {
/**
 * Mean |cosine| over the matching with the largest sum, over as many pairs as there can be.
 */
mcc: number,
/**
 * Distinct best-matching features over latents, dead ones too.
 */
uniqueness: number,
/**
 * Mean over all latents, those that never fire count as 0.
 */
precision: number,
/**
 * Mean over all latents, those whose feature never fires count as 0.
 */
recall: number,
/**
 * The mean of latents' F1, not F1 of the means.
 */
f1: number,
/**
 * Mean share of rows on which latent and feature agree.
 */
accuracy: number,
/**
 * 1 − mean‖x − x̂‖² / (mean‖x‖² − ‖mean x‖²); without variance 1 if there is no error, else 0.
 */
explained_variance: number,
/**
 * Mean ‖x̂‖/‖x‖ over rows that are not short; 0 without such a row.
 */
shrinkage: number,
/**
 * Rows that it is the mean of.
 */
shrinkage_rows: number,
/**
 * Latents that are 0 on every row.
 */
dead: number,
/**
 * Mean active latents of a row.
 */
l0: number,
/**
 * Mean active features of a row.
 */
true_l0: number, };

/**
 * What a run of SynthSAEBench is made of. Out-of-range values cannot be held: it is made from a [`Draft`].
 */
export type SynthSettings = {
/**
 * Planted features F. An autoencoder has a quarter as many latents.
 */
features: number,
/**
 * Dimensions D of the rows.
 */
dimensions: number,
/**
 * Active latents of a row.
 */
k: number,
/**
 * Rows that each autoencoder is trained on.
 */
samples: number,
/**
 * Adam's rate.
 */
rate: number,
/**
 * Trainings of each architecture.
 */
seeds: number,
/**
 * Seed of the planted features.
 */
seed: number,
/**
 * Rows on which every autoencoder is measured, the same for all.
 */
evaluated: number,
/**
 * Which printed table stands beside it: "25" or "20".
 */
table: string, };

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
 * How well a model does a task.
 */
export type TaskScore = {
/**
 * Share of prompts after which the right word is the likeliest of all.
 */
accuracy: number,
/**
 * Mean logit of the right word less that of the foil.
 */
ld_mean: number,
/**
 * Share of prompts after which that is above 0.
 */
ld_positive: number, };

/**
 * How an autoencoder is trained. [`TrainConfig::for_family`] a family has defaults for everything;
 * [`TrainConfig::check`] says what is not allowed, and every [`Trainer`](super::Trainer) checks.
 */
export type TrainConfig = {
/**
 * Which family.
 */
family: TrainFamily,
/**
 * Latents F.
 */
latents: number,
/**
 * Codes a row (on average, where a batch chooses together); the families that have k.
 */
k: number,
/**
 * λ; the families that have no k.
 */
sparsity: number,
/**
 * Ends of Matryoshka's nested prefixes, ascending, the last one F; none: F/8, F/4, F/2, F.
 */
prefixes: Array<number>,
/**
 * JumpReLU: where its thresholds θ begin.
 */
threshold: number,
/**
 * JumpReLU: ε, the width of the rectangle kernel about θ.
 */
bandwidth: number,
/**
 * Steps planned: the learning rate falls over the last of them, λ rises over the first.
 */
steps: number,
/**
 * Rows of a batch B.
 */
batch: number,
/**
 * Learning rate η.
 */
rate: number,
/**
 * Adam's β₁.
 */
beta1: number,
/**
 * Adam's β₂.
 */
beta2: number,
/**
 * Adam's ε.
 */
eps: number,
/**
 * Share of the steps, at the end, over which the rate falls to a hundredth, linearly.
 */
decay: number,
/**
 * Share of the steps, at the start, over which λ rises from 0, linearly.
 */
warm_up: number,
/**
 * Whether rows of the decoder are kept at norm 1.
 */
unit_norm: boolean,
/**
 * Steps without firing after which a latent counts as dead.
 */
dead_after: number,
/**
 * Most dead latents the auxiliary loss takes for one row; 0 for no such loss.
 */
aux_k: number,
/**
 * The auxiliary loss's coefficient.
 */
aux: number,
/**
 * ReLU, Gated: steps between resamplings of dead latents, up to half of the steps; 0 for none.
 */
resample_every: number,
/**
 * Seed of the first weights and of the rows' order.
 */
seed: number, };

/**
 * A kind of autoencoder; the table in the [module](super) says what each is.
 */
export type TrainFamily = "relu" | "topk" | "batch-topk" | "jumprelu" | "gated" | "matryoshka";

/**
 * What a trainer says of its last step.
 */
export type TrainMetrics = {
/**
 * Steps taken so far.
 */
step: number,
/**
 * The last batch's loss.
 */
loss: number,
/**
 * Its mean squared error over all entries.
 */
mse: number,
/**
 * One less the error over the variance of all data: about R².
 */
explained: number,
/**
 * Mean codes above 0 in a row.
 */
l0: number,
/**
 * Latents that have not fired for `dead_after` steps.
 */
dead: number,
/**
 * The loss's sparsity term.
 */
sparsity: number,
/**
 * The loss's auxiliary term.
 */
auxiliary: number,
/**
 * How well directions that are known are found: the mean over them of the largest |cosine| with one of the
 * decoder's, in [0, 1]. Only where whoever trains knows them and measured it.
 */
mean_max_cosine?: number, };

/**
 * An autoencoder's parameters, or numbers of the same shape such as their gradients.
 *
 * One row a latent in both matrices, as `torch.nn.Linear` keeps an encoder; SAELens transposes it.
 */
export type TrainParameters = { family: TrainFamily, inputs: number, latents: number,
/**
 * W_enc (F × D), W_dec (F × D), b_enc (F), b_dec (D), then what the family has besides: ln θ (F)
 * of JumpReLU; r and b_mag (F each) of Gated.
 */
values: Array<number>, };

/**
 * All that a training has come to: with the configuration and the data, its whole future.
 */
export type TrainState = {
/**
 * How it is trained.
 */
config: TrainConfig,
/**
 * Steps taken.
 */
step: number,
/**
 * The autoencoder's parameters.
 */
parameters: TrainParameters,
/**
 * Adam's first moments.
 */
first: Array<number>,
/**
 * Adam's second moments.
 */
second: Array<number>,
/**
 * The step at which each latent last fired.
 */
fired: Array<number>,
/**
 * BatchTopK's and Matryoshka's threshold, once there is one.
 */
threshold: number | null, };

/**
 * The variance that completeness divides by.
 */
export type Variance = "total" | "grand";

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
 * Which levels win the seven profiles of Table 2.
 */
profiles: string,
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
 * The result of [`weber`].
 */
export type Weber = {
/**
 * Of each head, the just-noticeable difference at full strength, from 0.02 to 0.5; none where no drop is
 * noticed.
 */
jnd_full: Array<number | null>,
/**
 * The same at half the strength.
 */
jnd_reduced: Array<number | null>,
/**
 * Weber fractions at full strength, of the heads that have one.
 */
weber_full: Array<number>,
/**
 * Weber fractions at half the strength, of the heads that have one.
 */
weber_reduced: Array<number>,
/**
 * Consistency of the fractions of both strengths, which divide by the strength: text and code.
 */
weber_consistency_code: number,
/**
 * Consistency of the just-noticeable differences themselves, which are shares already.
 */
weber_consistency_relative_jnd: number,
/**
 * Whether every head is noticed at full strength, which is the pass condition.
 */
all_detectable: boolean,
/**
 * Heads that are noticed at full strength.
 */
n_detectable: number,
/**
 * Whether the reference code leaves the task out: its baseline is nothing.
 */
skipped_code: boolean, };

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

/**
 * Where activations come from.
 */
export type World = { "world": "paper" } & Network | { "world": "superposition" } & Superposition | { "world": "nonlinear" } & Nonlinear | { "world": "given" } & OwnWorld;

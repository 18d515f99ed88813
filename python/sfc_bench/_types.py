"""The types of results. Written by `python python/tools/write_types.py` from the core's own types; a test fails where
the two part. A report reads as its `…Dict`; a key that it has not is an error of a type checker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, overload

from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import NotRequired


#: Alignment of a column.
Align: TypeAlias = "Literal['left', 'right']"


class ArrayDescription(TypedDict):
    """What an array is, in words and numbers."""

    #: Its name in the file.
    name: str
    #: Its numbers.
    dtype: DType
    #: Its dimensions, as the file has them.
    shape: list[int]
    #: Rows of the matrix it is read as.
    rows: int
    #: Columns of the matrix it is read as.
    cols: int


#: A protocol.
AuditEdition: TypeAlias = "Literal['1', '2']"


#: What a subject is there for: which question it answers.
AuditGroup: TypeAlias = "Literal['reference', 'truth', 'control', 'dose', 'variant', 'same', 'sample', 'again', 'extreme', 'trained']"


class AuditJob(TypedDict):
    """A job, done."""

    #: Its name: "stream1-0".
    job: str
    #: What was measured.
    rows: list[AuditRow]
    #: What it took, by one thread, in seconds. Not part of any digest.
    seconds: float


#: How much is measured.
AuditPreset: TypeAlias = "Literal['small', 'full']"


class AuditReportDict(TypedDict):
    """An audit, as far as it has come."""

    #: What was wanted.
    settings: AuditSettings
    #: Jobs that are done, by name, each with its rows.
    jobs: list[AuditJob]
    #: A reader's own, measured in place of any job.
    own: NotRequired[list[AuditRow]]


class AuditRow(TypedDict):
    """One subject of one world and seed, and what every metric says of it."""

    #: Where.
    world: AuditWorld
    #: Which of several places of one kind there: the task of a circuit, the name of a model; empty where there is one.
    place: str
    #: The seed of the world and of what is trained in it.
    seed: int
    #: What it is there for.
    subject: AuditSubject
    #: The first edition's truth: how good it is by what is planted, more is better; none where nothing is known of it.
    truth: float | None
    #: What is known of it by name, more is better, each computed without any metric of the registry; none in reports of the first edition.
    truths: NotRequired[dict[str, float]]
    #: Active latents of a row, or heads; none of what has neither.
    size: float | None
    #: Latents, or all heads; none of what has neither.
    width: float | None
    #: One a metric; none where the subject is not applicable.
    values: list[AuditValue]
    #: Why what is given has no such control, dose or guise, where it has none.
    not_applicable: NotRequired[str]


class AuditSettings(TypedDict):
    """What is measured and shown. Out-of-range values cannot be held: it is made from a [`Draft`]."""

    #: How much is measured.
    preset: AuditPreset
    #: How many seeds.
    seeds: int
    #: The first of them.
    first_seed: int
    #: The only world that is measured, or "all" of the preset.
    world: str
    #: Coefficient of variation up to which a metric is reliable.
    cv: float
    #: Coefficient of variation up to which it partly is.
    cv_partly: float
    #: False discovery rate.
    fdr: float
    #: Area under the curve from which a control is told.
    auc: float
    #: Rank correlation with the truth above which a metric is valid.
    validity: float
    #: Relative change up to which nothing changed.
    change: float
    #: Rank correlation from which two metrics are one.
    redundancy: float
    #: Seconds up to which a metric is cheap.
    seconds: float
    #: Seconds up to which it partly is.
    seconds_partly: float
    #: Weight of a column in the reader's own order, from 0 to 1.
    weigh_reliability: float
    #: As the first.
    weigh_discrimination: float
    #: As the first.
    weigh_validity: float
    #: As the first.
    weigh_invariance: float
    #: As the first.
    weigh_reach: float
    #: As the first.
    weigh_redundancy: float
    #: As the first.
    weigh_cost: float
    #: By what rows are ordered: "score", "paper" or the name of a column.
    sort: str
    #: The metric that is opened, by its id, or "first" of the table.
    metric: str
    #: The study whose metrics are shown, or "all".
    paper: str
    #: What one has: only what can be measured with it is shown.
    has: str
    #: The column in which what is shown passes, at least in part; or "all" are shown.
    asks: str
    #: The protocol, by its number.
    edition: AuditEdition
    #: Second edition: lower end of AUC's interval from which a control is separated.
    separates: float
    #: Second edition: lower end of the intraclass correlation's interval from which a metric is reliable.
    icc: float
    #: Second edition: lower end from which it partly is.
    icc_partly: float


class AuditSubject(TypedDict):
    """A subject by what it is there for."""

    #: What it is there for.
    group: AuditGroup
    #: Which of them: "random", "steps", "scaled".
    name: str
    #: How much of it, where there is more and less.
    level: float


class AuditValue(TypedDict):
    """What one metric says of one subject."""

    #: The metric's id.
    metric: str
    #: What it says; none where it is not defined or refuses.
    value: float | None
    #: What it took, as if nothing were shared between metrics, in seconds. Not part of any digest.
    seconds: float
    #: Rows that were encoded, prompts that were passed through a model.
    evaluations: int


#: Where subjects come from, and what is known there.
AuditWorld: TypeAlias = "Literal['superposition', 'layer', 'stream0', 'stream1', 'stream2', 'planted', 'tasks', 'models', 'scores', 'toys', 'synth', 'own']"


class Border(TypedDict):
    """Where a point wins on an edge of the triangle only: it is 0 on the axis that has no weight there."""

    #: Which point.
    index: int
    #: Both ends; equal where it is one corner of the triangle.
    ends: list[list[float]]


class CeBenchAbout(TypedDict):
    """How often the winning latent is about what a pair contrasts, by the truth that was planted."""

    #: Share of the pairs of topics; none where there is none.
    topic: float | None
    #: Share of the pairs of moods.
    mood: float | None
    #: The share by chance: of all latents those that are about what a pair contrasts, over the pairs of topics.
    base_topic: float | None
    #: The same of moods.
    base_mood: float | None


#: Where a pair's marks come from.
CeBenchMarksFrom: TypeAlias = "Literal['arrays', 'tokens', 'words']"


class CeBenchOwnPair(TypedDict):
    """A pair of stories."""

    #: What names say of it: "0".
    pair: str
    #: The subject, where its entry says it.
    subject: str | None
    #: Tokens of each story.
    tokens: list[int]
    #: Marked ones; null where nothing is known of marks.
    marked: list[int] | None
    #: Where marks come from.
    marks_from: CeBenchMarksFrom | None
    #: Scores in each reading that there are.
    scores: list[CeBenchOwnScores]
    #: Why a reading is missing.
    why: str | None


class CeBenchOwnReading(TypedDict):
    """Means over the pairs in one reading."""

    #: Which.
    reading: Literal["v1_marked", "code_head", "readme", "paper"]
    #: Whether its independence holds marked tokens against the others; without marks where not.
    reads_marks: bool
    #: Pairs that have scores in it.
    pairs: int
    #: Mean contrastive score.
    contrastive: float | None
    #: Mean independent score.
    independence: float | None
    #: Mean interpretability score.
    interpretability: float | None
    #: The largest z-score that so many latents allow; null where the reading has no z-scores.
    bound: float | None
    #: The contrastive score as a share of it.
    contrastive_share: float | None
    #: The independent score as a share of it.
    independence_share: float | None
    #: The interpretability score as a share of it.
    interpretability_share: float | None
    #: Why a score is missing, or is of some pairs only.
    why: str | None


class CeBenchOwnReportDict(TypedDict):
    """Scores of a reader's own activations."""

    #: Every file, and whether it was read.
    files: list[GivenRow]
    #: Latents D.
    latents: int
    #: The means over the pairs, a row a reading.
    readings: list[CeBenchOwnReading]
    #: Every pair.
    pairs: list[CeBenchOwnPair]
    #: What a reader must know to read the numbers rightly, in sentences.
    notes: list[str]


class CeBenchOwnScores(TypedDict):
    """A pair's scores in one reading."""

    #: Which.
    reading: Literal["v1_marked", "code_head", "readme", "paper"]
    #: How far the stories are apart; null where that is no number (one latent alone, ddof 1).
    contrastive: float | None
    #: How far marked tokens are from unmarked ones, or what the reading has instead.
    independence: float | None
    #: Both together.
    interpretability: float | None
    #: The first latent with the largest difference between the stories, from 0.
    contrastive_latent: int
    #: That with the largest difference of the other kind.
    independence_latent: int


class CeBenchPair(TypedDict):
    """A pair, of the autoencoder that is opened."""

    #: In what the stories differ: "topic" or "mood".
    contrast: str
    #: What each is told to be: a topic, or a mood.
    told: list[str]
    #: Both, in order.
    stories: list[CeBenchStory]
    #: The scores, in the order of [`Reading::ALL`].
    scores: list[CeBenchScores]
    #: The latent where the stories are farthest apart, in the same order.
    winners: list[int]


class CeBenchReadings(TypedDict):
    """The scores in every reading."""

    #: The older code.
    v1_marked: CeBenchScores
    #: The newest code.
    code_head: CeBenchScores
    #: The README's words.
    readme: CeBenchScores
    #: The abstract's.
    paper: CeBenchScores


class CeBenchReportDict(TypedDict):
    """What a run of CE-Bench found."""

    #: What was run.
    settings: CeBenchSettings
    #: Every autoencoder that was scored; first the one that is opened.
    subjects: list[CeBenchSubject]
    #: The pairs of the one that is opened.
    pairs: list[CeBenchPair]


class CeBenchResultRow(TypedDict):
    """One dictionary's results, as its file reports them and beside what comes of them."""

    #: Its place, from 1: by the share of what the width allows that its interpretability score is.
    rank: int | None
    #: The file.
    file: str
    #: The dictionary: release and identifier, or what else names it.
    sae: str
    #: Whether the folders that the file came in say the same; null where it came in none.
    folder_agrees: bool | None
    #: The data set of stories, where the file says it.
    dataset: str | None
    #: Pairs of stories (`total_rows`).
    pairs: int | None
    #: Latents (`d_sae`).
    latents: int | None
    #: The model, where the file says it.
    model: str | None
    #: The contrastive score.
    contrastive: float | None
    #: The independent score.
    independence: float | None
    #: The interpretability score.
    interpretability: float | None
    #: The sum of the first two.
    sum: float | None
    #: Interpretability score less sum.
    difference: float | None
    #: Whether they are the same.
    sum_holds: bool | None
    #: Whether the interpretability score is above the larger of the others.
    above_both: bool | None
    #: The largest z-score that so many latents allow, (D − 1)/√D: the newest program's.
    bound: float | None
    #: The same of the older program, √(D − 1).
    bound_ddof0: float | None
    #: The contrastive score as a share of `bound`.
    contrastive_share: float | None
    #: The independent score as a share of it.
    independence_share: float | None
    #: The interpretability score as a share of it.
    interpretability_share: float | None
    #: Whether no score is above it.
    within_bound: bool | None
    #: Why something is missing.
    why: str | None


class CeBenchResultsReportDict(TypedDict):
    """What was found of `results.json` files."""

    #: Every file, and whether it was read.
    files: list[GivenRow]
    #: A row a file, the highest share of what its width allows first; those without a width last.
    rows: list[CeBenchResultRow]
    #: What becomes of the sum over all of them.
    claim: CeBenchSumClaim
    #: What a reader must know to read the numbers rightly, in sentences.
    notes: list[str]


class CeBenchScores(TypedDict):
    """Means of the scores over pairs."""

    #: How far the stories are apart.
    contrastive: float
    #: How far marked tokens are from the others, or what the reading has instead.
    independence: float
    #: Both together.
    interpretability: float


class CeBenchSettings(TypedDict):
    """What a run of CE-Bench is made of. Out-of-range values cannot be held: it is made from a [`Draft`]."""

    #: The name of the autoencoder whose pairs are opened.
    sae: str
    #: How many story pairs.
    pairs: int
    #: Their seed.
    seed: int


class CeBenchStory(TypedDict):
    """One story of a pair."""

    #: Its tokens.
    tokens: list[int]
    #: Which of them carry the contrast.
    marks: list[bool]
    #: What the winning latent of each reading is on each token but the first.
    activations: list[list[float]]


class CeBenchSubject(TypedDict):
    """An autoencoder's scores."""

    #: Its name.
    name: str
    #: What it is, in a few words.
    label: str
    #: Whether it was trained; a control otherwise.
    trained: bool
    #: Its latents.
    latents: int
    #: Means over all pairs.
    readings: CeBenchReadings
    #: Whether winning latents are about the contrast.
    about: CeBenchAbout


class CeBenchSumClaim(TypedDict):
    """How often the interpretability score is what the README says: the sum of the two others."""

    #: Files with all three scores.
    files: int
    #: Those where the sum holds.
    holds: int
    #: Those whose interpretability score is above the larger of the two others.
    above_both: int
    #: Those with a score above the largest that the width allows.
    above_bound: int
    #: The least difference of interpretability score and sum.
    least: float | None
    #: The greatest.
    greatest: float | None
    #: How far, as a share of the larger, numbers may be apart that are called the same.
    tolerance: float


class Cell(TypedDict):
    """One printed number of the paper beside ours."""

    #: "Table 3", "Table 4", "Table 5", "Table 6" or "Figure 4".
    table: str
    #: Row label, e.g. "λ = 0.85", "Equal (1:1:1)", "Large", "K = 48".
    row: str
    #: Column label, e.g. "SFC".
    column: str
    #: As the paper prints it.
    printed: Printed
    #: As we compute it, at full precision.
    computed: Printed
    #: Whether the computed value rounds to the printed one at the printed digits.
    agrees: bool


#: What is known about a cell against the paper.
CellStatus: TypeAlias = "Literal['plain', 'agrees', 'differs', 'not-compared', 'ordinary', 'unusual']"


#: How completeness (Eq. 3) is read.
CompletenessReading: TypeAlias = "Literal['paper', 'total']"


class Curve(TypedDict):
    """One configuration's level curve with its Pareto front."""

    #: "standard", "large", "dense", "sparse" or "custom".
    name: str
    #: The network behind it.
    shape: Shape
    #: Dictionary size K.
    k: int
    #: One point a level, in the order the levels were given.
    points: list[Point]
    #: Volume of the union of the boxes [0, point] over *all* points.
    hypervolume: float
    #: The same over the front alone (equal by definition; computed, not copied).
    hypervolume_front: float
    #: Indices of the non-dominated points, ascending.
    front: list[int]
    #: Each point's exclusive contribution to the hypervolume.
    contributions: list[float]
    #: K/D: what C_GT is expected to be for a random K-dimensional subspace.
    c_gt_chance: float


class CurveDocument(TypedDict):
    """What `curve` prints."""

    config: Settings
    points: list[Point]
    hypervolume: float
    front: list[int]
    contributions: list[float]
    c_gt_chance: float


#: The numbers an array is made of. What they become, `f32` or `f64`, is its reader's choice: exactly where that type has them, else rounded to nearest.
DType: TypeAlias = "Literal['float16', 'bfloat16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']"


class DataCell(TypedDict):
    """A cell of a [`DataTable`]."""

    #: As computed, at the paper's precision.
    text: str
    #: As the paper prints it.
    printed: NotRequired[str]
    #: Against the paper.
    status: NotRequired[CellStatus]


class DataColumn(TypedDict):
    """A heading of a [`DataTable`]."""

    #: What the column holds.
    title: str
    #: Alignment of its cells.
    align: Align


class DataTable(TypedDict):
    """A chart as plain text: what a screen reader or a spreadsheet gets."""

    #: Headings.
    columns: list[DataColumn]
    #: Rows, each as long as `columns`.
    rows: list[list[DataCell]]


class DecompositionConsistency(TypedDict):
    """How far two decompositions have the same directions."""

    #: The name of one.
    first: str
    #: The name of the other.
    second: str
    #: The pairwise dictionary mean correlation coefficient: the mean |cosine| of the directions of both, matched one to one so that it is largest; 0 to 1.
    pw_mcc: float


#: What a decomposition is there for.
DecompositionRole: TypeAlias = "Literal['given', 'random', 'permuted', 'pca']"


class DecompositionRow(TypedDict):
    """One decomposition of the table."""

    #: Its name, which no other row has.
    name: str
    #: What it is there for.
    role: DecompositionRole
    #: The names of those that it is a control of.
    control_of: NotRequired[list[str]]
    #: S.
    sparsity: float
    #: F in the mode that is scored; null where it has no value.
    fidelity: float | None
    #: C by the reading and over the variance that are scored, the same for all rows; null where it has no value.
    completeness: float | None
    #: SFC; null where an axis that has a weight has no value.
    sfc: float | None
    #: Whether no other row is at least as good in S, F and C and better in one of them; null where one of these has no value.
    on_front: bool | None
    #: The volume above (0, 0, 0) in S, F and C that this row alone covers; null where one of these has no value.
    contribution: float | None
    #: Everything else that was measured.
    report: EvaluateReportDict


class DecompositionsReport(TypedDict):
    """Decompositions of the same activations, by falling score."""

    #: The version of this program.
    version: str
    #: The decompositions, by falling SFC; those without one come last.
    rows: list[DecompositionRow]
    #: Weights of the score.
    weights: Weights
    #: The fidelity that the score takes.
    mode: FidelityMode
    #: The reading of completeness that the score takes.
    reading: Reading
    #: The variance that completeness divides by.
    variance: Variance
    #: Seed of the controls; null where there are none.
    seed: int | None
    #: Volume of the union of the boxes from (0, 0, 0) to (S, F, C) of all rows.
    hypervolume: float
    #: How far each two of those that were asked for have the same directions, where they have as many, and not too many to be matched.
    consistency: NotRequired[list[DecompositionConsistency]]
    #: What a reader must know to read the numbers rightly, in sentences.
    notes: list[str]


class Divided(TypedDict):
    """Which point wins under which weights, who wins under some, and the nearest change."""

    #: The weights, of positive area, under which one point wins.
    regions: list[Region]
    #: Who else wins on the triangle's edges.
    borders: list[Border]
    #: The best point under the given weights; none where every score is 0.
    standing: Standing | None
    #: The smallest change of weights that changes the winner; none where it wins everywhere.
    flip: Flip | None


class EnsembleDocument(TypedDict):
    """What `ensemble` prints."""

    config: Settings
    varied: Varied
    members: list[EnsembleMember]
    summary: EnsembleSummary


class EnsembleMember(TypedDict):
    """What one seed comes to."""

    seed: int
    points: list[Point]
    hypervolume: float
    on_front: int


class EnsembleSummary(TypedDict):
    """What all seeds come to; `levels` has a band a quantity."""

    members: int
    levels: list[dict[str, Any]]
    hypervolume: Any
    peak_sfc: Any
    all_on_front: int
    wins: list[dict[str, Any]]
    printed: list[dict[str, Any]]


class EvaluateCompleteness(TypedDict):
    """Completeness by one reading."""

    #: Which.
    reading: Reading
    #: 1 − Σ‖f(a) − f(·)‖² / Σ‖f(a) − mean f‖²; null where f(a) does not vary.
    total: float | None
    #: The same over the deviations of all entries from their one grand mean.
    grand: float | None
    #: Rows it is computed on.
    rows: int
    #: Whether it is 1 whatever the activations are, since nothing is projected away.
    identically_one: bool
    #: SFC under this reading and the given weights.
    sfc: float | None


class EvaluateDecoderNorms(TypedDict):
    """Lengths of the dictionary's rows, as codes are decoded by them."""

    #: The smallest.
    min: float
    #: The median.
    median: float
    #: The mean.
    mean: float
    #: The largest.
    max: float


class EvaluateFeatures(TypedDict):
    """How often features are active."""

    #: Features that are active on no row.
    dead: int
    #: Features that are active on more than a tenth of the rows.
    dense: int
    #: Features by the share of rows on which they are active, dead ones left out; edges are about √10 apart.
    frequencies: Histogram


class EvaluateFidelity(TypedDict):
    """How well â agrees with a."""

    #: Mean cosine of a and â (Eq. 2), with the recipe's guard of 10⁻¹⁰.
    cosine: float
    #: 1 − Σ‖a − â‖² / Σ‖a − ā‖², which SAELens calls explained variance; null where the activations do not vary.
    r2: float | None
    #: The fraction of variance unexplained, Σ‖a − â‖² / Σ‖a − ā‖² = 1 − r2; null where the activations do not vary.
    fvu: float | None
    #: 1 − Σ‖a − â‖² / Σ‖a‖²; null where they are zero.
    one_minus_rel_mse: float | None
    #: 1 − Σ Var(a − â) / Σ Var(a), variances of each dimension over the rows and summed over the dimensions: as R², but an error that is the same in every row costs nothing. dictionary_learning calls it so.
    frac_variance_explained: float | None
    #: Mean of ‖â‖/‖a‖ over rows with a ≠ 0, SAEBench's l2_ratio: below 1 where reconstructions shrink.
    shrinkage: float | None
    #: The one of `cosine`, `r2`, `one_minus_rel_mse` ("rel-mse") that the score takes.
    mode: FidelityMode


class EvaluateFile(TypedDict):
    """A file that was read."""

    #: What it is here: "activations", "dictionary", ….
    role: str
    #: Its name.
    file: str
    #: The array of it that was read, where it is one.
    array: NotRequired[ArrayDescription]
    #: Whether its rows were taken for columns.
    transposed: NotRequired[bool]
    #: SHA-256 of the whole file; none until somebody asks for it.
    sha256: NotRequired[str]


class EvaluateReportDict(TypedDict):
    """What an evaluation found."""

    #: The version of this program.
    version: str
    #: What was read.
    files: list[EvaluateFile]
    #: Rows N that were scored.
    rows: int
    #: Rows that were left out, where some were asked to be.
    skipped: NotRequired[EvaluateSkipped]
    #: Width D.
    dimensions: int
    #: Dictionary size K.
    k: int
    #: Width of f's output.
    outputs: int
    #: What the autoencoder's files were recognised as, where there are any.
    autoencoder: NotRequired[Recognised]
    #: How codes were made: an architecture, a way of coding, or "given".
    codes: str
    #: Whether f is a readout that was given; otherwise it is the identity.
    readout_given: bool
    #: S and L0.
    sparsity: EvaluateSparsity
    #: F, in three modes, and its relatives.
    fidelity: EvaluateFidelity
    #: C, by three readings.
    completeness: list[EvaluateCompleteness]
    #: Rank of the dictionary.
    rank: int
    #: Activity of the features.
    features: EvaluateFeatures
    #: Likeness of the directions.
    similarity: EvaluateSimilarity
    #: Lengths of the dictionary's rows.
    decoder_norms: NotRequired[EvaluateDecoderNorms]
    #: The ten rows with the largest squared error, the largest first: those of first tokens and of padding, often.
    worst_rows: list[EvaluateWorstRow]
    #: Weights of the score.
    weights: Weights
    #: The reading the score takes.
    reading: Reading
    #: The variance the score's completeness divides by.
    variance: Variance
    #: SFC (Eq. 4); null where an axis that has a weight has no value.
    sfc: float | None
    #: What a reader must know to read the numbers rightly, in sentences.
    notes: list[str]


class EvaluateSimilarity(TypedDict):
    """How alike the dictionary's directions are."""

    #: Mean, over features, of the largest cosine with any other feature's direction; null where fewer than two features have one.
    mean_max_cosine: float | None
    #: The largest cosine of any two directions, of which one is among those that were compared; null where there are none.
    max_cosine: float | None
    #: Features whose largest cosine was found: all, or evenly spaced ones where all would take long.
    compared: int
    #: Those by their largest cosine.
    max_cosines: Histogram


class EvaluateSkipped(TypedDict):
    """How many rows were left out, each counted once, and why."""

    #: Rows that were named.
    named: int
    #: Other rows of zeros.
    zero: int
    #: Others that were too long.
    long: int
    #: The median length that these were held against; none where there are none to be.
    median: NotRequired[float]
    #: Rows of zeros, as padding is.
    zero_rows: NotRequired[bool]
    #: Rows by their numbers from 0: "0,5-9".
    rows: NotRequired[str]
    #: Rows that are longer than so many times the median length of those that are neither named nor zeros.
    norm_above: NotRequired[float]


class EvaluateSparsity(TypedDict):
    """How few features are active."""

    #: S = 1 − L0/K (Eq. 1), |c| > 10⁻⁶ counting as active.
    s: float
    #: Mean number of active features a row.
    l0: float


class EvaluateWorstRow(TypedDict):
    """A row that is reconstructed worse than others."""

    #: Its number from 0, in all files together, those that are left out among them.
    row: int
    #: ‖a‖.
    norm: float
    #: ‖a − â‖².
    squared_error: float
    #: Its part of Σ ‖a − â‖² over all rows.
    share: float


#: Why a feature is held against a description.
FadeCase: TypeAlias = "Literal['best', 'wrong', 'broad', 'narrow', 'dead', 'dense']"


class FadeDose(TypedDict):
    """Continuations at one factor."""

    #: By what the feature was multiplied, or its largest activation.
    factor: float
    #: How many there are.
    continuations: int
    #: The share labelled 2; null without a continuation.
    share: float | None


class FadeFeature(TypedDict):
    """A feature held against a description."""

    #: What it is said to be about.
    concept: str
    #: Why it is looked at.
    case: FadeCase
    #: Its number among the latents.
    latent: int
    #: F1 of its being active, as a detector of the concept's tokens.
    f1: float
    #: How well it tells made texts from natural ones.
    clarity: FadeReadings
    #: How well it tells natural texts with the concept from those without.
    responsiveness: FadeReadings
    #: Whether its strong activations are the concept's alone.
    purity: FadeReadings
    #: Whether the code would go on to faithfulness: clarity and responsiveness of at least ½.
    gate: bool
    #: Clarity that a perfect detector of the concept would have.
    ceiling: float
    #: Share labelled 2 among texts labelled 0 or 2, of those that the code would rate: purity by chance.
    prevalence: float
    #: Share of natural texts on which it is active.
    active: float
    #: Its largest activation in size.
    largest: float
    #: Activations of the natural texts.
    natural: list[float]
    #: Their labels, of those as well that a sample leaves out.
    labels: list[int]
    #: The natural texts that are rated in the code's reading, by their places, rising; null where all are.
    rated: list[int] | None
    #: Activations of the made texts.
    made: list[float]
    #: Natural texts on which it is strongest.
    top: list[FadeText]
    #: Its scores of texts under every choice of rated texts and of the norm, those of the settings among them; none in a report of an older version.
    variants: list[FadeVariant]
    #: Faithfulness, once it was measured.
    steered: FadeSteered | None


class FadeFolder(TypedDict):
    """What FADE wrote of a feature."""

    #: The folder its files came in, without FADE's `data`; empty where they came in none.
    folder: str
    #: Rated texts by label, where there are ratings.
    labels: FadeLabels | None
    #: Texts that were made from the concept, where they are there.
    made: int | None
    #: What was rated at each factor.
    doses: list[FadeDose]
    #: Faithfulness, computed from the ratings.
    faithfulness: FadeScore
    #: The first factor with the largest share, where that is above the share at 0.
    best_factor: float | None
    #: Whether the code would go on to faithfulness, by what is computed anew or else by what is reported.
    gate: bool | None
    #: Reported numbers beside those computed anew.
    rows: list[Reported]
    #: What is to be known of the files, in sentences.
    notes: list[str]


FadeLabels = TypedDict(
    "FadeLabels",
    {
        "without": "int",
        "partial": "int",
        "with": "int",
        "beyond": "int",
        "unrated": "int",
    },
)


#: What ‖A‖₀ is, by which the note's Gini formula divides for each of the two sets.
FadeNorm: TypeAlias = "Literal['elements', 'nonzero']"


class FadeOwnFeature(TypedDict):
    """A feature of a reader's arrays."""

    #: Its column, from 0.
    feature: int
    #: Natural texts by label; null without activations.
    labels: FadeLabels | None
    #: Texts that were made from the concept; null where their activations were not given.
    made: int | None
    #: Clarity.
    clarity: FadeScore
    #: Responsiveness.
    responsiveness: FadeScore
    #: Purity.
    purity: FadeScore
    #: How many texts a sample has, by the note and by the code; null where all are rated.
    rated: list[int] | None
    #: What purity is by chance: the share of texts labelled 2 among those labelled 0 and 2, of a sample by the code's.
    purity_by_chance: float | None
    #: Faithfulness.
    faithfulness: FadeScore
    #: Whether the code would go on to faithfulness; null where clarity or responsiveness is missing.
    gate: bool | None
    #: What was rated at each factor.
    doses: list[FadeDose]
    #: The first factor with the largest share, where that is above the share at 0.
    best_factor: float | None
    #: What the code has in its place: the largest factor of all.
    largest_factor: float | None


class FadeOwnReportDict(TypedDict):
    """What was found of a reader's files."""

    #: Every file, and whether it was read.
    files: list[GivenRow]
    #: Scores of each feature of the arrays.
    features: list[FadeOwnFeature]
    #: What FADE wrote, a folder a feature.
    folders: list[FadeFolder]
    #: What a reader must know to read the numbers rightly, in sentences.
    notes: list[str]


#: Which natural texts the rater rates: responsiveness and purity are of those alone.
FadeRatedTexts: TypeAlias = "Literal['all', 'sampled']"


class FadeReadings(TypedDict):
    """A score in both readings; nothing where one has no value."""

    #: As the note's formula has it.
    document: float | None
    #: As the reference code has it.
    code: float | None


class FadeReportDict(TypedDict):
    """What a run of FADE found."""

    #: What was run.
    settings: FadeSettings
    #: Latents of the autoencoder.
    latents: int
    #: How many of them are never active on the natural texts.
    dead: int
    #: The concepts, each with its best latent, and then the bad descriptions.
    features: list[FadeFeature]


class FadeScore(TypedDict):
    """A score in both readings."""

    #: By the document, 0 to 1, or above it where its norm is literally that of activations other than 0; null where it has no value.
    document: float | None
    #: By the reference code, 0 to 1; null where it has no value.
    code: float | None
    #: Why a value is missing.
    why: str | None


class FadeSettings(TypedDict):
    """What a run of FADE is made of. Out-of-range values cannot be held: it is made by [`Draft::parse`]."""

    #: The autoencoder's name.
    sae: str
    #: Natural texts that are rated.
    texts: int
    #: Texts made from each description.
    made: int
    #: Seed of the natural texts.
    seed: int
    #: Continuations written at each factor.
    continuations: int
    #: Multiples of a feature's largest activation, 0 among them.
    factors: list[float]
    #: Share of wrong labels.
    error: float
    #: Natural texts that responsiveness and purity are of.
    rated: FadeRatedTexts
    #: Texts of a sample, whether it is what is rated or stands beside that.
    sample: int
    #: Share of a sample that comes from the most active texts, from 0 to 1.
    top: float
    #: What the note's formula of clarity and responsiveness divides by.
    norm: FadeNorm


class FadeSteered(TypedDict):
    """What the model wrote while a feature was set to multiples of its largest activation."""

    #: Of each factor, how many continuations are labelled 0, 1 and 2.
    labels: list[list[int]]
    #: Of each factor, the share labelled 2.
    shares: list[float]
    #: From 0 to 1.
    faithfulness: float
    #: The first factor with the largest share above that at 0.
    best_factor: float | None
    #: What the code reports instead: the largest factor of all.
    largest_factor: float | None
    #: Whether all continuations at factor 0 express the concept: the code has no number then.
    saturated: bool
    #: Of each factor, what the first prompts came to, as tokens: prefix and continuation.
    written: list[list[list[int]]]


class FadeText(TypedDict):
    """A text on which a feature is strongest."""

    #: Its tokens.
    tokens: list[int]
    #: The feature's activation on each token but the first.
    activations: list[float]
    #: Which tokens express the concept.
    expressed: list[bool]
    #: 0, 1 or 2, as the rater has it.
    label: int


class FadeVariant(TypedDict):
    """A feature's scores of texts under one choice of which texts are rated and of what ‖A‖₀ counts."""

    #: Which natural texts are rated.
    rated: FadeRatedTexts
    #: What the note's formula divides by.
    norm: FadeNorm
    #: How many texts are rated in the note's reading.
    document_texts: int
    #: How many are in the code's.
    code_texts: int
    #: Clarity, which compares with all natural texts, rated or not.
    clarity: FadeReadings
    #: Responsiveness, among rated texts.
    responsiveness: FadeReadings
    #: Purity, among rated texts.
    purity: FadeReadings
    #: Purity by chance: the share labelled 2 among the rated texts labelled 0 or 2.
    prevalence: FadeReadings


#: A quantity that random directions may pass.
FamiliesAxis: TypeAlias = "Literal['sparsity', 'fidelity', 'row-space', 'reconstruction', 'active-subspace']"


class FamiliesConfig(TypedDict):
    """What is compared."""

    #: Where the activations come from.
    world: World
    #: What is compared, in this order; planted directions are left out where there are none.
    methods: list[FamiliesMethod]
    #: Rows trained on.
    train_rows: int
    #: Further rows, measured on.
    eval_rows: int
    #: How autoencoders are trained; family, k, λ and seed come from each job.
    train: TrainConfig
    #: The knob of every method but the next three: codes a row.
    ks: list[int]
    #: The knob of ReLU: λ.
    relu: list[float]
    #: The knob of Gated: λ.
    gated: list[float]
    #: The knob of JumpReLU: λ.
    jumprelu: list[float]
    #: Training seeds.
    seeds: list[int]
    #: The reading of completeness for fronts and volumes.
    completeness: Reading


class FamiliesCoverage(TypedDict):
    """How much of a study there is."""

    #: Members that there are, of methods that wait too.
    members: int
    #: Members of the whole study.
    of: int
    #: Methods that have not all of their members, and so no place in the report.
    waiting: list[FamiliesMethod]


class FamiliesDifference(TypedDict):
    """Two methods' volumes."""

    #: One.
    first: FamiliesMethod
    #: The other.
    second: FamiliesMethod
    #: The first's mean hypervolume less the second's.
    difference: float
    #: How large a difference seed noise explains; none with too few seeds.
    noise: float | None
    #: Whether the difference exceeds it, by [`NOISE_CRITERION`].
    exceeds: bool | None


#: A way to decompose activations.
FamiliesMethod: TypeAlias = "Literal['svd', 'pca', 'relu', 'topk', 'batch-topk', 'jumprelu', 'gated', 'matryoshka', 'oracle', 'random', 'permuted', 'untrained']"


class FamiliesPoint(TypedDict):
    """A method at one value of its knob, over the seeds."""

    #: k, or λ.
    knob: float
    #: S.
    sparsity: Spread
    #: F.
    fidelity: Spread
    #: C, in the configuration's reading.
    completeness: Spread
    #: The SFC-Score with equal weights.
    sfc: Spread
    #: Mean codes in a row.
    l0: Spread
    #: C by the row space.
    row_space: Spread
    #: C by the reconstruction.
    reconstruction: Spread
    #: C by the active subspace.
    active_subspace: Spread
    #: C_GT, where a circuit is planted.
    c_gt: Spread | None
    #: Mean matched |cosine|, where features are planted.
    mcc: Spread | None
    #: Share of planted directions recovered.
    recovered: Spread | None
    #: Mean F1 of latents as detectors.
    f1: Spread | None
    #: In how many seeds it is on its method's own Pareto front.
    on_front: int


class FamiliesReportDict(TypedDict):
    """What a study found. It depends on the results alone, not on their order."""

    #: What was compared.
    config: FamiliesConfig
    #: Every member, in the order of the jobs.
    results: list[FamiliesResult]
    #: Each method.
    methods: list[MethodReport]
    #: Each pair of methods.
    differences: list[FamiliesDifference]
    #: [`NOISE_CRITERION`].
    criterion: str
    #: What should not be.
    warnings: list[FamiliesWarning]
    #: Of a study that is not finished: how much of it this is of. Whatever needs all methods is not said then.
    provisional: NotRequired[FamiliesCoverage]


class FamiliesResult(TypedDict):
    """What a member's measurement found."""

    #: S.
    sparsity: float
    #: F: mean cosine of rows and reconstructions.
    fidelity: float
    #: C in every reading.
    completeness: Readings
    #: Mean codes in a row.
    l0: float
    #: Share of the variance that the reconstruction explains.
    explained: float
    #: Share of the latents that are never active.
    dead: float
    #: C_GT: mean squared length of the circuit's directions in the dictionary's row space; where a circuit is planted.
    c_gt: float | None
    #: Mean |cosine| with planted directions, matched one to one; where features are planted.
    mcc: float | None
    #: Distinct features among the latents' best matches, over the latents.
    uniqueness: float | None
    #: Share of the planted directions that are recovered.
    recovered: float | None
    #: Mean F1 of latents as detectors of their features.
    f1: float | None
    #: The method.
    method: FamiliesMethod
    #: Its knob's value: k, or λ.
    knob: float
    #: Its seed.
    seed: float


class FamiliesWarning1(TypedDict):
    """Something that should not be."""

    kind: Literal["control-wins"]
    #: The control.
    control: FamiliesMethod
    #: The trained method.
    method: FamiliesMethod
    #: By how much.
    by: float
    #: In words.
    message: str


class FamiliesWarning2(TypedDict):
    """Something that should not be."""

    kind: Literal["random-passes"]
    #: Which axis.
    axis: FamiliesAxis
    #: Their mean over all knobs and seeds.
    random: float
    #: The trained methods' mean over all methods, knobs and seeds.
    trained: float
    #: In words.
    message: str


FamiliesWarning: TypeAlias = "FamiliesWarning1 | FamiliesWarning2"


#: How fidelity (Eq. 2) is measured.
FidelityMode: TypeAlias = "Literal['cosine', 'r2', 'rel-mse']"


class FigureRow(TypedDict):
    """A figure as others know it."""

    #: As [`FigureSpec::id`].
    id: str
    #: As [`FigureSpec::name`].
    name: str
    #: As [`FigureSpec::section`].
    section: str


class Flip(TypedDict):
    """The smallest change of weights that changes the winner."""

    #: Who wins on the other side.
    to: int
    #: The nearest weights at which `to` draws level, or at the triangle's edge, wins.
    weights: list[float]
    #: Euclidean distance to them, between normalised weights; 0 at a tie.
    distance: float
    #: The smallest change that moves one weight alone.
    slide: Slide | None


class GivenRow(TypedDict):
    """A file that was given, and whether it could be read."""

    #: Its name.
    file: str
    #: What it was taken for: "activations", "results", "output_centric_ratings", ….
    role: str
    #: Why it was left out, where it was.
    refused: NotRequired[Refused]


class Histogram(TypedDict):
    """Counts of values in bins."""

    #: Bounds of the bins, one more than counts; a bin holds its lower bound, the last one both.
    edges: list[float]
    #: Values in each bin.
    counts: list[int]


class Hypervolume(TypedDict):
    """A hypervolume and what each point alone adds to it."""

    #: Volume of the union of the boxes from the reference point to each point.
    hypervolume: float
    #: For each point, the volume that no other point's box covers: what would be lost without it. Duplicates and dominated points have none.
    contributions: list[float]


#: A cell of a table.
MeasurementCell: TypeAlias = "float | str"


#: Where the truth is known.
MeasurementGround: TypeAlias = "Literal['planted', 'language']"


class MeasurementLimit(TypedDict):
    """A limit, or another number to hold values against."""

    #: What it is: "passes above", "Welch bound".
    name: str
    #: Where.
    at: float


class MeasurementLine(TypedDict):
    """Values of one quantity of one metric, of one subject."""

    #: The metric's id: "m07".
    metric: str
    #: The quantity, as [`VALIDATION_ROWS`] have it.
    quantity: str
    #: Where.
    ground: MeasurementGround
    #: Of what.
    subject: MeasurementSubject
    #: One a seed, or one a task.
    values: list[float]


class MeasurementOwnDocument(TypedDict):
    """What the files of measurement theory come to."""

    found: list[dict[str, Any]]


class MeasurementPanel(TypedDict):
    """One picture."""

    #: A heading: "Where each feature's nearest stands".
    title: str
    #: One sentence with its key numbers.
    summary: str
    #: What is shown, and how to read it.
    caption: str
    #: The data.
    shown: MeasurementShown


class MeasurementPart(TypedDict):
    """A part, measured."""

    #: Its name: "features-0".
    part: str
    #: What is measured.
    lines: list[MeasurementLine]


class MeasurementPicture(TypedDict):
    """A metric, opened."""

    #: Its id: "m07".
    metric: str
    #: What was found: quantities by the names that the metric's result and its conditions have, both readings.
    quantities: list[MeasurementQuantity]
    #: Pictures, the one that says most first; one to three.
    panels: list[MeasurementPanel]


class MeasurementQuantity(TypedDict):
    """A number by its name."""

    #: Its name: "agreement_code".
    name: str
    #: What it is measured of: "topk256", "random256", "found circuit".
    subject: str
    #: The number; none where there is none.
    value: float | None


class MeasurementReportDict(TypedDict):
    """A measurement, as far as it has come."""

    #: What was wanted.
    settings: MeasurementSettings
    #: Parts that are there, by name, each with its lines.
    parts: list[MeasurementPart]
    #: The metric that is opened.
    picture: MeasurementPicture | None
    #: Which of its built cases is shown, from 0.
    case: int


class MeasurementSeries(TypedDict):
    """A series of a plane."""

    #: Its name.
    name: str
    #: Whether its points are joined, in their order.
    joined: bool
    #: Whether it is a control or a chance level: drawn in grey.
    control: bool
    #: Points, with what each one is where there is something to say.
    points: list[list[Any]]


class MeasurementSettings(TypedDict):
    """What is measured. Out-of-range values cannot be held: it is made from a [`Draft`]."""

    #: Prompts of each task.
    n_prompts: int
    #: How many seeds.
    seeds: int
    #: The metric that is opened, by its id: "m07".
    metric: str
    #: The autoencoder that is measured.
    sae: str
    #: M07's other one.
    beside: str
    #: M11's small one.
    small: str
    #: Where M13 takes the residual stream.
    hook: str
    #: The name of the checkpoint.
    checkpoint: str
    #: The task whose circuit is measured.
    task: str
    #: Words, positions or features that are compared: of M08 50 by default, else 20.
    top_k: int
    #: Features that are looked at: of EX34 64 by default, else 100.
    n_features: int
    #: M10's.
    cluster_threshold: float
    #: M12's.
    mismatch_threshold: float
    #: M09's.
    n_cycles: int
    #: Of each training of M09.
    steps: int
    #: Positions that M13 and EX34 take.
    n_samples: int
    #: M14's.
    n_stability_runs: int
    #: EX24's.
    n_reseeds: int
    #: EX25's.
    n_runs: int


class MeasurementShown1(TypedDict):
    """What a panel shows."""

    kind: Literal["plane"]
    #: The horizontal axis.
    x: str
    #: The vertical one.
    y: str
    #: What is drawn.
    series: list[MeasurementSeries]
    #: Limits that the metric holds values of the vertical axis against.
    limits: list[MeasurementLimit]


class MeasurementShown2(TypedDict):
    """What a panel shows."""

    kind: Literal["histogram"]
    #: What the values are.
    x: str
    #: Each with its values.
    series: list[MeasurementValues]
    #: Limits that the metric holds the values against.
    limits: list[MeasurementLimit]


class MeasurementShown3(TypedDict):
    """What a panel shows."""

    kind: Literal["table"]
    #: Headings.
    columns: list[str]
    #: Each as long as there are columns.
    rows: list[list[MeasurementCell]]


MeasurementShown: TypeAlias = "MeasurementShown1 | MeasurementShown2 | MeasurementShown3"


#: What a metric is given.
MeasurementSubject: TypeAlias = "Literal['oracle', 'trained', 'found', 'half-trained', 'dealt', 'full', 'empty', 'untrained', 'random', 'permuted', 'differing']"


class MeasurementValues(TypedDict):
    """Values with a name."""

    #: Their name.
    name: str
    #: Whether they are a control or a chance level.
    control: bool
    #: The values.
    values: list[float]


class MethodReport(TypedDict):
    """A method over all knobs and seeds."""

    #: Which.
    method: FamiliesMethod
    #: Its name for readers.
    label: str
    #: What it is there for.
    role: MethodRole
    #: How many seeds.
    seeds: int
    #: Each knob's points.
    points: list[FamiliesPoint]
    #: Volume (from (0, 0, 0)) of all its points (S, F, C) of one seed, over the seeds.
    hypervolume: Spread
    #: The best SFC-Score with equal weights of one seed, over the seeds.
    best_sfc: Spread
    #: The best matched |cosine| of one seed, over the seeds; where features are planted.
    best_mcc: Spread | None


#: What a method is there for.
MethodRole: TypeAlias = "Literal['baseline', 'trained', 'ceiling', 'control']"


class MuiBand(TypedDict):
    """A mean over draws, and how far they go."""

    #: The mean.
    mean: float
    #: The lowest.
    low: float
    #: The highest.
    high: float


class MuiCheckpointFound(TypedDict):
    """A checkpoint's tasks."""

    #: Its name.
    checkpoint: str
    #: In the tasks' order.
    tasks: list[MuiTaskFound]


class MuiContaminated(TypedDict):
    """A checkpoint on the items of the test, on others, and on the other tasks."""

    #: Its name.
    checkpoint: str
    #: On the 128 test items at most, those that were trained on.
    test: MuiSeen
    #: The accuracy on as many items that nobody has seen, over sets of them.
    fresh_accuracy: MuiBand
    #: The index on them.
    fresh_mui: MuiBand
    #: On the nine other tasks: their means.
    others: MuiSeen


class MuiCorrectness(TypedDict):
    """Right answers against equally many wrong ones."""

    #: The test: "recall of 7".
    test: str
    #: Share of right answers.
    accuracy: float
    #: Answers in each sample; none is drawn where this is 0, since too few are wrong or right.
    answers: int
    #: The index of right ones, over draws.
    right: MuiBand | None
    #: The index of wrong ones.
    wrong: MuiBand | None
    #: Of Mann and Whitney's test over the draws, which overlap: it finds a difference too easily.
    p: float | None


class MuiCurve(TypedDict):
    """One way to select, ever wider."""

    #: The score or the threshold.
    name: str
    #: By rising number of neurons.
    cuts: list[MuiCut]


class MuiCut(TypedDict):
    """What is left without some neurons."""

    #: At what the selection was cut off: "k = 5".
    at: str
    #: How many neurons are off.
    neurons: int
    #: Accuracy on the task that they were selected by.
    own: float
    #: Mean accuracy on the other tasks.
    others: float


class MuiCuts(TypedDict):
    """Ways to select against each other and against random neurons."""

    #: The task.
    task: str
    #: With all neurons: accuracy on the task.
    own: float
    #: And on the others.
    others: float
    #: One a way.
    curves: list[MuiCurve]
    #: By rising number of neurons.
    random: list[MuiRandomCut]


class MuiDifficulty(TypedDict):
    """Does a harder test use more neurons, at equally many answers?"""

    #: The test.
    task: str
    #: Answers of a set.
    answers: int
    #: By rising difficulty.
    grades: list[MuiGrade]
    #: Sets of all grades in equal parts.
    mixed: MuiBand
    #: Spearman's coefficient of grade and index over all sets of one grade.
    trend: float | None
    #: Of no such trend.
    trend_p: float | None
    #: The coefficients with the grades in random order.
    permuted: MuiBand | None
    #: Of Mann and Whitney's test of the hardest sets against the mixed ones.
    hardest_p: float | None


class MuiDiversity(TypedDict):
    """Does the index grow with the diversity of the answers, at equally many of them?"""

    #: Numbers of answers.
    answers: list[int]
    #: By rising number of kinds.
    kinds: list[MuiGrowing]
    #: The same after all answers were dealt out to the kinds at random, so that a kind is none.
    dealt: list[MuiGrowing]
    #: Half as many answers of three kinds.
    three: MuiBand | None
    #: All answers of one kind.
    one: MuiBand | None
    #: In how many of the draws the former use at least as much as the latter.
    half_of_three: int
    #: Draws there were.
    draws: int


class MuiEqually(TypedDict):
    """The index of right answers and of wrong ones, in the mean over all choices of so many."""

    #: How many of each: as many as there are of the rarer kind.
    answers: int
    #: Of right answers.
    right: float
    #: Of wrong ones.
    wrong: float


class MuiExperiments(TypedDict):
    """What was found, as far as it was asked for."""

    #: More kinds of tasks, as many answers (Fig. 9).
    diversity: MuiDiversity | None
    #: More topics of stories, as many answers (Fig. 9).
    domains: MuiDiversity | None
    #: Harder tests (Fig. 19).
    difficulty: list[MuiDifficulty] | None
    #: Short prompts against long ones (Fig. 16 to 18).
    length: list[MuiLength] | None
    #: The selected neurons switched off, against random ones (Fig. 11).
    masking: MuiMasking | None
    #: The same, selected by each score (Fig. 22 to 26).
    scores: MuiCuts | None
    #: The same, selected by each kind of threshold (Fig. 22 to 26).
    cutoffs: MuiCuts | None
    #: How scores and thresholds order tasks and checkpoints (Tables 11 to 17).
    selection: MuiSelection | None
    #: Test items seen in training (Fig. 8).
    contamination: list[MuiContaminated] | None
    #: Right answers against wrong ones (Fig. 10).
    correctness: list[MuiCorrectness] | None
    #: Models of several sizes, seeds and lengths of training, ranked (Table 1).
    models: MuiModels | None
    #: The index by features of autoencoders (App. B.1).
    features: MuiFeatured | None


class MuiFeatured(TypedDict):
    """The index by features beside that by neurons."""

    #: Features that count as used by one answer.
    k: int
    #: The tasks.
    tasks: list[str]
    #: Each task's index by neurons.
    neurons: list[float]
    #: One a dictionary.
    dictionaries: list[MuiFeatures]
    #: Spearman's coefficients with the index by neurons, the tasks in random order.
    permuted: MuiBand | None


class MuiFeatures(TypedDict):
    """The index by one dictionary's features."""

    #: The dictionary's name.
    name: str
    #: What it is.
    label: str
    #: Whether it is a control.
    control: bool
    #: Features there are.
    latents: int
    #: Each task's index by the most active features (Eq. 5).
    active: list[float]
    #: By those that add most to the answer's logit directly: the latent times its direction · W_U.
    contributing: list[float]


class MuiGrade(TypedDict):
    """Answers of one difficulty."""

    #: How many items there are to choose from.
    items: int
    #: Share of right answers, over all sets.
    accuracy: float
    #: The index, over sets.
    index: MuiBand


class MuiGrowing(TypedDict):
    """The index over ever more answers of so many kinds."""

    #: How many kinds.
    kinds: int
    #: One for each of [`DiversityResult::answers`], over draws of kinds and of answers.
    indices: list[MuiBand]


class MuiGrowth(TypedDict):
    """How the index grows with the number of answers, at the opened checkpoint."""

    #: After 1, 2, … answers of the opened task.
    task: list[float]
    #: After 1, 2, … answers of all tasks, one of each in turn.
    mixed: list[float]


class MuiGrowthPoint(TypedDict):
    """The index of so many answers."""

    #: How many.
    answers: int
    #: In the mean over all choices of so many.
    mui: float
    #: If each drew as many neurons by lot: 1 − (1 − k/N)ᵀ at the file's own mean k.
    by_lot: float


class MuiLaw(TypedDict):
    """The law as it was found."""

    #: The slope: MUI = a ln P + b.
    a: float
    #: The intercept.
    b: float
    #: The correlation of ln P with the index; none where the index does not vary.
    r: float | None
    #: The probability of a slope of this size by chance; none for two models.
    p: float | None
    #: How many models.
    models: int
    #: The index that the law has at a performance of 100 %.
    at_100: float
    #: What else there is to know, a sentence each.
    notes: list[str]


class MuiLength(TypedDict):
    """Short prompts against long ones, at equally many answers."""

    #: Of what: "recall", "stories".
    of: str
    #: Answers of a set.
    answers: int
    #: Tokens of a short prompt and of a long one.
    tokens: list[int]
    #: The index of short ones, over sets.
    short: MuiBand
    #: Of long ones.
    long: MuiBand
    #: Of other short ones.
    control: MuiBand
    #: Of Mann and Whitney's test of the short against the long.
    p: float | None
    #: Of the short against the other short ones.
    control_p: float | None


#: What a model is trained on.
MuiLessons: TypeAlias = "Literal['test', 'task', 'half', 'language']"


class MuiMasked(TypedDict):
    """What is left without some neurons."""

    #: How many neurons of a layer were taken for used by one answer.
    k: int
    #: How many neurons are switched off, everywhere.
    neurons: int
    #: Accuracy on the task that they were selected by.
    own: float
    #: Mean accuracy on the other tasks.
    others: float
    #: As many random ones of each layer off instead: accuracy on the task.
    random_own: MuiBand
    #: And on the others.
    random_others: MuiBand


class MuiMasking(TypedDict):
    """Whether the selected neurons are those that the task needs."""

    #: The task.
    task: str
    #: With all neurons: accuracy on the task.
    own: float
    #: And on the others.
    others: float
    #: By rising k.
    steps: list[MuiMasked]


class MuiModel(TypedDict):
    """A model that is ranked."""

    #: Its name: "w24-l2", "ck-12000".
    name: str
    #: Its neurons.
    neurons: int
    #: Neurons of a layer that count as used by one answer.
    k: int
    #: Mean share of right answers over the ten tasks.
    accuracy: float
    #: Mean index over them.
    mui: float
    #: Mean over them of PUR, from percent; of those of which some answer uses a neuron.
    pur: float
    #: Mean share of right answers on harder tests, which no training has shown.
    truth: float


class MuiModels(TypedDict):
    """Models, and how they are ordered."""

    #: The exponent in PUR: the paper's.
    alpha: float
    #: The models.
    models: list[MuiModel]
    #: Spearman's coefficients of the truth with performance in random order.
    permuted: MuiBand | None


class MuiNeurons(TypedDict):
    """A file of neurons: shares are of all neurons, from 0 to 1."""

    #: Its name.
    file: str
    #: What it holds.
    holds: MuiNeuronsKind
    #: How many answers; none of a union.
    answers: int | None
    #: Layers of the model.
    layers: int
    #: Neurons of each.
    neurons: int
    #: From what score on a neuron counts, in words; none without scores.
    threshold: str | None
    #: Neurons that some answer uses.
    used: int
    #: The index, by the paper's reading: all scores above 0 that reach the threshold.
    mui: float
    #: By the code's: ties cut off, whatever the sign; none without scores.
    mui_code: float | None
    #: The index if every answer drew as many neurons by lot; none of a union.
    by_lot: float | None
    #: Neurons of a layer that an answer uses, in the mean.
    mean_k: float | None
    #: Performance in percent: stated, or the share of right answers among those told.
    performance: float | None
    #: Answers told to be right, and told at all.
    right: int
    #: How many are told to be right or wrong.
    told: int
    #: The index of right answers alone.
    mui_correct: float | None
    #: The same by the code's reading.
    mui_correct_code: float | None
    #: Right answers against wrong ones, equally many of each.
    equally: MuiEqually | None
    #: P / MUI^α, both in percent.
    pur: float | None
    #: The index of 1, 2, … answers in the mean over all choices of so many.
    growth: list[MuiGrowthPoint]
    #: The index at other thresholds.
    thresholds: list[MuiThresholdFound]
    #: Of each layer, the share of its neurons that is used.
    by_layer: list[float]


#: What a file holds.
MuiNeuronsKind: TypeAlias = "Literal['scores', 'features', 'sets', 'union']"


class MuiOwn(TypedDict):
    """All that a reader's files come to."""

    #: What there is to say, a sentence each.
    said: list[str]
    #: Models of a table, and the law over them.
    law: MuiOwnLaw | None
    #: Files of neurons, in their order.
    files: list[MuiNeurons]
    #: From each file of neurons to the next.
    steps: list[MuiStepFound]
    #: Rows of `proportion/result.csv`.
    proportions: list[MuiProportion]
    #: What was assumed or left out, a sentence each.
    notes: list[str]


class MuiOwnLaw(TypedDict):
    """A reader's own models, and the law over them."""

    #: The models.
    points: list[MuiPoint]
    #: The law.
    law: MuiLaw


class MuiPoint(TypedDict):
    """A model's performance and index."""

    #: Its name; its line where the table has none.
    model: str
    #: In percent.
    performance: float
    #: In percent.
    index: float


class MuiProportion(TypedDict):
    """A row."""

    #: The model, by MUI-Eval's name of it.
    model: str
    #: The task.
    task: str
    #: How neurons were scored: "score", "activate", "grad", …; none for features of an autoencoder.
    scored_by: str | None
    #: "topk", "topscore" or "global_topk".
    mode: str
    #: The threshold's number.
    value: float
    #: The index, as a share.
    mui: float
    #: Used neurons as a share of the most that the threshold allows over so many answers; none where the file does not say it.
    overlap: float | None
    #: The index that was computed anew, in the code's reading, where the file of neurons was given too.
    recomputed: float | None


class MuiRandomCut(TypedDict):
    """As many neurons at random, of whichever layer."""

    #: How many are off.
    neurons: int
    #: Accuracy on the task, over draws.
    own: MuiBand
    #: On the others.
    others: MuiBand


class MuiReportDict(TypedDict):
    """A measurement, as far as it has come: the paper's tables need none."""

    #: What was wanted.
    settings: MuiSettings
    #: In the order of the shipped checkpoints.
    checkpoints: list[MuiCheckpointFound]
    #: Of the opened checkpoint.
    growth: MuiGrowth | None
    #: What the paper's corollaries ask.
    experiments: MuiExperiments
    #: Models that were trained here, in the order in which they were begun.
    trained: list[MuiTrained]
    #: What a reader's own files hold.
    own: MuiOwn | None


class MuiSeen(TypedDict):
    """Performance and index, as shares."""

    #: Share of right answers.
    accuracy: float
    #: The index.
    mui: float


class MuiSelection(TypedDict):
    """Whether it matters which neurons count as used."""

    #: The checkpoints of one training, by rising steps.
    checkpoints: list[str]
    #: The first is the usual one.
    ways: list[MuiWay]
    #: Spearman's coefficients with the usual one, the tasks in random order.
    permuted: MuiBand | None


class MuiSettings(TypedDict):
    """What a measurement is made of. Out-of-range values cannot be held: it is made from a [`Draft`]."""

    #: The data set of the paper that is opened.
    data_set: str
    #: A model that the law is fitted without, or "none".
    without: str
    #: Exponent of the index in PUR.
    alpha: float
    #: "paper", "accuracy" or "gsm8k".
    reference: str
    #: The task of the toy model that is opened.
    task: str
    #: The name of the checkpoint.
    checkpoint: str
    #: Prompts of each task.
    prompts: int
    #: "contribution", "activation" or "integrated-gradients".
    score: str
    #: "topk", "global-topk", "top-share" or "topscore".
    threshold: str
    #: How many, for the first two.
    k: int
    #: What share, for the last two.
    share: float
    #: "answer" or "own".
    word: str
    #: "document" or "code".
    reading: str
    #: "new", or the name of a checkpoint.
    begin: str
    #: "test", "task", "half" or "language".
    lessons: str
    #: The task that is taught.
    taught: str
    #: Steps of a training.
    steps: int
    #: The highest learning rate.
    rate: float
    #: The first training's seed.
    seed: int
    #: How many trainings.
    seeds: int
    #: Layers of a new model.
    layers: int
    #: Width of a new model's residual stream: "48", "32", "24" or "16".
    width: str


MuiStepFound = TypedDict(
    "MuiStepFound",
    {
        "from": "str",
        "to": "str",
        "answers": "int | None",
        "performance": "list[float] | None",
        "mui": "list[float]",
        "direction": "Literal['evolving', 'accumulating', 'coarsening', 'collapsing', 'undetermined'] | None",
        "jaccard": "float | None",
        "jaccard_by_lot": "float | None",
    },
)


class MuiTaskFound(TypedDict):
    """A task's index at a checkpoint."""

    #: The task's name.
    task: str
    #: Share of right answers.
    accuracy: float
    #: Share of all neurons that some answer uses.
    mui: float
    #: The same of right answers alone.
    mui_correct: float


class MuiThresholdFound(TypedDict):
    """The index at a threshold."""

    #: In words.
    threshold: str
    #: By the paper's reading.
    mui: float
    #: By the code's.
    mui_code: float


class MuiTrained(TypedDict):
    """A training, as far as it has come."""

    #: What was wanted.
    wanted: MuiTrainingWanted
    #: From its beginning on.
    points: list[MuiTrainingPoint]


class MuiTrainingPoint(TypedDict):
    """What a model in training does."""

    #: Steps taken.
    step: int
    #: Mean loss of the steps since the point before; none at the first.
    loss: float | None
    #: Every task.
    tasks: list[MuiTaskFound]
    #: The task that is taught, on as many items that nothing was trained on.
    fresh: MuiSeen


class MuiTrainingWanted(TypedDict):
    """One training that settings ask for."""

    #: What is learnt from.
    lessons: MuiLessons
    #: The seed of the texts, and of new weights.
    seed: int
    #: Whether it is there to be compared with: what as many steps of the whole language do.
    control: bool


class MuiWay(TypedDict):
    """A score and a threshold, and the indices that they give."""

    #: What is scored: "contribution".
    score: str
    #: "top 5 of each layer".
    threshold: str
    #: Each task's index at the opened checkpoint.
    tasks: list[float]
    #: The mean index of all tasks at each of [`SelectionResult::checkpoints`].
    checkpoints: list[float]


class Network(TypedDict):
    """The paper's Standard network and its inputs."""

    #: Seed of circuit, weights and biases.
    seed: int
    #: Seed of the inputs.
    data_seed: int


class Nonlinear(TypedDict):
    """The paper's Standard network with another readout. The paper's text concedes that a linear dictionary cannot be complete where units interact by multiplication; here it shows. # Formula f(a) = W₂·g(a) + b₂ with g_c = (1 − t)·s_c + t·s_c·s_c′ over the circuit's units c, each with the next one c′ (the last with the first); s are a's entries less their mean, over their standard deviation, both over the sample. With t = 0 the readout is affine."""

    #: t, from 0 (sums alone) to 1 (products alone).
    interaction: float
    #: Seed of circuit, weights and biases.
    seed: float
    #: Seed of the inputs.
    data_seed: float


OwnWorld = TypedDict(
    "OwnWorld",
    {
        "rows": "int",
        "dimensions": "int",
        "outputs": "int | None",
        "sha256": "str | None",
        "with": "str | None",
        "seed": "int",
    },
)


class Point(TypedDict):
    """One decomposition: one sparsity level of one dictionary, on every axis."""

    #: λ ∈ [0, 1): the share of each row's codes that is zeroed.
    level: float
    #: Dictionary size K.
    k: float
    #: Codes zeroed in each row: floor(λ·K).
    dropped: float
    #: S, Eq. 1.
    sparsity: float
    #: F, Eq. 2 (or the fidelity mode the settings name).
    fidelity: float
    #: C, Eq. 3 (in the reading the settings name).
    completeness: float
    #: C_GT: mean squared projection of the circuit's units on the dictionary's row space.
    c_gt: float
    #: SFC, Eq. 4, under the weights of the settings.
    sfc: float
    #: Rate: mean normalised histogram entropy of the codes.
    rate: float
    #: Distortion: mean squared error over the variance of the activations.
    distortion: float
    #: Relevance: |Pearson| of ‖codes‖₂ with ‖output‖₂. Our definition; the paper's is not identified.
    relevance: float


#: The configurations of Table 1, and any other.
Preset: TypeAlias = "Literal['standard', 'large', 'dense', 'sparse', 'custom']"


#: A printed value: a number or a word (the winner's name, "8/8").
Printed: TypeAlias = "float | str"


#: What f(a) is compared with in completeness (Eq. 3).
Reading: TypeAlias = "Literal['row-space', 'reconstruction', 'active-subspace']"


class Readings(TypedDict):
    """Completeness, over all rows and about the mean output, in three readings."""

    #: f of the projection on the span of all directions: the paper's.
    row_space: float
    #: f of the reconstruction.
    reconstruction: float
    #: f of each row's projection on the span of the directions active in it.
    active_subspace: float


class Recognised(TypedDict):
    """An autoencoder's files as they were recognised."""

    #: The layout: "Gemma Scope".
    layout: str
    #: The language model, where the files say it.
    model: NotRequired[str]
    #: The place of the activations in it, as the tool has it.
    hook: NotRequired[str]
    #: The place of the activations that a transcoder reconstructs.
    hook_out: NotRequired[str]
    #: The layer, from 0.
    layer: NotRequired[int]
    #: The number of latents, as its makers round it: "16k".
    width: str
    #: The architecture: "jumprelu", "topk (32)".
    architecture: str
    #: What the files leave open and was assumed, in sentences.
    assumed: list[str]


class Refused(TypedDict):
    """A refusal, as plain data."""

    #: Its stable code.
    code: str
    #: What is wrong, in a sentence.
    message: str


class Region(TypedDict):
    """The weights, of positive area, under which one point wins."""

    #: Which point.
    index: int
    #: The corners of its convex polygon, counter-clockwise where S, F, C are.
    corners: list[list[float]]
    #: Its share of the triangle's area, in (0, 1].
    share: float


class ReportDict(TypedDict):
    """Everything the page draws."""

    #: Version of this crate.
    version: str
    #: The settings that were run, complete and canonical.
    settings: Settings
    #: True when the settings are the paper's recipe (the weights aside).
    paper_settings: bool
    #: The configuration in view (Figures 1, 2, 4, 5; Tables 3, 4).
    main: Curve
    #: Dictionary sizes at λ = 0.5 on the configuration in view (Table 6).
    sizes: list[Point]
    #: Standard, large, dense, sparse (Figure 3; Table 5); one that cannot be run under these settings is left out.
    cross: list[Curve]


class Reported(TypedDict):
    """A number that a file reports, and the same computed anew."""

    #: The file.
    file: str
    #: Which number, by the file's own name of it.
    quantity: str
    #: What the file says; null where that is no finite number, or nothing.
    reported: float | None
    #: What it says where that is no finite number: "NaN", "Infinity", "-Infinity" or "null".
    reported_as: str | None
    #: What comes of the inputs by the code's reading; null where that has no value, or they were not given.
    recomputed: float | None
    #: The same by the document's reading.
    document: float | None
    #: Reported less recomputed.
    difference: float | None
    #: How they stand.
    verdict: ReportedVerdict
    #: Why there is nothing to compare, or why they differ where that is known.
    why: str | None


#: How a reported number stands to the one that is computed anew.
ReportedVerdict: TypeAlias = "Literal['agrees', 'differs', 'as-reported', 'not-reported']"


class Settings(TypedDict):
    """A complete, valid description of a run. Two settings that mean the same are equal: the configuration's name follows from its sizes. ``` use sfc_bench::{Draft, Settings}; let paper = Settings::default(); assert_eq!((paper.shape().hidden, paper.k(), paper.samples()), (64, 48, 2000)); let refused = Draft { hidden: Some(-3.0), ..Draft::default() }.parse().unwrap_err(); assert_eq!(refused.0[0].field, "hidden"); ```"""

    config: Preset
    weight_scale: float
    bias_scale: float
    noise: float
    model_seed: int
    data_seed: int
    completeness_seed: int
    samples: int
    k: int
    levels: list[float]
    completeness: CompletenessReading
    fidelity: FidelityMode
    centred: bool
    weights: Weights
    #: Input width.
    inputs: int
    #: Hidden width D: the dimension of the activations.
    hidden: int
    #: Output width.
    outputs: int
    #: Hidden units that reach the output.
    circuit: int


class Shape(TypedDict):
    """The shape of a planted network (the SFC-Score paper's, Table 1)."""

    #: Input width.
    inputs: int
    #: Hidden width D: the dimension of the activations.
    hidden: int
    #: Output width.
    outputs: int
    #: Hidden units that reach the output.
    circuit: int


class SizesDocument(TypedDict):
    """What `sizes` prints."""

    config: Settings
    points: list[Point]
    c_gt_chance: list[float]
    left_out: list[int]


class Slide(TypedDict):
    """A change of one weight, the two others kept, that changes the winner."""

    #: Whose weight: 0 for S, 1 for F, 2 for C.
    axis: int
    #: The weight beyond which, or at 0 for which, `to` wins. Equal to the present weight where any change suffices.
    weight: float
    #: Who wins then.
    to: int
    #: Euclidean distance between the normalised weights.
    distance: float


class Spread(TypedDict):
    """A quantity over the seeds."""

    #: Mean.
    mean: float
    #: Standard deviation (n − 1); 0 for one value.
    deviation: float
    #: Least.
    min: float
    #: Greatest.
    max: float


class Standing(TypedDict):
    """The best point under some weights."""

    #: Which point: the first of equals.
    index: int
    #: Its SFC, above 0.
    score: float
    #: The best of the others.
    runner_up: int | None
    #: SFC less the runner-up's; the whole of it where there is no other point.
    margin: float


class Superposition(TypedDict):
    """Features that are unit directions, more of them than dimensions; rows are sums of those that fire. Feature i fires with probability pᵢ: Zipf's 1/(i + 1)ˢ, stretched to run from `p_max` to `p_min`. Its magnitude is max(0.1, 1 + ¼·N(0, 1)). Eight features reach the output, by a linear readout."""

    #: Features.
    features: int
    #: Dimensions D.
    dimensions: int
    #: Zipf's exponent s.
    zipf: float
    #: How often the first feature fires.
    p_max: float
    #: How often the last feature fires.
    p_min: float
    #: With this probability a feature fires by a chance that it shares with its block of four.
    correlation: float
    #: This many of the last features fire only where their parents (the first features) do.
    children: int
    #: Steps of descent on the squared cosines between directions, which drive them apart.
    repulsion: int
    #: Standard deviation of noise on every entry.
    noise: float
    #: Seed of the directions and the readout.
    seed: int
    #: Seed of the rows.
    data_seed: int


class TrainConfig(TypedDict):
    """How an autoencoder is trained. [`TrainConfig::for_family`] a family has defaults for everything; [`TrainConfig::check`] says what is not allowed, and every [`Trainer`](super::Trainer) checks."""

    #: Which family.
    family: TrainFamily
    #: Latents F.
    latents: int
    #: Codes a row (on average, where a batch chooses together); the families that have k.
    k: int
    #: λ; the families that have no k.
    sparsity: float
    #: Ends of Matryoshka's nested prefixes, ascending, the last one F; none: F/8, F/4, F/2, F.
    prefixes: list[int]
    #: JumpReLU: where its thresholds θ begin.
    threshold: float
    #: JumpReLU: ε, the width of the rectangle kernel about θ.
    bandwidth: float
    #: Steps planned: the learning rate falls over the last of them, λ rises over the first.
    steps: int
    #: Rows of a batch B.
    batch: int
    #: Learning rate η.
    rate: float
    #: Adam's β₁.
    beta1: float
    #: Adam's β₂.
    beta2: float
    #: Adam's ε.
    eps: float
    #: Share of the steps, at the end, over which the rate falls to a hundredth, linearly.
    decay: float
    #: Share of the steps, at the start, over which λ rises from 0, linearly.
    warm_up: float
    #: Whether rows of the decoder are kept at norm 1.
    unit_norm: bool
    #: Steps without firing after which a latent counts as dead.
    dead_after: int
    #: Most dead latents the auxiliary loss takes for one row; 0 for no such loss.
    aux_k: int
    #: The auxiliary loss's coefficient.
    aux: float
    #: ReLU, Gated: steps between resamplings of dead latents, up to half of the steps; 0 for none.
    resample_every: int
    #: Seed of the first weights and of the rows' order.
    seed: int


#: A kind of autoencoder; the table in the [module](super) says what each is.
TrainFamily: TypeAlias = "Literal['relu', 'topk', 'batch-topk', 'jumprelu', 'gated', 'matryoshka']"


#: The variance that completeness divides by.
Variance: TypeAlias = "Literal['total', 'grand']"


#: Which of the two seeds an ensemble varies.
Varied: TypeAlias = "Literal['model', 'model-and-data']"


#: Preference weights (α, β, γ) of sparsity, fidelity and completeness: each 0 or from [`WEIGHT_MIN`] to [`WEIGHT_MAX`], at least one positive. A zero weight drops its axis. ``` use sfc_bench::Weights; let sparsity_heavy = Weights::new(5.0, 1.0, 1.0)?; assert!((sparsity_heavy.sfc(0.9375, 0.7774, 0.9878) - 0.917).abs() < 5e-4); assert_eq!(Weights::EQUAL.sfc(0.0, 0.991, 0.988), 0.0); assert!(Weights::new(1.0, -1.0, 1.0).is_err()); # Ok::<(), sfc_bench::WeightsError>(()) ```
Weights: TypeAlias = "list[float]"


class World1(Network):
    """Where activations come from."""

    world: Literal["paper"]


class World2(Superposition):
    """Where activations come from."""

    world: Literal["superposition"]


class World3(Nonlinear):
    """Where activations come from."""

    world: Literal["nonlinear"]


class World4(OwnWorld):
    """Where activations come from."""

    world: Literal["given"]


World: TypeAlias = "World1 | World2 | World3 | World4"


class PaperReport(Report):
    """A report of ``sfc``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["settings"], /) -> Settings: ...

        @overload
        def __getitem__(self, key: Literal["paper_settings"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["main"], /) -> Curve: ...

        @overload
        def __getitem__(self, key: Literal["sizes"], /) -> list[Point]: ...

        @overload
        def __getitem__(self, key: Literal["cross"], /) -> list[Curve]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> ReportDict: ...  # type: ignore[override]


class CurveReport(Report):
    """A report of ``curve``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["config"], /) -> Settings: ...

        @overload
        def __getitem__(self, key: Literal["points"], /) -> list[Point]: ...

        @overload
        def __getitem__(self, key: Literal["hypervolume"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["front"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["contributions"], /) -> list[float]: ...

        @overload
        def __getitem__(self, key: Literal["c_gt_chance"], /) -> float: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> CurveDocument: ...  # type: ignore[override]


class SizesReport(Report):
    """A report of ``sizes``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["config"], /) -> Settings: ...

        @overload
        def __getitem__(self, key: Literal["points"], /) -> list[Point]: ...

        @overload
        def __getitem__(self, key: Literal["c_gt_chance"], /) -> list[float]: ...

        @overload
        def __getitem__(self, key: Literal["left_out"], /) -> list[int]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> SizesDocument: ...  # type: ignore[override]


class FadeReport(Report):
    """A report of ``fade``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["settings"], /) -> FadeSettings: ...

        @overload
        def __getitem__(self, key: Literal["latents"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["dead"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["features"], /) -> list[FadeFeature]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> FadeReportDict: ...  # type: ignore[override]


class CeBenchReport(Report):
    """A report of ``ce-bench``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["settings"], /) -> CeBenchSettings: ...

        @overload
        def __getitem__(self, key: Literal["subjects"], /) -> list[CeBenchSubject]: ...

        @overload
        def __getitem__(self, key: Literal["pairs"], /) -> list[CeBenchPair]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> CeBenchReportDict: ...  # type: ignore[override]


class MuiReport(Report):
    """A report of ``mui``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["settings"], /) -> MuiSettings: ...

        @overload
        def __getitem__(self, key: Literal["checkpoints"], /) -> list[MuiCheckpointFound]: ...

        @overload
        def __getitem__(self, key: Literal["growth"], /) -> MuiGrowth | None: ...

        @overload
        def __getitem__(self, key: Literal["experiments"], /) -> MuiExperiments: ...

        @overload
        def __getitem__(self, key: Literal["trained"], /) -> list[MuiTrained]: ...

        @overload
        def __getitem__(self, key: Literal["own"], /) -> MuiOwn | None: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> MuiReportDict: ...  # type: ignore[override]


class MeasurementReport(Report):
    """A report of ``measurement``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["settings"], /) -> MeasurementSettings: ...

        @overload
        def __getitem__(self, key: Literal["parts"], /) -> list[MeasurementPart]: ...

        @overload
        def __getitem__(self, key: Literal["picture"], /) -> MeasurementPicture | None: ...

        @overload
        def __getitem__(self, key: Literal["case"], /) -> int: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> MeasurementReportDict: ...  # type: ignore[override]


class AuditReport(Report):
    """A report of ``audit``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["settings"], /) -> AuditSettings: ...

        @overload
        def __getitem__(self, key: Literal["jobs"], /) -> list[AuditJob]: ...

        @overload
        def __getitem__(self, key: Literal["own"], /) -> list[AuditRow]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> AuditReportDict: ...  # type: ignore[override]


class EnsembleReport(Report):
    """A report of ``ensemble``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["config"], /) -> Settings: ...

        @overload
        def __getitem__(self, key: Literal["varied"], /) -> Varied: ...

        @overload
        def __getitem__(self, key: Literal["members"], /) -> list[EnsembleMember]: ...

        @overload
        def __getitem__(self, key: Literal["summary"], /) -> EnsembleSummary: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> EnsembleDocument: ...  # type: ignore[override]


class FamiliesReport(Report):
    """A report of ``families``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["config"], /) -> FamiliesConfig: ...

        @overload
        def __getitem__(self, key: Literal["results"], /) -> list[FamiliesResult]: ...

        @overload
        def __getitem__(self, key: Literal["methods"], /) -> list[MethodReport]: ...

        @overload
        def __getitem__(self, key: Literal["differences"], /) -> list[FamiliesDifference]: ...

        @overload
        def __getitem__(self, key: Literal["criterion"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["warnings"], /) -> list[FamiliesWarning]: ...

        @overload
        def __getitem__(self, key: Literal["provisional"], /) -> FamiliesCoverage: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> FamiliesReportDict: ...  # type: ignore[override]


class EvaluateReport(Report):
    """A report of ``own``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["files"], /) -> list[EvaluateFile]: ...

        @overload
        def __getitem__(self, key: Literal["rows"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["skipped"], /) -> EvaluateSkipped: ...

        @overload
        def __getitem__(self, key: Literal["dimensions"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["k"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["outputs"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["autoencoder"], /) -> Recognised: ...

        @overload
        def __getitem__(self, key: Literal["codes"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["readout_given"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["sparsity"], /) -> EvaluateSparsity: ...

        @overload
        def __getitem__(self, key: Literal["fidelity"], /) -> EvaluateFidelity: ...

        @overload
        def __getitem__(self, key: Literal["completeness"], /) -> list[EvaluateCompleteness]: ...

        @overload
        def __getitem__(self, key: Literal["rank"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["features"], /) -> EvaluateFeatures: ...

        @overload
        def __getitem__(self, key: Literal["similarity"], /) -> EvaluateSimilarity: ...

        @overload
        def __getitem__(self, key: Literal["decoder_norms"], /) -> EvaluateDecoderNorms: ...

        @overload
        def __getitem__(self, key: Literal["worst_rows"], /) -> list[EvaluateWorstRow]: ...

        @overload
        def __getitem__(self, key: Literal["weights"], /) -> Weights: ...

        @overload
        def __getitem__(self, key: Literal["reading"], /) -> Reading: ...

        @overload
        def __getitem__(self, key: Literal["variance"], /) -> Variance: ...

        @overload
        def __getitem__(self, key: Literal["sfc"], /) -> float | None: ...

        @overload
        def __getitem__(self, key: Literal["notes"], /) -> list[str]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> EvaluateReportDict: ...  # type: ignore[override]


class CompareReport(Report):
    """A report of ``decompositions``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["rows"], /) -> list[DecompositionRow]: ...

        @overload
        def __getitem__(self, key: Literal["weights"], /) -> Weights: ...

        @overload
        def __getitem__(self, key: Literal["mode"], /) -> FidelityMode: ...

        @overload
        def __getitem__(self, key: Literal["reading"], /) -> Reading: ...

        @overload
        def __getitem__(self, key: Literal["variance"], /) -> Variance: ...

        @overload
        def __getitem__(self, key: Literal["seed"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["hypervolume"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["consistency"], /) -> list[DecompositionConsistency]: ...

        @overload
        def __getitem__(self, key: Literal["notes"], /) -> list[str]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> DecompositionsReport: ...  # type: ignore[override]


class FadeOwnReport(Report):
    """A report of ``own-fade``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["files"], /) -> list[GivenRow]: ...

        @overload
        def __getitem__(self, key: Literal["features"], /) -> list[FadeOwnFeature]: ...

        @overload
        def __getitem__(self, key: Literal["folders"], /) -> list[FadeFolder]: ...

        @overload
        def __getitem__(self, key: Literal["notes"], /) -> list[str]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> FadeOwnReportDict: ...  # type: ignore[override]


class CeBenchOwnReport(Report):
    """A report of ``own-ce-bench``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["files"], /) -> list[GivenRow]: ...

        @overload
        def __getitem__(self, key: Literal["latents"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["readings"], /) -> list[CeBenchOwnReading]: ...

        @overload
        def __getitem__(self, key: Literal["pairs"], /) -> list[CeBenchOwnPair]: ...

        @overload
        def __getitem__(self, key: Literal["notes"], /) -> list[str]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> CeBenchOwnReportDict: ...  # type: ignore[override]


class CeBenchResultsReport(Report):
    """A report of ``own-ce-bench-results``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["files"], /) -> list[GivenRow]: ...

        @overload
        def __getitem__(self, key: Literal["rows"], /) -> list[CeBenchResultRow]: ...

        @overload
        def __getitem__(self, key: Literal["claim"], /) -> CeBenchSumClaim: ...

        @overload
        def __getitem__(self, key: Literal["notes"], /) -> list[str]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> CeBenchResultsReportDict: ...  # type: ignore[override]


class MuiOwnReport(Report):
    """A report of ``own-mui``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["said"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["law"], /) -> MuiOwnLaw | None: ...

        @overload
        def __getitem__(self, key: Literal["files"], /) -> list[MuiNeurons]: ...

        @overload
        def __getitem__(self, key: Literal["steps"], /) -> list[MuiStepFound]: ...

        @overload
        def __getitem__(self, key: Literal["proportions"], /) -> list[MuiProportion]: ...

        @overload
        def __getitem__(self, key: Literal["notes"], /) -> list[str]: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> MuiOwn: ...  # type: ignore[override]


class MuiLawReport(Report):
    """A report of ``own-mui-law``."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["points"], /) -> list[MuiPoint]: ...

        @overload
        def __getitem__(self, key: Literal["law"], /) -> MuiLaw: ...

        def __getitem__(self, key: Any, /) -> Any: ...

        def to_dict(self) -> MuiOwnLaw: ...  # type: ignore[override]


class MeasurementOwnReport(Report):
    """A report of ``own-measurement``."""

    if TYPE_CHECKING:

        def __getitem__(self, key: Literal["found"], /) -> list[dict[str, Any]]: ...  # type: ignore[override]

        def to_dict(self) -> MeasurementOwnDocument: ...  # type: ignore[override]


#: The class of each study's reports.
OF: dict[str, type[Report]] = {
    "sfc": PaperReport,
    "curve": CurveReport,
    "sizes": SizesReport,
    "fade": FadeReport,
    "ce-bench": CeBenchReport,
    "mui": MuiReport,
    "measurement": MeasurementReport,
    "audit": AuditReport,
    "ensemble": EnsembleReport,
    "families": FamiliesReport,
    "own": EvaluateReport,
    "decompositions": CompareReport,
    "own-fade": FadeOwnReport,
    "own-ce-bench": CeBenchOwnReport,
    "own-ce-bench-results": CeBenchResultsReport,
    "own-mui": MuiOwnReport,
    "own-mui-law": MuiLawReport,
    "own-measurement": MeasurementOwnReport,
}

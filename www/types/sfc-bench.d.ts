/* The package's own types: what the module offers, in a browser and in Node. The plain data are in
   core.d.ts, which is written from the Rust types. */

import type * as core from './core.d.ts';

export type * from './core.d.ts';

/** Some of the settings; what is left out is as in the paper. */
export type Draft = Partial<core.Settings>;

export type NumericArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | readonly number[];

/** A dense matrix: row by row in one array, or as a list of rows. It is read, never changed. */
export type MatrixLike =
  | { data: NumericArray; rows: number; cols: number }
  | readonly NumericArray[];

/** Points (S, F, C), larger being better: triples, or their values end to end. */
export type PointsLike = readonly (readonly [number, number, number] | NumericArray)[] | NumericArray;

/** A refused argument or setting. */
export declare class SfcBenchError extends Error {
  /** Stable, such as `settings.k` or `metric.non-finite`. */
  readonly code: string;
  /** Which argument or setting. */
  readonly field: string | undefined;
  /** What it held. */
  readonly value: unknown;
  /** What it may hold. */
  readonly allowed: string | undefined;
  /** All of what was refused at once. */
  readonly problems: readonly { code: string; message: string; field?: string; value?: unknown; allowed?: string }[];
}

export interface RunOptions {
  /** Told the stage and how much is done, from 0 to 1. */
  onProgress?: (stage: string, fraction: number) => void;
  /** Gives the run up; the promise is then rejected with its reason. */
  signal?: AbortSignal;
}

export interface Run {
  report: core.Report;
  /** How many of the paper's printed numbers agree. */
  verdict: core.Verdict;
  /** Equal to that of any other machine with the same version and settings. */
  digest: string;
  /** Milliseconds it took. */
  ms: number;
}

export interface Profile {
  name: string;
  label: string;
  weights: core.Weights;
}

/** A configuration of Table 1. */
export interface PresetRow {
  name: core.Preset;
  label: string;
}

/** How a figure becomes a file. `width` in CSS pixels; weights are the report's own where left out, or 1:1:1. */
export interface FigureOptions {
  format?: 'svg' | 'csv' | 'json' | 'tex' | 'md';
  width?: number;
  dark?: boolean;
  weights?: core.Weights;
}

/** Which reading of CE-Bench's scores a figure shows; the older code's where it is left out. */
export interface CeBenchReading {
  reading?: 'v1_marked' | 'code_head' | 'readme' | 'paper';
}

/** One of the experiments on the toy model that the paper of MUI makes corollaries of. */
export type MuiExperimentName = keyof core.MuiExperiments;

export interface MuiOptions extends RunOptions {
  /** The experiments that are done, too: all of them, or some by name; none where it is left out. */
  experiments?: boolean | readonly MuiExperimentName[];
}

/** A report of MUI, or a part of it: what is left out is as where nothing is measured yet. */
export type MuiDraft = Partial<Omit<core.MuiReport, 'settings' | 'experiments'>> & {
  settings?: Partial<core.MuiSettings>;
  experiments?: Partial<core.MuiExperiments>;
};

/** That a quantity stands in a relation to a limit. */
export interface MeasureCondition {
  quantity: string;
  relation: 'above' | 'at-least' | 'below' | 'at-most';
  limit: number;
}

/** A case that was built for a limit. */
export interface MeasureReached {
  metric: string;
  reading: 'document' | 'code';
  kind: 'best' | 'worst';
  value: number;
  condition: MeasureCondition;
  holds: boolean;
  says: string;
  /** What `shows` is drawn over. */
  axes: [x: string, y: string];
  shows: { name: string; x: number[]; y: number[] }[];
}

/** One of the fifteen metrics, as it was proposed. */
export interface MeasureMetric {
  about: {
    id: string;
    name: string;
    source: string;
    criteria: string[];
    establishes: string;
    leaves_open: string;
    passes: { document: MeasureCondition[]; code: MeasureCondition[] };
    table: { when: MeasureCondition[]; means: string }[];
  };
  formula: { metric: string; document: string; code: string } | null;
  /** The fields that it depends on. */
  takes: string[];
  top_k: number;
  n_features: number;
}

export interface MeasureOptions extends RunOptions {
  /** Whether all fifteen metrics are measured; they are where it is left out. */
  all?: boolean;
  /** Whether the metric of the settings is opened. */
  picture?: boolean;
}

/** A report of measurement theory's metrics, or a part of it: what is left out is as where nothing is measured yet. */
export type MeasureDraft = Partial<Omit<core.MeasurementReport, 'settings'>> & { settings?: Partial<core.MeasurementSettings> };

/** A metric of the audit, but for how it is computed. */
export interface AuditMetric {
  /** What reports call it. */
  id: string;
  /** The name of its study. */
  paper: string;
  name: string;
  /** Where text and code differ, or neither is what its name says: which of them it is of. */
  says: 'document' | 'code' | 'both' | 'neither';
  better: core.AuditBetter;
  needs: core.AuditNeeds;
  kind: core.AuditKind;
  /** When its paper lets it pass; null where it has no condition. */
  condition: MeasureCondition | null;
}

/** A report of the audit, or a part of it: what is left out is as where nothing is measured yet. */
export type AuditDraft = Partial<Omit<core.AuditReport, 'settings'>> & { settings?: Partial<core.AuditSettings> };

/** What follows from the printed numbers of MUI's paper. */
export interface MuiPrinted {
  /** Every number that follows from others, beside the printed one. */
  cells: core.MuiDerived[];
  /** What the paper says of its tables, and whether they say it. */
  claims: core.MuiClaim[];
}

/** How well a task is done. */
export interface LittleTask extends core.TaskScore {
  task: string;
}

/** A file's content. A Blob (a File) is read in parts as they are needed, in a browser. */
export type FileLike = ArrayBuffer | ArrayBufferView | Blob;

export interface EvaluateRunOptions extends Pick<RunOptions, 'signal'> {
  /** Told what is being done, and how much of that is done, from 0 to 1. */
  onProgress?: (phase: core.EvaluatePhase | 'digests', fraction: number) => void;
}

export interface Evaluation {
  /** As `sfc-bench evaluate --json` prints it. */
  report: core.EvaluateReport;
  /** A NumPy program that computes the same from the same files; none for architectures and codes that no program is written for. */
  script?: string;
  /** Milliseconds it took. */
  ms: number;
}

/** Names of the worlds that activations are drawn from. */
export type WorldName = core.World['world'];

/** A world's name and some of its numbers; what is left out is as {@link Api.worldDefaults} has it. */
export type WorldDraft = core.World extends infer W
  ? W extends { world: infer Name }
    ? { world: Name } & Partial<Omit<W, 'world'>>
    : never
  : never;

/** Some of a study; what is left out is as in the preset `small`. */
export type FamiliesDraft = Partial<Omit<core.FamiliesConfig, 'world' | 'train'>> & {
  world?: WorldName | WorldDraft;
  train?: Partial<core.TrainConfig>;
};

/**
 * Activations of your own (N × D), in the place of a world; a linear readout (o × D) and its bias (o) that
 * follow them, without which f is the identity; and a seed of which rows are taken, in which order.
 */
export interface GivenArrays {
  activations: MatrixLike;
  readout?: MatrixLike;
  bias?: NumericArray;
  seed?: number;
}

export interface FamiliesOptions extends Pick<RunOptions, 'signal'> {
  /** Your own activations; the study names no world then. Rows, batch and latents are made to fit. */
  given?: GivenArrays;
  /** Told the method of the member that was last done, and how much of all is done, from 0 to 1. */
  onProgress?: (method: core.FamiliesMethod, fraction: number) => void;
  /** Told each member's result as it comes, in no particular order, and how many of how many there are. */
  onResult?: (result: core.FamiliesResult, done: number, total: number) => void;
}

export interface TrainOptions extends Pick<RunOptions, 'signal'> {
  /** Rows of the world to train on, 2 to 100000; 20000 where left out, or as many as were given. */
  rows?: number;
  /** Your own activations, in the place of the world; the folder is of them as they are. */
  given?: GivenArrays;
  /** Steps to take; those that the configuration plans where left out. */
  steps?: number;
  /** Points of the curve; 10 where left out, as on the command line. */
  points?: number;
  /** Where to go on from: `state` of an earlier training of the same world and rows. */
  state?: core.TrainState | null;
  /** Told each point of the curve, and how much is done, from 0 to 1. */
  onProgress?: (metrics: core.TrainMetrics, fraction: number) => void;
}

/** Bytes of their own: `Uint8Array<ArrayBuffer>` where TypeScript (5.7) has such types, `Uint8Array` before. */
export type Bytes = ReturnType<Uint8Array['slice']>;

export interface Trained {
  curve: core.TrainMetrics[];
  /** All that it has come to, to go on from. */
  state: core.TrainState;
  /** How its directions match the planted ones; null in a world that has none. */
  matching: core.Matching | null;
  /** Its three axes and more, on rows that it was not trained on. */
  found: core.FamiliesResult;
  /** The folder that SAELens loads, file by file: as {@link Api.evaluate} takes them. */
  files: Record<'cfg.json' | 'sae_weights.safetensors', Bytes>;
  /** Milliseconds it took. */
  ms: number;
  /** The same folder as a .zip. */
  folder(name?: string): Promise<Bytes>;
}

export interface Api {
  /** Loads the core; every other function does so by itself. */
  ready(): Promise<void>;
  version(): Promise<string>;
  /** The paper's settings. */
  defaults(): Promise<core.Settings>;
  /** The paper's weight profiles. */
  profiles(): Promise<Profile[]>;
  /** What each numeric setting may hold. */
  limits(): Promise<Record<string, core.Limit>>;
  /** The names of figures and tables, and their identifiers. */
  figures(): Promise<{ name: string; id: string }[]>;

  /** Checks settings: complete ones, or what is wrong with them. */
  validate(draft?: Draft): Promise<{ settings: core.Settings | null; problems: core.Problem[] }>;
  /** Complete settings; throws an {@link SfcBenchError} where some are refused. */
  configure(draft?: Draft): Promise<core.Settings>;
  /** Runs settings in a worker. */
  run(draft?: Draft, options?: RunOptions): Promise<Run>;

  /** The report scored under other weights. */
  rescore(report: core.Report, weights: core.Weights): Promise<core.Report>;
  /** Every printed number of the paper beside the report's. */
  compare(report: core.Report): Promise<{ verdict: core.Verdict; cells: core.Cell[] }>;
  digest(report: core.Report): Promise<string>;
  /** Holds a report against the digest of a link, and the version that made it. */
  checkDigest(report: core.Report, digest: string, made?: string): Promise<core.LinkVerdict>;
  /** A figure or table as the text of a file. `width` in CSS pixels. */
  figure(
    report: core.Report,
    name: string,
    options?: FigureOptions,
  ): Promise<string>;
  /** A figure's data as a table of texts. */
  table(report: core.Report, name: string, options?: { weights?: core.Weights }): Promise<core.DataTable>;

  /** A state as the query of a link; what is left out is as in the paper. */
  printLink(state?: Partial<core.LinkState>): Promise<string>;
  /** What a link says: the nearest valid state, and what had to be changed for it. */
  parseLink(query: string): Promise<core.ParsedLink>;
  /** Settings as a NumPy program. */
  script(draft?: Draft): Promise<string>;

  /** S (Eq. 1) of codes, N × K. */
  sparsity(codes: MatrixLike): Promise<number>;
  /**
   * F (Eq. 2) of a reconstruction; both N × D. A cosine adds `guard` to the product of the norms:
   * the recipe's 1e-10 where none is given.
   */
  fidelity(
    activations: MatrixLike,
    reconstruction: MatrixLike,
    options?: { mode?: core.FidelityMode; guard?: number },
  ): Promise<number>;
  /**
   * C (Eq. 3) of a dictionary (K × D, any) for a linear readout (o × D) with a bias (o): the outputs of
   * the activations (N × D, all rows) against those of their projections on its row space. `variance` is as in
   * `evaluate`: "total", or "grand" for the paper's digits; `reading` is its former name, where that is "paper".
   */
  completeness(
    activations: MatrixLike,
    dictionary: MatrixLike,
    readout: MatrixLike,
    options?: { bias?: NumericArray; variance?: core.Variance; reading?: core.CompletenessReading },
  ): Promise<number>;
  /** C of any network's outputs against those of the projected activations; both M × o. */
  completenessOfOutputs(
    outputs: MatrixLike,
    projected: MatrixLike,
    options?: { variance?: core.Variance; reading?: core.CompletenessReading },
  ): Promise<number>;
  /** Mean normalised histogram entropy of codes, N × K. */
  rate(codes: MatrixLike, options?: { bins?: number }): Promise<number>;
  /** Mean squared error over the variance of all entries; both N × D. */
  distortion(activations: MatrixLike, reconstruction: MatrixLike): Promise<number>;
  /** |Pearson| of the codes' norms with the outputs'; rows in common. */
  relevance(codes: MatrixLike, outputs: MatrixLike): Promise<number>;
  /** SFC (Eq. 4) of S, F and C. */
  score(axes: NumericArray, weights?: NumericArray): Promise<number>;
  /** Exact hypervolume (Eq. 5), and what each point alone adds to it. */
  hypervolume(points: PointsLike, reference?: NumericArray): Promise<core.Hypervolume>;
  /** Indices of the points that no other one dominates. */
  front(points: PointsLike, options?: { tolerance?: number }): Promise<number[]>;
  /** Whether the first point dominates the second. */
  dominates(
    first: NumericArray,
    second: NumericArray,
    options?: { tolerance?: number },
  ): Promise<boolean>;
  /** Which point wins under which weights, and the nearest change from the given ones. */
  simplex(points: PointsLike, weights?: NumericArray): Promise<core.Divided>;

  /**
   * Scores somebody's own decomposition, in a worker. The request names files by their keys, and arrays
   * in them where there are several: a folder as SAELens writes it, or a dictionary (K × D) with codes
   * (N × K) or a way to make them. Names end as the files do: .npy, .npz, .safetensors, .csv, .json.
   *
   * ```js
   * const { report, script } = await evaluate(
   *   { 'acts.npy': acts, 'cfg.json': config, 'sae.safetensors': weights },
   *   {
   *     activations: { file: 'acts.npy' },
   *     sae: { config: 'cfg.json', weights: 'sae.safetensors' },
   *     options: { completeness: 'reconstruction' },
   *   },
   * );
   * report.sfc; // 0.83, or null where an axis has no value
   * ```
   */
  evaluate(
    files: Readonly<Record<string, FileLike>> | ReadonlyMap<string, FileLike>,
    request: core.EvaluateRequest,
    options?: EvaluateRunOptions,
  ): Promise<Evaluation>;
  /**
   * The same of arrays: activations (N × D), dictionary (K × D), codes (N × K; made by `codesBy` where
   * there are none), readout (o × D) and its bias (o). Values stay in double precision.
   *
   * ```js
   * const { report } = await evaluateMatrices({ activations, dictionary, codes });
   * ```
   */
  evaluateMatrices(
    arrays: {
      activations: MatrixLike;
      dictionary: MatrixLike;
      codes?: MatrixLike;
      /** Of the decoder that the codes are of, D values. */
      decoderBias?: NumericArray;
      readout?: MatrixLike;
      bias?: NumericArray;
    },
    options?: EvaluateRunOptions & Partial<core.EvaluateOptions> & { codesBy?: core.CodesBy; skip?: core.EvaluateSkip },
  ): Promise<Evaluation>;
  /** The report under other weights or readings; nothing is read again. */
  rescoreEvaluation(
    report: core.EvaluateReport,
    options?: Partial<Pick<core.EvaluateOptions, 'weights' | 'fidelity' | 'completeness' | 'variance'>>,
  ): Promise<core.EvaluateReport>;
  /** A figure of it as the text of a file (`own-score`, …); weights are the report's where left out. */
  evaluateFigure(report: core.EvaluateReport, name: string, options?: FigureOptions): Promise<string>;
  evaluateTable(
    report: core.EvaluateReport,
    name: string,
    options?: { weights?: core.Weights },
  ): Promise<core.DataTable>;

  /** The study of a preset: `small` (where left out) or `full`, in which each is trained to the end. */
  familiesPreset(name?: string): Promise<core.FamiliesConfig>;
  /**
   * Compares families of methods, each member of the study in a worker of its own: the report that
   * `sfc-bench families --json` prints. The same study gives the same report everywhere.
   *
   * ```js
   * const report = await compareFamilies(
   *   { world: 'nonlinear', methods: ['svd', 'topk', 'random'], seeds: [0, 1] },
   *   { onProgress: (method, fraction) => console.log(method, fraction) },
   * );
   * await familiesFigure(report, 'families-map', { weights: [1, 1, 2] }); // an SVG
   * ```
   */
  compareFamilies(config?: FamiliesDraft, options?: FamiliesOptions): Promise<core.FamiliesReport>;
  /** A figure of it as the text of a file: `families`, `families-score`, `families-map`, …. */
  familiesFigure(report: core.FamiliesReport, name: string, options?: FigureOptions): Promise<string>;
  familiesTable(
    report: core.FamiliesReport,
    name: string,
    options?: { weights?: core.Weights },
  ): Promise<core.DataTable>;
  /** What it comes to, and what should not be, in sentences. */
  familiesSummary(
    report: core.FamiliesReport,
    options?: { weights?: core.Weights },
  ): Promise<{ headline: string; warnings: string[] }>;

  /** A family's defaults. */
  trainDefaults(family?: core.TrainFamily): Promise<core.TrainConfig>;
  /** A world's defaults. */
  worldDefaults(name?: WorldName): Promise<core.World>;
  /**
   * Trains an autoencoder in a worker. What the configuration leaves out is as in the family's
   * defaults. The same arguments give the same weights everywhere, to the last bit.
   *
   * ```js
   * const trained = await train({ family: 'topk', latents: 32, k: 3 }, 'superposition', {
   *   onProgress: ({ step, loss }) => console.log(step, loss),
   * });
   * trained.found.fidelity;
   * trained.files['sae_weights.safetensors']; // as SAELens loads it
   * ```
   */
  train(
    config?: Partial<core.TrainConfig>,
    world?: WorldName | WorldDraft,
    options?: TrainOptions,
  ): Promise<Trained>;
  /**
   * FADE on the toy model: each planted concept with the latent that tells its words best, and bad
   * descriptions; what is left out of the settings is as on the page. Without `steer` there is no
   * faithfulness, which takes most of the time.
   *
   * ```js
   * const report = await fade({ sae: 'relu256' });
   * report.features[0].clarity.code;
   * await fadeFigure(report, 'fade-scores'); // an SVG
   * ```
   */
  fade(settings?: Partial<core.FadeSettings>, options?: RunOptions & { steer?: boolean }): Promise<core.FadeReport>;
  fadeFigure(report: core.FadeReport, name: string, options?: FigureOptions): Promise<string>;
  fadeTable(report: core.FadeReport, name: string): Promise<core.DataTable>;
  /** CE-Bench on the toy model, in four readings: the autoencoder of the settings, and all others. */
  ceBench(settings?: Partial<core.CeBenchSettings>, options?: RunOptions): Promise<core.CeBenchReport>;
  ceBenchFigure(report: core.CeBenchReport, name: string, options?: FigureOptions & CeBenchReading): Promise<string>;
  ceBenchTable(report: core.CeBenchReport, name: string, options?: CeBenchReading): Promise<core.DataTable>;
  /**
   * The Model Utilization Index of the toy model under some settings: every task at every checkpoint, how the
   * index of the opened one grows with the number of answers, and the experiments that are asked for. Progress is
   * told by the name of what was last done.
   *
   * ```js
   * const report = await mui({ prompts: 64 }, { experiments: ['masking'] });
   * report.checkpoints.at(-1).tasks[0].mui; // a share of all neurons
   * await muiFigure(report, 'mui-masking'); // an SVG
   * ```
   */
  mui(settings?: Partial<core.MuiSettings>, options?: MuiOptions): Promise<core.MuiReport>;
  /**
   * A figure of MUI as the text of a file. Figures of the paper's tables (`mui-law`, `mui-ranking`, …) need nothing
   * measured, that of a reader's own answers (`mui-own-growth`) what `muiOwn` gives.
   *
   * ```js
   * await muiFigure({ settings: { data_set: 'HumanEval' } }, 'mui-law');
   * await muiFigure({ own: await muiOwn(files) }, 'mui-own-growth', { format: 'csv' });
   * ```
   */
  muiFigure(report: MuiDraft, name: string, options?: FigureOptions): Promise<string>;
  muiTable(report: MuiDraft, name: string): Promise<core.DataTable>;
  /**
   * Every number that the paper of MUI prints and that follows from others, derived anew, and its claims: as
   * `sfc-bench mui tables --json` prints them.
   */
  muiPrinted(): Promise<MuiPrinted>;
  /**
   * The law MUI = a ln P + b over models of your own, accuracy and index both in percent.
   *
   * ```js
   * const { law } = await muiLaw([
   *   { model: 'small', accuracy: 11.9, mui: 5.4 },
   *   { model: 'medium', accuracy: 25.8, mui: 3.8 },
   *   { model: 'large', accuracy: 58.7, mui: 3.0 },
   * ]);
   * law.a; // −1.47: the index falls as performance rises
   * ```
   */
  muiLaw(rows: readonly core.MuiLawRow[]): Promise<core.MuiOwnLaw>;
  /**
   * The index of your own models, from the neurons that each of their answers uses: files as MUI-Eval writes them,
   * sets, arrays, tables; read in a worker, piece by piece where they are Blobs in a browser. Progress is told by
   * the file that is read.
   *
   * ```js
   * const lines = new TextEncoder().encode('{"neurons": [[0, 3], [1, 7]]}\n{"neurons": [[0, 3]]}\n');
   * const { files, steps } = await muiOwn({ 'a_result.jsonl': lines }, { layers: 2, neurons: 8 });
   * files[0].mui; // 0.125
   * ```
   */
  muiOwn(
    files: Readonly<Record<string, FileLike>> | ReadonlyMap<string, FileLike>,
    wanted?: core.MuiOwnWanted,
    options?: RunOptions,
  ): Promise<core.MuiOwn>;
  /**
   * Measurement theory's fifteen metrics on subjects that are known to be good or bad, planted and of the toy model,
   * in parts; and one of them opened. Progress is told by the name of the part that was last done.
   *
   * ```js
   * const report = await measure({ seeds: 1, metric: 'ex1' }, { picture: true });
   * report.parts[0].lines[0]; // { metric: 'm07', quantity: 'agreement_code', ground: 'planted', subject: 'oracle', values }
   * await measureFigure(report, 'measure-language'); // an SVG
   * ```
   */
  measure(settings?: Partial<core.MeasurementSettings>, options?: MeasureOptions): Promise<core.MeasurementReport>;
  measureFigure(report: MeasureDraft, name: string, options?: FigureOptions): Promise<string>;
  measureTable(report: MeasureDraft, name: string): Promise<core.DataTable>;
  /** What each of the fifteen is: formulas, limits and tables of the text and of the code. */
  measureMetrics(): Promise<MeasureMetric[]>;
  /** What each limit of a metric can reach: best and worst cases, built and measured. */
  measureReached(metric: string): Promise<MeasureReached[]>;
  /** How well a checkpoint of the toy model does each task, with heads (layer, head) ablated. */
  littleTasks(
    wanted?: { checkpoint?: string; ablated?: readonly (readonly [number, number])[]; prompts?: number },
    options?: { signal?: AbortSignal },
  ): Promise<LittleTask[]>;
  /**
   * Every metric on the same subjects, where the truth is known: rows of plain numbers. `onProgress` is told of each part
   * by its name. What they say follows from the report's settings, which may be changed afterwards: nothing is
   * measured for that.
   *
   * @example
   * const report = await audit({ seeds: 2, world: 'superposition' });
   * await auditFigure({ ...report, settings: { ...report.settings, auc: 0.8 } }, 'audit-table'); // an SVG
   * @throws {SfcBenchError}
   */
  audit(settings?: Partial<core.AuditSettings>, options?: RunOptions): Promise<core.AuditReport>;
  auditFigure(report: AuditDraft, name: string, options?: FigureOptions): Promise<string>;
  auditTable(report: AuditDraft, name: string): Promise<core.DataTable>;
  /** What a report says of every metric, with what that rests on. */
  auditWords(report: AuditDraft): Promise<core.AuditTable>;
  auditMetrics(): Promise<AuditMetric[]>;
  /** The names of the figures of families, evaluations, FADE, CE-Bench, MUI, measurement theory and the audit, and their identifiers. */
  studyFigures(): Promise<{ name: string; id: string }[]>;

  /** Lets the workers go; the next run starts others. */
  close(): void;
}

export declare const {
  ready, version, defaults, profiles, limits, figures, validate, configure, run, rescore, compare,
  digest, checkDigest, figure, table, printLink, parseLink, script, sparsity, fidelity,
  completeness, completenessOfOutputs, rate, distortion, relevance, score, hypervolume, front,
  dominates, simplex, evaluate, evaluateMatrices, rescoreEvaluation, evaluateFigure, evaluateTable,
  familiesPreset, compareFamilies, familiesFigure, familiesTable, familiesSummary, trainDefaults,
  worldDefaults, train, fade, fadeFigure, fadeTable, ceBench, ceBenchFigure, ceBenchTable,
  littleTasks, mui, muiFigure, muiTable, muiPrinted, muiLaw, muiOwn, measure, measureFigure,
  measureTable, measureMetrics, measureReached, audit, auditFigure, auditTable, auditWords,
  auditMetrics, studyFigures, close,
}: Api;

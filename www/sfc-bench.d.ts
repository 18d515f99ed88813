/* The package's own types: what the module offers, in a browser and in Node. The plain data are in
   core.d.ts, which is written from the Rust types. */

import type {
  Cell,
  CompletenessReading,
  DataTable,
  Divided,
  FidelityMode,
  Hypervolume,
  LinkState,
  LinkVerdict,
  ParsedLink,
  Preset,
  Problem,
  Report,
  Settings,
  Verdict,
  Weights,
} from './core.d.ts';

export type * from './core.d.ts';

/** Some of the settings; what is left out is as in the paper. */
export type Draft = Partial<Settings>;

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
  report: Report;
  /** How many of the paper's printed numbers agree. */
  verdict: Verdict;
  /** Equal to that of any other machine with the same version and settings. */
  digest: string;
  /** Milliseconds it took. */
  ms: number;
}

export interface Profile {
  name: string;
  label: string;
  weights: Weights;
}

/** What a numeric setting may hold. */
export interface Limit {
  field: string;
  min: number;
  max: number;
  whole: boolean;
  allowed: string;
}

/** A configuration of Table 1. */
export interface PresetRow {
  name: Preset;
  label: string;
}

export interface Api {
  /** Loads the core; every other function does so by itself. */
  ready(): Promise<void>;
  version(): Promise<string>;
  /** The paper's settings. */
  defaults(): Promise<Settings>;
  /** The paper's weight profiles. */
  profiles(): Promise<Profile[]>;
  /** What each numeric setting may hold. */
  limits(): Promise<Record<string, Limit>>;
  /** The names of figures and tables, and their identifiers. */
  figures(): Promise<{ name: string; id: string }[]>;

  /** Checks settings: complete ones, or what is wrong with them. */
  validate(draft?: Draft): Promise<{ settings: Settings | null; problems: Problem[] }>;
  /** Complete settings; throws an {@link SfcBenchError} where some are refused. */
  configure(draft?: Draft): Promise<Settings>;
  /** Runs settings in a worker. */
  run(draft?: Draft, options?: RunOptions): Promise<Run>;

  /** The report scored under other weights. */
  rescore(report: Report, weights: Weights): Promise<Report>;
  /** Every printed number of the paper beside the report's. */
  compare(report: Report): Promise<{ verdict: Verdict; cells: Cell[] }>;
  digest(report: Report): Promise<string>;
  /** Holds a report against the digest of a link, and the version that made it. */
  checkDigest(report: Report, digest: string, made?: string): Promise<LinkVerdict>;
  /** A figure or table as the text of a file. `width` in CSS pixels. */
  figure(
    report: Report,
    name: string,
    options?: {
      format?: 'svg' | 'csv' | 'json' | 'tex' | 'md';
      width?: number;
      dark?: boolean;
      weights?: Weights;
    },
  ): Promise<string>;
  /** A figure's data as a table of texts. */
  table(report: Report, name: string, options?: { weights?: Weights }): Promise<DataTable>;

  /** A state as the query of a link; what is left out is as in the paper. */
  printLink(state?: Partial<LinkState>): Promise<string>;
  /** What a link says: the nearest valid state, and what had to be changed for it. */
  parseLink(query: string): Promise<ParsedLink>;
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
    options?: { mode?: FidelityMode; guard?: number },
  ): Promise<number>;
  /**
   * C (Eq. 3) of a dictionary (K × D, any) for a linear readout (o × D) with a bias (o): the outputs of
   * the activations (N × D, all rows) against those of their projections on its row space.
   */
  completeness(
    activations: MatrixLike,
    dictionary: MatrixLike,
    readout: MatrixLike,
    options?: { bias?: NumericArray; reading?: CompletenessReading },
  ): Promise<number>;
  /** C of any network's outputs against those of the projected activations; both M × o. */
  completenessOfOutputs(
    outputs: MatrixLike,
    projected: MatrixLike,
    options?: { reading?: CompletenessReading },
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
  hypervolume(points: PointsLike, reference?: NumericArray): Promise<Hypervolume>;
  /** Indices of the points that no other one dominates. */
  front(points: PointsLike, options?: { tolerance?: number }): Promise<number[]>;
  /** Whether the first point dominates the second. */
  dominates(
    first: NumericArray,
    second: NumericArray,
    options?: { tolerance?: number },
  ): Promise<boolean>;
  /** Which point wins under which weights, and the nearest change from the given ones. */
  simplex(points: PointsLike, weights?: NumericArray): Promise<Divided>;

  /** Lets the workers go; the next run starts others. */
  close(): void;
}

export declare const ready: Api['ready'];
export declare const version: Api['version'];
export declare const defaults: Api['defaults'];
export declare const profiles: Api['profiles'];
export declare const limits: Api['limits'];
export declare const figures: Api['figures'];
export declare const validate: Api['validate'];
export declare const configure: Api['configure'];
export declare const run: Api['run'];
export declare const rescore: Api['rescore'];
export declare const compare: Api['compare'];
export declare const digest: Api['digest'];
export declare const checkDigest: Api['checkDigest'];
export declare const figure: Api['figure'];
export declare const table: Api['table'];
export declare const printLink: Api['printLink'];
export declare const parseLink: Api['parseLink'];
export declare const script: Api['script'];
export declare const sparsity: Api['sparsity'];
export declare const fidelity: Api['fidelity'];
export declare const completeness: Api['completeness'];
export declare const completenessOfOutputs: Api['completenessOfOutputs'];
export declare const rate: Api['rate'];
export declare const distortion: Api['distortion'];
export declare const relevance: Api['relevance'];
export declare const score: Api['score'];
export declare const hypervolume: Api['hypervolume'];
export declare const front: Api['front'];
export declare const dominates: Api['dominates'];
export declare const simplex: Api['simplex'];
export declare const close: Api['close'];

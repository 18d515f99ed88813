/* What crosses the border between the page and the wasm core. Types only: nothing here is loaded. */

type ConfigName = import('./core.d.ts').Preset;
type Weights = import('./core.d.ts').Weights;
/** Everything that defines a run. The core is the only judge of what is valid. */
type Settings = import('./core.d.ts').Settings;

/** What the controls hold: may be incomplete or wrong (NaN where a field is blank). */
type Draft = Partial<Settings>;

type SettingKey = keyof Settings;

/** What is refused, and why; of what is no field's fault, less is known. */
type Problem = import('./core.d.ts').Refused & Partial<import('./core.d.ts').Problem>;

type Preset = import('./sfc-bench.d.ts').PresetRow;

type Profile = import('./sfc-bench.d.ts').Profile;

/** What the package offers. */
type Api = import('./sfc-bench.d.ts').Api;

type Limit = import('./core.d.ts').Limit;

/** One hover target, in CSS pixels. */
type Mark = import('./core.d.ts').Mark;
type Layout = import('./core.d.ts').Layout;
type DataCell = import('./core.d.ts').DataCell;
type DataTable = import('./core.d.ts').DataTable;
type Verdict = import('./core.d.ts').Verdict;
type CoreReport = import('./core.d.ts').Report;
/** The browsers have a type of this name too; this adds to it. */
interface Report extends CoreReport {}

/** A study's result, opened; toy-model.d.ts has the lab's. */
interface Studies {
  open(study: 'sfc', report: Report): View;
  open(study: 'comparison', report: { now: Report; pinned: Report | null }): View;
  open(study: 'own', report: OwnReport): OwnView;
  open(study: 'decompositions', report: import('./core.d.ts').DecompositionsReport): Exportable;
}

/** What lives in the core's memory until it is let go. */
declare abstract class Handle {
  free(): void;
}

declare module '*/pkg/sfc_bench.js' {
  export default function init(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export function version(): string;
  export function defaults(): Settings;
  export function presets(): Preset[];
  export function profiles(): Profile[];
  /** Every setting, as a form has it. */
  export function fields(): (import('./core.d.ts').FormField & { name: SettingKey })[];
  export function limits(): Record<string, Limit>;
  export function parse_state(query: string): import('./core.d.ts').ParsedLink;
  export function fresh_seed(): number;
  /** Estimated peak memory of a run, in bytes. */
  export function memory_needed(settings: Settings): number;
  export function validate(draft: Draft): {
    settings: Settings | null;
    problems: import('./core.d.ts').Problem[];
  };
  export function run(
    settings: Settings,
    onProgress: (stage: string, fraction: number) => void,
  ): Report;
  /** A study's result on screen: what has figures is one of these. */
  export const Study: Studies;
  export class SeedRunner extends Handle {
    constructor(settings: Settings, varied: Varied);
    members(from: number, to: number): Member[];
  }
}

declare module '*/pkg/sfc_bench_lab.js' {
  export * from '*/pkg/sfc_bench.js';
  export default function init(options?: {
    module_or_path: WebAssembly.Module;
  }): Promise<unknown>;
  /** SHA-256 of this build's WebAssembly: what another computed is not this one's. */
  export const BUILD: string;
  export function quartiles(samples: Float64Array): Float64Array;
  export function kernel_cases(): { kernel: string; sizes: string; flops: number }[];
  export class KernelBench extends Handle {
    constructor(index: number);
    run(simd: boolean, repeats: number): number;
  }
  export class StageBench extends Handle {
    constructor(settings: Settings);
    static names(): string[];
    static stage_count(): number;
    run(index: number, repeats: number): void;
  }
  export interface BenchView extends Drawable {}
  export class BenchView extends Handle {
    constructor(measured: Measured[]);
  }
  export function print_state(state: Partial<LinkState>): string;
  export function link_names(): {
    figures: string[];
    parts: string[];
    /** Key in a link, key in the settings. */
    settings: [string, string][];
  };
  /** The options of somebody's own decomposition that a link may set, as a form has them. */
  export function own_fields(): import('./core.d.ts').FormField[];
  /** Everything that is not allowed of such options as somebody typed them. */
  export function own_check(options: Partial<OwnLinked>): Problem[];
  export function own_numbers(): import('./core.d.ts').OwnNumbers;
  export function own_read(text: string): {
    options: OwnLinked;
    files: [role: string, sha256: string][];
    changes: LinkChange[];
  };
  export function own_print(options: OwnLinked, files: [string, string][]): string | undefined;
  /** A report's files as a link has them: role and SHA-256. */
  export function own_digests(files: readonly OwnFile[]): [string, string][];
  /** Names of files in the order in which these are read. */
  export function own_in_order(names: string[]): string[];
  /** Whether two files of one folder are alike but for numbers in their names. */
  export function own_alike(one: string, other: string): boolean;
  /** The further files of an autoencoder's weights among the names of files. */
  export function own_further_weights(weights: string, names: string[]): string[];
  export function numpy_script(settings: Draft): string;

  /** Names that another page may use. */
  export function figure_named(name: string): FigureRow | undefined;
  export function figure_names(study: string): { name: string; id: string }[];
  export function state_keys(): { key: string; field: string; about: string }[];

  /** The metrics on somebody's own numbers; every array is a Float64Array. */
  export function metric_sparsity(codes: Values): number;
  export function metric_fidelity(
    a: Values,
    a_hat: Values,
    mode: string,
    guard: number,
  ): number;
  /** Numbers that are told of, or begun with. */
  export function constants(): {
    cosine_guard: number;
    rate_bins: number;
    completeness_rows: number;
    readout_scale: number;
    /** Of a reader's own activations: which rows are taken, and in which order. */
    own_seed: number;
    /** Where the Pareto front is seen from at first, in degrees. */
    yaw: number;
    pitch: number;
  };
  /** How many codes each level zeroes in every row. */
  export function zeroed_codes(settings: Settings): Uint32Array;
  export function metric_completeness(
    activations: Values,
    dictionary: Values,
    readout: Values,
    bias: Values,
    reading: string,
  ): number;
  export function metric_completeness_of_outputs(
    outputs: Values,
    projected: Values,
    reading: string,
  ): number;
  export function metric_rate(codes: Values, bins: number): number;
  export function metric_distortion(a: Values, a_hat: Values): number;
  export function metric_relevance(codes: Values, outputs: Values): number;
  export function metric_score(axes: Float64Array, weights: Float64Array): number;
  export function metric_hypervolume(
    points: Float64Array,
    reference: Float64Array,
  ): import('./core.d.ts').Hypervolume;
  export function metric_front(points: Float64Array, tolerance: number): number[];
  export function metric_dominates(
    first: Float64Array,
    second: Float64Array,
    tolerance: number,
  ): boolean;
  export function metric_simplex(
    points: Float64Array,
    weights: Float64Array,
  ): import('./core.d.ts').Divided;
  export function gather_ensemble(settings: Settings, varied: Varied): EnsembleView;

  /* Families of methods, and training. */
  export function families_preset(name: string): FamiliesConfig;
  export function families_fit(config: FamiliesConfig, world: World): FamiliesConfig;
  /** What a study's text says, whatever it is. */
  export function families_read(text: string): { config: FamiliesConfig; changes: LinkChange[] };
  export function families_print(config: FamiliesConfig): string | undefined;
  /** Everything that is not allowed; numbers may be anything. */
  export function families_check(config: FamiliesConfig): Problem[];
  export function families_jobs(config: FamiliesConfig): FamiliesJob[];
  export function families_gather(
    config: FamiliesConfig,
    results: FamiliesResult[],
  ): FamiliesReport;
  /** What there is to choose from, and the numbers of a training where nobody says otherwise. */
  export function families_choices(): import('./core.d.ts').FamiliesChoices;
  export function world_defaults(name: string): World;
  /** Rows that one autoencoder is trained on, and rows held back. */
  export function world_split(world: World, most: number): Uint32Array;
  export function train_defaults(family: string): TrainConfig;
  export class FamiliesRunner extends Handle {
    constructor(config: FamiliesConfig, drawn?: GivenNumbers);
    run(job: FamiliesJob): FamiliesResult;
  }
  /** A reader's own files; only a worker can hand over such a `read`. */
  export class OwnFiles extends Handle {
    constructor(cap?: number);
    addFile(name: string, size: number, read: FileSource['read']): OwnDescription;
    /** The bytes stay here, and must not change. */
    add(name: string, bytes: Uint8Array): OwnDescription;
    remove(name: string): void;
    autoencoders(): OwnMember[];
    compare(
      request: OwnComparison,
      tell: (row: string, share: number) => void,
    ): import('./core.d.ts').DecompositionsReport;
    plan(request: OwnRequest): OwnSession;
    given(request: OwnGiven): OwnActivations;
    synthModel(): SynthModel;
  }
  /** A saved model of SynthSAEBench. */
  export class SynthModel extends Handle {
    evaluation(files: OwnFiles, name: string, sae: OwnMember['sae'], options: import('./core.d.ts').SynthEvaluationOptions): SynthEvaluation;
  }
  /** An autoencoder on it. */
  export class SynthEvaluation extends Handle {
    run(job: string): Uint8Array<ArrayBuffer>;
    found(parts: Uint8Array[]): import('./core.d.ts').SynthEvaluation;
  }
  export class OwnSession extends Handle {
    describe(): OwnPlan;
    step(): OwnProgress;
    deal(): Uint8Array<ArrayBuffer> | undefined;
    work(job: Uint8Array): Uint8Array<ArrayBuffer>;
    take(part: Uint8Array): OwnProgress;
    basis(): Uint8Array<ArrayBuffer> | undefined;
    provisional(): OwnReport | null;
    help(): OwnHand;
    finish(digests: boolean): OwnReport;
    script(): string | undefined;
  }
  export class OwnHand extends Handle {
    adopt(basis: Uint8Array): void;
    work(job: Uint8Array): Uint8Array<ArrayBuffer>;
  }
  export class OwnActivations extends Handle {
    world(digest: boolean): Extract<World, { world: 'given' }>;
    draw(rows: number): GivenNumbers;
  }
  export class TrainSession extends Handle {
    constructor(config: TrainConfig, ...on: TrainingRows);
    static resume(state: TrainState, ...on: TrainingRows): TrainSession;
    step(steps: number): Metrics;
    matching(): import('./core.d.ts').Matching | null;
    state(): TrainState;
    sae_config(): Uint8Array<ArrayBuffer>;
    sae_weights(): Uint8Array<ArrayBuffer>;
  }
  export function gather_families(config: FamiliesConfig): FamiliesView;
  export function gather_training(): TrainView;
  export function train_folder(
    state: TrainState,
    world: World,
    rows: number,
    held: number,
    drawn: GivenNumbers | undefined,
    name: string,
  ): Uint8Array<ArrayBuffer>;
  /** An autoencoder and the rows held back, as files that can be scored. */
  export function train_files(state: TrainState, ...on: TrainingRows): { name: string; bytes: Uint8Array<ArrayBuffer> }[];
  export function train_measured(state: TrainState, ...on: TrainingRows): FamiliesResult;
  /** The same files in a .zip. */
  export function evaluate_example_zip(): Uint8Array<ArrayBuffer>;
  export function evaluate_example(): {
    role: OwnRole;
    name: string;
    bytes: Uint8Array<ArrayBuffer>;
  }[];

  export function bibtex(which: 'paper' | 'software'): string;
}

/** A matrix as the core takes it. */
interface Values {
  data: Float64Array;
  rows: number;
  cols: number;
}

type Core = typeof import('../pkg/sfc_bench.js');
type Lab = typeof import('../pkg/sfc_bench_lab.js');

/** A figure, and the study that it is of. */
type FigureRow = { study: string } & import('./core.d.ts').FigureRow;

/** What can be drawn and read figure by figure. */
interface Drawable {
  preferred_height(id: string, css_width: number): number;
  draw(
    id: string,
    canvas: HTMLCanvasElement,
    css_width: number,
    css_height: number,
    dpr: number,
    dark: boolean,
  ): Layout;
  table(id: string): DataTable;
  summary(id: string): string;
  title(id: string): string;
  caption(id: string): string;
}

/** A study's result on screen, whatever study it is of. */
interface Exportable extends Drawable {
  /** The name of the study. */
  study(): string;
  figures(): import('./core.d.ts').FigureRow[];
  set_weights(a: number, b: number, c: number): void;
  free(): void;
  /* Of the lab's build, like what follows. */
  headline(): string;
  /** As the command line prints it. */
  json(): string;
  export_text(
    id: string,
    format: 'svg' | 'csv' | 'json' | 'tex' | 'md',
    css_width: number,
    dark: boolean,
  ): string;
  export_picture(
    id: string,
    canvas: HTMLCanvasElement,
    css_width: number,
    dpr: number,
    dark: boolean,
  ): void;
  file_name(id: string, extension: string): string;
  is_table(id: string): boolean;
  archive(extra: [string, Uint8Array][]): Uint8Array<ArrayBuffer>;
  /** With another study's figures, and its report. */
  archive_with(other: Exportable, extra: [string, Uint8Array][]): Uint8Array<ArrayBuffer>;
}

/** The paper's study; from the lab, beside a pinned result. */
interface View extends Exportable {
  /** Lays an ensemble's bands behind Figure 1(b). */
  show_seeds(ensemble: EnsembleView): void;
  verdict(): Verdict;
  /* Of the lab's build. */
  digest(): string;
  check_digest(claimed: string, made?: string | null): LinkVerdict;
  set_pinned(report: Report): void;
  clear_pinned(): void;
  rescored(): Report;
  printed_cells(): import('./core.d.ts').Cell[];
  set_ties(mode: 'exact' | 'printed' | 'within', tolerance: number): void;
  set_rotation(yaw: number, pitch: number): void;
  simplex_at(x: number, y: number, css_width: number, css_height: number): Float64Array;
  simplex_point(
    alpha: number,
    beta: number,
    gamma: number,
    css_width: number,
    css_height: number,
  ): Float64Array;
  flip_sentence(): string;
}

/** An ensemble, while its members come in. */
interface EnsembleView extends Exportable {
  add_members(members: Member[]): void;
  members(): number;
  /** Forgets the seeds from this one on. */
  keep_seeds(below: number): void;
  refresh(): void;
  set_run(view: View): void;
  /** Why a figure would be empty; undefined: it is not. */
  empty(id: string): string | undefined;
}

/** A study of families, while its results come in. */
interface FamiliesView extends Exportable {
  /** Whether its method has all of its results now. */
  add_result(result: FamiliesResult): boolean;
  set_linear(results: FamiliesResult[]): void;
  methods(): number;
  keep(name: string, found: FamiliesResult): void;
  forget(name: string): void;
  /** How much of the study there is, while that is not all of it. */
  provisional(): string | undefined;
  warnings(): string[];
}

/** The curve of a training, point by point. */
interface TrainView extends Exportable {
  /** Only then can there be files of it. */
  set_training(config: TrainConfig, world: World): void;
  push(metrics: Metrics): void;
}

/** A report on a reader's own decomposition. */
interface OwnView extends Exportable {
  set_axes(axes: OwnAxes): void;
  report(): OwnReport;
}

/** Everything of the page that a link holds. */
type LinkState = import('./core.d.ts').LinkState;
/** What of a link could not be followed. */
type LinkChange = import('./core.d.ts').LinkChange;
type LinkVerdict = import('./core.d.ts').LinkVerdict;

/** Which seeds of an ensemble vary. */
type Varied = import('./core.d.ts').Varied;

/** What all members of an ensemble have in common. */
interface Plan {
  settings: Settings;
  varied: Varied;
}

/** One seed's results; the view reads the rest. */
interface Member {
  seed: number;
}

/** What a worker can be asked. Seeds run from `from` up to, but not including, `to`. */
type Task =
  | { kind: 'run'; settings: Settings }
  | { kind: 'seeds'; plan: Plan; from: number; to: number }
  | { kind: 'families'; config: FamiliesConfig; job: FamiliesJob; drawn?: GivenBlobs }
  | ({ kind: 'train' } & TrainTask)
  | ({ kind: 'train-measured'; state: TrainState } & TrainRows)
  | ({ kind: 'train-files'; state: TrainState } & TrainRows)
  | ({ kind: 'train-folder'; state: TrainState; name: string } & TrainRows)
  | TrainWholeTask
  | EvaluateTask
  | FilesTask
  /** A timing of at least so many ms, of a kernel by one of its paths, or of a stage. */
  | { kind: 'bench-kernel'; index: number; simd: boolean; least: number }
  | { kind: 'bench-stages'; settings: Settings; index: number; least: number }
  | ToyModelTask
  | StudyTask
  | ModelTasks[keyof ModelTasks]['task'];

type TaskOf<Kind extends Task['kind']> = Extract<Task, { kind: Kind }>;

/** One of the core's two builds: what draws the paper, and everything. */
type Build = 'sfc_bench' | 'sfc_bench_lab';

/** What the page says to its workers, and what comes back. */
type ToWorker =
  | { type: 'init'; lock: string }
  | { type: 'module'; build: Build; module: WebAssembly.Module }
  | { type: 'task'; id: number; build: Build; task: Task };

/** What goes with a worker when it ends: a lock that it holds, or beats that come from a port. */
interface Sign {
  lock?: string;
  pulse?: MessagePort;
}

type FromWorker =
  /** It has begun, and gives a sign of its life. */
  | ({ type: 'alive' } & Sign)
  /** Its code is loaded. */
  | { type: 'up' }
  /** Its first build is an instance, which took so many ms. */
  | { type: 'ready'; ms: number }
  | { type: 'progress'; id: number; stage: string; fraction: number; detail?: unknown }
  | { type: 'done'; id: number; result: any; memory?: number }
  | { type: 'failed'; id: number; problem: Problem; memory?: number }
  | { type: 'crashed'; id: number; message: string };

/** How a worker tells how far it is. */
type Tell = (stage: string, fraction: number, detail?: unknown) => void;

/** Does one kind of task with the core; may be synchronous. */
type Handler<T = any> = (core: Lab, task: T, tell: Tell) => unknown;
type Handlers = { [Kind in Task['kind']]?: Handler<TaskOf<Kind>> };

/** The JavaScript of a build. */
type Glue = (build: Build) => Promise<Lab>;

/** How a worker is spoken with, in a browser or in Node. */
interface Port {
  send(message: FromWorker, transfer?: Transferable[]): void;
  listen(hear: (message: ToWorker) => void): void;
  /** Takes a lock for life, or has a pulse where there are none. */
  hold(lock: string): Promise<Sign>;
}

/** What a worker sees of itself; the page's own types have no room for both worlds. */
interface WorkerScope {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
}

/* ---------- families of methods, and training ---------- */

type Reading = import('./core.d.ts').Reading;
type World = import('./core.d.ts').World;
type FamiliesConfig = import('./core.d.ts').FamiliesConfig;
type FamiliesJob = import('./core.d.ts').FamiliesJob;
type FamiliesResult = import('./core.d.ts').FamiliesResult;
type FamiliesReport = import('./core.d.ts').FamiliesReport;
type TrainConfig = import('./core.d.ts').TrainConfig;
/** What a training has come to. */
type TrainState = import('./core.d.ts').TrainState;
type Metrics = import('./core.d.ts').TrainMetrics;

/** Rows of given activations, in their world's order, and what reads them out. */
interface GivenRows<Part> {
  activations: Part;
  readout?: Part | undefined;
  bias?: Part | undefined;
}
type GivenNumbers = GivenRows<Float32Array<ArrayBuffer>>;
/** The same, for workers. */
type GivenBlobs = GivenRows<Blob>;

/** What a training's rows are, as the core takes them. */
type TrainingRows = [world: World, rows: number, held: number, drawn?: GivenNumbers];

/** Activations that a reader gave. */
interface GivenSource {
  /** Their world; refused where there are none. */
  world(seed: number): Promise<Extract<World, { world: 'given' }>>;
  /** What the command line is to be given for them. */
  flags(): string[];
  /** That many rows of them. */
  draw(seed: number, rows: number): Promise<GivenBlobs>;
}

/** What a training's rows are. */
interface TrainRows {
  world: World;
  /** Trained on. */
  rows: number;
  /** Further rows, to measure on. */
  held: number;
  /** Of a given world: all of them. */
  drawn?: GivenBlobs | undefined;
}

/** Where a training begins. */
interface TrainStart extends TrainRows {
  config: TrainConfig;
  /** Where to go on from; null: from the start. */
  state: TrainState | null;
}

interface TrainTask extends TrainStart {
  steps: number;
}

/** A training from its start, or from a state, to its end; of the package's workers. */
interface TrainWholeTask extends TrainTask {
  kind: 'train-whole';
  /** How often it is looked at. */
  points: number;
}

/** A decomposition to score, of files by name; of the package's workers. */
interface EvaluateTask {
  kind: 'evaluate';
  files: [name: string, file: Uint8Array | Blob][];
  request: OwnRequest;
}

interface TrainAnswer {
  metrics: Metrics;
  state: TrainState;
  /** Mean max cosine before the first step; null elsewhere. */
  before: number | null;
  ms: number;
}

/* ---------- the benchmark ---------- */

type BenchView = InstanceType<Lab['BenchView']>;

/** Bars for the core to draw. */
interface Measured {
  id: string;
  title: string;
  summary: string;
  caption: string;
  x_title: string;
  y_title: string;
  groups: [label: string, detail: string | null][];
  series: { name: string; values: (number | null)[] }[];
}

/** As much of the pool of workers as the benchmark uses. */
interface BenchPool {
  readonly size: number;
  setLimit(workers: number): void;
  submit(task: Task, options: { signal: AbortSignal }): Promise<any>;
}

type BenchState = 'idle' | 'running' | 'cancelled' | 'finished' | 'failed';
type BenchGroup = 'kernel' | 'stage' | 'whole' | 'seeds' | 'start';

/** One thing measured, with a sample a round. */
interface BenchRow {
  group: BenchGroup;
  name: string;
  detail?: string;
  path?: 'plain' | 'simd';
  unit: string;
  samples: number[];
  /** Lower quartile, median and upper quartile of the samples; empty where there are none. */
  quartiles: number[];
}

interface BenchResult {
  version: string;
  date: string;
  machine: Record<string, string>;
  /** Rounds that were to be made, and those that are complete. */
  rounds: number;
  completed: number;
  /** Whether the page was out of sight at some time. */
  background: boolean;
  rows: BenchRow[];
}

interface BenchTable {
  title: string;
  data: DataTable;
}

/** What only some browsers tell of themselves. */
interface BenchNavigator extends Navigator {
  deviceMemory?: number;
  userAgentData?: {
    brands: { brand: string; version: string }[];
    platform: string;
    getHighEntropyValues(
      hints: string[],
    ): Promise<{ architecture?: string; bitness?: string; platformVersion?: string }>;
  };
}

/* ---------- a reader's own decomposition ---------- */

type OwnRole =
  | 'activations'
  | 'more_activations'
  | 'targets'
  | 'more_targets'
  | 'more_codes'
  | 'dictionary'
  | 'codes'
  | 'decoder_bias'
  | 'readout'
  | 'readout_bias'
  | 'config'
  | 'scaler'
  | 'weights'
  | 'more_weights';

/** What a file is. */
interface OwnFileDescription {
  name: string;
  format: 'npy' | 'npz' | 'safetensors' | 'pt' | 'csv' | 'json';
  /** Whether its tensors are an autoencoder's, in any layout that is read. */
  autoencoder?: boolean;
  arrays: import('./core.d.ts').ArrayDescription[];
  /** The .zip that it came in. */
  archive?: string | undefined;
}

/** A file that the core reads piece by piece. */
interface FileSource {
  name: string;
  size: number;
  read: (offset: number, length: number) => Uint8Array;
}

/** What was handed over: a file, or a .zip with an autoencoder's folder. */
type OwnDescription =
  | OwnFileDescription
  | { name: string; format: 'zip'; inside: OwnFileDescription[] };

/** What the score takes for F and for C. */
type OwnAxes = Pick<
  import('./core.d.ts').EvaluateOptions,
  'fidelity' | 'completeness' | 'variance'
>;
type OwnRequest = import('./core.d.ts').EvaluateRequest;
type OwnFile = import('./core.d.ts').EvaluateFile;
type OwnGiven = import('./core.d.ts').OwnWorldRequest;

interface OwnPlan {
  rows: number;
  dimensions: number;
  k: number;
  outputs: number;
  codes: string;
  memory: number;
  /** What another worker takes that helps. */
  another: number;
  files: OwnFile[];
}

interface OwnProgress extends Omit<import('./core.d.ts').EvaluateProgress, 'phase'> {
  phase: import('./core.d.ts').EvaluatePhase | 'digests';
  /** What is found so far, now and then. */
  found?: OwnReport;
}

/** An autoencoder among a reader's files: what is known of it, or why it is not read. */
interface OwnMember {
  name: string;
  sae: import('./core.d.ts').EvaluateFolder;
  found?: {
    name: string;
    /** D of what is read, D of what is reconstructed. */
    dimensions: [number, number];
    k: number;
    transcoder?: boolean;
    recognised: import('./core.d.ts').Recognised;
  };
  problem?: Problem;
}

/** Several decompositions of the same rows; with controls where there is a seed of them. */
interface OwnComparison {
  members: { name: string; request: OwnRequest }[];
  seed?: number;
}

/** How far a comparison is. */
interface OwnCompared {
  row: string;
  share: number;
}

/** What the first of several workers answers: pieces to do, and how far all is. */
interface OwnDealt {
  jobs: Uint8Array<ArrayBuffer>[];
  progress: OwnProgress;
  /** What the others must know, once, when loading is done. */
  basis?: Uint8Array<ArrayBuffer>;
}

/** What is scored of own files, as far as a link says it. */
type OwnLinked = {
  fidelity: string | null;
  completeness: string | null;
  variance: string | null;
  codes_by: string | null;
  active_rows: number | null;
  skip_zero_rows: boolean | null;
  skip_rows: string | null;
  skip_norm_above: number | null;
};
type OwnReport = import('./core.d.ts').EvaluateReport;

/** What is asked of the worker that has a reader's files open. */
type FilesTask =
  | { kind: 'files-add'; name: string; file: Blob }
  | { kind: 'files-remove'; name: string }
  | { kind: 'files-autoencoders' }
  | { kind: 'files-compare'; request: OwnComparison }
  | { kind: 'files-plan'; request: OwnRequest }
  | { kind: 'files-given'; request: OwnGiven; rows?: number }
  | { kind: 'files-run' }
  /** Of the first of several workers: takes parts in their order, and deals so many pieces. */
  | { kind: 'files-deal'; parts: Uint8Array<ArrayBuffer>[]; wanted: number; found: boolean }
  | { kind: 'files-work'; job: Uint8Array<ArrayBuffer> }
  | { kind: 'files-finish' }
  /** Of the others. */
  | { kind: 'files-help'; request: OwnRequest }
  | { kind: 'files-adopt'; basis: Uint8Array<ArrayBuffer> }
  | { kind: 'files-example' }
  | { kind: 'files-example-zip' };

/** Of workers only. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/* ---------- the service worker ---------- */

/** What the build writes above `sw.js`: its files' SHA-256 by path, and a name for all of them. */
declare const FILES: Record<string, string>;
declare const VERSION: string;

interface OfflineEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

/** What a service worker sees of itself, as far as ours looks. */
interface OfflineScope {
  readonly registration: { readonly scope: string; unregister(): Promise<boolean> };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: {
      type: 'window';
      includeUncontrolled: boolean;
    }): Promise<readonly { readonly url: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: OfflineEvent) => void,
  ): void;
  addEventListener(
    type: 'message',
    listener: (
      event: OfflineEvent & {
        readonly source: { postMessage(message: OfflineAnswer): void } | null;
      },
    ) => void,
  ): void;
  addEventListener(
    type: 'fetch',
    listener: (
      event: OfflineEvent & {
        readonly request: Request;
        respondWith(response: Promise<Response>): void;
      },
    ) => void,
  ): void;
}

/** Whether the page that asked for the newer version is the only one open, and so gets it. */
interface OfflineAnswer {
  alone: boolean;
}

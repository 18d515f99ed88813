/* The toy model, and the studies that stand on it. Types only: nothing here is loaded. */

declare module '*/pkg/sfc_bench_lab.js' {
  /** Where models have moved, by their reports. */
  export function mui_directions(models: { model: string; report: ModelMui }[]): ModelMuiDirections;
  /** A reader's own model, from its files to its activations. */
  export class ModelReader extends Handle {
    add(name: string, size: number, read: FileSource['read']): void;
    open(): ModelTasks['model-open']['answer'];
    read(): void;
    encode(text: string): Uint32Array;
    pieces(tokens: Uint32Array): (string | null)[];
    score(tokens: Uint32Array, count: number, ablate: ModelAblate | undefined): Omit<ModelTasks['model-score']['answer'], 'tokens'>;
    lens(tokens: Uint32Array, shown: number, ablate: ModelAblate | undefined): ModelTasks['model-lens']['answer'];
    attention(tokens: Uint32Array, shown: number, head: string, ablate: ModelAblate | undefined): Float32Array;
    activation(tokens: Uint32Array, hook: string): GivenBytes;
    sae(files: OwnFiles): ModelTasks['model-sae']['answer'];
    splice(tokens: Uint32Array, hook: string, options: SpliceOptions): SpliceReport;
    study(text: string, hook: string, seed: number): number;
    study_step(): number;
    latents(order: ModelTasks['model-latents']['task']['order'], count: number): ModelTasks['model-latents']['answer'];
    latent(latent: number, count: number): ModelTasks['model-latent']['answer'];
    concepts(rules: string): ModelTasks['model-concepts']['answer'];
    metric(request: ModelMetric): number;
    metric_step(): number;
    gather(text: string, hook: string): number;
    gather_step(): number;
    gathered(): GivenBytes;
    metric_report(): ModelTasks['model-metric-report']['answer'];
  }
  /** SHA-256 of a file of which parts are read, from its first to its last. */
  export function file_digest(name: string, size: number, read: FileSource['read']): string;
  /** Has what is computed ask between pieces of work, and end where it is true; nobody is asked without one. */
  export function cancel_when(ask: (() => boolean) | undefined): void;
  export function join_workers(rank: number, world_size: number): void;
  export function computed_share(): Uint8Array | undefined;
  export function gathered_shares(shares: Uint8Array[]): void;
  /** The rules of concepts that latents are held against unless others are given. */
  export function concept_rules(): string;
  /** The texts that latents are looked for in unless others are given. */
  export function latent_texts(): string;
  /** Tokens that forward passes have read in this worker so far, and its memory. */
  export function model_meter(): { tokens: number; bytes: number };
  /** Every file of the toy model that the site has. */
  export function little_files(): import('./core.d.ts').LittleFile[];
  /** Takes a file, if it is the one that was shipped. */
  export function little_give(name: string, bytes: Uint8Array): void;
  export function little_has(name: string): boolean;
  /** An autoencoder that was trained here, under a name that no shipped one has. */
  export function little_keep(name: string, autoencoder: LittleAutoencoder): void;
  /** The files that a run takes: of FADE with the autoencoder `subject`, of CE-Bench with all of them. */
  export function little_needs(study: LittleStudy, subject: string): string[];
  export function little_checkpoints(): string[];
  export function little_dictionaries(): LittleDictionary[];
  export function language(): Language;
  /** A drawn text, the index-th of a seed. */
  export function language_text(seed: number, index: number): Uint32Array;
  /** Words as tokens; refused by word. */
  export function language_tokens(text: string): Uint32Array;
  export function language_prompt(task: string, index: number): LanguagePrompt;
  /** What the model makes of a text of at most as many words as it reads. */
  export function little_read(
    checkpoint: string,
    tokens: Uint32Array,
    sae: string,
    ablated: Uint32Array,
  ): LittleReading;
  export function little_tasks(
    checkpoint: string,
    ablated: Uint32Array,
    count: number,
  ): LittleMeasured[];
  export function little_effects(checkpoint: string, count: number): LittleEffects[];

  export function study_fields(study: PageStudy): import('./core.d.ts').FormField[];
  export function study_defaults(study: PageStudy): StudySettings;
  /** One of the two is empty. */
  export function study_check(
    study: PageStudy,
    draft: unknown,
  ): { settings: StudySettings | null; problems: Problem[] };
  export function study_read(study: PageStudy, query: string): StudyPage;
  /** A query without a `?`. */
  export function study_print(
    study: PageStudy,
    settings: StudySettings,
    open: number,
    view?: string,
    digest?: string,
  ): string;
  export function study_run(study: LittleStudy, settings: StudySettings, tell: Tell): any;
  /** A feature of a report, steered. */
  export function fade_steered(settings: StudySettings, feature: any): any;
  /** Mean scores; faithfulness is measured only if `steer` says so. */
  export function fade_means(settings: StudySettings, steer: boolean): any;
  /** What a reader of FADE brings, by names that say what each file is; `draft` says which texts are rated, and what the note divides by. */
  export function fade_own(
    files: { name: string; bytes: Uint8Array }[],
    draft?: FadeOwnDraft,
  ): import('./core.d.ts').FadeOwnReport;
  /** CE-Bench: "opened" is told with a report of the opened autoencoder alone, then "subject" with every other. */
  export function ce_bench_stream(
    settings: StudySettings,
    tell: Tell,
  ): import('./core.d.ts').CeBenchReport;
  /** CE-Bench's scores of the autoencoder that the settings name. */
  export function ce_bench_subject(
    settings: StudySettings,
  ): import('./core.d.ts').CeBenchSubject;
  export function ce_results(files: GivenBytes[]): import('./core.d.ts').CeBenchResultsReport;
  export function ce_own(files: GivenBytes[]): import('./core.d.ts').CeBenchOwnReport;
  /** CE-Bench's scores of the shipped autoencoders. */
  export function ce_bench_subjects(settings: StudySettings): any[];
  /** What is said of each of the fifteen metrics where it was proposed, and what it depends on. */
  export function measure_metrics(): MeasureMetric[];
  /** Every edge of a checkpoint on a task, cut one by one. */
  export function measure_edges(settings: StudySettings, tell: (stage: string, part: number) => void): MeasureEdges;
  /** What each limit of a metric can reach, built and measured. */
  export function measure_reached(metric: string): MeasureReached[];
  /** What the metrics find in a reader's own files, by the name of what it was found in. */
  export function measure_own(files: GivenBytes[]): [name: string, found: { metric: string; found: unknown }][];
  /** What its page claims. */
  export function measure_claims(): import('./core.d.ts').MeasurementClaim[];
  export function audit_metrics(): AuditMetric[];
  export function synth_evaluation_jobs(options: import('./core.d.ts').SynthEvaluationOptions): string[];
  /** The run of the usual settings that is shipped. */
  export function synth_shipped(): import('./core.d.ts').SynthReport;
  /** The jobs of a whole report, by name, in the order in which they should be done. */
  export function study_jobs(study: JobStudy, settings: StudySettings): string[];
  /** A job: jobs with one key come to the same; and the toy model's files that it takes. */
  export function study_job(study: JobStudy, settings: StudySettings, name: string): { name: string; key: string; needs: string[] };
  /** A report in which nothing is measured yet. */
  export function study_empty_report<S extends JobStudy>(study: S, settings: StudySettings): JobReports[S];
  /** A job, measured: a report that holds nothing else. */
  export function study_measure<S extends JobStudy>(
    study: S,
    settings: StudySettings,
    name: string,
    tell: (name: string, fraction: number) => void,
  ): JobReports[S];
  /** A reader's own autoencoders, or published results by the settings' rule; files are read piece by piece. */
  export function audit_own(
    files: FileSource[],
    settings: StudySettings,
    tell: Tell,
  ): import('./core.d.ts').AuditGiven;
  /** A report that was measured elsewhere, from its file. */
  export class AuditFile extends Handle {
    static read(bytes: Uint8Array): AuditFile;
    /** Of what `judged` has come to in a worker. */
    static of_judged(bytes: Uint8Array): AuditFile;
    /** The report with what is said of it. The file is used up. */
    judged(): Uint8Array;
    machine(): string | undefined;
    /** Of one thread; 0 where the file does not say it. */
    seconds(): number;
    /** The file is used up. */
    open(): AuditView;
  }
  /** What the paper of MUI claims of its tables, and whether they say it. */
  export function mui_claims(): import('./core.d.ts').MuiClaim[];
  /** Every number of it that follows from others, derived anew. */
  export function mui_tables(): import('./core.d.ts').MuiDerived[];
  /** The law over a reader's own models. */
  export function mui_law(rows: readonly import('./core.d.ts').MuiLawRow[]): import('./core.d.ts').MuiOwnLaw;
  /** The trainings that settings ask for. */
  export function mui_trainings(
    settings: StudySettings,
  ): import('./core.d.ts').MuiTrainingWanted[];
  /** Weights in a training's numbers, as a .safetensors file. */
  export function mui_weights(
    settings: StudySettings,
    numbers: Float32Array,
  ): Uint8Array<ArrayBuffer>;
  export class MuiTrainer extends Handle {
    constructor(settings: StudySettings, wanted: import('./core.d.ts').MuiTrainingWanted);
    static resume(
      settings: StudySettings,
      wanted: import('./core.d.ts').MuiTrainingWanted,
      state: import('./core.d.ts').MuiTrainingState,
      numbers: Float32Array,
    ): MuiTrainer;
    go(steps: number): import('./core.d.ts').MuiTrainingPoint | null;
    is_done(): boolean;
    state(): import('./core.d.ts').MuiTrainingState;
    numbers(): Float32Array<ArrayBuffer>;
  }
  /** The names of the experiments, in the page's order. */
  export function mui_experiments(): string[];
  /** Those that a figure shows something of. */
  export function mui_experiments_of(figure: string): string[];
  /** What the experiments that were done say of the paper's claims. */
  export function mui_judgements(
    experiments: import('./core.d.ts').MuiExperiments,
  ): import('./core.d.ts').MuiJudgement[];
  /** A reader's own models, from the neurons that their answers use or from a table; files are read piece by piece. */
  export function mui_own(
    files: FileSource[],
    wanted: import('./core.d.ts').MuiOwnWanted,
    tell: Tell,
  ): import('./core.d.ts').MuiOwn;
  /** The first of its tables, as the command line prints it. */
  export function mui_own_csv(found: import('./core.d.ts').MuiOwn): string;
  export class LittleTrainer extends Handle {
    constructor(wanted: LittleTrainingWanted);
    step(steps: number): Metrics;
    autoencoder(): LittleAutoencoder;
  }
}

type MuiTrainer = InstanceType<Lab['MuiTrainer']>;
type LittleStudy = 'fade' | 'ce-bench' | 'mui' | 'measurement' | 'audit';
/** A study with a page and settings of its own. */
type PageStudy = LittleStudy | 'synth';
/** Files of a saved model of SynthSAEBench and of autoencoders; workers keep open what has the same number. */
interface SynthGiven {
  id: number;
  files: [string, File][];
}
/** One of the autoencoders. */
type SynthMember = Pick<OwnMember, 'name' | 'sae'>;
/** An autoencoder's evaluation on the model. */
interface SynthEvaluated {
  given: SynthGiven;
  member: SynthMember;
  options: import('./core.d.ts').SynthEvaluationOptions;
}
/** A study's settings, by the names of its fields. */
type StudySettings = Record<string, any>;

/** Settings of FADE that have a part in what a reader's own texts come to. */
type FadeOwnDraft = Partial<
  Pick<import('./core.d.ts').FadeSettings, 'rated' | 'sample' | 'top' | 'seed' | 'norm'>
>;

/** What cutting each edge of the model does for a task. */
interface MeasureEdges {
  /** Shares of the edges. */
  thresholds: number[];
  /** Edges that each keeps by the falling size of their effects, and the faithfulness of those. */
  by_effect: { kept: number[]; faithfulness: number[] };
  edges: { from: string; to: string; input: 'query' | 'key' | 'value' | 'whole'; effect: number; attribution: number }[];
}

type MeasureCondition = import('./sfc-bench.d.ts').MeasureCondition;
type MeasureMetric = import('./sfc-bench.d.ts').MeasureMetric;
type MeasureReached = import('./sfc-bench.d.ts').MeasureReached;

/** What a link to a study's page says. */
interface StudyPage {
  settings: StudySettings;
  /** The feature, pair or the like that is opened. */
  open: number;
  view: string | null;
  digest: string | null;
  changes: LinkChange[];
}

/** What `LittleTrainer` has come to: for the core alone to read. */
type LittleAutoencoder = object;

type LittleDictionary = import('./core.d.ts').NamedDictionary;

/** The planted language. A token is the index of its word. */
interface Language {
  words: string[];
  /** The word that every text begins with. */
  start: number;
  /** Most words of a text. */
  context: number;
  concepts: { name: string; words: number[] }[];
  tasks: { name: string; asks: string }[];
}

interface LanguagePrompt {
  tokens: Uint32Array | number[];
  answer: number;
}

type LittleReading = import('./core.d.ts').LittleReading;

type LittleMeasured = import('./sfc-bench.d.ts').LittleTask;

/** What each head does to a task. */
interface LittleEffects {
  task: string;
  score: Omit<LittleMeasured, 'task'>;
  effects: import('./core.d.ts').HeadEffect[];
}

/** A file of a reader's: its name with its folders, and what it holds. */
interface GivenBytes {
  name: string;
  bytes: Uint8Array;
}

/** What a worker's core needs for a task; it keeps what it was given. */
interface LittleGiven {
  /** The files, by name. */
  files?: Record<string, ArrayBuffer>;
  /** An autoencoder of this page, which settings name "own". */
  own?: LittleAutoencoder;
}

/** What is trained, and on what; the core knows what is meant where anything is left out. */
type LittleTrainingWanted = Pick<import('./core.d.ts').LittleTrainingWanted, 'config'> & Partial<import('./core.d.ts').LittleTrainingWanted>;

/** A token of a reader's own model; the text is null where there is no tokenizer, or no whole character. */
interface ModelToken {
  token: number;
  text: string | null;
}

/** What is ablated in a reader's own model. */
interface ModelAblate {
  /** "head:LAYER.HEAD", "neuron:LAYER.NEURON". */
  components: string[];
  to: 'zero' | 'mean';
  /** Of the random control. */
  seed: number;
}

/** What a changed model predicts of a text. */
interface Effect {
  cross_entropy: number | null;
  kl: number;
  top1_agreement: number;
}

/** A token that may follow. */
type NextToken = ModelToken & { probability: number; logit: number };

interface AblationReport extends Effect {
  components: string[];
  to: 'zero' | 'mean';
  top: NextToken[];
  losses: number[];
  control: (Effect & { components: string[] }) | null;
}

type SpliceOptions = import('./core.d.ts').SpliceOptions;
type SpliceReport = import('./core.d.ts').SpliceReport;

/** The best of some for a concept: chosen in one half of the texts, measured in the other. */
interface BestOf {
  index: number;
  held_out: number;
}

type MovedLogit = ModelToken & { effect: number };

/** Which paper's metric, and of what. */
type ModelMetric =
  | { metric: 'fade'; hook: string; texts?: string; rules?: string; options: { seed: number } }
  | { metric: 'ce-bench'; hook: string; stories?: { name: string; text: string }; options: { seed: number } }
  | { metric: 'mui'; options: { seed: number; questions?: number; threshold?: string; kept?: number; share?: number } }
  | { metric: 'circuits'; options: { seed: number; prompts?: number; fractions?: number[]; random?: number; ablation?: 'corrupted' | 'mean' | 'zero' } };

type ModelFadeFeature = import('./core.d.ts').ModelFadeFeature;
type ModelFadeConcept = import('./core.d.ts').ModelFadeConcept;
type ModelFade = import('./core.d.ts').ModelFade;
type ModelCeBenchScores = import('./core.d.ts').ModelCeBenchScores;
type ModelCeBench = import('./core.d.ts').ModelCeBench;
type ModelMui = import('./core.d.ts').ModelMui;
type ModelHeadCircuit = import('./core.d.ts').ModelHeadCircuit;
type ModelTaskCircuits = import('./core.d.ts').ModelTaskCircuits;
type ModelCircuits = import('./core.d.ts').ModelCircuits;
type ModelMuiChange = import('./core.d.ts').ModelMuiChange;
type ModelMuiTaskLaw = import('./core.d.ts').ModelMuiTaskLaw;
type ModelMuiDirections = import('./core.d.ts').ModelMuiDirections;

/** Where an interval begins and ends. */
type Interval = [low: number, high: number];

/** A model that the browser keeps, by its files. */
interface KeptModel {
  name: string;
  bytes: number;
  files: { name: string; size: number; sha256: string }[];
}

/** What is asked of the worker that holds a reader's own model. */
interface ModelTasks {
  'model-open': {
    /** One of the two. */
    task: { kind: 'model-open'; files?: [name: string, file: Blob][]; address?: string };
    answer: {
      /** What it is, in a line. */
      sentence: string;
      config: { layers: number; heads: number; d_mlp: number };
      /** Memory that reading takes at most, what a run over a text takes besides, and what a tab has for weights. */
      bytes: number;
      run: number;
      cap: number;
      /** Of the tokenizer; null without one. */
      tokens: number | null;
      hooks: string[];
    };
  };
  /** Writes the files that are open into the browser's file system; whether they were not there yet. */
  'model-keep': { task: { kind: 'model-keep'; name: string }; answer: boolean };
  /** Makes a worker one of several that take the same steps. */
  'model-join': { task: { kind: 'model-join'; rank: number; worldSize: number }; answer: void };
  /** Tokens that forward passes have read in this worker so far, and its memory. */
  'model-meter': { task: { kind: 'model-meter' }; answer: { tokens: number; bytes: number } };
  /** How many steps there are. */
  'model-metric': { task: { kind: 'model-metric'; request: ModelMetric }; answer: number };
  /** How many steps have been taken; or this worker's share of one, of which `shares` are those of all. */
  'model-metric-step': { task: { kind: 'model-metric-step'; shares?: Uint8Array[] | undefined }; answer: number | Uint8Array };
  'model-metric-report': { task: { kind: 'model-metric-report' }; answer: ModelFade | ModelCeBench | ModelMui | ModelCircuits };
  /** By the reports of models, of which none need be in memory. */
  'model-directions': { task: { kind: 'model-directions'; models: { model: string; report: ModelMui }[] }; answer: ModelMuiDirections };
  'model-read': { task: { kind: 'model-read' }; answer: void };
  'model-score': {
    task: { kind: 'model-score'; text?: string; tokens?: number[]; count: number; ablate?: ModelAblate };
    answer: {
      tokens: ModelToken[];
      top: NextToken[];
      cross_entropy: number | null;
      losses: number[];
      ablation: AblationReport | null;
    };
  };
  'model-lens': {
    /** Of the first `shown` positions. */
    task: { kind: 'model-lens'; tokens: number[]; shown: number; ablate?: ModelAblate };
    answer: (ModelToken & { probability: number })[][];
  };
  'model-attention': {
    /** At the first `shown` positions. */
    task: { kind: 'model-attention'; tokens: number[]; shown: number; head: string; ablate?: ModelAblate };
    answer: Float32Array;
  };
  'model-hook': {
    task: { kind: 'model-hook'; tokens: number[]; hook: string };
    answer: GivenBytes;
  };
  'model-sae': {
    task: { kind: 'model-sae'; files: [name: string, file: Blob][] };
    answer: { sentence: string; assumed: string[]; width: number; latents: number; hook: string | null };
  };
  'model-splice': {
    task: { kind: 'model-splice'; tokens: number[]; hook: string; options: SpliceOptions };
    answer: SpliceReport;
  };
  'model-study': { task: { kind: 'model-study'; text?: string | undefined; hook: string; seed: number }; answer: number };
  'model-study-step': { task: { kind: 'model-study-step'; shares?: Uint8Array[] | undefined }; answer: number | Uint8Array };
  'model-gather': { task: { kind: 'model-gather'; text?: string | undefined; hook: string }; answer: number };
  'model-gather-step': { task: { kind: 'model-gather-step'; shares?: Uint8Array[] | undefined }; answer: number | Uint8Array };
  'model-gathered': { task: { kind: 'model-gathered' }; answer: GivenBytes };
  'model-latents': {
    task: { kind: 'model-latents'; order: 'max' | 'density' | 'number'; count: number };
    answer: {
      texts: number;
      positions: number;
      latents: number;
      alive: number;
      l0: number;
      rows: { latent: number; density: number; max: number; mean: number }[];
    };
  };
  'model-latent': {
    task: { kind: 'model-latent'; latent: number; count: number };
    answer: {
      latent: number;
      contexts: {
        activation: number;
        tokens: [token: number, activation: number][];
        pieces: (string | null)[];
        at: number;
      }[];
      raised: MovedLogit[] | null;
      lowered: MovedLogit[] | null;
    };
  };
  'model-concepts': {
    task: { kind: 'model-concepts'; rules: string };
    answer: {
      positions: [number, number];
      directions: number;
      rows: {
        concept: string;
        positives: [number, number];
        best: BestOf | null;
        random: BestOf | null;
        shuffled: BestOf | null;
      }[];
    };
  };
}

/** A task of a worker on the toy model, by some prompts a task of the language; or a training that is looked at so often. */
type ToyModelTask = LittleGiven &
  (
    | {
        kind: 'toy-tasks';
        checkpoint: string;
        /** Layer and head, one after the other. */
        ablated: number[];
        count: number;
      }
    | { kind: 'toy-effects'; checkpoint: string; count: number }
    | { kind: 'toy-train'; wanted: LittleTrainingWanted; points: number }
  );

/** Studies that are measured job by job, and their reports. */
type JobReports = {
  mui: import('./core.d.ts').MuiReport;
  measurement: import('./core.d.ts').MeasurementReport;
  audit: import('./core.d.ts').AuditReport;
  synth: import('./core.d.ts').SynthReport;
};
type JobStudy = keyof JobReports;

/** What the core says of how far it is while it computes. */
type TellingCall = 'study_run' | 'ce_bench_stream' | 'measure_edges' | 'study_measure';

/** What of the core is asked of a worker by its name alone. */
type StudyCall =
  | TellingCall
  | 'ce_bench_subject'
  | 'ce_bench_subjects'
  | 'fade_steered'
  | 'fade_means'
  | GivenCall
  | 'fade_own';

/** What takes a reader's files. */
type GivenCall = 'ce_results' | 'ce_own' | 'measure_own';

/** What takes a reader's files piece by piece, and what is wanted of them. */
type OwnCall = 'mui_own' | 'audit_own';

/** All that is handed over but who is told how far it is. */
type StudyArgs<K extends StudyCall> = K extends TellingCall
  ? Parameters<Lab[K]> extends [...infer Args, any]
    ? Args
    : never
  : Parameters<Lab[K]>;

/** A call of the core. */
type StudyCallTask<Kind> = { [K in StudyCall]: { kind: Kind; call: K; args: StudyArgs<K> } }[StudyCall] & LittleGiven;

/** Tasks of the studies on the toy model. */
type StudyTask =
  | StudyCallTask<'study-call'>
  /** The same, with how long it took, in milliseconds. */
  | StudyCallTask<'study-run'>
  /** What a reader brings, read piece by piece. */
  | { [K in OwnCall]: { kind: 'study-own'; call: K; files: [name: string, file: Blob | Uint8Array][]; wanted: Parameters<Lab[K]>[1] } }[OwnCall]
  /** A file with a report, read and judged. */
  | { kind: 'study-audit-report'; bytes: Uint8Array }
  | { kind: 'study-synth-open'; given: SynthGiven }
  | (SynthEvaluated & { kind: 'study-synth-part'; job: string })
  | (SynthEvaluated & { kind: 'study-synth-found'; parts: Uint8Array[] })
  | ({
      kind: 'study-train';
      settings: StudySettings;
      wanted: import('./core.d.ts').MuiTrainingWanted;
      state: import('./core.d.ts').MuiTrainingState | null;
      /** Weights, and what the optimizer knows of each. */
      numbers: Float32Array | null;
      /** How long to step before saying how far it is, in milliseconds. */
      share: number;
    } & LittleGiven);

/** A study's report, opened, as far as it has come. */
interface ReportView extends Exportable {
  /** Null before all of it is there. */
  digest(): string | null;
}

interface ScriptedView extends ReportView {
  /** A NumPy program that holds its own numbers against these, and the name to save it under. */
  numpy_script(): { text: string; file: string };
}

/** FADE's report, opened; its figures come with its steered features. */
interface FadeView extends ScriptedView {
  digest(): string;
  open_feature(index: number): void;
  add_steered(index: number, steered: any): void;
  add_means(sae: string, seed: number, means: any): void;
  /** What fails of each feature, in words. */
  failures(): string[][];
}

/** CE-Bench's report, opened. */
interface CeBenchView extends ScriptedView {
  digest(): string;
  open_reading(name: string): void;
  open_pair(index: number): void;
  /** Beside those of the run; the digest stays that of the run. */
  add_subject(subject: import('./core.d.ts').CeBenchSubject): void;
  /** Scores under another seed of the stories. */
  add_seed(seed: number, subjects: import('./core.d.ts').CeBenchSubject[]): void;
}

/** MUI's report, opened; the paper's tables need none of what is measured. */
interface MuiView extends ScriptedView {
  digest(): string;
}

type AuditMetric = import('./sfc-bench.d.ts').AuditMetric;

/** The audit's report, opened, as far as it has come. */
interface AuditView extends ReportView {
  /** Judges the same rows by other settings: nothing is measured. */
  audit_judge(settings: StudySettings): void;
  /** Takes a further job. */
  audit_take(found: import('./core.d.ts').AuditJob[]): void;
  audit_settings(): StudySettings;
  /** Whether it is of a reader's own. */
  audit_is_own(): boolean;
  /** The names of the jobs that are there. */
  audit_there(): string[];
  /** Which number to compare two autoencoders by, for what somebody has and so many seeds of each. */
  audit_advice(has: string, seeds: number): import('./core.d.ts').AuditAdvice;
  audit_counts(): import('./core.d.ts').AuditCounts | null;
  /** The metric that is opened, and what is said of it. */
  audit_entry(): { metric: AuditMetric; entry: import('./core.d.ts').AuditEntry } | null;
  /** What is said of all metrics. */
  audit_table(): import('./core.d.ts').AuditTable;
}

interface Studies {
  open(study: 'fade', report: any): FadeView;
  open(study: 'ce-bench', report: any): CeBenchView;
  open(study: 'mui', report: any): MuiView;
  open(study: 'measurement', report: any): ScriptedView;
  open(study: 'audit', report: any): AuditView;
  open(study: 'synth', report: any): ReportView;
}

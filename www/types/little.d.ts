/* The little model, and the studies that stand on it. Types only: nothing here is loaded. */

declare module '*/pkg/sfc_bench_lab.js' {
  /** Every file of the little model that the site has. */
  export function little_files(): { name: string; file: string; bytes: number; sha256: string }[];
  /** Takes a file, if it is the one that was shipped. */
  export function little_give(name: string, bytes: Uint8Array): void;
  export function little_has(name: string): boolean;
  /** An autoencoder of this page, under a name that no shipped one has. */
  export function little_keep(name: string, bytes: Uint8Array, k: number): void;
  /** The files that a run needs. */
  export function little_needs(study: LittleStudy, settings: StudySettings): string[];
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

  export function study_fields(study: LittleStudy): import('./core.d.ts').FormField[];
  export function study_defaults(study: LittleStudy): StudySettings;
  export function study_check(study: LittleStudy, draft: unknown): StudySettings;
  export function study_read(
    study: LittleStudy,
    query: string,
  ): { settings: StudySettings; changes: LinkChange[] };
  export function study_print(study: LittleStudy, settings: StudySettings): string;
  export function study_run(study: LittleStudy, settings: StudySettings, tell: Tell): any;
  export function fade_steered(settings: StudySettings, feature: number): any;
  export function fade_means(settings: StudySettings): any;
  export class LittleTrainer {
    constructor(config: LittleTrainConfig);
    step(steps: number): { step: number; loss: number };
    weights(): Uint8Array<ArrayBuffer>;
    free(): void;
  }
}

type LittleStudy = 'fade' | 'ce-bench';
/** A study's settings, by the names of its fields. */
type StudySettings = Record<string, any>;

interface LittleDictionary {
  name: string;
  label: string;
  file: string;
  tensors: string;
  kind: string;
  role: 'trained' | 'control';
}

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
  foil: number;
}

interface LittleReading {
  /** At each position the likeliest words that follow. */
  next: { token: number; probability: number }[][];
  /** What the word that does follow was given, at each position but the last. */
  own: number[];
  /** How much a head looks from a position back at another: layer, head, from, to. */
  patterns: number[][][][];
  /** The strongest neurons on the text. */
  neurons: { layer: number; index: number; values: number[] }[];
  /** The strongest latents on the text; the first position is left out of what they see. */
  latents: { latent: number; values: number[] }[];
}

/** How well a task is done. */
interface LittleMeasured {
  task: string;
  accuracy: number;
  ld_mean: number;
  ld_positive: number;
}

/** What each head does to a task. */
interface LittleEffects {
  task: string;
  score: number;
  effects: { head: [layer: number, head: number]; effect: number; accuracy: number }[];
}

/** What a worker's core needs for a task; it keeps what it was given. */
interface LittleGiven {
  /** The files, by name. */
  files?: Record<string, ArrayBuffer>;
  /** An autoencoder of this page. */
  own?: { bytes: Uint8Array; k: number };
}

interface LittleTrainConfig {
  family: 'topk' | 'relu';
  latents: number;
  k: number;
  sparsity: number;
  steps: number;
  seed: number;
  checkpoint: string;
}

/** A task of a worker, and what it comes back with. */
interface LittleTasks {
  'little-tasks': {
    task: {
      kind: 'little-tasks';
      checkpoint: string;
      /** Layer and head, one after the other. */
      ablated: number[];
      /** Prompts a task. */
      count: number;
    } & LittleGiven;
    answer: LittleMeasured[];
  };
  'little-effects': {
    task: { kind: 'little-effects'; checkpoint: string; count: number } & LittleGiven;
    answer: LittleEffects[];
  };
  'little-train': {
    task: {
      kind: 'little-train';
      config: LittleTrainConfig;
      /** How often it is told how far it is. */
      points: number;
    } & LittleGiven;
    answer: { curve: { step: number; loss: number }[]; bytes: Uint8Array<ArrayBuffer> };
  };
}

/** Tasks of the studies on the little model. */
interface StudyTasks {
  'study-run': {
    task: { kind: 'study-run'; name: LittleStudy; settings: StudySettings } & LittleGiven;
    answer: { report: any; ms: number };
  };
  'study-steered': {
    task: { kind: 'study-steered'; settings: StudySettings; feature: number } & LittleGiven;
    answer: any;
  };
  'study-means': {
    task: { kind: 'study-means'; settings: StudySettings } & LittleGiven;
    answer: any;
  };
}

/** FADE's report, opened; its figures come with its steered features. */
interface FadeView extends Exportable {
  digest(): string;
  open_feature(index: number): void;
  add_steered(index: number, steered: any): void;
  add_means(sae: string, seed: number, means: any): void;
}

/** CE-Bench's report, opened. */
interface CeBenchView extends Exportable {
  digest(): string;
  open_reading(name: string): void;
}

interface Studies {
  open(study: 'fade', report: any): FadeView;
  open(study: 'ce-bench', report: any): CeBenchView;
}

/* The element's own types. */

import type * as core from './core.d.ts';
import type { MuiDraft } from './sfc-bench.d.ts';

export type { EvaluateReport } from './core.d.ts';
export type { MuiDraft };

/** What an element found: the detail of its event `sfc-bench:result`. */
export type SfcBenchResult = SfcBenchRunResult | SfcBenchFamiliesResult | SfcBenchOwnResult | SfcBenchLittleResult;

/** Of a figure of the paper. */
export interface SfcBenchRunResult {
  kind: 'run';
  settings: core.Settings;
  /** Equal to that of any other machine with the same version and settings. */
  digest: string;
  /** How many of the paper's printed numbers agree. */
  verdict: core.Verdict;
  /** One point a level, scored under the weights in use. */
  scores: core.Point[];
  /** Milliseconds the run took. */
  ms: number;
}

/** Of a figure of families, once every member of the study is there. */
export interface SfcBenchFamiliesResult {
  kind: 'families';
  report: core.FamiliesReport;
  /** The weights in use, which the report does not depend on. */
  weights: core.Weights;
  /** Milliseconds the study took. */
  ms: number;
}

/** Of a figure of the property `report`. */
export interface SfcBenchOwnResult {
  kind: 'own';
  /** Under the weights in use: the report's own where none were asked for. */
  report: core.EvaluateReport;
}

/** Of a figure of FADE, CE-Bench, MUI, measurement theory or the audit, once all of it is there; of MUI's as much as the figure shows. */
export type SfcBenchLittleResult = {
  /** Null where not all of the run is there. */
  digest: string | null;
  /** Milliseconds the run took. */
  ms: number;
} & (
  | { kind: 'fade'; report: core.FadeReport }
  | { kind: 'ce-bench'; report: core.CeBenchReport }
  | { kind: 'mui'; report: core.MuiReport }
  | { kind: 'measurement'; report: core.MeasurementReport }
  | { kind: 'audit'; report: core.AuditReport }
);

/** What went wrong: the detail of the event `sfc-bench:error`. */
export interface SfcBenchFailure extends Error {
  code: string;
  /** The setting that it is about, where it is about one. */
  field?: string;
}

export interface SfcBenchEvents {
  'sfc-bench:ready': CustomEvent<{ version: string }>;
  'sfc-bench:result': CustomEvent<SfcBenchResult>;
  'sfc-bench:error': CustomEvent<SfcBenchFailure>;
}

/** The attributes, as properties: a text each, null where absent; lists may be given as such. */
type Mirrored = string | number | boolean | readonly (string | number)[] | null;

/** Those without a word of their own here: what is shown of the figure, and every key of a link. */
type Attribute =
  | ('figure' | 'profile' | 'theme' | 'controls' | 'hide' | 'page')
  | ('net' | 'in' | 'd' | 'out' | 'circuit' | 'ws' | 'bs' | 'noise' | 'seed' | 'data' | 'rows' | 'n' | 'k' | 'levels')
  | ('c' | 'f' | 'centred' | 'w' | 'v' | 'study' | 'pin' | 'seeds' | 'vary' | 'fam' | 'own' | 'fig' | 'embed')
  | ('digest' | 'made');

export interface SfcBenchElement extends Record<Attribute, Mirrored> {}
export declare class SfcBenchElement extends HTMLElement {
  /** Of figures of FADE, CE-Bench and MUI: what is run, as the query of their page has it. */
  of: Mirrored;
  /** Of figures of families: how much is run, small or full. */
  preset: Mirrored;
  /** Of figures of families: superposition, nonlinear or paper. */
  world: Mirrored;
  /** Of figures of families: reconstruction, row-space or active-subspace. */
  completeness: Mirrored;
  /**
   * What figures of an evaluation (`own-score`, …) are of; or a report of MUI, or a part of it, which its figures
   * (`mui-trained-path`, `mui-own-growth`, …) then show instead of measuring anything.
   */
  report: core.EvaluateReport | MuiDraft | null;
  /** What it last found; null before. */
  readonly result: SfcBenchResult | null;
  /** What of the attributes could not be followed to the letter. */
  readonly changes: core.LinkChange[];
}

/** The attributes in JSX. */
export type SfcBenchAttributes = Partial<Omit<SfcBenchElement, keyof HTMLElement | 'result' | 'changes'>>;

// Where a project has none of the two, there is nothing to extend, which is no error.
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'sfc-bench': DetailedHTMLProps<HTMLAttributes<SfcBenchElement>, SfcBenchElement> & SfcBenchAttributes;
    }
  }
}

// @ts-ignore
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'sfc-bench': Omit<import('preact').JSX.IntrinsicElements['div'], 'ref'> & { ref?: import('preact').Ref<SfcBenchElement> } & SfcBenchAttributes;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'sfc-bench': SfcBenchElement;
  }
  interface HTMLElementEventMap extends SfcBenchEvents {}
}

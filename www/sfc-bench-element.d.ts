/* The element's own types. */

import type { LinkChange, Point, Settings, Verdict } from './core.d.ts';

/** What an element found: the detail of its event `sfc-bench:result`. */
export interface SfcBenchResult {
  settings: Settings;
  /** Equal to that of any other machine with the same version and settings. */
  digest: string;
  /** How many of the paper's printed numbers agree. */
  verdict: Verdict;
  /** One point a level, scored under the weights in use. */
  scores: Point[];
  /** Milliseconds the run took. */
  ms: number;
}

export interface SfcBenchEvents {
  'sfc-bench:ready': CustomEvent<{ version: string }>;
  'sfc-bench:result': CustomEvent<SfcBenchResult>;
  'sfc-bench:error': CustomEvent<{ code: string; message: string; field?: string }>;
}

/** The attributes, as properties: a text each, null where absent; lists may be given as such. */
type Mirrored = string | number | boolean | readonly (string | number)[] | null;

export declare class SfcBenchElement extends HTMLElement {
  figure: Mirrored;
  profile: Mirrored;
  theme: Mirrored;
  controls: Mirrored;
  hide: Mirrored;
  page: Mirrored;
  net: Mirrored;
  in: Mirrored;
  d: Mirrored;
  out: Mirrored;
  circuit: Mirrored;
  ws: Mirrored;
  bs: Mirrored;
  noise: Mirrored;
  seed: Mirrored;
  data: Mirrored;
  rows: Mirrored;
  n: Mirrored;
  k: Mirrored;
  levels: Mirrored;
  c: Mirrored;
  f: Mirrored;
  centred: Mirrored;
  w: Mirrored;
  v: Mirrored;
  pin: Mirrored;
  seeds: Mirrored;
  vary: Mirrored;
  fig: Mirrored;
  embed: Mirrored;
  digest: Mirrored;
  made: Mirrored;
  /** What it last found; null before. */
  readonly result: SfcBenchResult | null;
  /** What of the attributes could not be followed to the letter. */
  readonly changes: LinkChange[];
}

declare global {
  interface HTMLElementTagNameMap {
    'sfc-bench': SfcBenchElement;
  }
  interface HTMLElementEventMap extends SfcBenchEvents {}
}

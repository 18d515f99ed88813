/** Fields of forms: `shell/fields.js` builds a {@link Field} from a {@link FieldRow}. */

export type Attributes = Record<string, string | number | boolean>;

export type Option = readonly [value: string, words: string, help?: string];

/** What a field is built from; the core describes a setting by most of it. */
export type FieldRow = {
  /** Of its input or fieldset; the ids of its help and its refusal begin with it. */
  id: string;
  /** By which it is refused, and its input's; its id unless it is said. */
  name?: string;
  label: string;
  /** `choice` is radio buttons, `several` checkboxes, `slider` a number that is dragged. */
  kind: 'number' | 'seed' | 'slider' | 'list' | 'text' | 'select' | 'switch' | 'choice' | 'several';
  /** What stands below it. */
  help?: string;
  options?: readonly Option[];
  limit?: { min: number; max: number } | null;
  /** Further ones of its input. */
  attributes?: Attributes;
  className?: string;
  /** Draws another seed. */
  freshSeed?: () => number;
  /** The value of a text. */
  read?: (text: string) => unknown;
  /** The text of a value. */
  write?: (value: any) => string;
};

export type Field = {
  name: string;
  element: HTMLElement;
  /** Where a refusal is shown. */
  error: HTMLElement;
  /** The first of its inputs. */
  input: HTMLInputElement | HTMLSelectElement;
  inputs: (HTMLInputElement | HTMLSelectElement)[];
  /** NaN where a number is missing. */
  value(): any;
  /** Puts a value in; what says the same stays as it was typed. */
  show(value: unknown): void;
};

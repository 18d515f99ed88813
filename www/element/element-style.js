// @ts-check
/**
 * How <sfc-bench> looks. One sheet for all elements of a page, built in script: a content security
 * policy that forbids inline styles has nothing against it.
 *
 * The colours are the core's, so that canvas and element are one surface. Another page may set, on
 * the element or above it:
 *
 *   --sfc-bench-font        font family
 *   --sfc-bench-text-size   size of the text
 *   --sfc-bench-accent      links, buttons, focus
 *   --sfc-bench-border      the frame, as a border
 *   --sfc-bench-radius      its corners
 *   --sfc-bench-padding     between the frame and what is in it
 *
 * and style the parts `title`, `caption`, `actions`, `controls`, `stage`, `notes` and `foot`.
 */

const LIGHT_COLORS = `
  color-scheme: light;
  --surface: #ffffff; --ink: #1c2126; --muted: #5a636d; --line: #dfe3e8; --edge: #7a838d;
  --tint: #eef4fa; --accent: var(--sfc-bench-accent, #0a5ea8); --on-accent: #ffffff;
  --agrees: #00734f; --differs: #b3391a; --s: #0072b2; --f: #d55e00; --c: #008a64;
  --shadow: 0 1px 2px rgb(20 30 40 / 12%), 0 6px 24px rgb(20 30 40 / 14%);`;

const DARK_COLORS = `
  color-scheme: dark;
  --surface: #14181c; --ink: #e9ecef; --muted: #9fa8b2; --line: #2c343c; --edge: #7f8994;
  --tint: #1b2733; --accent: var(--sfc-bench-accent, #7cc0f2); --on-accent: #0d1319;
  --agrees: #3fc79a; --differs: #ff8a66; --s: #56b4e9; --f: #f0803c; --c: #2bbf92;
  --shadow: 0 1px 2px rgb(0 0 0 / 50%), 0 6px 24px rgb(0 0 0 / 55%);`;

const STYLE_TEXT = `
:host { display: block; contain: layout; margin-block: 1rem; }
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
p, ul, figure, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }

.frame {
  ${LIGHT_COLORS}
  padding: var(--sfc-bench-padding, 0.9rem 1rem);
  border: var(--sfc-bench-border, 1px solid var(--line));
  border-radius: var(--sfc-bench-radius, 10px);
  background: var(--surface);
  color: var(--ink);
  font: var(--sfc-bench-text-size, 1rem)/1.5 var(--sfc-bench-font, system-ui, sans-serif);
  font-variant-numeric: tabular-nums;
  direction: ltr; text-align: start; text-indent: 0; text-transform: none; text-shadow: none;
  letter-spacing: normal; word-spacing: normal; word-break: normal; overflow-wrap: normal; white-space: normal;
  hyphens: manual; line-break: auto; tab-size: 8; border-collapse: separate; border-spacing: 0; cursor: auto;
}
.frame.dark { ${DARK_COLORS} }

:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
a { color: var(--accent); }
sub { font-size: 0.72em; line-height: 0; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}

figure { display: grid; gap: 0.4rem; grid-template-columns: minmax(0, 1fr); position: relative; }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 0.75rem; }
.figure-title { flex: 1 1 12rem; font-size: 0.9375em; font-weight: 600; line-height: 1.35; }
.actions { display: flex; flex: none; margin-inline-start: auto; }
.figure-caption, .foot, .waiting { color: var(--muted); font-size: 0.875em; line-height: 1.45; }
.waiting { display: grid; min-height: 14rem; place-items: center; text-align: center; unicode-bidi: plaintext; }
.narrow { color: var(--muted); font-size: 0.875em; }
.foot { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-top: 0.5rem; }
.foot :last-child { margin-inline-start: auto; }

button, input, select { font: inherit; font-size: 0.9375em; color: inherit; }
button {
  min-height: 2rem; padding: 0.2rem 0.5rem; border: 1px solid transparent; border-radius: 6px;
  background: none; color: var(--accent); font-size: 0.8125em; cursor: pointer;
}
button:hover, button[aria-pressed='true'] { background: var(--tint); }

.stage { position: relative; }
canvas { display: block; max-width: 100%; border-radius: 3px; touch-action: pan-y; }
.busy canvas { opacity: 0.6; }
.crosshair, .pointer, .tip { position: absolute; pointer-events: none; }
.crosshair { width: 1px; background: var(--edge); }
.pointer {
  width: 13px; height: 13px; margin: -6.5px 0 0 -6.5px; border: 2.5px solid var(--ink);
  border-radius: 50%; background: var(--surface); box-shadow: 0 0 0 2px var(--surface);
}
.pointer.box { margin: 0; border-radius: 3px; background: none; }
.tip {
  z-index: 1; max-width: min(100%, 18rem); padding: 0.35rem 0.6rem; border-radius: 5px;
  background: var(--ink); color: var(--surface); font-size: 0.8125em; line-height: 1.35;
}
.tip > strong, .tip > span { display: block; }
.tip .meant:not(:nth-child(2):last-child) { font-weight: 700; }

.as-text:not(.visually-hidden) { position: relative; overflow-x: auto; }
.data { width: 100%; border-collapse: collapse; font-size: 0.875em; }
.data th, .data td {
  padding: 0.3rem 0.5rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top;
}
.data .number { text-align: end; }
.data thead th { color: var(--muted); font-weight: 600; }
.data tbody th { font-weight: 500; }
.data .mark { margin-inline-start: 0.25em; }
.data .printed { display: block; color: var(--muted); font-size: 0.75em; white-space: nowrap; }

.controls { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; margin-bottom: 0.75rem; align-items: end; }
.controls label { display: grid; gap: 0.15rem; flex: 1 1 8rem; max-width: 16rem; font-size: 0.8125em; color: var(--muted); }
.controls label.switch { display: flex; align-items: center; gap: 0.4rem; }
.controls input:not([type='checkbox'], [type='range']), .controls select {
  width: 100%; min-width: 0; min-height: 2rem; padding: 0.15rem 0.5rem; border: 1px solid var(--edge);
  border-radius: 6px; background: var(--surface); color: var(--ink); font-size: 1.1em;
}
.controls input[type='range'], .controls input[type='checkbox'] { accent-color: var(--accent); margin-block: 0.4rem; }
.weights { display: flex; flex: 1 1 100%; flex-wrap: wrap; gap: 0.6rem 1rem; }
.weights b { font-weight: 600; }
.weights .axis-s { accent-color: var(--s); }
.weights .axis-f { accent-color: var(--f); }
.weights .axis-c { accent-color: var(--c); }

.notes { font-size: 0.875em; }
.notes > * { margin-top: 0.5rem; padding: 0.4rem 0.7rem; border-inline-start: 3px solid var(--differs); background: var(--tint); }
.notes > .agrees { border-color: var(--agrees); }
.notes ul { margin-inline-start: 1.2rem; }

.export { position: relative; }
.export-menu {
  position: absolute; z-index: 2; inset: calc(100% + 0.25rem) 0 auto auto; display: grid; width: max-content;
  padding: 0.3rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: var(--shadow);
}
.export-menu button { min-height: 2.25rem; padding: 0.3rem 0.75rem; color: var(--ink); font-size: 0.875rem; text-align: start; }
.export-menu button:hover, .export-menu button:focus { background: var(--tint); }

@media (max-width: 34rem) {
  .data { font-size: 0.75em; }
  .data th, .data td { padding-inline: 0.15rem; }
  .data .printed span { display: none; }
}
@media (forced-colors: active) {
  .pointer, .tip, .export-menu { border: 1px solid CanvasText; }
}
@media print {
  .controls, .actions, .foot a { display: none; }
  canvas { height: auto !important; }
}
`;

/** One a document: a sheet holds in the document that it was made for. @type {WeakMap<Document, CSSStyleSheet>} */
const sheets = new WeakMap();

/** The sheet of all elements of a document; none where the document is not shown. @param {Document} document @returns {CSSStyleSheet[]} */
export function getElementSheets(document) {
  const there = sheets.get(document);
  if (there) return [there];
  const { defaultView } = document;
  if (!defaultView) return [];
  const sheet = new defaultView.CSSStyleSheet();
  sheet.replaceSync(STYLE_TEXT);
  sheets.set(document, sheet);
  return [sheet];
}

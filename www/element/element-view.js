// @ts-check
/** What an <sfc-bench> shows, from the first time it comes near the window until it is removed. */

import { el, typesetProse, describeError, setScrollRegion } from '../shell/dom.js';
import { findMissingFeature } from '../shell/features.js';
import { Readout } from '../shell/readout.js';
import { Schedule, whenDensityChanges } from '../shell/schedule.js';
import { buildTable } from '../shell/tables.js';
import { describePolicyRefusals, watchPolicy } from '../workers/content-security-policy.js';
import { RefusalError } from '../workers/pool.js';
import { runKey, openCore, getLoadedCore, runOnMainThread, acquirePool, acquireRun } from '../workers/shared-core.js';
import { ElementControls } from './element-controls.js';
import { createElementError } from './element-error.js';
import { readAttributes } from './element-state.js';

/** Where this file is; within a bundle, somewhere else than the package has it. */
const MODULE_URL = import.meta.url;
/** The page that shows everything, where the package's files are together; empty in a bundle, which has no page. */
const DEFAULT_PAGE = /^https?:.*\/www\/element\/(element-view\.js)?$/.test(MODULE_URL) ? new URL('../../index.html', MODULE_URL).href : '';

/** Pixels of a printed canvas to a CSS pixel. */
const PRINT_DENSITY = 3;

watchPolicy();

const darkSchemeQuery = matchMedia('(prefers-color-scheme: dark)');

/** @typedef {import('./element-state.js').Wish} Wish */
/** @typedef {import('../types/sfc-bench-element.d.ts').SfcBenchResult} Result */
/** @typedef {import('../types/sfc-bench-element.d.ts').SfcBenchElement} SfcBenchElement */
/** @typedef {import('./element-study.js').StudyPresenter} StudyShow */

/** Studies that are measured as a figure wants, of which a report may be given, and whose pages are long ones. */
const JOB_STUDIES = ['mui', 'measurement', 'audit'];

/** What shows a study. @param {Wish} wish */
async function loadPresenter({ little }) {
  if (!little) return (await import('./element-families.js')).FamiliesPresenter;
  if (little.study === 'mui') return (await import('./element-mui.js')).MuiPresenter;
  if (JOB_STUDIES.includes(little.study)) return (await import('./element-jobs.js')).JobsPresenter;
  return (await import('./element-toy-model.js')).ToyModelPresenter;
}

export class ElementView {
  /** @type {Result | null} */
  result = null;
  /** @type {LinkChange[]} */
  changes = [];

  #host;
  #life = new AbortController();
  #turn = 0;
  /** @type {Lab | null} */
  #core = null;
  /** @type {ReturnType<typeof acquirePool> | null} */
  #share = null;
  /** @type {ReturnType<typeof acquireRun> | null} */
  #run = null;
  /** Of the run that is shown or under way. */
  #key = '';
  /** @type {{ report: Report, ms: number } | null} */
  #found = null;
  /** @type {View | null} */
  #view = null;
  /** A study of families or of the toy model, while the figure is of one; and the report that it was given, where it is not to be run. @type {{ show: StudyShow, kind: Wish['kind'], key: string, report: unknown } | null} */
  #study = null;
  /** What was said of a study beside its figure. @type {string | null} */
  #told = null;
  /** An evaluation, while the figure is of one, and the report that it is of. @type {{ view: OwnView, report: OwnReport } | null} */
  #own = null;
  /** @type {Wish | null} */
  #wish = null;
  /** @type {ElementFigure | null} */
  #picture = null;
  /** @type {ElementControls | null} */
  #controls = null;
  #ready = false;
  #printing = false;
  /** Whether somebody may see it: pixels that nobody sees are given back. */
  #near = true;
  #schedule = new Schedule();

  #frame;
  #controlsPlace = el('div', { class: 'controls', part: 'controls' });
  #stagePlace = el('div');
  #notes = el('div', { class: 'notes', part: 'notes', role: 'status' });
  #verdict = el('span');
  #link = el('a', { target: '_blank', rel: 'noopener' }, 'Open in sfc-bench');
  #foot = el('p', { class: 'foot', part: 'foot' }, this.#verdict, this.#link);
  #announcer = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });

  /** @param {HTMLElement} host @param {ShadowRoot} root with a frame in it */
  constructor(host, root) {
    this.#host = host;
    this.#frame = /** @type {HTMLElement} */ (root.firstElementChild);
    const { signal } = this.#life;
    darkSchemeQuery.addEventListener('change', () => this.#applyTheme(), { signal });
    const sized = new ResizeObserver(() => this.#picture?.updateWidth() && this.#redraw());
    sized.observe(this.#frame);
    signal.addEventListener('abort', () => sized.disconnect());
    whenDensityChanges(() => this.#redraw(), signal);
  }

  /** Follows the attributes as they are now. */
  async update() {
    this.#turn += 1;
    const turn = this.#turn;
    const missing = findMissingFeature();
    if (missing) {
      this.#fail('browser.unsupported', missing);
      return;
    }
    try {
      this.#core ??= await openCore();
    } catch (error) {
      const refused = await describePolicyRefusals();
      this.#fail('element.load', `The computing core could not be loaded (${describeError(error)}).${refused}`);
      return;
    }
    if (this.#life.signal.aborted || turn !== this.#turn) return;
    try {
      await this.#applyWish(this.#core, readAttributes(this.#host, this.#core));
    } catch (error) {
      this.#fail('element.failed', `Something went wrong (${describeError(error)}).`);
    }
  }

  /** Shows everything that can be shown at once as paper has it: in light colours, with a printer's pixels. */
  preparePrint() {
    this.#printing = true;
    const core = this.#core ?? getLoadedCore();
    if (core && !this.#getSource()) this.#runOnMainThread(core);
    this.#applyTheme();
    this.#draw();
  }

  /** It came near the window, or left it. @param {boolean} near */
  setNearViewport(near) {
    if (this.#near === near) return;
    this.#near = near;
    this.#redraw();
  }

  /** Shows it again as the screen has it. */
  endPrint() {
    this.#printing = false;
    this.#applyTheme();
    this.#draw();
  }

  /** Runs on this thread what nobody has seen so far. @param {Lab} core */
  #runOnMainThread(core) {
    try {
      const wish = readAttributes(this.#host, core);
      if (wish.kind !== 'run') return;
      this.#core = core;
      this.#prepare(core, wish);
      this.#found = runOnMainThread(core, wish.settings);
      this.#key = runKey(wish.settings);
      this.#showRun();
    } catch {
      // It is said where the element is looked at.
      this.#key = '';
    }
  }

  /** Lets everything go. */
  close() {
    this.#life.abort();
    this.#picture?.close();
    this.#releaseOtherSources(null);
    this.#share?.release();
  }

  /** Lets go of what the figure is not of any more. @param {Wish['kind'] | null} kind */
  #releaseOtherSources(kind) {
    if (kind !== 'run') {
      this.#run?.release();
      this.#run = null;
      this.#key = '';
      this.#found = null;
      this.#view?.free();
      this.#view = null;
    }
    if (kind !== this.#study?.kind) {
      this.#study?.show.close();
      this.#study = null;
    }
    if (kind !== 'own') {
      this.#own?.view.free();
      this.#own = null;
    }
  }

  /** What the figure is drawn from, once it is there. @returns {Exportable | null} */
  #getSource() {
    return this.#study?.show.view ?? this.#own?.view ?? this.#view;
  }

  /** Takes a wish up: everything but what the figure is drawn from. @param {Lab} core @param {Wish} wish */
  #prepare(core, wish) {
    const before = this.#wish;
    this.#wish = wish;
    this.changes = wish.changes;
    this.#applyTheme();
    if (wish.id !== before?.id || String([...before.hidden]) !== String([...wish.hidden])) this.#createFigure(wish);
    this.#showFooter(wish);
    this.#updateControls(core, wish);
    this.#releaseOtherSources(wish.kind);
  }

  /** @param {Lab} core @param {Wish} wish */
  async #applyWish(core, wish) {
    this.#prepare(core, wish);
    if (wish.kind === 'families' || wish.kind === 'little') {
      await this.#openStudy(core, wish);
      return;
    }
    if (wish.kind === 'own') {
      this.#showGivenReport(core, wish);
      return;
    }
    const key = runKey(wish.settings);
    if (key !== this.#key) {
      this.#key = key;
      await this.#startRun(wish.settings);
    } else if (this.#found) {
      // As before, but for its words and weights.
      this.#showRun();
    }
  }

  /** The colours, at once and without a run. */
  #applyTheme() {
    if (!this.#wish) return;
    const dark = this.#isDark();
    if (this.#frame.classList.toggle('dark', dark) !== this.#picture?.dark) this.#redraw();
  }

  #isDark() {
    if (this.#printing) return false;
    const theme = this.#wish?.theme ?? 'auto';
    if (theme !== 'auto') return theme === 'dark';
    // A page that has one look only says so; otherwise it is as the reader's system.
    const scheme = getComputedStyle(this.#host).colorScheme;
    if (scheme === 'dark' || scheme === 'only dark') return true;
    if (scheme === 'light' || scheme === 'only light') return false;
    return darkSchemeQuery.matches;
  }

  /** @param {Wish} wish */
  #createFigure(wish) {
    this.#picture?.close();
    this.#picture = new ElementFigure({
      id: wish.id,
      hidden: wish.hidden,
      announce: (text) => (this.#announcer.textContent = text),
      view: () => this.#getSource(),
      isDark: () => this.#isDark(),
      redraw: () => this.#redraw(),
    });
    this.#stagePlace.replaceChildren(this.#picture.element);
  }

  /** Shows of the foot what is wanted, and a link where there is a page that it could lead to. @param {Wish} wish */
  #showFooter(wish) {
    this.#link.hidden = wish.hidden.has('open') || (!DEFAULT_PAGE && !this.#host.hasAttribute('page'));
    this.#verdict.hidden = wish.hidden.has('verdict');
    this.#foot.hidden = this.#link.hidden && this.#verdict.hidden;
  }

  /** @param {Lab} core @param {Wish} wish */
  #updateControls(core, wish) {
    if (this.#controls?.names !== wish.controls.join()) {
      this.#controls = wish.controls.length
        ? new ElementControls(core, this.#host, wish.controls)
        : null;
      this.#controlsPlace.replaceChildren(...(this.#controls ? [this.#controls.element] : []));
    }
    this.#controlsPlace.hidden = !this.#controls;
    this.#controls?.show(wish);
  }

  /** @param {Settings} settings */
  async #startRun(settings) {
    this.#share ??= acquirePool();
    this.#setBusy(0);
    const former = this.#run;
    const run = acquireRun(this.#share.pool, settings, (fraction) => this.#setBusy(fraction));
    this.#run = run;
    former?.release();
    try {
      const found = await run.result;
      if (this.#run !== run || this.#life.signal.aborted) return;
      this.#found = found;
      this.#setBusy(null);
      this.#showRun();
    } catch (error) {
      if (this.#run !== run || this.#life.signal.aborted) return;
      // The next change is tried, even back to what failed.
      this.#key = '';
      this.#setBusy(null);
      if (error instanceof RefusalError) {
        const { code, message, field } = error.problem;
        this.#fail(code, `This cannot be run. ${message}`, field);
        return;
      }
      const refused = await describePolicyRefusals();
      if (this.#run === run) this.#fail('element.run', `The run broke off (${describeError(error)}).${refused}`);
    }
  }

  /** @param {number | null} fraction null: nothing is under way */
  #setBusy(fraction) {
    this.#frame.classList.toggle('busy', fraction !== null);
    if (fraction !== null) this.#setWaitingText(`Computing: ${Math.round(fraction * 100)} %`);
  }

  /** Says something in the place of the figure; whether nothing stands there yet. @param {string} words */
  #setWaitingText(words) {
    const waiting = this.#frame.querySelector('.waiting slot');
    if (waiting) waiting.textContent = words;
    return waiting !== null;
  }

  /** Shows what was found under the wish of the moment. */
  #showRun() {
    const core = this.#core;
    const wish = this.#wish;
    const picture = this.#picture;
    if (!core || !wish || !picture || !this.#found) return;
    if (this.#shown !== this.#found || !this.#view) {
      this.#view?.free();
      this.#view = null;
      this.#view = core.Study.open('sfc', this.#found.report);
      this.#shown = this.#found;
    }
    const view = this.#view;
    view.set_weights(...wish.settings.weights);
    this.#revealFigure(picture, view);
    const verdict = view.verdict();
    const digest = view.digest();
    const report = view.rescored();
    this.#verdict.textContent = verdict.sentence;
    this.#link.href = this.#buildAddress(core, wish, view, digest);
    this.#showNotes(wish, view);
    this.result = {
      kind: 'run',
      settings: report.settings,
      digest,
      verdict,
      scores: report.main.points,
      ms: this.#found.ms,
    };
    this.#scheduleDraw(core, this.result);
  }

  /** @type {{ report: Report, ms: number } | null} */
  #shown = null;

  /** The figure takes the place of what stood for it. @param {ElementFigure} picture @param {Exportable} source */
  #revealFigure(picture, source) {
    if (!this.#ready)
      this.#frame.replaceChildren(
        this.#controlsPlace,
        this.#stagePlace,
        this.#notes,
        this.#foot,
        this.#announcer,
      );
    picture.setLabels(source);
    picture.updateWidth();
    // What stands below a drawing that is still to come has its place from the first.
    if (!this.#ready) picture.releasePixels(source);
  }

  /** Draws, and tells what is drawn where it is finished. @param {Lab} core @param {Result | null} result */
  #scheduleDraw(core, result) {
    this.#schedule.scheduleFrame('draw', () => {
      this.#draw();
      if (!this.#ready) {
        this.#ready = true;
        this.#emit('ready', { version: core.version() });
      }
      if (result) this.#emit('result', result);
    });
  }

  /** Has a study done, or shows it under the wish of the moment. @param {Lab} core @param {Wish} wish */
  async #openStudy(core, wish) {
    const Show = await loadPresenter(wish);
    if (this.#life.signal.aborted || this.#wish !== wish) return;
    const key = Show.keyOf(wish);
    const report = wish.little && JOB_STUDIES.includes(wish.little.study) ? this.#getReport() : null;
    const former = this.#study;
    if (former?.key === key && former.report === report) {
      this.#showStudy(core);
      return;
    }
    this.#share ??= acquirePool();
    this.result = null;
    const show = new Show(core, this.#share.pool, wish, {
      onChange: () => this.#runGuarded(() => this.#showStudy(core)),
      onProgress: () => this.#runGuarded(() => this.#showProgress(show)),
      onFail: (error) => {
        // The next change is tried, even back to what failed.
        if (this.#study?.show === show) this.#study.key = '';
        this.#frame.classList.remove('busy');
        this.#failWith(error);
      },
    }, report);
    this.#study = { show, kind: wish.kind, key, report };
    // After it: what both ask for is not given up in between.
    former?.show.close();
    this.#showStudy(core);
  }

  /** What the element was given to show. */
  #getReport() {
    return /** @type {Pick<SfcBenchElement, 'report'>} */ (/** @type {unknown} */ (this.#host)).report;
  }

  /** Nothing is wrong, but there is nothing to draw yet. @param {string} words */
  #showWaiting(words) {
    if (this.#setWaitingText(words)) return;
    this.#notes.replaceChildren(el('p', {}, words));
    this.#told = null;
  }

  /** How far a study is, and what it has come to. @param {StudyShow} show */
  #showProgress(show) {
    const words = [show.summarize(), show.progressText()].filter(Boolean).join(' ');
    this.#frame.classList.toggle('busy', !show.view);
    this.#verdict.textContent = words;
    // Where the verdict is hidden, the notes say it.
    if (!this.#setWaitingText(words) && !show.view && this.#verdict.hidden) this.#showWaiting(words);
  }

  /** Shows what there is of a study. @param {Lab} core */
  #showStudy(core) {
    const [show, wish, picture] = [this.#study?.show, this.#wish, this.#picture];
    if (!show || !wish || !picture) return;
    show.view?.set_weights(...wish.settings.weights);
    this.#showProgress(show);
    if (!show.view) {
      // Notes of the figure before are not about this one.
      if (!this.#verdict.hidden && !this.#frame.querySelector('.waiting slot')) this.#showNotes(wish);
      return;
    }
    this.#revealFigure(picture, show.view);
    this.#link.href = this.#buildStudyAddress(core, wish, show);
    const { elsewhere } = show;
    const warnings = show.warnings();
    // What is said again is read out again.
    const told = JSON.stringify([wish.changes, warnings, elsewhere && [elsewhere, this.#link.href]]);
    if (this.#told !== told) this.#showNotes(wish, undefined, warnings, elsewhere);
    this.#told = told;
    this.result = show.result(wish) ?? this.result;
    this.#scheduleDraw(core, this.result);
  }

  /** The page that has all of a study. @param {Lab} core @param {Wish} wish @param {StudyShow} show */
  #buildStudyAddress(core, { id, settings, study: config, little }, show) {
    if (!little) {
      const families = config && core.families_print(config);
      return this.#buildPageAddress(core.print_state({ settings, families: families ?? null }), 'families');
    }
    const { study, open, view } = little;
    const query = core.study_print(study, show.settings, open, view ?? undefined, undefined);
    // That page is a long one.
    const place = JOB_STUDIES.includes(study) ? `#${core.figure_named(id)?.section}` : '';
    return `${this.#buildPageAddress(query).replace(/(index\.html)?(\?|$)/, `${study}/$2`)}${place}`;
  }

  /** Shows the report that the element was given. @param {Lab} core @param {Wish} wish */
  #showGivenReport(core, wish) {
    const report = /** @type {OwnReport | null} */ (this.#getReport());
    const picture = this.#picture;
    if (!picture) return;
    if (!report) {
      this.#own?.view.free();
      this.#own = null;
      this.result = null;
      this.#showWaiting('The figure is drawn once its element has a report.');
      return;
    }
    try {
      if (this.#own?.report !== report) {
        const view = core.Study.open('own', report);
        this.#own?.view.free();
        this.#own = { view, report };
      }
      const { view } = this.#own;
      const { weights } = wish.weighed ? wish.settings : report;
      view.set_weights(...weights);
      this.#revealFigure(picture, view);
      const now = view.report();
      this.#verdict.textContent = now.sfc === null ? '' : `SFC ${now.sfc.toFixed(3)} under ${weights.join(':')}.`;
      this.#link.href = this.#buildPageAddress(core.print_state({ settings: wish.settings }), 'own');
      this.#showNotes(wish);
      this.result = { kind: 'own', report: now };
      this.#scheduleDraw(core, this.result);
    } catch (error) {
      const { code, field } = /** @type {Problem} */ (error);
      this.#fail(code ?? 'element.failed', describeError(error), field);
    }
  }

  #redraw() {
    if (this.#ready) this.#schedule.scheduleFrame('redraw', () => this.#draw());
  }

  #draw() {
    const source = this.#getSource();
    const picture = this.#picture;
    if (!source || !picture) return;
    try {
      if (this.#near || this.#printing) picture.draw(source, this.#printing ? PRINT_DENSITY : devicePixelRatio);
      else picture.releasePixels(source);
    } catch (error) {
      // Told once: whoever drags a window's edge would be told at every step.
      const { code, message, field } = toProblem(error);
      if (picture.showRefusal(message)) this.#emit('error', createElementError(code, message, field));
      return;
    }
    this.#schedule.scheduleIdle('write', () => this.#getSource() === source && picture.writeTable(source));
  }

  /** The page's address with the same state, and a digest by which it proves itself. @param {Lab} core @param {Wish} wish @param {View} view @param {string} digest */
  #buildAddress(core, wish, view, digest) {
    const { state, settings } = wish;
    const query = core.print_state({
      settings,
      pin: state.pin,
      seeds: state.seeds,
      vary: state.vary,
      figure: view.figures().some(({ id }) => id === wish.id) ? wish.id : null,
      digest,
      made: core.version(),
    });
    return this.#buildPageAddress(query);
  }

  /** The page that shows everything, with a query. @param {string} query @param {string} [place] on it */
  #buildPageAddress(query, place) {
    let page = DEFAULT_PAGE;
    try {
      const own = this.#host.getAttribute('page');
      const url = new URL(own ?? DEFAULT_PAGE, own ? document.baseURI : DEFAULT_PAGE);
      if (url.protocol === 'https:' || url.protocol === 'http:') page = url.href;
    } catch {
      // No address: the page beside this file is meant.
    }
    return `${page.replace(/[?#].*$/, '')}${query ? `?${query}` : ''}${place ? `#${place}` : ''}`;
  }

  /** What could not be followed, and whether a claimed digest holds. @param {Wish} wish @param {View} [view] @param {string[]} [warnings] of a study @param {import('./element-study.js').Elsewhere | null} [elsewhere] what is not done here */
  #showNotes(wish, view, warnings = [], elsewhere = null) {
    this.#told = null;
    const notes = [];
    if (elsewhere) {
      const { words, link } = elsewhere;
      const page = DEFAULT_PAGE || this.#host.hasAttribute('page');
      const there = page ? el('a', { href: this.#link.href, target: '_blank', rel: 'noopener' }, link) : link;
      notes.push(el('p', { class: 'elsewhere' }, `${words} `, there, '.'));
    }
    if (wish.changes.length > 0)
      notes.push(
        el(
          'div',
          { class: 'changed' },
          el('p', {}, 'Not everything asked for could be shown:'),
          el('ul', {}, ...wish.changes.map(({ sentence }) => el('li', {}, `${sentence}.`))),
        ),
      );
    if (warnings.length > 0)
      notes.push(
        el(
          'details',
          { class: 'warnings' },
          el('summary', {}, `Read with care: ${warnings.length === 1 ? 'one warning' : `${warnings.length} warnings`} about the metric`),
          el('ul', {}, ...warnings.map((sentence) => el('li', {}, sentence))),
        ),
      );
    if (wish.state.digest && view) {
      const { equal, sentence } = view.check_digest(wish.state.digest, wish.state.made);
      notes.push(
        el('p', { class: equal ? 'agrees' : 'differs' }, `${equal ? '✓' : '✗'} ${sentence}`),
      );
    }
    this.#notes.replaceChildren(...notes);
  }

  /** Does what others wait for: a failure is told, and not thrown at them. @param {() => void} work */
  #runGuarded(work) {
    try {
      work();
    } catch (error) {
      this.#failWith(error);
    }
  }

  /** @param {unknown} error */
  #failWith(error) {
    const { code, message, field } = toProblem(error);
    this.#fail(code, message, field);
  }

  /** @param {string} code @param {string} message @param {string} [field] */
  #fail(code, message, field) {
    // Whatever comes next is told anew.
    this.#told = null;
    if (this.#life.signal.aborted) return;
    const waiting = this.#frame.querySelector('.waiting');
    // What stands between the tags stays, as the figure's stand-in.
    if (waiting) {
      const line = el('p', { class: 'failed', role: 'status' }, message);
      waiting.querySelector('.failed')?.remove();
      const slot = waiting.querySelector('slot');
      if (slot) slot.textContent = '';
      waiting.append(line);
      // What was refused can be mended where there is something to mend it with.
      if (this.#controls) this.#frame.prepend(this.#controlsPlace);
    } else {
      this.#notes.replaceChildren(
        el('p', {}, this.#getSource() ? `${message} The figure shows the last finished run.` : message),
      );
    }
    this.#emit('error', createElementError(code, message, field));
  }

  /** @param {string} type @param {unknown} detail */
  #emit(type, detail) {
    if (this.#life.signal.aborted) return;
    this.#host.dispatchEvent(
      new CustomEvent(`sfc-bench:${type}`, { detail, bubbles: true, composed: true }),
    );
  }
}

/** What is wrong, as the core or a worker says it. @param {unknown} error @returns {{ code: string, message: string, field?: string }} */
function toProblem(error) {
  if (error instanceof RefusalError) return error.problem;
  if (typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error)
    return /** @type {Problem} */ (error);
  return { code: 'element.run', message: `The study broke off (${describeError(error)}).` };
}

/** A figure: a canvas the core draws on, its words, its readout, and the same as a table. */
class ElementFigure {
  element;
  /** As last drawn. @type {boolean | undefined} */
  dark = undefined;

  #parts;
  #title = el('strong', { class: 'figure-title', part: 'title' });
  #caption = el('p', { class: 'figure-caption', part: 'caption' });
  #canvas = el('canvas', { role: 'img', tabindex: '0' });
  #stage = el('div', { class: 'stage', part: 'stage' }, this.#canvas);
  /** Why there is no drawing. */
  #refusal = el('p', { class: 'narrow', role: 'status', hidden: true });
  #text = el('div', { class: 'as-text visually-hidden' });
  #toggle = el('button', { type: 'button', 'aria-pressed': 'false' }, 'Table');
  #export = el(
    'button',
    { type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
    'Export',
  );
  #life = new AbortController();
  /** Made with the first drawing, since cells are read one by one. @type {Readout | null} */
  #readout = null;
  #width = 0;

  /**
   * @param {object} parts
   * @param {string} parts.id
   * @param {Set<string>} parts.hidden
   * @param {(text: string) => void} parts.announce
   * @param {() => Exportable | null} parts.view
   * @param {() => boolean} parts.isDark
   * @param {() => void} parts.redraw
   */
  constructor(parts) {
    this.#parts = parts;
    const { hidden } = parts;
    this.#toggle.addEventListener('click', () => this.#setAsText(this.#stage.hidden === false));
    this.#export.addEventListener('click', () => this.#openExportMenu(), { once: true });
    this.#title.hidden = hidden.has('title');
    this.#caption.hidden = hidden.has('caption');
    const actions = [
      ...(hidden.has('text') ? [] : [this.#toggle]),
      ...(hidden.has('export') ? [] : [el('span', { class: 'export' }, this.#export)]),
    ];
    this.element = el(
      'figure',
      {},
      el(
        'figcaption',
        { class: 'head' },
        this.#title,
        el('span', { class: 'actions', part: 'actions' }, ...actions),
      ),
      this.#stage,
      this.#refusal,
      this.#text,
      this.#caption,
    );
  }

  close() {
    this.#life.abort();
    // Gives its pixels back without waiting to be collected.
    this.#canvas.width = 0;
    this.#canvas.height = 0;
  }

  /** @param {Exportable} view */
  setLabels(view) {
    const title = view.title(this.#parts.id);
    this.#title.replaceChildren(typesetProse(title));
    this.#caption.replaceChildren(typesetProse(view.caption(this.#parts.id)));
    this.#canvas.setAttribute('aria-label', `${title}. ${view.summary(this.#parts.id)}`);
    this.#toggle.setAttribute('aria-label', `Table: ${title}`);
    this.#export.setAttribute('aria-label', `Export ${title}`);
  }

  /** Takes the width there is for it. @returns {boolean} whether it is another */
  updateWidth() {
    const width = Math.floor(this.element.clientWidth);
    const changed = width > 0 && width !== this.#width;
    if (changed) this.#width = width;
    return changed;
  }

  /** Says why nothing is drawn. @param {string} why @returns {boolean} whether that is news */
  showRefusal(why) {
    const news = Boolean(this.#refusal.hidden);
    this.#refusal.textContent = `The figure cannot be drawn here: ${why}.`;
    this.#refusal.hidden = false;
    this.#canvas.hidden = true;
    return news;
  }

  /** Keeps the place of the drawing and gives its pixels back. @param {Exportable} view */
  releasePixels(view) {
    if (this.#width === 0) this.updateWidth();
    if (this.#width === 0 || this.#stage.hidden) return;
    this.#reserveSpace(view);
    this.#canvas.width = 0;
    this.#canvas.height = 0;
  }

  /** @param {Exportable} view @returns {number} the height of the drawing in CSS pixels */
  #reserveSpace(view) {
    const height = Math.round(view.preferred_height(this.#parts.id, this.#width));
    this.#canvas.style.width = `${this.#width}px`;
    this.#canvas.style.height = `${height}px`;
    return height;
  }

  /** @param {Exportable} view @param {number} density device pixels to a CSS pixel */
  draw(view, density) {
    if (this.#width === 0) this.updateWidth();
    if (this.#width === 0 || this.#stage.hidden) return;
    const { id, announce, isDark } = this.#parts;
    const together = !view.is_table(id);
    this.#readout ??= new Readout(this.#stage, this.#canvas, announce, together, this.#life.signal);
    const height = this.#reserveSpace(view);
    this.dark = isDark();
    this.#readout.update(
      view.draw(id, this.#canvas, this.#width, height, density, this.dark),
    );
    this.#canvas.hidden = false;
    this.#refusal.hidden = true;
  }

  /** @param {Exportable} view */
  writeTable(view) {
    const { id } = this.#parts;
    this.#text.replaceChildren(buildTable(view.table(id), view.title(id)));
  }

  /** @param {boolean} asText */
  #setAsText(asText) {
    this.#stage.hidden = asText;
    this.#text.classList.toggle('visually-hidden', !asText);
    this.#toggle.setAttribute('aria-pressed', String(asText));
    setScrollRegion(this.#text, asText ? `${this.#title.textContent}, as a table` : null);
    this.#parts.redraw();
  }

  async #openExportMenu() {
    const { id, view, announce, isDark } = this.#parts;
    try {
      const { createExportMenu } = await import('../shell/export.js');
      const width = () => this.#width;
      // All figures together are those of a run.
      const alone = /^(fam|own|fade|ce|mui|measure)-/.test(id);
      const onShow = () => ({ view: /** @type {View | null} */ (view()), ensemble: null, own: null });
      const button = this.#export;
      createExportMenu({ id, button, view, width, announce, onShow, isDark, alone }).open();
    } catch {
      announce('The export menu could not be loaded.');
      this.#export.addEventListener('click', () => this.#openExportMenu(), { once: true });
    }
  }
}

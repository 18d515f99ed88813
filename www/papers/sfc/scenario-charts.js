// @ts-check
/** The scenarios as small charts, each a run of its own, whose settings can be loaded. */

import { createButton, el, createScreenReaderText, requireElement, typesetProse } from '../../shell/dom.js';
import { whenNearViewport } from '../../shell/near-viewport.js';
import { PRINT_DENSITY } from '../../shell/print.js';
import { isDark } from '../../shell/theme.js';
import { canPrecompute } from '../../shell/data-saver.js';
import { SCENARIOS } from './scenarios.js';

/** @typedef {import('./scenarios.js').Scenario} Scenario */

/** One scenario's small chart, and what loads its settings. @param {Scenario} scenario @param {() => void} onLoad */
function createChart({ label, look }, onLoad) {
  const button = createButton(['Load', createScreenReaderText(` “${label.replace('_', ' ')}”`)], { class: 'quiet' }, onLoad);
  const canvas = el('canvas', { role: 'img', 'aria-label': look });
  return { button, canvas, element: el(
      'div',
      { class: 'small' },
      el('p', { class: 'small-title' }, el('strong', {}, typesetProse(label)), ' ', button),
      canvas,
      el('p', { class: 'help' }, typesetProse(look)),
    ) };
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {(draft: Draft) => void} parts.apply
 */
export function createScenarioCharts({ core, pool }, { apply }) {
  const paper = core.defaults();
  const box = requireElement('#stress');
  const look = requireElement('#stress-look');
  const scenarios = SCENARIOS.map((scenario) => {
    const wanted = { ...paper, ...scenario.patch(paper) };
    return { ...scenario, wanted, ...createChart(scenario, () => apply(wanted)), view: /** @type {View | null} */ (null) };
  });
  box.replaceChildren(...scenarios.map(({ element }) => element));
  const buttons = scenarios.map(({ button }) => button);

  /** @param {(typeof scenarios)[number]} scenario @param {number} [density] @param {boolean} [dark] */
  function draw({ view, canvas, figure, element }, density = devicePixelRatio, dark = isDark()) {
    const width = Math.floor(element.clientWidth);
    if (!view || width === 0) return;
    const height = Math.round(view.preferred_height(figure, width));
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    view.draw(figure, canvas, width, height, density, dark);
    canvas.dataset.drawn = '';
    canvas.setAttribute('aria-label', `${view.title(figure)}. ${view.summary(figure)}`);
  }

  function compute() {
    for (const scenario of scenarios) {
      const { settings } = core.validate(scenario.wanted);
      if (!settings) continue;
      // One that cannot be computed is a sentence without its picture.
      pool.submit({ kind: 'run', settings }).then(
        ({ report }) => {
          scenario.view = core.Study.open('sfc', report);
          draw(scenario);
        },
        () => scenario.canvas.remove(),
      );
    }
  }
  if (canPrecompute()) whenNearViewport(box, compute);
  const redraw = () => scenarios.forEach((scenario) => draw(scenario));
  new ResizeObserver(redraw).observe(box);
  addEventListener('beforeprint', () => scenarios.forEach((scenario) => draw(scenario, PRINT_DENSITY, false)));
  addEventListener('afterprint', redraw);

  /** @param {unknown} a @param {unknown} b */
  const same = (a, b) => String(a) === String(b);
  return {
    redraw,
    /** Says what to look at when the settings are those of a scenario. @param {Settings} settings */
    follow(settings) {
      const at = scenarios.findIndex(({ wanted }) =>
        /** @type {SettingKey[]} */ (Object.keys(wanted)).every(
          (key) => key === 'weights' || key === 'config' || same(wanted[key], settings[key]),
        ),
      );
      buttons.forEach((button, index) =>
        button.setAttribute('aria-pressed', String(index === at)),
      );
      look.hidden = at < 0;
      look.replaceChildren(typesetProse(scenarios[at]?.look ?? ''));
    },
  };
}

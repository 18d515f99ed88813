// @ts-check
/** Settings at which the score shows what it is made of, each with what to look at. */

import { el, need, prose } from '../../shell/dom.js';
import { isDark } from '../../shell/theme.js';
import { mayCompute } from '../../shell/unasked.js';

/**
 * @typedef {object} Scenario
 * @property {string} label
 * @property {(paper: Settings) => Draft} patch what is other than in the paper's settings
 * @property {'fig1a' | 'fig1b'} figure where it shows
 * @property {string} look
 */

/** @type {readonly Scenario[]} */
export const SCENARIOS = [
  {
    label: 'Next to nothing zeroed',
    figure: 'fig1b',
    patch: () => ({ levels: [0, 0.02, 0.04, 0.06, 0.08, 0.1] }),
    look: 'SFC: F and C are near 1 throughout, yet the score stays below 0.22 and is 0 where S is. Zeroing 2 % of 48 codes zeroes none, so λ = 0.02 has S = 0 too.',
  },
  {
    label: 'K = hidden width',
    figure: 'fig1a',
    patch: ({ hidden }) => ({ k: hidden }),
    look: 'C and C_GT: a dictionary as wide as the layer spans all of it, so both are 1 whatever the network computes. They say nothing any more, but still lift the score.',
  },
  {
    label: 'Noise',
    figure: 'fig1a',
    patch: () => ({ noise: 0.5 }),
    look: 'C_GT: it hardly moves (chance alone gives 0.75), while F and C fall. The best level stays where it was.',
  },
  {
    label: 'Tiny sample',
    figure: 'fig1a',
    patch: () => ({ samples: 60 }),
    look: 'F: 48 directions fit 60 rows almost perfectly, and every score rises. On fewer data the same measure looks better; C_GT, which knows the truth, falls below its chance level.',
  },
  {
    label: 'Circuit = everything',
    figure: 'fig1a',
    patch: ({ hidden }) => ({ config: 'custom', circuit: hidden }),
    look: 'C_GT against its chance level: when every unit belongs to the circuit, the two are equal by construction, for any dictionary.',
  },
  {
    label: '48 levels',
    figure: 'fig1b',
    // As fine as the codes allow.
    patch: ({ k }) => ({ levels: Array.from({ length: k }, (_, zeroed) => zeroed / k) }),
    look: 'the peak: on a grid of 8 it lies at λ = 0.85. On the finest grid that 48 codes allow it lies at 42 codes zeroed, λ = 0.875. The hypervolume rises too: it counts points.',
  },
  {
    label: 'Textbook completeness',
    figure: 'fig1a',
    patch: () => ({ completeness: 'total' }),
    look: 'C: all rows instead of 100, and each output’s own mean instead of one for all. It goes from 0.988 to 0.977, and Table 3 no longer agrees.',
  },
  {
    label: 'C_GT against chance',
    figure: 'fig1a',
    patch: () => ({ k: 8 }),
    look: 'C_GT: 0.140 where a random dictionary of 8 directions in 64 has 0.125, although C says that 0.734 of the output is explained.',
  },
];

/** Charts this near to the window are computed. */
const NEAR = '300px';

/** One scenario's small chart: its title loads the settings. @param {Scenario} scenario */
function chart({ label, look }) {
  const button = el('button', { type: 'button', class: 'quiet' }, prose(label));
  const canvas = el('canvas', { role: 'img', 'aria-label': look });
  return { button, canvas, element: el('div', { class: 'small' }, button, canvas, el('p', { class: 'help' }, prose(look))) };
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {import('../../workers/pool.js').Pool} parts.pool
 * @param {(draft: Draft) => void} parts.apply
 */
export function createScenarios({ core, pool, apply }) {
  const paper = core.defaults();
  const box = need('#stress');
  const look = need('#stress-look');
  const scenarios = SCENARIOS.map((scenario) => {
    const wanted = { ...paper, ...scenario.patch(paper) };
    return { ...scenario, wanted, ...chart(scenario), view: /** @type {View | null} */ (null) };
  });
  box.replaceChildren(...scenarios.map(({ element }) => element));
  const buttons = scenarios.map(({ button }) => button);
  for (const { button, wanted } of scenarios) button.addEventListener('click', () => apply(wanted));

  /** @param {(typeof scenarios)[number]} scenario */
  function draw({ view, canvas, figure, element }) {
    const width = Math.floor(element.clientWidth);
    if (!view || width === 0) return;
    const height = Math.round(view.preferred_height(figure, width));
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    view.draw(figure, canvas, width, height, devicePixelRatio, isDark());
    canvas.setAttribute('aria-label', `${view.title(figure)}. ${view.summary(figure)}`);
  }

  const nearing = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      nearing.disconnect();
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
    },
    { rootMargin: NEAR },
  );
  if (mayCompute()) nearing.observe(box);
  const redraw = () => scenarios.forEach(draw);
  new ResizeObserver(redraw).observe(box);

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
      look.replaceChildren(prose(scenarios[at]?.look ?? ''));
    },
  };
}

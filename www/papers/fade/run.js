// @ts-check
/** What was found, in a sentence, and how far the run is: its progress, its end, what went wrong. */

import { stripFullStop, createButton, el, requireElement, describeError } from '../../shell/dom.js';
import { swapButtons } from '../../shell/button-pair.js';

/**
 * @param {import('../../study/page-base.js').Parts} page
 * @param {object} parts
 * @param {import('../../study/progress-line.js').ProgressLine} parts.line
 * @param {import('./session.js').FadeSession} parts.session
 */
export function createRunStatus({ view, announce }, { line, session }) {
  const headline = requireElement('#fade-headline', view);
  const meter = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the scores', hidden: true });
  const status = el('span', { id: 'fade-run-status' });
  const cancel = createButton('Cancel', { id: 'fade-cancel', hidden: true }, () => session.cancel());
  const again = createButton('Try again', { id: 'fade-again', hidden: true }, () => session.resume());
  line.setContent(meter, status, cancel, again);
  /** What was told last, so that nobody hears it twice. */
  let told = '';

  /** What is shown while it is not what was asked for. */
  const former = () => (session.held && !session.isCurrent ? ' What is shown is of the settings before.' : '');

  /** @returns {string} */
  function statusSentence() {
    const { done, all } = session.progress;
    switch (session.stage) {
      case 'idle':
        return '';
      case 'scores':
        return `Computing clarity, responsiveness and purity …${former()}`;
      case 'steering':
        return `Faithfulness: ${done} of ${all} features steered so far; what is said of it is of those alone.`;
      case 'done': {
        const best = session.held?.report.features.filter((feature) => feature.case === 'best').length ?? 0;
        return `All ${all} features are scored and steered: ${best} concepts with their best latents, ${all - best} bad descriptions as controls.`;
      }
      case 'cancelled':
        return done < all || all === 0
          ? `Cancelled; ${done} of ${all} features were steered, and are kept.${former()}`
          : `Cancelled.${former()}`;
      case 'failed':
        return session.settings.sae === 'own' && !session.own
          ? 'These settings are of an autoencoder that was trained on its maker’s page, and stayed there: train one below, or choose another.'
          : `It could not be computed: ${stripFullStop(describeError(session.error))}.${former()}`;
    }
  }

  return {
    show() {
      const { done, all } = session.progress;
      const running = session.stage === 'scores' || session.stage === 'steering';
      const ended = session.stage === 'cancelled' || session.stage === 'failed';
      meter.hidden = !running;
      if (session.stage === 'scores') meter.removeAttribute('value');
      else meter.value = all === 0 ? 0 : done / all;
      if (session.held) headline.textContent = session.held.view.headline();
      status.textContent = statusSentence();
      again.textContent = session.stage === 'cancelled' ? 'Go on' : 'Try again';
      swapButtons(cancel, again, ended);
      if (!running) cancel.hidden = true;
      if (!running && session.stage !== 'idle' && told !== status.textContent) {
        told = status.textContent ?? '';
        announce(told);
      }
      if (running) told = '';
    },
  };
}

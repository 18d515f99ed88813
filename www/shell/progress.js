// @ts-check
/** The bar at the foot of the window: a long run's progress with Cancel, or a short notice. */

import { requireElement } from './dom.js';

/** A run shorter than this shows nothing: a bar that flashes by only unsettles. */
const SHOW_DELAY = 200;

/**
 * @param {() => void} onCancel
 * @param {(text: string) => void} announce
 */
export function createProgress(onCancel, announce) {
  const bar = requireElement('#progress');
  const running = requireElement('#progress-running');
  const stage = requireElement('#progress-stage');
  const meter = /** @type {HTMLProgressElement} */ (requireElement('#progress-meter'));
  const notice = requireElement('#notice');
  const noticeText = requireElement('#notice-text');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const settle = () => {
    bar.hidden = running.hidden && notice.hidden;
  };
  const stop = () => {
    clearTimeout(timer);
    running.hidden = true;
    settle();
  };
  const dismiss = () => {
    notice.hidden = true;
    settle();
  };

  requireElement('#cancel').addEventListener('click', () => {
    onCancel();
    // The button is gone now; the focus must not be.
    requireElement('#notice-close').focus();
  });
  requireElement('#notice-close').addEventListener('click', () => {
    dismiss();
    requireElement('#main').focus({ preventScroll: true });
  });

  return {
    begin() {
      stop();
      dismiss();
      stage.textContent = 'Starting';
      meter.value = 0;
      timer = setTimeout(() => {
        running.hidden = false;
        settle();
      }, SHOW_DELAY);
    },
    /** @param {string} name @param {number} fraction */
    update(name, fraction) {
      // Only a new stage is spoken; the meter itself may move as often as it likes.
      if (stage.textContent !== name) stage.textContent = name;
      meter.value = fraction;
    },
    end: stop,
    /** @param {string} text */
    say(text) {
      stop();
      noticeText.textContent = text;
      notice.hidden = false;
      settle();
      announce(text);
    },
  };
}

// @ts-check
/** The bar at the foot of the window: a long run's progress with Cancel, or a short notice. */

import { need } from './dom.js';

/** A run shorter than this shows nothing: a bar that flashes by only unsettles. */
const PATIENCE = 200;

/**
 * @param {() => void} onCancel
 * @param {(text: string) => void} announce
 */
export function createProgress(onCancel, announce) {
  const bar = need('#progress');
  const running = need('#progress-running');
  const stage = need('#progress-stage');
  const meter = /** @type {HTMLProgressElement} */ (need('#progress-meter'));
  const notice = need('#notice');
  const noticeText = need('#notice-text');
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

  need('#cancel').addEventListener('click', () => {
    onCancel();
    // The button is gone now; the focus must not be.
    need('#notice-close').focus();
  });
  need('#notice-close').addEventListener('click', () => {
    dismiss();
    need('#main').focus({ preventScroll: true });
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
      }, PATIENCE);
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

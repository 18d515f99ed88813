// @ts-check
import { createButton, el, createScreenReaderText } from './dom.js';

/** @param {string} text @returns {Promise<boolean>} whether it could be copied */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard here, or no permission: the way of old, which needs a selection.
    const area = el('textarea', { class: 'visually-hidden', readonly: true });
    area.value = text;
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}

/**
 * Copies a text, or has it selected where the browser does not let the page copy.
 *
 * @param {string} text @param {() => void} select
 * @returns {Promise<string>} what was done, in words
 */
export async function copyOrSelect(text, select) {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    select();
    return 'This browser gives no access to the clipboard; the text is selected.';
  }
}

/**
 * A button that copies a text and says so.
 *
 * @param {string} what it copies, for who cannot see where the button stands
 * @param {() => string} text
 * @param {(text: string) => void} announce
 */
export function createCopyButton(what, text, announce) {
  const button = createButton(['Copy', createScreenReaderText(`: ${what}`)], { class: 'quiet' }, async () => {
    const copied = await copyText(text());
    button.replaceChildren(copied ? 'Copied' : 'Not copied', createScreenReaderText(`: ${what}`));
    announce(copied ? `Copied: ${what}.` : 'This browser does not let the page copy.');
  });
  return button;
}

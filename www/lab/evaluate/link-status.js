// @ts-check
/** What a link says of the files, and whether it is what is shown. */

import { el } from '../../shell/dom.js';

/**
 * Which of a link's files are others than those there are, by their roles.
 *
 * @param {ReadonlyMap<string, string>} wanted
 * @param {ReadonlyMap<string, string>} found
 */
function listDifferingRoles(wanted, found) {
  const roles = new Set([...wanted.keys(), ...found.keys()]);
  return [...roles].filter((role) => wanted.get(role) !== found.get(role));
}

export class FilesLink {
  /** What a link says: the one that was opened, until something else is scored. @type {string | null} */
  #text = null;
  /** The files of the link that was opened, by their roles the SHA-256 of each. @type {ReadonlyMap<string, string>} */
  #claimed = new Map();
  /** The files of the report, and how codes were made of them. @type {{ files: Map<string, string> } & Omit<OwnLinked, 'fidelity' | 'completeness' | 'variance'> | null} */
  #shown = null;
  #parts;

  element = el('div', { id: 'own-linked', hidden: true });

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {import('./settings.js').Settings} parts.settings
   * @param {(text: string) => void} parts.announce
   * @param {() => void} parts.onChange the link is another one
   */
  constructor(parts) {
    this.#parts = parts;
  }

  get text() {
    return this.#text;
  }

  /** Takes what a link says. @param {string | null} link @returns {boolean} whether it is another one */
  openLink(link) {
    if (link === this.#text) return false;
    this.#text = link;
    // Whatever the text: what can be read of it.
    const { options, files } = this.#parts.core.own_read(link ?? '');
    this.#claimed = new Map(files);
    this.#parts.settings.choose(options);
    this.#updateText();
    return true;
  }

  /** A report is shown. @param {OwnReport} report @param {boolean} coded whether codes were made of a dictionary */
  setReport(report, coded) {
    const { codes_by, ...others } = this.#parts.settings.printed();
    const files = new Map(this.#parts.core.own_digests(report.files));
    this.#shown = { files, codes_by: coded ? codes_by : null, ...others };
    this.#updateText();
    this.updateLink();
  }

  /** What is shown, and as it is scored, is what a link says from now on. */
  updateLink() {
    if (!this.#shown) return;
    const { files, ...coded } = this.#shown;
    // Nothing where a text cannot say it.
    this.#text = this.#parts.core.own_print({ ...this.#parts.settings.axes(), ...coded }, [...files]) ?? null;
    this.#parts.onChange();
  }

  #updateText() {
    const { element } = this;
    element.hidden = this.#claimed.size === 0;
    if (element.hidden) return;
    const others = this.#shown && listDifferingRoles(this.#claimed, this.#shown.files);
    element.className = others === null ? '' : others.length === 0 ? 'agrees' : 'differs';
    if (others !== null) {
      const sentence =
        others.length === 0
          ? '✓ These are the files that the link was made with.'
          : `✗ The link was made with other files: ${others.join(', ')}.`;
      element.replaceChildren(el('p', {}, sentence));
      this.#parts.announce(sentence);
      return;
    }
    element.replaceChildren(
      el('p', {}, 'The link that was opened is of these files, by their SHA-256. Choose them here and score them to see the same.'),
      el(
        'ul',
        { class: 'own-digests' },
        ...[...this.#claimed].map(([role, sha256]) =>
          el('li', {}, `${role.replaceAll('-', ' ')}: `, el('span', { class: 'digest' }, el('code', {}, sha256))),
        ),
      ),
    );
  }
}

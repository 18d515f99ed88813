// @ts-check
/** The address of a page beside the paper's: it follows the page, and the page follows it. */

import { el, requireElement } from '../shell/dom.js';
import { createHistorySync } from '../shell/history.js';
import { showLinkChanges } from '../shell/link.js';
import { createShareControls } from '../shell/share.js';
import { isSingleFile } from '../shell/views.js';

/**
 * @param {import('../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {string} parts.name of the page
 * @param {HTMLElement} parts.view
 * @param {() => Partial<LinkState> & { weights: Weights }} parts.state of the page, but for what only others have
 * @param {(state: LinkState) => void} parts.apply what another link asks for
 */
export function createPageLink({ core, announce }, { name, view, state, apply }) {
  const changed = requireElement('.link-changes', view);
  const more = el('p', { class: 'help', hidden: true });
  changed.after(more);
  const read = () => core.parse_state(location.search);
  /** What the page was opened with: a link's other parts are for other pages, and stay in it. */
  let base = read().state;

  /** @param {LinkState} of */
  const printed = (of) => {
    const asked = { ...of, digest: null, made: null };
    try {
      return core.print_state(asked);
    } catch {
      // A text that the core gives no link to is left out; the rest of the state still has one.
      return core.print_state({ ...asked, families: null, own: null });
    }
  };
  const query = () => {
    const { weights, ...rest } = state();
    return printed({ ...base, settings: { ...base.settings, weights }, ...rest });
  };

  /** Says what a link has that is not of this page. */
  function tellMore() {
    const { settings } = core.parse_state('').state;
    const weights = settings.weights;
    const text = printed({
      ...base,
      settings: { ...base.settings, weights },
      families: null,
      own: null,
      figure: null,
      hide: [],
    });
    more.hidden = text === '';
    more.replaceChildren(
      'This link also has settings of the paper’s page. ',
      el('a', { href: isSingleFile() ? '#paper/' : `../?${text}` }, 'Open them there'),
    );
  }

  /** @param {ReturnType<Lab['parse_state']>} parsed */
  function follow({ state: found, changes }) {
    base = found;
    // The texts of a study and of own files are for the lab alone to read.
    const within = (/** @type {string} */ key, /** @type {LinkChange[]} */ inner) =>
      inner.map((change) => ({ ...change, sentence: `${key}: ${change.sentence}` }));
    const all = [
      ...changes,
      ...(found.families ? within('fam', core.families_read(found.families).changes) : []),
      ...(found.own ? within('own', core.own_read(found.own).changes) : []),
    ];
    showLinkChanges(changed, all);
    if (all.length > 0) announce(changed.textContent ?? '');
    tellMore();
  }

  const address = () => {
    const text = query();
    return `${location.pathname}${text ? `?${text}` : ''}${location.hash}`;
  };
  const follows = createHistorySync(name, {
    next: () => (query() === printed(read().state) ? null : address()),
    visit() {
      const parsed = read();
      follow(parsed);
      apply(parsed.state);
    },
  });
  function remember() {
    share.renew();
    follows();
  }
  const share = createShareControls(name, () => new URL(address(), location.href).href, announce);
  requireElement('.opening', view).append(share.element);
  follow(read());
  return { remember };
}

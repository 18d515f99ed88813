// @ts-check
/** The page's address as its memory: every state has a link, and a link can prove itself. */

import { setVisibility, getVisibility, WHOLE_PAGE_VISIBILITY } from './visibility.js';
import { el, requireElement } from './dom.js';
import { createHistorySync } from './history.js';
import { copyShareLink, refreshShareLink } from './share.js';

/**
 * What of a link could not be followed.
 *
 * @param {HTMLElement} place @param {readonly Pick<LinkChange, 'sentence'>[]} changes
 */
export function showLinkChanges(place, changes) {
  place.hidden = changes.length === 0;
  place.replaceChildren(
    el('p', {}, 'This link could not be followed to the letter:'),
    el('ul', {}, ...changes.map(({ sentence }) => el('li', {}, `${sentence}.`))),
  );
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => View | null} parts.view the result that is shown
 * @param {() => boolean} parts.settled whether that is of the settings
 * @param {() => Settings} parts.settings what is shown or on its way, under the weights of the moment
 * @param {() => { seeds: number, vary: Varied }} parts.ensemble
 * @param {() => Settings | null} parts.pin the pinned settings
 * @param {(state: LinkState) => void} parts.apply
 * @param {(text: string) => void} parts.announce
 * @param {(whole: string) => void} parts.onState is told the address of the whole page in its present state
 */
export function createLink(parts) {
  const { core, view, settled, settings, ensemble, pin, apply, announce, onState } = parts;
  /** What a link that was opened claims, until the results are there. @type {LinkState | null} */
  let claim = null;
  const proof = requireElement('#verdict-link');
  const changed = requireElement('#link-changes');

  /** @param {Partial<LinkState>} [more] */
  const query = (more) =>
    core.print_state({
      settings: settings(),
      pin: pin(),
      ...ensemble(),
      families: null,
      own: null,
      ...getVisibility(),
      ...more,
    });

  /** @param {string} text */
  const address = (text) => `${location.pathname}${text ? `?${text}` : ''}`;

  /** A link for whoever is to see all of it. @param {Partial<LinkState>} [more] */
  function whole(more) {
    const text = query({ ...WHOLE_PAGE_VISIBILITY, figure: getVisibility().figure, ...more });
    try {
      return new URL(address(text), location.href).href;
    } catch {
      // A page without an address of its own (a frame's `srcdoc`): what to put behind the page's.
      return `?${text}`;
    }
  }

  const follows = createHistorySync('paper', {
    next() {
      const text = query();
      onState(whole());
      const here = core.print_state({
        ...core.parse_state(location.search).state,
        digest: null,
        made: null,
      });
      if (text === here) return null;
      proof.hidden = true;
      return address(text) + location.hash;
    },
    visit: () => visit(location.search),
    // Back is the surrounding page's: a guest makes no history.
    replaces: () => getVisibility().embed,
  });
  /** The address follows the page. */
  function remember() {
    refreshShareLink(shared, field, said, claiming);
    follows();
  }

  /** Takes what a link says. @param {{ state: LinkState, changes: LinkChange[] }} parsed */
  function open({ state, changes }) {
    claim = state.digest ? state : null;
    proof.hidden = true;
    showLinkChanges(changed, changes);
    if (changes.length > 0) announce(changed.textContent ?? '');
  }

  /** Shows what a link says, from now on. @param {string} text @param {Partial<LinkState>} [keep] of what is shown */
  function visit(text, keep) {
    const parsed = core.parse_state(text);
    open(parsed);
    setVisibility(core, { ...parsed.state, ...keep });
    apply(parsed.state);
  }

  const share = requireElement('#share');
  const shared = requireElement('#shared');
  const field = /** @type {HTMLInputElement} */ (requireElement('#shared-link'));
  const said = requireElement('#shared-said');
  /** The link that Share copies; it claims results where those are there. */
  const claiming = () => {
    const shownView = settled() ? view() : null;
    const proven = shownView ? { digest: shownView.digest(), made: core.version() } : {};
    const { embed, hide } = getVisibility();
    return whole(embed ? proven : { ...proven, hide });
  };
  share.addEventListener('click', async () => {
    if (!view()) return;
    field.value = claiming();
    shared.hidden = false;
    await copyShareLink(field, said, announce, settled());
  });
  field.addEventListener('focus', () => field.select());

  return {
    open,
    query,
    visit,
    remember,
    /** The results are there: does a link that was opened keep its word? */
    check() {
      const shownView = view();
      if (!claim?.digest || !shownView) return;
      const { equal, sentence } = shownView.check_digest(claim.digest, claim.made);
      claim = null;
      proof.hidden = false;
      proof.className = equal ? 'agrees' : 'differs';
      proof.textContent = `${equal ? '✓' : '✗'} ${sentence}`;
      announce(sentence);
    },
  };
}

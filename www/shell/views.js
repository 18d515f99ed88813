// @ts-check
/** The site's pages: documents of their own, or, in the page as one file, views of one document. */

/** Whether this document has all pages in it. */
export const isSingleFile = () => document.documentElement.dataset.page === 'all';

/** Whether a page is the one that is shown: it alone writes the address. @param {string} name */
export const isPageShown = (name) =>
  !document.querySelector(`.view[data-view="${name}"]`)?.hasAttribute('hidden');

/**
 * How each page of one file is opened, once; what that gives back is told when it is shown again.
 *
 * @type {Map<string, () => Promise<{ shown?: () => void }>>}
 */
export const pageOpeners = new Map();

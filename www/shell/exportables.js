// @ts-check
/** What can be taken away together: whoever makes files finds here what is on the page. */

/**
 * @type {{ view: Exportable | null, ensemble: EnsembleView | null, own: OwnView | null, families: FamiliesView | null }}
 *   `view`: the result that is shown, as the lab sees it, or another study's where the page is that study's; null where
 *   each figure's own is meant; `ensemble`: that of the page, while no seeds are on their way; `own`: the report on the
 *   reader's own files; `families`: the study of families on the page, while no members are on their way
 */
export const exportables = { view: null, ensemble: null, own: null, families: null };

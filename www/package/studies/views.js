// @ts-check
/** Reports that a caller holds, as figures and words under weights. */

/** @param {import('./checks.js').Tools} tools */
export function createViews({ three, refusal }) {
  /** @param {Lab} core @param {string} name @param {'families' | 'own'} study */
  function idOf(core, name, study) {
    const found = core.figure_named(String(name));
    if (found?.study === study) return found.id;
    const names = core.figure_names(study);
    const allowed = `one of ${names.map((row) => row.name).join(', ')}`;
    throw refusal('figure.unknown', 'figure', JSON.stringify(String(name)), allowed);
  }

  /**
   * @template {FamiliesView | EvaluateView} V
   * @template T
   * @param {V} view
   * @param {unknown} weights
   * @param {(view: V) => T} work
   */
  function weighed(view, weights, work) {
    try {
      if (weights !== undefined) view.set_weights(...three(weights));
      return work(view);
    } finally {
      view.free();
    }
  }

  return { idOf, weighed };
}

/** @typedef {ReturnType<typeof createViews>} Views */

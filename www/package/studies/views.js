// @ts-check
/** Reports that a caller holds, as figures and words under weights. */

/** @param {import('./checks.js').Tools} tools */
export function createViews({ three, refusal }) {
  /** @param {Lab} core @param {string} name @param {'fam' | 'own'} kind */
  function idOf(core, name, kind) {
    const id = core.study_figure_named(String(name));
    if (id?.startsWith(kind)) return id;
    const names = core.study_figure_names().filter((row) => row.id.startsWith(kind));
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

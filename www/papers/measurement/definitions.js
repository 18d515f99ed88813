// @ts-check
/** What is said of a metric where it was proposed, in our words. */

import { stripFullStop, el } from '../../shell/dom.js';

/** @type {Record<MeasureCondition['relation'], string>} */
const RELATION_SIGNS = { above: '>', 'at-least': '≥', below: '<', 'at-most': '≤' };

/** "agreement document > 0.3". @param {MeasureCondition} condition */
export const formatCondition = ({ quantity, relation, limit }) => `${quantity.replaceAll('_', ' ')} ${RELATION_SIGNS[relation]} ${limit}`;

/** @param {MeasureCondition[]} all */
const joinConditions = (all) => (all.length === 0 ? 'nothing: it is only reported' : all.map(formatCondition).join(' and '));

/** @param {readonly [term: string, said: string | (string | Node)[]][]} rows */
export const createTermList = (rows) =>
  el(
    'dl',
    { class: 'measure-said' },
    ...rows.flatMap(([term, said]) => [el('dt', {}, term), el('dd', {}, ...[said].flat())]),
  );

/**
 * What a metric is: what it says and leaves open, its formula and pass condition twice, its table.
 *
 * @param {HTMLElement} place @param {MeasureMetric} metric
 */
export function showMetricInfo(place, { about, formula }) {
  /** @type {[string, string][]} */
  const rows = [
    ['Says', `${stripFullStop(about.establishes)}.`],
    ['Leaves open', `${stripFullStop(about.leaves_open)}.`],
    ['By the text', formula?.document ?? ''],
    ['As coded', formula?.code ?? ''],
    ['Passes by the text', `${joinConditions(about.passes.document)}.`],
    ['Passes as coded', `${joinConditions(about.passes.code)}.`],
    ['From', `${about.source}. Criteria ${about.criteria.join(', ')}.`],
  ];
  place.replaceChildren(el('h3', {}, `${about.id.toUpperCase()}: ${about.name}`), createTermList(rows));
}

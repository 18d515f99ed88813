// @ts-check
/**
 * A drawn table's own text, laid over the picture where it is drawn and not seen: what looks like text can
 * be selected, copied and found, as in a viewer of PDF files.
 */

/** @typedef {NonNullable<Layout['grid']>} Grid */

/** @param {number} length */
const toPixels = (length) => `${length}px`;

/**
 * Puts a table's cells where the picture has them.
 *
 * @param {HTMLTableElement} table as `buildTable` makes it
 * @param {Grid} grid
 */
export function placeCells(table, grid) {
  const [top = 0, height = 0] = grid.header;
  table.style.top = toPixels(top);
  table.style.fontSize = toPixels(grid.size);
  table.style.setProperty('--side', toPixels(grid.side_size));
  table.classList.toggle('stacked', grid.stacked);
  for (const row of table.rows) {
    const inHead = row.parentElement?.tagName === 'THEAD';
    row.style.height = toPixels(inHead ? height : grid.row);
    row.style.lineHeight = toPixels(inHead ? height : grid.row);
    let from = 0;
    for (const [index, cell] of [...row.cells].entries()) {
      const column = grid.columns[index];
      if (!column) continue;
      const right = column.x + column.w;
      cell.style.width = toPixels(right - from);
      const number = cell.classList.contains('number');
      cell.style.paddingLeft = toPixels(number ? 0 : column.left - from);
      cell.style.paddingRight = toPixels(number ? right - column.right : 0);
      cell.style.setProperty('--beside', toPixels(column.side - from));
      cell.style.setProperty('--left', number ? 'auto' : toPixels(column.left - from));
      cell.style.setProperty('--right', number ? toPixels(right - column.right) : 'auto');
      from = right;
    }
  }
}

/** Takes a table back to how pages show it. @param {HTMLTableElement} table */
export function clearStyles(table) {
  table.classList.remove('stacked');
  for (const part of [table, ...table.rows, ...table.querySelectorAll('th, td')])
    part.removeAttribute('style');
}

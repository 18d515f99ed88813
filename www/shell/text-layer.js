// @ts-check
/**
 * A drawn table's own text, laid over the picture where it is drawn and not seen: what looks like text can
 * be selected, copied and found, as in a viewer of PDF files.
 */

/** @typedef {NonNullable<Layout['grid']>} Grid */

/** @param {number} length */
const px = (length) => `${length}px`;

/**
 * Puts a table's cells where the picture has them.
 *
 * @param {HTMLTableElement} table as `buildTable` makes it
 * @param {Grid} grid
 */
export function layOver(table, grid) {
  const [top = 0, height = 0] = grid.header;
  table.style.top = px(top);
  table.style.fontSize = px(grid.size);
  table.style.setProperty('--side', px(grid.side_size));
  table.classList.toggle('stacked', grid.stacked);
  for (const row of table.rows) {
    const inHead = row.parentElement?.tagName === 'THEAD';
    row.style.height = px(inHead ? height : grid.row);
    row.style.lineHeight = px(inHead ? height : grid.row);
    let from = 0;
    for (const [index, cell] of [...row.cells].entries()) {
      const column = grid.columns[index];
      if (!column) continue;
      const right = column.x + column.w;
      cell.style.width = px(right - from);
      const number = cell.classList.contains('number');
      cell.style.paddingLeft = px(number ? 0 : column.left - from);
      cell.style.paddingRight = px(number ? right - column.right : 0);
      cell.style.setProperty('--beside', px(column.side - from));
      cell.style.setProperty('--left', number ? 'auto' : px(column.left - from));
      cell.style.setProperty('--right', number ? px(right - column.right) : 'auto');
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

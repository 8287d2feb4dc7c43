// Elements made without markup: text from elsewhere stays text.
export const DASH = '–';
export const FINAL = ['done', 'failed', 'cancelled'];
const KINDS = { done: 'good', failed: 'bad', cancelled: 'open' };

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export const words = (state) => state.replaceAll('_', ' ');

export const badge = (word, kind = KINDS[word] ?? 'live') => make(
  'span', { class: `badge ${kind}` }, words(word));

export const figure = (value, digits = 4) => (
  value === null || value === undefined ? DASH : String(Number(value.toFixed(digits)))
);

// Rows of cells in a box that scrolls; the first cell of each row is its head. `numbers` are the
// columns that are aligned to the right.
export function table(caption, heads, rows, numbers = []) {
  const cell = (tag, scope) => (content, place) => make(
    tag, { scope, class: numbers.includes(place) && 'n' }, content);
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    make('table', { class: 'data' },
      make('thead', {}, make('tr', {}, ...heads.map(cell('th', 'col')))),
      make('tbody', {}, ...rows.map(([head, ...cells]) => make('tr', {},
        cell('th', 'row')(head, 0), ...cells.map((content, n) => cell('td')(content, n + 1)))))));
}

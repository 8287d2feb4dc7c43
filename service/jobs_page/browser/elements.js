// Makes elements. All that comes from elsewhere becomes text, never markup.
export const FINAL = ['done', 'failed', 'cancelled'];

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

// A state; one that a job has left does not draw the eye.
export const badge = (state, left = false) => make(
  'span',
  { class: `state ${left ? 'left' : FINAL.includes(state) ? state : 'open'}` },
  words(state),
);

export const at = (text) => (text ? new Date(text).toLocaleString() : '');

export const figure = (value, digits = 4) => (
  value === null || value === undefined ? '–' : String(Number(value.toFixed(digits)))
);

// Rows of cells; the first cell of each is its head.
export function table(caption, heads, rows) {
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    make('table', {},
      make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head)))),
      make('tbody', {}, ...rows.map(([head, ...cells]) => make('tr', {},
        make('th', { scope: 'row' }, head), ...cells.map((cell) => make('td', {}, cell)))))));
}

// Pairs of a name and what it is; those that are not known are left out.
export function pairs(given) {
  const known = given.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return make('dl', {}, ...known.flatMap(
    ([name, value]) => [make('dt', {}, name), make('dd', {}, value)],
  ));
}

// Elements made without markup: text from elsewhere stays text.
export const DASH = '–';
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

// Replaces the contents of an element by HTML in which the server has escaped the text of users.
// The focus and the scroll positions stay, since lists are replaced while they are read.
export function replace(place, html) {
  const boxes = () => [...place.querySelectorAll('.scroll')];
  const lefts = boxes().map((box) => box.scrollLeft);
  const box = boxes().indexOf(document.activeElement);
  const focused = place.contains(document.activeElement) && document.activeElement.id;
  place.innerHTML = html;
  boxes().forEach((fresh, n) => { fresh.scrollLeft = lefts[n] ?? 0; });
  if (focused === false) return;
  (document.getElementById(focused) ?? boxes()[box] ?? place).focus({ preventScroll: true });
}

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

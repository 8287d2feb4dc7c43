/** Elements made without markup: whatever the records hold stays text. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const records = JSON.parse(document.getElementById('records').textContent);

/** Return rows of text as a table in a box that scrolls; `numbers` are columns set to the right. */
function makeTable(caption, columns, rows, numbers = []) {
  const side = (place) => (numbers.includes(place) ? { class: 'n' } : {});
  const head = make('tr', {}, ...columns.map((c, i) => make('th', { scope: 'col', ...side(i) }, c)));
  const body = rows.map((row) => make('tr', {}, ...row.map((cell, i) =>
    make(i ? 'td' : 'th', { ...(i ? {} : { scope: 'row' }), ...side(i) }, cell))));
  const table = make('table', {}, make('caption', {}, caption), make('thead', {}, head),
    make('tbody', {}, ...body));
  const box = { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption };
  return make('div', box, table);
}

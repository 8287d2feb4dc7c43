// Tables: sorted by a click or key on a heading, and filtered by words.
const FEW = 8;

function sortKey(cell, isNumber) {
  const text = cell.textContent.trim();
  if (text === DASH || text === '') return null;
  if (!isNumber) return text;
  const number = parseFloat(text.replaceAll(',', ''));
  return Number.isNaN(number) ? null : number;
}

// Sort the rows of a table by a column; missing values come last either way.
function sortRows(table, column, isNumber, descending) {
  const keyed = [...table.tBodies[0].rows].map((row) => [sortKey(row.cells[column], isNumber), row]);
  const sign = descending ? -1 : 1;
  keyed.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (isNumber ? a - b : a.localeCompare(b, 'en', { numeric: true }));
  });
  table.tBodies[0].append(...keyed.map(([, row]) => row));
}

function makeSortable(table) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (!heading.textContent) return;
    const button = make('button', { type: 'button', class: 'sort' }, ...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const descending = heading.getAttribute('aria-sort') === 'ascending';
      for (const other of headings) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      sortRows(table, column, heading.classList.contains('n'), descending);
    });
  });
}

function addFilter(table) {
  const rows = [...table.tBodies[0].rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const caption = table.caption.textContent;
  const search = make('input', { type: 'search', placeholder: 'filter', 'aria-label': `Filter: ${caption}` });
  const count = make('output', {}, '');
  const apply = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const ofProgram = !program || (row.dataset.program ?? program) === program;
      row.hidden = !(ofProgram && wanted.every((word) => texts.get(row).includes(word)));
      left += !row.hidden;
    }
    count.textContent = left === rows.length ? `${left} rows` : `${left} of ${rows.length} rows`;
  };
  search.addEventListener('input', apply);
  if (rows.length > FEW) {
    table.closest('.scroll').before(make('div', { class: 'tools' }, search, count));
  }
  apply();
  return apply;
}

const filters = [];

function startTables() {
  for (const table of document.querySelectorAll('main table')) {
    makeSortable(table);
    filters.push(addFilter(table));
  }
}

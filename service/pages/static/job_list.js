// The list of jobs as the server has written it: its news, its open job and its hidden columns.
import { FINAL, replace } from './elements.js';

const HIDDEN = 'stichwerk-hidden-columns';

const list = document.getElementById('jobs');
const hidden = new Set(JSON.parse(localStorage.getItem(HIDDEN) ?? '[]'));

export const rows = () => [...list.querySelectorAll('tr[data-job]')];

function hide() {
  for (const cell of list.querySelectorAll('[data-column]')) {
    cell.hidden = hidden.has(cell.dataset.column);
  }
}

// The columns that are shown; this browser keeps the choice.
for (const box of document.querySelectorAll('#columns input')) {
  box.checked = !hidden.has(box.name);
  box.addEventListener('change', () => {
    hidden[box.checked ? 'delete' : 'add'](box.name);
    localStorage.setItem(HIDDEN, JSON.stringify([...hidden]));
    hide();
  });
}

const states = () => new Map(
  rows().map((row) => [row.dataset.job, row.querySelector('.badge').textContent]));

// Returns a short message about the jobs that have ended since the last call.
export function showJobs(html) {
  const before = states();
  replace(list, html);
  hide();
  const ended = [...states()].filter(([id, state]) => (
    FINAL.includes(state) && (before.get(id) ?? state) !== state));
  if (ended.length > 3) return `${ended.length} jobs have ended.`;
  return ended.map(([id, state]) => `Job ${id}: ${state}.`).join(' ');
}

export function mark(id) {
  for (const row of rows()) {
    if (row.dataset.job === id) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
}

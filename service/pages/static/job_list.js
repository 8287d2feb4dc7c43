// The list: rows are changed in place, so that nothing loses the focus.
import { FINAL, badge, figure, make, words } from './elements.js';

const HIDDEN = 'stichwerk-hidden-columns';

const body = document.querySelector('#jobs tbody');
const heads = [...document.querySelectorAll('#jobs th')];
const hidden = new Set(JSON.parse(localStorage.getItem(HIDDEN) ?? '[]'));
const shown = new Map();

function hide(row) {
  [...row.children].forEach((cell, n) => { cell.hidden = hidden.has(heads[n].textContent); });
}

// The columns that are shown; this browser keeps the choice.
document.querySelector('#columns div').append(...heads.slice(1).map(({ textContent: name }) => {
  const box = make('input', { type: 'checkbox', checked: !hidden.has(name) });
  box.addEventListener('change', () => {
    hidden[box.checked ? 'delete' : 'add'](name);
    localStorage.setItem(HIDDEN, JSON.stringify([...hidden]));
    document.querySelectorAll('#jobs tr').forEach(hide);
  });
  return make('label', {}, box, ` ${name}`);
}));
hide(heads[0].parentElement);

function parts(job) {
  return job.rounds_begun ? ` (${job.rounds_done} of ${job.rounds_begun} done)` : '';
}

// The newest amount that is known, and its meaning.
function cost(job) {
  const kind = ['charged', 'reserved', 'estimated'].find((one) => job[`${one}_cost_usd`] !== null);
  return kind ? `${job[`${kind}_cost_usd`]} ${kind}` : '';
}

function cells(job, link) {
  const wide = (text, more = '') => make('td', { class: `wide ${more}` }, text);
  return [
    make('td', {}, link(job.id)), make('td', {}, badge(job.state)), make('td', {}, job.program + parts(job)),
    wide(job.backend), make('td', {}, job.tag ?? ''), wide(String(job.shots), 'n'),
    wide(job.score === null ? figure(job.normalized_fidelity) : `${figure(job.score)} score`, 'n'),
    wide(cost(job), 'n'), wide(job.created_at.slice(0, 16).replace('T', ' ')),
  ];
}

// Returns the jobs that have ended since they were shown last.
export function showJobs(jobs, link) {
  const ended = [];
  const wanted = new Set(jobs.map((job) => job.id));
  for (const [id, { row }] of shown) {
    if (wanted.has(id)) continue;
    row.remove();
    shown.delete(id);
  }
  jobs.forEach((job, place) => {
    const text = JSON.stringify(job);
    const before = shown.get(job.id);
    const row = before?.row ?? make('tr', { 'data-job': job.id });
    if (before?.text !== text) {
      const fresh = cells(job, link);
      // The first cell, whose link may have the focus, says the same for ever.
      if (before) [...row.children].slice(1).forEach((cell, n) => cell.replaceWith(fresh[n + 1]));
      else row.append(...fresh);
      hide(row);
      if (before && before.state !== job.state && FINAL.includes(job.state)) ended.push(job);
    }
    shown.set(job.id, { row, text, state: job.state });
    if (body.children[place] !== row) body.insertBefore(row, body.children[place] ?? null);
  });
  return ended;
}

export function mark(id) {
  for (const [one, { row }] of shown) {
    if (String(one) === id) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
}

// Few words: whoever listens is told of ends only.
export function news(ended) {
  if (ended.length > 3) return `${ended.length} jobs have ended.`;
  return ended.map((job) => `Job ${job.id}: ${words(job.state)}.`).join(' ');
}

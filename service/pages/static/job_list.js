// The list: rows are changed in place, so that nothing loses the focus.
import { FINAL, badge, figure, make, words } from './elements.js';

export const at = (text) => (text ? new Date(text).toLocaleString() : '');

const body = document.querySelector('#jobs tbody');
const shown = new Map();

function parts(job) {
  return job.rounds_begun ? ` (${job.rounds_done} of ${job.rounds_begun} done)` : '';
}

function cells(job, link) {
  const wide = (text, more = '') => make('td', { class: `wide ${more}` }, text);
  return [
    make('td', {}, link(job.id)), make('td', {}, badge(job.state)), make('td', {}, job.program + parts(job)),
    wide(job.backend), make('td', {}, job.tag ?? ''), wide(String(job.shots), 'n'),
    wide(figure(job.normalized_fidelity), 'n'), wide(at(job.created_at)),
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

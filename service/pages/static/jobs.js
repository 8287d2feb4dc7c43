// Looks for what is new, again and again, and tells the lists. What is shown stands in the
// address, so that going back and links to it work.
import { RefusedError, ask } from './api.js';
import { make, replace, table, words } from './elements.js';
import { mark, rows, showJobs } from './job_list.js';

const PAUSE = 2000;
const LONGEST_PAUSE = 15000;
const PAGE = 50;
const FILTERS = ['state', 'backend', 'program', 'tag', 'parent', 'text'];

const $ = (id) => document.getElementById(id);
const filters = $('filters');
let place = new URLSearchParams();
let scopes = [];
let shown = { path: '', tag: null, before: null };
let open = { id: null, tag: null };
let timer = null;
let round = 0;
let pause = PAUSE;
let leaving = false;
let released = Promise.resolve();

function go(changed) {
  const next = new URLSearchParams(place);
  for (const [name, value] of Object.entries(changed)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  window.location.hash = next.toString();
}

function say(problem) {
  // The same again would be read out again.
  if ($('problem').textContent !== problem) $('problem').textContent = problem;
  $('problem').hidden = !problem;
}

function showBudgets(budgets) {
  const rows = budgets.map((one) => [one.name, one.reserved_usd, one.limit_usd ?? 'no limit',
    one.left_usd ?? '–']);
  const content = rows.length
    ? table('Budgets in USD', ['Budget', 'Reserved', 'Limit', 'Left'], rows)
    : make('p', {}, 'No cost today, and no budget is set.');
  $('budgets').querySelector('div').replaceChildren(content);
}

async function lookAtHolder() {
  const { body } = await ask('/token');
  scopes = body.scopes;
  $('holder').textContent = `${body.name}: ${body.scopes.join(', ')}`;
  showBudgets(body.budgets);
}

function showEmpty() {
  const filtered = FILTERS.some((name) => place.get(name));
  let text = $('empty').dataset.noJobs;
  if (shown.before) text = 'No match among the jobs searched so far; continue with Older.';
  else if (filtered) text = 'No job matches; change or clear the filters.';
  else if (place.get('before')) text = 'There are no older jobs.';
  $('empty').textContent = text;
  $('empty').hidden = rows().length > 0;
  $('older').disabled = !shown.before;
  $('newest').disabled = !place.get('before');
}

function listed() {
  const query = new URLSearchParams({ limit: PAGE });
  for (const name of [...FILTERS, 'before']) {
    if (place.get(name)) query.set(name, place.get(name));
  }
  return `/jobs/list?${query}`;
}

async function lookAtList() {
  const path = listed();
  const same = shown.path === path;
  const answer = await ask(path, { tag: same ? shown.tag : null });
  if (!answer) return;
  await released;
  if (path !== listed()) return;
  const news = showJobs(answer.body);
  shown = { path, tag: answer.tag, before: $('page').dataset.before };
  mark(place.get('job'));
  showEmpty();
  // What another page shows is no news.
  if (same && news) $('news').textContent = news;
}

function close() {
  open = { id: null, tag: null };
  $('details').hidden = true;
  $('details').replaceChildren();
}

async function lookAtJob() {
  const id = place.get('job');
  if (!id || !/^\d+$/.test(id)) {
    if (open.id) close();
    return;
  }
  const fresh = open.id !== id;
  if (fresh) close();
  let answer = null;
  try {
    answer = await ask(`/jobs/${id}/panel`, { tag: open.tag });
    if (!answer) return;
    await released;
    if (place.get('job') !== id) return;
    open = { id, tag: answer.tag };
  } catch (error) {
    if (!(error instanceof RefusedError) || ![404, 409, 422].includes(error.status)) throw error;
    say(error.message);
    go({ job: null });
    return;
  }
  $('details').hidden = false;
  replace($('details'), answer.body);
  // Beside the list nothing needs to move.
  const beside = window.matchMedia('(min-width: 70rem)').matches;
  if (fresh) $('details').focus({ preventScroll: beside });
}

async function act(name) {
  const { id } = open;
  $('details').querySelectorAll('.buttons button').forEach((one) => { one.disabled = true; });
  try {
    const { body } = await ask(`/jobs/${id}/${name}`, { method: 'POST' });
    say('');
    $('news').textContent = `Job ${body.id}: ${words(body.state)}.`;
    if (String(body.id) !== id) go({ job: String(body.id) });
  } catch (error) {
    say(error instanceof RefusedError ? `Job ${id}: ${error.message}`
      : `Job ${id}: the server cannot be reached; try again.`);
  }
  open.tag = null;
  soon();
}

function connected() {
  const lost = $('connection').dataset.lost;
  pause = PAUSE;
  if (lost !== undefined || !$('connection').textContent) {
    $('connection').textContent = lost === undefined ? 'Live' : 'Live (reconnected)';
    delete $('connection').dataset.lost;
  }
}

function failed(error) {
  // A reload would take the place of the page that signing out leads to.
  if (leaving) return;
  if (error instanceof RefusedError && [401, 403].includes(error.status)) {
    // The server shows its form for a token.
    window.location.reload();
    return;
  }
  if (error instanceof RefusedError && error.status < 500 && error.status !== 429) {
    connected();
    say(error.message);
    return;
  }
  const busy = error instanceof RefusedError;
  pause = busy && error.seconds ? error.seconds * 1000 : Math.min(2 * pause, LONGEST_PAUSE);
  // Said once, not at every try.
  if ($('connection').dataset.lost === undefined) {
    $('connection').dataset.lost = '';
    $('connection').textContent = busy
      ? `The server reports: ${error.message}. Retrying; this page may be out of date.`
      : 'Connection lost. Retrying; this page may be out of date.';
  }
}

async function look() {
  timer = null;
  const mine = ++round;
  try {
    if (!document.hidden) {
      if (!scopes.length || ($('budgets').open && mine % 5 === 0)) await lookAtHolder();
      await lookAtList();
      await lookAtJob();
      connected();
    }
  } catch (error) {
    failed(error);
  }
  // Only the last one goes on: another may have begun meanwhile.
  if (mine === round) timer = setTimeout(look, pause);
}

function soon() {
  clearTimeout(timer);
  look();
}

function moved() {
  place = new URLSearchParams(window.location.hash.slice(1));
  for (const name of FILTERS) filters.elements[name].value = place.get(name) ?? '';
  mark(place.get('job'));
  soon();
}

filters.addEventListener('submit', (event) => {
  event.preventDefault();
  const values = FILTERS.map((name) => [name, filters.elements[name].value.trim()]);
  say('');
  go({ ...Object.fromEntries(values), before: null });
});
$('clear').addEventListener('click', () => {
  say('');
  filters.reset();
  go(Object.fromEntries([...FILTERS, 'before'].map((name) => [name, null])));
});
$('jobs').addEventListener('click', (event) => {
  const row = event.target.closest('tr[data-job]');
  if (!row) return;
  event.preventDefault();
  go({ job: row.dataset.job });
});
$('older').addEventListener('click', () => go({ before: shown.before }));
$('newest').addEventListener('click', () => go({ before: null }));
$('details').addEventListener('click', (event) => {
  const pressed = event.target.closest('button, a[data-job]');
  if (!pressed) return;
  event.preventDefault();
  if (pressed.dataset.job) go({ job: pressed.dataset.job });
  else if (pressed.id === 'do-close') go({ job: null });
  else act(pressed.id.replace('do-', ''));
});
document.querySelector('[action="/sign-out"]').addEventListener('submit', () => { leaving = true; });
// What is pressed stays until it is released: a click on what was replaced meanwhile is lost.
window.addEventListener('pointerdown', () => {
  released = new Promise((resolve) => {
    for (const end of ['pointerup', 'pointercancel']) {
      window.addEventListener(end, () => setTimeout(resolve), { once: true });
    }
  });
});
window.addEventListener('hashchange', moved);
document.addEventListener('visibilitychange', () => { if (!document.hidden) soon(); });
moved();

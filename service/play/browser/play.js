// Shows a match anew when something has happened, and keeps what is being chosen.
'use strict';

const PAUSE = 1500;
const LONGEST_PAUSE = 15000;
let sending = false;
let looking = false;
let shows = 0;

// Outside of what is replaced: else nothing would be read out.
const news = document.createElement('p');
news.className = 'news';
news.setAttribute('role', 'status');
document.body.append(news);

const table = () => document.querySelector('main.table');

// Only what goes with the chosen piece can be pressed.
function fit() {
  const chosen = document.querySelector('main input[name=piece]:checked');
  document.querySelectorAll('main button[data-fitting]').forEach((button) => {
    const pieces = button.dataset.fitting.split(' ');
    button.disabled = Boolean(chosen) && !pieces.includes(chosen.value);
  });
  const places = document.querySelector('main td[data-action]');
  document.querySelectorAll('.pieces label').forEach((label) => {
    label.draggable = Boolean(places);
  });
}

// Where a piece is dropped, the button is pressed that puts it there.
function put(cell) {
  const place = cell.dataset.action;
  const button = [place, place.split('.')[0]]
    .map((action) => document.getElementById(`action-${action}`))
    .find((found) => found && !found.disabled);
  button?.click();
}

const target = (event) => event.target.closest?.('td[data-action]');

function lift(event) {
  const piece = event.target.querySelector?.('input[name=piece]');
  if (!piece) return;
  event.dataTransfer.setData('text/plain', piece.value);
  piece.checked = true;
  fit();
}

function show(text) {
  shows += 1;
  const next = new DOMParser().parseFromString(text, 'text/html');
  const main = document.querySelector('main');
  const fresh = next.querySelector('main');
  const chosen = main.querySelector('input[type=radio]:checked')?.value;
  const number = main.querySelector('[name=number]')?.value;
  const focused = document.activeElement?.id;
  const folded = [...main.querySelectorAll('details')].map((part) => part.open);
  document.title = next.title;
  main.replaceWith(document.importNode(fresh, true));
  const now = document.querySelector('main');
  now.querySelectorAll('details').forEach((part, place) => {
    if (place in folded) part.open = folded[place];
  });
  // A choice belongs to the question that it was an answer to.
  if (chosen !== undefined && number === now.querySelector('[name=number]')?.value) {
    const again = document.getElementById(`piece-${chosen}`);
    if (again) again.checked = true;
  }
  fit();
  const asked = now.querySelector('.asked');
  document.dispatchEvent(new Event('shown'));
  // What had the focus may be gone, as the buttons are after a move.
  if (focused) (document.getElementById(focused) ?? asked)?.focus();
  const said = [...now.querySelectorAll('.asked, .next, .game')];
  const words = said.map((part) => part.textContent).join(' ');
  if (words && news.textContent !== words) news.textContent = words;
}

async function look(pause) {
  let next = PAUSE;
  try {
    const main = table();
    if (main && !document.hidden && !sending) {
      const told = await (await fetch(main.dataset.watch)).json();
      if (told.thinking || String(told.version) !== main.dataset.version) {
        const before = shows;
        const page = await fetch(location.pathname + location.search);
        const text = await page.text();
        // What was asked for meanwhile is newer, and may be about something else.
        if (page.ok && !sending && !looking && shows === before) show(text);
      }
    }
  } catch {
    next = Math.min(2 * pause, LONGEST_PAUSE);
  }
  setTimeout(look, next, next);
}

async function send(event) {
  const form = event.target;
  if (!form.matches('form.moves')) return;
  event.preventDefault();
  if (sending) return;
  sending = true;
  table().setAttribute('aria-busy', 'true');
  try {
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const page = await fetch(location.pathname, { method: 'POST', body });
    history.replaceState(null, '', location.pathname);
    show(await page.text());
  } catch {
    // Sent again, the same move is played once.
    const status = document.querySelector('.asked');
    if (status) status.textContent = 'The server could not be reached: try again.';
    table()?.removeAttribute('aria-busy');
  } finally {
    sending = false;
  }
}

document.addEventListener('submit', send);
document.addEventListener('change', fit);
document.addEventListener('dragstart', lift);
document.addEventListener('dragover', (event) => {
  if (target(event)) event.preventDefault();
});
document.addEventListener('drop', (event) => {
  if (!target(event)) return;
  event.preventDefault();
  put(target(event));
});
fit();
document.querySelectorAll('main.narrow a[href^="/play/"]').forEach((link) => {
  link.textContent = link.href;
});
if (table()) setTimeout(look, PAUSE, PAUSE);

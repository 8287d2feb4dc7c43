// Match: shows it anew when something has happened, and keeps the present choice.
const PAUSE = 1500;
const LONGEST_PAUSE = 15000;
let sending = false;
let looking = false;
let shows = 0;

// Outside of what is replaced: else nothing would be read out.
const news = document.createElement('p');
news.className = 'news unseen';
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
  const focused = main.contains(document.activeElement) ? document.activeElement.id : null;
  const folded = [...main.querySelectorAll('details')].map((part) => part.open);
  document.title = next.title;
  main.replaceWith(document.importNode(fresh, true));
  const now = document.querySelector('main');
  now.querySelectorAll('details').forEach((part, place) => {
    if (place in folded) part.open = folded[place];
  });
  // A choice belongs to the question that it was an answer to.
  if (chosen !== undefined && number === now.querySelector('[name=number]')?.value) {
    const piece = document.getElementById(`piece-${chosen}`);
    if (piece) piece.checked = true;
  }
  fit();
  const asked = now.querySelector('.asked');
  document.dispatchEvent(new Event('shown'));
  // What had the focus may be gone, as the buttons are after a move, or have no id.
  const again = document.getElementById(focused);
  if (focused !== null) (again && !again.disabled ? again : asked)?.focus();
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

// Boards: choices are sent to the server without loading the page anew; keys.
const KEYS = {
  n: 'step-next', p: 'step-previous', a: 'step-all', Backspace: 'undo-one', Escape: 'undo-all',
};
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
let cursor = '';
const pressedSince = [];

const rows = () => [...document.querySelectorAll('.points .line')]
  .map((line) => [...line.querySelectorAll('.point')]).filter((line) => line.length);

// One stop for the tab key: arrows do the rest.
function arrange() {
  const all = rows().flat();
  if (!all.length) return;
  const now = document.getElementById(cursor) ?? all.find((one) => one.matches('.legal')) ?? all[0];
  for (const one of all) one.tabIndex = one === now ? 0 : -1;
  read(document.activeElement?.closest('.point'));
}

function read(point) {
  const line = document.getElementById('readout');
  if (line && point) line.textContent = point.title;
}

// What is pressed before the last answer has come is asked next, about the board as it is then.
async function change(event) {
  const form = event.target;
  if (form.id !== 'look') return;
  event.preventDefault();
  if (sending) return;
  pressedSince.push(event.submitter);
  if (looking) return;
  looking = true;
  try {
    while (pressedSince.length && !sending) await lookAt(pressedSince.shift());
  } catch {
    const status = document.querySelector('.asked');
    if (status) status.textContent = 'The server could not be reached: try again.';
  } finally {
    pressedSince.length = 0;
    looking = false;
  }
}

async function lookAt(button) {
  const form = document.getElementById('look');
  if (!form) return;
  const query = new URLSearchParams(new FormData(form));
  if (button?.name) query.append(button.name, button.value);
  const page = await fetch(`${location.pathname}?${query}`);
  if (sending) return;
  // What was asked for is done; loading the page again must not do it once more.
  show(await page.text());
  const kept = new URLSearchParams(new FormData(document.getElementById('look') ?? undefined));
  history.replaceState(null, '', `${location.pathname}?${kept}`);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, select, textarea')) return;
  const step = STEPS[event.key];
  const point = event.target.closest('.point');
  if (step && point) {
    const lines = rows();
    const row = lines.findIndex((line) => line.includes(point));
    const next = lines[row + step[0]]?.[lines[row].indexOf(point) + step[1]];
    event.preventDefault();
    if (next) {
      cursor = next.id;
      arrange();
      next.focus();
    }
    return;
  }
  const button = document.getElementById(KEYS[event.key] ?? KEYS[event.key.toLowerCase()]);
  if (button) {
    event.preventDefault();
    button.click();
  }
}

function pointed(event) {
  const point = event.target.closest?.('.point');
  if (event.type === 'focusin' && point) cursor = point.id;
  read(point);
}

// A link can be copied where the browser allows it.
for (const link of navigator.clipboard ? document.querySelectorAll('.links a') : []) {
  const copy = document.createElement('button');
  copy.textContent = 'Copy';
  copy.ariaLabel = `Copy ${link.href}`;
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(link.href);
    copy.textContent = 'Copied';
  });
  link.after(' ', copy);
}

// Without scripts a file is pasted.
for (const part of document.querySelectorAll('details.record')) {
  const content = part.querySelector('textarea');
  const chosen = document.createElement('input');
  chosen.type = 'file';
  chosen.accept = part.dataset.files;
  chosen.ariaLabel = 'File';
  chosen.addEventListener('change', async () => {
    if (chosen.files.length) content.value = await chosen.files[0].text();
  });
  content.before(chosen);
}

// Seats, rules and files of another game than the chosen one are not used.
function fitGame() {
  const game = document.querySelector('form.start select[name=game]');
  if (!game) return;
  document.querySelectorAll('[data-game]').forEach((part) => {
    part.hidden = part.dataset.game !== game.value;
  });
}

document.addEventListener('change', fitGame);
// Browsers keep what was chosen when somebody comes back.
window.addEventListener('pageshow', fitGame);
document.addEventListener('submit', change);
document.addEventListener('keydown', pressed);
document.addEventListener('focusin', pointed);
document.addEventListener('mouseover', pointed);
document.addEventListener('shown', arrange);
arrange();

// Boards: what is chosen or looked at is asked of the server without loading the page anew; keys.
'use strict';

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

// Without scripts a file is pasted.
for (const form of document.querySelectorAll('form.record')) {
  const content = form.querySelector('textarea');
  const chosen = document.createElement('input');
  chosen.type = 'file';
  chosen.accept = form.dataset.files;
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

// What concerns the whole page: the program that is shown, dark and light, and printing.
const root = document.documentElement;

function showOnly(name) {
  for (const card of document.querySelectorAll('.panel[data-program]')) {
    card.hidden = Boolean(name) && card.dataset.program !== name;
  }
  showProgram(name);
  for (const apply of filters) apply();
}

function setScheme(scheme) {
  root.style.colorScheme = scheme;
  return redraw();
}

startPlots();
startTables();
startDetails();

document.getElementById('program')?.addEventListener('change', (event) => showOnly(event.target.value));
document.getElementById('theme').addEventListener('click', () => {
  const set = root.style.colorScheme;
  const isDark = set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  setScheme(isDark ? 'light' : 'dark');
});

let schemeBefore = '';
addEventListener('beforeprint', () => {
  schemeBefore = root.style.colorScheme;
  printing = true;
  for (const box of boxes) {
    box.plot = records.plots[box.id];
    drawn.add(box);
  }
  setScheme('light');
});
addEventListener('afterprint', () => {
  printing = false;
  setScheme(schemeBefore);
});

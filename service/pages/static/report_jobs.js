// One job, opened from the list or by its address, such as `#job-12`.
const dialog = document.getElementById('details');
const detailsOf = (number) => document.getElementById(`job-${number}-details`);

function openJob(number) {
  dialog.replaceChildren(detailsOf(number).content.cloneNode(true));
  dialog.setAttribute('aria-label', dialog.querySelector('h2').textContent);
  dialog.querySelector('button').addEventListener('click', () => dialog.close());
  const place = dialog.querySelector('[data-circuit]');
  const drawing = place && document.getElementById(place.dataset.circuit);
  if (drawing) place.append(...drawing.cloneNode(true).children);
  else place?.remove();
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  const box = dialog.querySelector('.plot');
  if (box) draw(box, records.plots[box.id]);
}

function followAddress() {
  const number = /^#job-(\d+)$/.exec(location.hash)?.[1];
  if (number !== undefined && detailsOf(number)) openJob(number);
  else if (dialog.open) dialog.close();
}

function startDetails() {
  addEventListener('hashchange', followAddress);
  dialog.addEventListener('close', () => {
    drawn.delete(dialog.querySelector('.plot'));
    dialog.replaceChildren();
    if (location.hash.startsWith('#job-')) history.replaceState(null, '', '#jobs');
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.getElementById('jobs')?.parentElement.addEventListener('click', (event) => {
    const row = event.target.closest('tr[data-job]');
    if (row && !event.target.closest('a')) location.hash = `job-${row.dataset.job}`;
  });
  followAddress();
}

/** One job, opened from the list or by its address, such as `#job-12`. */
const dialog = document.getElementById('details');
const KINDS = { win: ['party wins', '--hue-0'], loss: ['party loses', '--hue-4'],
  bits: ['measured', '--hue-0'], others: ['others', '--soft'], illegal: ['illegal', '--bad'] };
const STATES = { queued: '--line', compiling: '--hue-0', verifying: '--hue-4', submitting: '--hue-7',
  'at provider': '--hue-6', running: '--hue-2', scoring: '--hue-3' };

function facts(pairs) {
  const list = make('dl', { class: 'facts' });
  for (const [name, value] of pairs) list.append(make('dt', {}, name), make('dd', {}, value));
  return list;
}

function timeline(stays) {
  const total = stays.reduce((sum, [, seconds]) => sum + seconds, 0);
  const bar = make('div', { class: 'timeline', 'aria-hidden': 'true' });
  const legend = make('ul', { class: 'stays' });
  for (const [state, seconds] of stays) {
    const hue = `var(${STATES[state] ?? '--soft'})`;
    const part = make('span', { title: `${state} ${seconds} s` });
    part.style.flexGrow = total ? seconds / total : 1;
    part.style.background = hue;
    const dot = make('span', { class: 'dot' });
    dot.style.background = hue;
    bar.append(part);
    legend.append(make('li', {}, dot, `${state} ${seconds.toFixed(2)} s`));
  }
  return [bar, legend];
}

function scoreTable(scores) {
  const names = Object.keys(scores[0].figures);
  const rows = names.map((name) => [name, ...scores.map((score) => score.figures[name])]);
  const columns = ['score', ...scores.map((score) => score.kind)];
  return makeTable('Scores', columns, rows, columns.map((_, place) => place).slice(1));
}

function histogram(outcomes) {
  const traces = [];
  for (const [kind, [name, hue]] of Object.entries(KINDS)) {
    const rows = outcomes.filter((row) => row[7] === kind);
    if (!rows.length) continue;
    traces.push({ type: 'bar', orientation: 'h', name, y: rows.map((row) => row[0]),
      x: rows.map((row) => row[2]), marker: { color: hue }, customdata: rows.map((row) => row[1]),
      error_x: { type: 'data', symmetric: false, color: '--ink', thickness: 1, width: 3,
        array: rows.map((row) => row[4] - row[2]), arrayminus: rows.map((row) => row[2] - row[3]) },
      hovertemplate: '%{x:.1%}, %{customdata} shots' });
  }
  const marks = [['exact', 5, 'diamond-open', '--ink'], ['uniform noise', 6, 'x-thin-open', '--soft']];
  for (const [name, column, symbol, hue] of marks) {
    const rows = outcomes.filter((row) => row[column] !== null);
    if (!rows.length) continue;
    traces.push({ type: 'scatter', mode: 'markers', name, y: rows.map((row) => row[0]),
      x: rows.map((row) => row[column]), hovertemplate: `${name} %{x:.1%}`,
      marker: { symbol, size: 9, color: hue, line: { width: 1.5, color: hue } } });
  }
  const names = outcomes.map((row) => row[0]);
  const layout = { barmode: 'overlay', xaxis: { tickformat: '.0%', rangemode: 'tozero' },
    yaxis: { type: 'category', categoryorder: 'array', categoryarray: names,
      autorange: 'reversed', tickfont: { family: 'monospace', size: 12 } } };
  return { traces, layout, height: 110 + 22 * outcomes.length, choices: [], asks: '' };
}

function outcomeTable(outcomes) {
  const share = (value) => (value === null ? DASH : `${(100 * value).toFixed(1)} %`);
  const rows = outcomes.map(([label, shots, measured, low, high, exact, noise]) => [
    readable(label), shots.toLocaleString('en'), share(measured),
    `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`, share(exact), share(noise)]);
  const columns = ['outcome', 'shots', 'share', '95 % interval', 'exact', 'uniform noise'];
  return makeTable('Outcomes', columns, rows, [1, 2, 3, 4, 5]);
}

/** Undo the escapes of a plot's label. */
function readable(label) {
  return label.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function part(title, ...children) {
  return make('section', {}, make('h3', {}, title), ...children);
}

function fold(title, child) {
  return make('details', {}, make('summary', {}, title), child);
}

function detailParts(job) {
  const parts = [part('Facts', facts(job.facts))];
  if (job.error) parts.push(part('Why it failed', make('p', { class: 'error' }, job.error)));
  if (job.stays.length || job.events.length) {
    const events = makeTable('Events', ['when (UTC)', 'state', 'detail'], job.events);
    parts.push(part('Timeline', ...timeline(job.stays), fold('All events', events)));
  }
  if (job.scores.length) parts.push(part('Scores', scoreTable(job.scores)));
  if (job.says || job.outcomes.length) parts.push(measured(job));
  if (job.compilation.length) parts.push(part('Compilation', facts(job.compilation)));
  const picture = job.circuit && document.getElementById(job.circuit);
  if (picture) {
    const copy = picture.cloneNode(true);
    copy.removeAttribute('id');
    parts.push(part('Circuit', copy));
  }
  return parts;
}

function measured(job) {
  const made = part('Outcomes');
  if (job.verdict) {
    const [word, words] = job.verdict;
    const kind = word === 'signal' ? 'good' : word === 'unclear' ? 'open' : 'bad';
    made.append(make('p', {}, make('span', { class: `badge ${kind}` }, word), ` ${words}`));
  }
  if (job.says) made.append(make('p', { class: 'says' }, job.says));
  if (job.outcomes.length) {
    const label = 'Share of the shots of every outcome against its exact probability; the table below holds the values.';
    const box = make('div', { class: 'plot', id: 'details-plot', role: 'group', 'aria-label': label });
    made.append(box, fold('All outcomes', outcomeTable(job.outcomes)));
  }
  return made;
}

function openJob(number) {
  const job = records.jobs[number];
  const close = make('button', { type: 'button', 'aria-label': 'Close' }, '✕');
  close.addEventListener('click', () => dialog.close());
  const heading = make('h2', { id: 'details-title' }, job.title);
  dialog.replaceChildren(make('div', { class: 'bar' }, heading, close), ...detailParts(job));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  const box = document.getElementById('details-plot');
  if (box) draw(box, histogram(job.outcomes));
}

function followAddress() {
  const number = /^#job-(\d+)$/.exec(location.hash)?.[1];
  if (number !== undefined && records.jobs[number]) openJob(number);
  else if (dialog.open) dialog.close();
}

function startDetails() {
  addEventListener('hashchange', followAddress);
  dialog.addEventListener('close', () => {
    drawn.delete(document.getElementById('details-plot'));
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

// Plots: plotly.js is unpacked once, and each plot is drawn when it comes near the window.
const narrow = matchMedia('(max-width: 40rem)');
const coarse = matchMedia('(pointer: coarse)');
const PRINTED_WIDTH = 660;
const WRAP = 20;
const ROOM = 1.5;
const FAILED = 'This browser cannot draw the plot; a table of this section holds the values.';

const records = JSON.parse(document.getElementById('records').textContent);
const chosen = new Map();
const drawn = new Set();
let program = '';
let printing = false;

const probe = make('span', { hidden: '' });
document.body.append(probe);

function colour(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

// Replace names of colours by those of the style sheet; only where plotly.js expects colours.
function coloured(value, isColour = false) {
  if (typeof value === 'string') return isColour && value.startsWith('--') ? colour(value) : value;
  if (Array.isArray(value)) return value.map((one) => coloured(one, isColour));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([k, v]) => [k, coloured(v, isColour || /color/.test(k))]));
}

async function unpack() {
  const packed = atob(document.getElementById('library').textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = make('script');
  script.textContent = await new Response(stream).text();
  document.head.append(script);
  return window.Plotly;
}

let unpacking = null;
const library = () => (unpacking ??= unpack());

// Break a label at its dots, so that a phone has room for the plot beside it.
function wrapped(label) {
  const lines = [''];
  for (const word of label.split(' · ')) {
    const last = lines.at(-1);
    if (last && last.length + word.length > WRAP) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} · ${word}` : word;
  }
  return lines.join('<br>');
}

// Tell whether an axis has names beside the plot that must be broken into lines.
const namesWrap = (given) => narrow.matches && given?.autorange && given.categoryarray?.some(
  (name) => name.length > WRAP);

function axis(given = {}) {
  const made = { gridcolor: '--faint', zerolinecolor: '--faint', linecolor: '--faint',
    tickcolor: '--faint', automargin: true, ...given };
  if (made.title) made.title = { font: { size: 12, color: '--soft' }, standoff: 8, ...made.title };
  if (namesWrap(given)) {
    Object.assign(made, { tickmode: 'array', tickvals: made.categoryarray,
      ticktext: made.categoryarray.map(wrapped), tickfont: { size: 10 } });
  }
  return made;
}

function layoutOf(plot) {
  const layout = {
    height: namesWrap(plot.layout.yaxis) ? ROOM * plot.height : plot.height,
    margin: { l: 8, r: 14, t: 8, b: 8, pad: 4 },
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: 'system-ui, sans-serif', size: 12, color: '--ink' },
    hoverlabel: { bgcolor: '--paper', bordercolor: '--line', font: { color: '--ink' } },
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', font: { size: 11 },
      bgcolor: 'rgba(0,0,0,0)', maxheight: 0.3 },
    hovermode: 'closest',
    showlegend: true,
    modebar: { bgcolor: 'rgba(0,0,0,0)', color: '--soft', activecolor: '--ink' },
    // A finger on a plot scrolls the page.
    dragmode: coarse.matches ? false : 'zoom',
    ...plot.layout,
    xaxis: axis(plot.layout.xaxis),
    yaxis: axis(plot.layout.yaxis),
  };
  if (printing) layout.width = PRINTED_WIDTH;
  else layout.autosize = true;
  return coloured(layout);
}

function shown(trace, choice) {
  const meta = trace.meta ?? {};
  const ofProgram = !program || meta.program === undefined || meta.program === program;
  return ofProgram && (meta.choice === undefined || choice === undefined || meta.choice === choice);
}

// Return the choices of a plot that have something of the program to show.
function choicesOf(plot) {
  const places = plot.choices.map((_, place) => place);
  return places.filter((place) => plot.traces.some((trace) => shown(trace, place)));
}

function paint(Plotly, box, plot) {
  const open = choicesOf(plot);
  if (!open.includes(chosen.get(box))) chosen.set(box, open[0]);
  const traces = plot.traces.filter((trace) => shown(trace, chosen.get(box)));
  const layout = layoutOf(plot);
  if (!traces.length) {
    layout.annotations = [{ text: 'nothing of this program', showarrow: false, xref: 'paper',
      yref: 'paper', x: 0.5, y: 0.5 }];
  }
  const config = { responsive: true, displaylogo: false,
    displayModeBar: coarse.matches ? false : 'hover',
    modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d'] };
  // One legend entry a group, of whichever of its traces comes first.
  const grouped = new Set();
  const painted = traces.map((trace) => {
    const { meta, ...rest } = coloured(trace);
    rest.showlegend &&= !grouped.has(rest.legendgroup);
    if (rest.showlegend) grouped.add(rest.legendgroup);
    return rest;
  });
  return Plotly.react(box, painted, layout, config);
}

async function draw(box, plot) {
  drawn.add(box);
  box.plot = plot;
  try {
    const Plotly = await library();
    box.querySelector('.missing')?.remove();
    await paint(Plotly, box, plot);
    box.dataset.drawn = '';
  } catch (error) {
    box.replaceChildren(make('p', { class: 'missing' }, FAILED));
    box.style.minHeight = '';
    delete box.dataset.drawn;
  }
}

const redraw = () => Promise.all([...drawn].map((box) => draw(box, box.plot)));

function fillChooser(select, plot, box) {
  const open = choicesOf(plot);
  select.replaceChildren(...open.map((place) =>
    make('option', { value: place }, plot.choices[place])));
  if (open.includes(chosen.get(box))) select.value = chosen.get(box);
}

function addChooser(box, plot) {
  const select = make('select');
  fillChooser(select, plot, box);
  select.addEventListener('change', () => {
    chosen.set(box, Number(select.value));
    draw(box, plot);
  });
  box.before(make('label', { class: 'choose' }, make('span', {}, plot.asks), select));
  box.chooser = select;
}

const boxes = [...document.querySelectorAll('.plot[id]')].filter((box) => records.plots[box.id]);

function startPlots() {
  // Printing does not wait until it is unpacked. A failure shows at each plot.
  library().catch(() => {});
  const near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target, records.plots[target.id]);
    }
  }, { rootMargin: '500px' });
  for (const box of boxes) {
    const plot = records.plots[box.id];
    if (plot.choices.length) addChooser(box, plot);
    near.observe(box);
  }
  for (const change of [narrow, matchMedia('(prefers-color-scheme: dark)')]) {
    change.addEventListener('change', redraw);
  }
}

function showProgram(name) {
  program = name;
  for (const box of boxes) {
    if (box.chooser) fillChooser(box.chooser, records.plots[box.id], box);
  }
  redraw();
}

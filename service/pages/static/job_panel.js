// One job: where it has been, what it measured, what it cost, what can be done.
import { FINAL, badge, facts, figure, make, table, words } from './elements.js';
import { at } from './job_list.js';

const MOST_OUTCOMES = 20;

// How long the present stage takes is known when it has ended.
function span(stage, place, all) {
  if (stage.seconds === null || place === all.length - 1) return '';
  return ` for ${figure(stage.seconds, stage.seconds < 10 ? 1 : 0)} s`;
}

function timeline(stages) {
  const steps = stages.map((stage, place, all) => make('li', {},
    badge(stage.state, place < all.length - 1 ? 'open' : undefined),
    make('span', { class: 'soft' }, ` ${at(stage.since)}${span(stage, place, all)}`)));
  return [make('h3', {}, 'Timeline'), make('ol', { id: 'timeline' }, ...steps)];
}

function scores(found) {
  const kinds = Object.entries(found);
  if (!kinds.length) return [];
  const rows = kinds.map(([kind, score]) => [words(kind), ...[
    score.hellinger_fidelity, score.normalized_fidelity, score.tvd, score.legal_fraction,
  ].map((value) => figure(value))]);
  const observed = kinds.flatMap(([kind, score]) => Object.entries(score.observables).map(
    ([name, one]) => [`${name}, ${words(kind)}`, figure(one.measured),
      one.low === null ? '–' : `${figure(one.low)} to ${figure(one.high)}`, figure(one.exact)],
  ));
  return [
    make('h3', {}, 'Scores'),
    table('Scores', ['Shots', 'Hellinger', 'Normalized', 'TVD', 'Legal'], rows),
    observed.length
      ? table('Observables', ['Observable', 'Measured', '95 % interval', 'Exact'], observed) : null,
  ];
}

function counts(result) {
  if (!result) return [];
  const all = Object.entries(result.outcomes ?? result.counts).sort((one, two) => two[1] - one[1]);
  const rows = all.slice(0, MOST_OUTCOMES).map(([outcome, shots]) => [
    outcome, String(shots),
    make('meter', { min: 0, max: result.shots, value: shots, 'aria-label': `${outcome}: ${shots}` }),
  ]);
  const left = all.length - rows.length;
  return [
    make('h3', {}, 'Counts'),
    table('Counts', ['Outcome', 'Shots', 'Share'], rows),
    left > 0 ? make('p', { class: 'soft' }, `and ${left} more outcomes`) : null,
  ];
}

function circuit(found) {
  if (!found) return [];
  return [make('h3', {}, 'Circuit'), facts([
    ['Method', `${found.synthesis}, ${found.pipeline}`], ['Encoding', found.encoding],
    ['Verified', found.verified], ['Qubits', found.qubits],
    ['Two-qubit gates', found.two_qubit_gates], ['Two-qubit depth', found.two_qubit_depth],
    ['Depth', found.depth], ['Gates', found.gates],
    ['Expected fidelity', found.expected_fidelity === null ? null
      : figure(found.expected_fidelity)],
  ])];
}

function rounds(found, link) {
  if (!found) return [];
  const rows = found.jobs.map((one) => [link(one.id), badge(one.state), one.program, one.backend,
    String(one.shots)]);
  return [make('h3', {}, 'Rounds'), table('Rounds', ['Job', 'State', 'Program', 'Backend', 'Shots'], rows)];
}

function log(job) {
  const events = job.events.map((one) => [at(one.at), words(one.state), one.detail]);
  const ledger = job.ledger.map((one) => [at(one.at), one.budget, one.kind, one.usd]);
  return [
    make('h3', {}, 'Log'),
    table('Log', ['At', 'State', 'What happened'], events),
    ledger.length ? make('h3', {}, 'Ledger') : null,
    ledger.length ? table('Ledger', ['At', 'Budget', 'Kind', 'USD'], ledger) : null,
  ];
}

// What a token that may change jobs can do with this one.
export function changes(job) {
  const ended = FINAL.includes(job.state);
  return [
    !ended && !job.cancel_requested ? 'cancel' : null,
    job.state === 'failed' || job.state === 'cancelled' || job.quarantined ? 'retry' : null,
    job.state === 'done' && job.different_outcomes !== null ? 'rescore' : null,
  ].filter((name) => name);
}

const usd = (amount) => (amount === null ? null : `${amount} USD`);

// Returns the content of the panel; `act` is told which button was pressed.
export function details(job, result, { mayChange, act, close, link }) {
  const button = (name, does) => {
    const made = make('button', { type: 'button', id: `do-${name}` },
      name[0].toUpperCase() + name.slice(1));
    made.addEventListener('click', does);
    return made;
  };
  const offered = mayChange ? changes(job).map((name) => button(name, () => act(name))) : [];
  const told = [job.error, job.quarantined && `In quarantine: ${job.quarantined}`,
    job.doubtful && 'In doubt: its provider may have it.',
    job.refusal && `Refused: ${job.refusal}`].filter((one) => one);
  return [
    make('div', { class: 'bar' },
      make('h2', { id: 'job-title' }, `Job ${job.id}: ${job.program}`), button('close', close)),
    make('p', { id: 'job-state' }, badge(job.state),
      job.cancel_requested && !FINAL.includes(job.state) ? ', asked to be cancelled' : ''),
    ...told.map((one) => make('p', { class: 'error' }, one)),
    offered.length ? make('div', { class: 'buttons' }, ...offered) : null,
    facts([
      ['Backend', job.backend], ['Target', job.target], ['Shots', String(job.shots)],
      ['Tag', job.tag], ['Seed', String(job.seed)], ['At the provider', job.provider_state],
      ['Place in its queue', job.queue_position], ['Provider’s id', job.provider_id],
      ['Retry of', job.retry_of && link(job.retry_of)],
      ['Round of', job.parent_id && link(job.parent_id)],
      ['Cost estimated', usd(job.estimated_cost_usd)],
      ['Cost charged', usd(job.charged_cost_usd)], ['Cost at most', usd(job.max_cost_usd)],
    ]),
    ...timeline(job.stages), ...scores(job.scores), ...counts(result),
    ...circuit(job.compilation), ...rounds(job.rounds, link), ...log(job),
  ].filter((one) => one !== null);
}

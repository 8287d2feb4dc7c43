// Holds dashboards against the types of @grafana/schema: node types.mjs FILE...
//
// Wrong types and unknown keys are printed, a line each, and make the exit code 1. Queries and
// variables' queries are data sources' own, which the schema leaves open.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';

const panels = {
  barchart: ['BarChart', 'barchart'],
  bargauge: ['BarGauge', 'bargauge'],
  stat: ['Stat', 'stat'],
  table: ['Table', 'table'],
  text: ['Text', 'text'],
  timeseries: ['TimeSeries', 'timeseries'],
  xychart: ['XYChart', 'xychart'],
};

/** JSON holds values where TypeScript has enumerations, and leaves out what has a default. */
const loose = `
type Loose<T> = T extends string ? \`\${T}\` : T extends Array<infer U> ? Array<Loose<U>>
  : T extends object ? { [K in keyof T]?: Loose<T[K]> } : T;
type Kept<T, K extends string> = Loose<Omit<T, K>> & { [key in K]?: unknown };
`;

function types(type) {
  const [name, folder] = panels[type];
  return `import('./node_modules/@grafana/schema/dist/esm/raw/composable/${folder}/panelcfg/x/${name}PanelCfg_types.gen')`;
}

/** One constant for everything whose type the schema knows, with the name that errors are told by. */
function constants(dashboard) {
  const { panels: all = [], templating = {}, ...rest } = dashboard;
  const flat = all.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
  const made = [['dashboard', 'Kept<Schema.Dashboard, "templating" | "panels">', rest]];
  for (const variable of templating.list ?? []) {
    // The SDK writes these for every variable; the schema knows them under no type, Grafana does.
    const { auto: _, auto_count: __, auto_min: ___, ...known } = variable;
    made.push([`variable ${variable.name}`, 'Kept<Schema.VariableModel, "query">', known]);
  }
  for (const panel of flat) {
    const name = `panel ${panel.id} '${panel.title}'`;
    if (panel.type === 'row') {
      made.push([name, 'Kept<Schema.RowPanel, "panels">', panel]);
      continue;
    }
    const { options, fieldConfig, targets: _, ...frame } = panel;
    const { custom = {}, ...defaults } = fieldConfig?.defaults ?? {};
    made.push([name, 'Loose<Omit<Schema.Panel, "options" | "fieldConfig" | "targets">>', frame]);
    made.push([`${name} fieldConfig`, 'Kept<Schema.FieldConfig, "custom" | "links">', defaults]);
    made.push([`${name} overrides`, 'Array<Loose<Schema.FieldConfigSource["overrides"][number]>>', fieldConfig?.overrides ?? []]);
    if (!(panel.type in panels)) {
      made.push([`${name} type`, 'never', panel.type]);
      continue;
    }
    made.push([`${name} options`, `Loose<${types(panel.type)}.Options>`, options ?? {}]);
    if (['timeseries', 'barchart', 'table', 'xychart'].includes(panel.type)) {
      made.push([`${name} custom`, `Loose<${types(panel.type)}.FieldConfig>`, custom]);
    }
  }
  return made;
}

function check(file) {
  const made = constants(JSON.parse(readFileSync(file, 'utf8')));
  const lines = [`import type * as Schema from '@grafana/schema';`, loose];
  made.forEach(([, type, value], i) => lines.push(`export const c${i}: ${type} =`, JSON.stringify(value, null, 1), ';'));
  const source = lines.join('\n');
  const virtual = new URL(`dashboard.check.ts`, import.meta.url).pathname;
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === virtual || fileExists(name);
  host.readFile = (name) => (name === virtual ? source : readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === virtual ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true) : getSourceFile(name, ...rest);
  const program = ts.createProgram([virtual], options, host);
  const parsed = program.getSourceFile(virtual);
  return ts.getPreEmitDiagnostics(program).map((problem) => {
    const text = ts.flattenDiagnosticMessageText(problem.messageText, ' ').replace(/\s+/g, ' ');
    const where = problem.file === parsed ? nameAt(source, problem.start, made) : problem.file?.fileName;
    return `${basename(file)}: ${where}: ${text}`;
  });
}

/** The constant that a place in the source belongs to, and the line that is wrong. */
function nameAt(source, start, made) {
  const index = [...source.slice(0, start + 16).matchAll(/^export const c(\d+):/gm)].pop()?.[1];
  const line = source.slice(source.lastIndexOf('\n', start) + 1).split('\n', 1)[0].trim();
  return `${made[index]?.[0] ?? '?'}${line.startsWith('export') ? '' : `, at ${line}`}`;
}

const problems = process.argv.slice(2).flatMap(check);
for (const problem of problems) {
  console.log(problem);
}
process.exitCode = problems.length > 0 ? 1 : 0;

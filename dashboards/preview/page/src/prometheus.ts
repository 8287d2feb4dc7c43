// Asks Prometheus over its HTTP API and makes the data frames that Grafana's server makes.
import {
  DataFrame,
  DataQuery,
  DataQueryRequest,
  DataQueryResponse,
  DataFrameType,
  FieldType,
  Labels,
  MetricFindValue,
  ScopedVars,
  TimeRange,
} from '@grafana/data';
import { RuntimeDataSource, sceneGraph, SceneObject } from '@grafana/scenes';

interface Query extends DataQuery {
  expr: string;
  legendFormat?: string;
  format?: 'time_series' | 'table' | 'heatmap';
  instant?: boolean;
  range?: boolean;
  interval?: string;
}

interface Series {
  metric: Labels;
  values?: Array<[number, string]>;
  value?: [number, string];
}

type Answer = { resultType: string; result: Series[] } | string[];

/** Grafana's rule for filling variables into PromQL: several values become a regular expression. */
export function promqlValue(value: unknown, variable: { multi?: boolean; includeAll?: boolean }): string {
  const regular = (text: string) => text.replace(/\\/g, '\\\\').replace(/'/g, "\\\\'");
  const special = (text: string) =>
    text.replace(/\\/g, '\\\\\\\\').replace(/[$^*{}[\]'+?.()|]/g, '\\\\$&');
  if (Array.isArray(value)) {
    const values = value.map((each) => special(String(each)));
    return values.length === 1 ? values[0]! : `(${values.join('|')})`;
  }
  return variable.multi || variable.includeAll ? special(String(value)) : regular(String(value));
}

function number(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
}

function seriesName(metric: Labels, legend: string | undefined, expr: string): string {
  const { __name__: name = '', ...labels } = metric;
  if (legend === '__auto') {
    return Object.keys(labels).length > 0 ? '' : name || expr;
  }
  if (legend) {
    return legend.replace(/\{\{\s*(.+?)\s*\}\}/g, (_, label) => metric[label] ?? '');
  }
  const text = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return (text.length > 0 ? `${name}{${text.join(', ')}}` : name) || expr;
}

function timeSeries(series: Series, query: Query, stepSeconds: number): DataFrame {
  const points = series.values ?? [series.value!];
  const name = seriesName(series.metric, query.legendFormat, query.expr);
  const labels = Object.fromEntries(Object.entries(series.metric));
  return {
    refId: query.refId,
    name: name || undefined,
    meta: { type: series.values ? DataFrameType.TimeSeriesMulti : DataFrameType.NumericMulti },
    length: points.length,
    fields: [
      {
        name: 'Time',
        type: FieldType.time,
        config: series.values ? { interval: stepSeconds * 1000 } : {},
        values: points.map(([time]) => time * 1000),
      },
      {
        name: 'Value',
        type: FieldType.number,
        labels,
        config: name ? { displayNameFromDS: name } : {},
        values: points.map(([, value]) => number(value)),
      },
    ],
  };
}

/** One table of all series: time, a column for each label in order of name, and the value. */
function table(all: Series[], query: Query, alone: boolean): DataFrame {
  const labels = [...new Set(all.flatMap((series) => Object.keys(series.metric)))].sort();
  const rows = all.flatMap((series) =>
    (series.values ?? [series.value!]).map(([time, value]) => ({ metric: series.metric, time, value }))
  );
  return {
    refId: query.refId,
    length: rows.length,
    meta: { preferredVisualisationType: 'table' },
    fields: [
      { name: 'Time', type: FieldType.time, config: {}, values: rows.map((row) => row.time * 1000) },
      ...labels.map((label) => ({
        name: label,
        type: FieldType.string,
        config: { filterable: true },
        values: rows.map((row) => row.metric[label] ?? ''),
      })),
      {
        name: alone ? 'Value' : `Value #${query.refId}`,
        type: FieldType.number,
        config: {},
        values: rows.map((row) => number(row.value)),
      },
    ],
  };
}

/** Cumulative buckets made plain ones, a field for each upper bound. */
function heatmap(all: Series[], query: Query, stepSeconds: number): DataFrame[] {
  const bound = (series: Series) => number(series.metric.le ?? 'NaN');
  const sorted = [...all].sort((a, b) => bound(a) - bound(b));
  const times = [...new Set(sorted.flatMap((series) => (series.values ?? []).map(([time]) => time)))].sort(
    (a, b) => a - b
  );
  let below = times.map(() => 0);
  const fields = sorted.map((series) => {
    const at = new Map((series.values ?? []).map(([time, value]) => [time, number(value)]));
    const cumulative = times.map((time, i) => at.get(time) ?? below[i]!);
    const values = cumulative.map((value, i) => Math.max(0, value - below[i]!));
    below = cumulative;
    return { name: series.metric.le ?? '', type: FieldType.number, config: {}, values };
  });
  const time = {
    name: 'Time',
    type: FieldType.time,
    config: { interval: stepSeconds * 1000 },
    values: times.map((each) => each * 1000),
  };
  const meta = { type: DataFrameType.HeatmapRows };
  return fields.length > 0 ? [{ refId: query.refId, length: times.length, meta, fields: [time, ...fields] }] : [];
}

export class PrometheusSource extends RuntimeDataSource {
  constructor(
    uid: string,
    private scrapeSeconds: number
  ) {
    super('prometheus', uid);
  }

  async query(request: DataQueryRequest): Promise<DataQueryResponse> {
    const targets = (request.targets as Query[]).filter((query) => query.expr && !query.hide);
    const tables = targets.filter((query) => query.format === 'table').length;
    const frames = await Promise.all(targets.map((query) => this.ask(query, request, tables === 1)));
    return { data: frames.flat() };
  }

  private async ask(query: Query, request: DataQueryRequest, alone: boolean): Promise<DataFrame[]> {
    const step = Math.max(this.scrapeSeconds, Math.round(request.intervalMs / 1000));
    const span = Math.round((request.range.to.valueOf() - request.range.from.valueOf()) / 1000);
    const rate = Math.max(step + this.scrapeSeconds, 4 * this.scrapeSeconds);
    const fixed = (text: string) => ({ text, value: text });
    const expr = this.fill(query.expr, {
      ...request.scopedVars,
      __interval: fixed(`${step}s`),
      __interval_ms: fixed(`${step * 1000}`),
      __rate_interval: fixed(`${rate}s`),
      __range: fixed(`${span}s`),
      __range_s: fixed(`${span}`),
    });
    const to = request.range.to.valueOf() / 1000;
    const from = request.range.from.valueOf() / 1000;
    const aligned = (time: number) => String(Math.floor(time / step) * step);
    const answer = (
      query.instant
        ? await this.get('query', { query: expr, time: String(to) })
        : await this.get('query_range', { query: expr, start: aligned(from), end: aligned(to), step: String(step) })
    ) as { resultType: string; result: Series[] | [number, string] };
    const all =
      answer.resultType === 'scalar'
        ? [{ metric: {}, value: answer.result as [number, string] }]
        : (answer.result as Series[]);
    if (query.format === 'table') {
      return [table(all, query, alone)];
    }
    if (query.format === 'heatmap' && !query.instant) {
      return heatmap(all, query, step);
    }
    return all.map((series) => timeSeries(series, { ...query, expr }, step));
  }

  /** What a variable's query names: label_values, label_names, metrics, query_result. */
  async metricFindQuery(
    query: string | { query: string },
    options: { scopedVars?: ScopedVars; range?: TimeRange }
  ): Promise<MetricFindValue[]> {
    const text = this.fill(typeof query === 'string' ? query : query.query, options.scopedVars ?? {});
    const labelValues = /^label_values\((?:([^]+),\s*)?([a-zA-Z_][\w]*)\)\s*$/.exec(text);
    const result = /^query_result\(([^]+)\)\s*$/.exec(text);
    const times: Record<string, string> = options.range
      ? {
          start: String(options.range.from.valueOf() / 1000),
          end: String(options.range.to.valueOf() / 1000),
        }
      : {};
    if (labelValues) {
      const [, selector, label] = labelValues;
      const match: Record<string, string> = selector ? { 'match[]': selector } : {};
      const values = (await this.get(`label/${label}/values`, { ...match, ...times })) as string[];
      return values.map((value) => ({ text: value }));
    }
    if (result) {
      const answer = (await this.get('query', { query: result[1]! })) as { result: Series[] };
      return answer.result.map(({ metric: { __name__: name = '', ...labels }, value }) => {
        const pairs = Object.entries(labels).map(([key, each]) => `${key}="${each}"`);
        return { text: `${name}{${pairs.join(',')}} ${value![1]} ${value![0] * 1000}` };
      });
    }
    throw new Error(`The preview does not know the variable query ${text}`);
  }

  private fill(text: string, scoped: ScopedVars): string {
    const scene = scoped.__sceneObject?.value.valueOf() as SceneObject;
    return sceneGraph.interpolate(scene, text, scoped, promqlValue);
  }

  private async get(path: string, parameters: Record<string, string>): Promise<Answer> {
    const response = await fetch(`api/prometheus/${path}?${new URLSearchParams(parameters)}`);
    const body = await response.json();
    if (body.status !== 'success') {
      throw new Error(body.error ?? `Prometheus answered ${response.status}`);
    }
    return body.data as Answer;
  }
}

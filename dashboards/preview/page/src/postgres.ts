// Asks the page's own server, which runs a panel's SQL in a read-only transaction.
import {
  DataFrame,
  DataQuery,
  DataQueryRequest,
  DataQueryResponse,
  FieldType,
  MetricFindValue,
  ScopedVars,
  TimeRange,
} from '@grafana/data';
import { RuntimeDataSource, sceneGraph, SceneObject } from '@grafana/scenes';

interface Query extends DataQuery {
  rawSql: string;
  format?: 'table' | 'time_series' | number;
}

interface Rows {
  columns: Array<{ name: string; type: FieldType }>;
  rows: unknown[][];
}

/** Grafana's rule for filling variables into SQL: values of lists are quoted, others escaped. */
export function sqlValue(value: unknown, variable: { multi?: boolean; includeAll?: boolean }): string {
  const escaped = (text: unknown) => String(text).replace(/'/g, "''");
  if (Array.isArray(value)) {
    return value.map((each) => `'${escaped(each)}'`).join(',');
  }
  return variable.multi || variable.includeAll ? `'${escaped(value)}'` : escaped(value);
}

/** The macros of Grafana's PostgreSQL data source that stand for the dashboard's time range. */
function withTimes(sql: string, range: TimeRange): string {
  const from = `'${range.from.toISOString()}'`;
  const to = `'${range.to.toISOString()}'`;
  const seconds = (text: string) => {
    const [, count, unit] = /^'?(\d+)([smhd])'?$/.exec(text.trim()) ?? [];
    if (!count || !unit) {
      throw new Error(`The preview does not know the interval ${text}`);
    }
    return Number(count) * { s: 1, m: 60, h: 3600, d: 86400 }[unit]!;
  };
  const filled = sql
    .replace(/\$__timeFilter\(([^)]+)\)/g, `$1 BETWEEN ${from} AND ${to}`)
    .replace(/\$__timeFrom\(\)/g, from)
    .replace(/\$__timeTo\(\)/g, to)
    .replace(/\$__timeGroup(Alias)?\(([^,]+),\s*([^),]+)(?:,[^)]*)?\)/g, (_, alias, column, interval) => {
      const width = seconds(interval);
      const group = `to_timestamp(floor(extract(epoch from ${column}) / ${width}) * ${width})`;
      return alias ? `${group} AS "time"` : group;
    });
  const unknown = /\$__\w+/.exec(filled);
  if (unknown) {
    throw new Error(`The preview does not know the macro ${unknown[0]}`);
  }
  return filled;
}

function frame(refId: string, { columns, rows }: Rows): DataFrame {
  return {
    refId,
    length: rows.length,
    fields: columns.map(({ name, type }, i) => ({ name, type, config: {}, values: rows.map((row) => row[i]) })),
  };
}

/** Rows of a time, texts and numbers as one frame for each combination of texts. */
function timeSeries(table: DataFrame): DataFrame[] {
  const time = table.fields.find((field) => field.type === FieldType.time);
  if (!time) {
    throw new Error('A time series needs a column of times');
  }
  const texts = table.fields.filter((field) => field.type === FieldType.string);
  const groups = new Map<string, number[]>();
  for (let row = 0; row < table.length; row++) {
    const key = JSON.stringify(texts.map((field) => field.values[row]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((rows) =>
    table.fields
      .filter((field) => field.type === FieldType.number)
      .map((field) => {
        const pick = (values: unknown[]) => rows.map((row) => values[row]);
        const labels = Object.fromEntries(texts.map((text) => [text.name, String(text.values[rows[0]!])]));
        return {
          refId: table.refId,
          length: rows.length,
          fields: [
            { ...time, values: pick(time.values) },
            { ...field, labels, values: pick(field.values) },
          ],
        };
      })
  );
}

export class PostgresSource extends RuntimeDataSource {
  constructor(type: string, uid: string) {
    super(type, uid);
  }

  async query(request: DataQueryRequest): Promise<DataQueryResponse> {
    const targets = (request.targets as Query[]).filter((query) => query.rawSql && !query.hide);
    const frames = await Promise.all(
      targets.map(async (query) => {
        const rows = await this.run(query.rawSql, request.scopedVars, request.range);
        const table = frame(query.refId, rows);
        return query.format === 'time_series' || query.format === 0 ? timeSeries(table) : [table];
      })
    );
    return { data: frames.flat() };
  }

  async metricFindQuery(
    query: string | { query?: string; rawSql?: string },
    options: { scopedVars?: ScopedVars; range?: TimeRange }
  ): Promise<MetricFindValue[]> {
    const sql = typeof query === 'string' ? query : (query.rawSql ?? query.query ?? '');
    const { columns, rows } = await this.run(sql, options.scopedVars ?? {}, options.range!);
    const at = (name: string) => columns.findIndex((column) => column.name === name);
    const text = Math.max(0, at('__text'));
    const value = at('__value') < 0 ? text : at('__value');
    return rows.map((row) => ({ text: String(row[text]), value: String(row[value]) }));
  }

  private async run(sql: string, scoped: ScopedVars, range: TimeRange): Promise<Rows> {
    const scene = scoped.__sceneObject?.value.valueOf() as SceneObject;
    const filled = sceneGraph.interpolate(scene, withTimes(sql, range), scoped, sqlValue);
    const response = await fetch('api/sql', { method: 'POST', body: filled });
    const body = await response.json();
    if (!response.ok) {
      throw new Error(body.error);
    }
    return body as Rows;
  }
}

// Reads a dashboard's JSON as Grafana's own scene objects.
import { DataTransformerConfig, FieldConfigSource } from '@grafana/data';
import {
  ConstantVariable,
  CustomVariable,
  DataSourceVariable,
  EmbeddedScene,
  IntervalVariable,
  LocalValueVariable,
  QueryVariable,
  SceneByVariableRepeater,
  SceneControlsSpacer,
  SceneCSSGridItem,
  SceneCSSGridLayout,
  SceneDataTransformer,
  sceneGraph,
  SceneGridItem,
  SceneGridItemLike,
  SceneGridLayout,
  SceneGridRow,
  SceneQueryRunner,
  SceneRefreshPicker,
  SceneTimePicker,
  SceneTimeRange,
  SceneVariable,
  SceneVariableSet,
  TextBoxVariable,
  VariableValueSelectors,
  VizPanel,
} from '@grafana/scenes';
import type { Dashboard, DataSourceRef, Panel, VariableModel } from '@grafana/schema';

/** Pixels from the top of a row of the grid to that of the next, and of them between panels. */
const CELL_PITCH = 38;
const CELL_GAP = 8;

type Row = Panel & { collapsed?: boolean; panels?: Panel[] };

export interface View {
  from?: string;
  to?: string;
  values: Record<string, string | string[]>;
}

function variable(model: VariableModel, view: View): SceneVariable {
  const chosen = view.values[model.name];
  const value = chosen ?? (model.current?.value as string | string[] | undefined) ?? '';
  const common = {
    name: model.name,
    label: model.label,
    description: model.description,
    hide: model.hide as number | undefined,
    skipUrlSync: model.skipUrlSync,
  };
  const many = {
    ...common,
    value,
    text: chosen ?? (model.current?.text as string | string[] | undefined) ?? value,
    isMulti: model.multi,
    includeAll: model.includeAll,
    allValue: model.allValue ?? undefined,
    defaultToAll: Boolean(model.includeAll) && !value,
    allowCustomValue: model.allowCustomValue,
  };
  switch (model.type) {
    case 'query':
      return new QueryVariable({
        ...many,
        datasource: model.datasource as DataSourceRef,
        query: model.query as never,
        regex: model.regex,
        sort: model.sort,
        refresh: model.refresh,
      });
    case 'custom':
      return new CustomVariable({ ...many, query: String(model.query ?? '') });
    case 'datasource':
      return new DataSourceVariable({ ...many, value: '', text: '', pluginId: String(model.query), regex: model.regex });
    case 'interval':
      return new IntervalVariable({ ...common, value: String(value), intervals: String(model.query).split(',') });
    case 'textbox':
      return new TextBoxVariable({ ...common, value: String(value || model.query || '') });
    case 'constant':
      return new ConstantVariable({ ...common, value: String(model.query ?? '') });
    default:
      throw new Error(`The preview does not know variables of type ${model.type}`);
  }
}

function panel(model: Panel): VizPanel {
  const datasource = model.datasource ?? (model.targets?.[0]?.datasource as DataSourceRef | undefined);
  const runner = new SceneQueryRunner({
    datasource,
    queries: (model.targets ?? []) as never,
    maxDataPoints: model.maxDataPoints,
    minInterval: model.interval,
    maxDataPointsFromWidth: true,
  });
  return new VizPanel({
    key: `panel-${model.id}`,
    pluginId: model.type,
    title: model.title ?? '',
    description: model.description,
    displayMode: model.transparent ? 'transparent' : 'default',
    hoverHeader: !model.title,
    options: model.options ?? {},
    fieldConfig: (model.fieldConfig ?? { defaults: {}, overrides: [] }) as FieldConfigSource,
    $timeRange: model.timeFrom ? new SceneTimeRange({ from: `now-${model.timeFrom}`, to: 'now' }) : undefined,
    $data: model.targets?.length
      ? new SceneDataTransformer({
          $data: runner,
          transformations: (model.transformations ?? []) as DataTransformerConfig[],
        })
      : undefined,
  });
}

function item(model: Panel): SceneGridItem {
  const { x, y, w, h } = model.gridPos ?? { x: 0, y: 0, w: 12, h: 8 };
  const place = { key: `item-${model.id}`, x, y, width: w, height: h };
  return model.repeat ? repeated(model, place) : new SceneGridItem({ ...place, body: panel(model) });
}

/** A panel for each value of a variable, in rows that make the item as high as they need. */
function repeated(model: Panel, place: { key: string; x: number; y: number; width: number; height: number }) {
  const cells = new SceneCSSGridLayout({
    autoRows: `${place.height * CELL_PITCH - CELL_GAP}px`,
    rowGap: 1,
    columnGap: 1,
    children: [],
  });
  const repeater = new SceneByVariableRepeater({
    variableName: model.repeat!,
    body: cells,
    getLayoutChild: ({ value, label }) =>
      new SceneCSSGridItem({
        $variables: new SceneVariableSet({
          variables: [new LocalValueVariable({ name: model.repeat!, value, text: label })],
        }),
        body: panel(model),
      }),
  });
  const whole = new SceneGridItem({ ...place, body: repeater });
  cells.subscribeToState(({ children }, before) => {
    if (children === before.children || children.length === 0) {
      return;
    }
    const columns = Math.min(model.maxPerRow ?? 4, children.length);
    cells.setState({ templateColumns: `repeat(${columns}, minmax(0, 1fr))` });
    whole.setState({ height: place.height * Math.ceil(children.length / columns) });
    sceneGraph.getAncestor(whole, SceneGridLayout).forceRender();
  });
  return whole;
}

/** Panels below a row belong to it until the next row; a collapsed row holds its own. */
function layout(dashboard: Dashboard): SceneGridItemLike[] {
  const children: SceneGridItemLike[] = [];
  let members: SceneGridItemLike[] = children;
  for (const model of (dashboard.panels ?? []) as Row[]) {
    if (model.type !== 'row') {
      members.push(item(model));
      continue;
    }
    const own = (model.panels ?? []).map(item);
    const row = new SceneGridRow({
      key: `row-${model.id}`,
      title: model.title ?? '',
      isCollapsed: Boolean(model.collapsed),
      y: model.gridPos?.y ?? 0,
      children: own,
    });
    children.push(row);
    members = model.collapsed ? children : (row.state.children as SceneGridItemLike[]);
  }
  return children;
}

export function scene(dashboard: Dashboard, view: View): EmbeddedScene {
  const variables = dashboard.templating?.list ?? [];
  return new EmbeddedScene({
    $timeRange: new SceneTimeRange({
      from: view.from ?? dashboard.time?.from ?? 'now-6h',
      to: view.to ?? dashboard.time?.to ?? 'now',
      timeZone: dashboard.timezone === 'browser' ? 'utc' : (dashboard.timezone ?? 'utc'),
    }),
    $variables: new SceneVariableSet({ variables: variables.map((model) => variable(model, view)) }),
    controls: [
      new VariableValueSelectors({}),
      new SceneControlsSpacer(),
      new SceneTimePicker({ isOnCanvas: true }),
      new SceneRefreshPicker({ refresh: dashboard.refresh || '', isOnCanvas: true }),
    ],
    body: new SceneGridLayout({ isLazy: false, isDraggable: false, isResizable: false, children: layout(dashboard) }),
  });
}

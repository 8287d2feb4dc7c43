// What a Grafana server sets up before a dashboard is drawn: registries and services.
import {
  booleanOverrideProcessor,
  dataLinksOverrideProcessor,
  DataFrame,
  DataQueryRequest,
  DataSourceApi,
  DataSourceInstanceSettings,
  displayNameOverrideProcessor,
  EventBusSrv,
  FieldColorModeId,
  FieldConfigPropertyItem,
  identityOverrideProcessor,
  LoadingState,
  numberOverrideProcessor,
  PanelData,
  ScopedVars,
  standardEditorsRegistry,
  standardFieldConfigEditorRegistry,
  standardTransformers,
  standardTransformersRegistry,
  StandardEditorsRegistryItem,
  stringOverrideProcessor,
  ThresholdsMode,
  thresholdsOverrideProcessor,
  toDataFrame,
  TransformerCategory,
  unitOverrideProcessor,
  valueMappingsOverrideProcessor,
} from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';
import {
  config,
  setAppEvents,
  setDataSourceSrv,
  setPluginImportUtils,
  setPluginLinksHook,
  setRunRequest,
} from '@grafana/runtime';
import { loadResources, sceneGraph, SceneObject } from '@grafana/scenes';
import { catchError, from, map, Observable, of, startWith } from 'rxjs';

const noEditor = () => null;

const NAMES: Record<string, string> = {
  prometheus: 'Prometheus',
  'grafana-postgresql-datasource': 'PostgreSQL',
};

type Process = FieldConfigPropertyItem['process'];

/** The options that every panel's fields have, each with Grafana's own processor. */
const fieldOptions: Array<[id: string, process: Process, defaultValue?: unknown]> = [
  ['unit', unitOverrideProcessor],
  ['min', numberOverrideProcessor],
  ['max', numberOverrideProcessor],
  ['fieldMinMax', booleanOverrideProcessor],
  ['decimals', numberOverrideProcessor],
  ['displayName', displayNameOverrideProcessor],
  ['color', identityOverrideProcessor as Process, { mode: FieldColorModeId.PaletteClassic }],
  ['noValue', stringOverrideProcessor],
  ['links', dataLinksOverrideProcessor],
  ['actions', identityOverrideProcessor as Process],
  ['mappings', valueMappingsOverrideProcessor, []],
  [
    'thresholds',
    thresholdsOverrideProcessor,
    {
      mode: ThresholdsMode.Absolute,
      steps: [
        { value: -Infinity, color: 'green' },
        { value: 80, color: 'red' },
      ],
    },
  ],
  ['filterable', booleanOverrideProcessor],
];

function registerFieldOptions(): void {
  standardEditorsRegistry.setInit(() =>
    ['stats-picker', 'text', 'number', 'select', 'multi-select', 'boolean', 'radio', 'slider', 'color', 'unit'].map(
      (id) => ({ id, name: id, editor: noEditor }) as unknown as StandardEditorsRegistryItem
    )
  );
  standardFieldConfigEditorRegistry.setInit(() =>
    fieldOptions.map(
      ([id, process, defaultValue]) =>
        ({
          id,
          path: id,
          name: id,
          editor: noEditor,
          override: noEditor,
          process,
          defaultValue,
          shouldApply: () => true,
          category: ['Standard options'],
        }) as unknown as FieldConfigPropertyItem
    )
  );
}

function registerTransformations(): void {
  const byId = new Map(Object.values(standardTransformers).map((each) => [each.id, each]));
  standardTransformersRegistry.setInit(() =>
    [...byId.values()].map((transformation) => ({
      id: transformation.id,
      name: transformation.name,
      description: transformation.description,
      transformation,
      editor: noEditor,
      categories: new Set<TransformerCategory>(),
      imageDark: '',
      imageLight: '',
    }))
  );
}

/** Queries a data source once and tells of it as Grafana's query runner does. */
function runRequest(source: DataSourceApi, request: DataQueryRequest): Observable<PanelData> {
  const begun: PanelData = { series: [], state: LoadingState.Loading, timeRange: request.range, request };
  return from(source.query(request)).pipe(
    map((response): PanelData => {
      const series: DataFrame[] = response.data.map((frame) => toDataFrame(frame));
      return { ...begun, state: LoadingState.Done, series };
    }),
    catchError((error: Error) =>
      of<PanelData>({ ...begun, state: LoadingState.Error, errors: [{ message: error.message }] })
    ),
    startWith(begun)
  );
}

type SourceRef = { uid?: string; type?: string } | string | null | undefined;

/** Finds data sources by uid or type, as the server does, variables in the uid filled in. */
function dataSources(sources: DataSourceApi[]) {
  const settings = sources.map(
    (source) =>
      ({
        name: NAMES[source.type] ?? source.name,
        uid: source.uid,
        type: source.type,
        id: source.id,
        meta: source.meta,
        jsonData: {},
        readOnly: true,
        access: 'direct',
      }) as DataSourceInstanceSettings
  );
  const find = (ref: SourceRef, scoped?: ScopedVars) => {
    const scene = scoped?.__sceneObject?.value.valueOf() as SceneObject | undefined;
    const filled = (text?: string) => (scene && text ? sceneGraph.interpolate(scene, text) : text);
    const uid = filled(typeof ref === 'string' ? ref : ref?.uid);
    const type = typeof ref === 'string' ? undefined : ref?.type;
    const index = sources.findIndex((s) => s.uid === uid || s.name === uid || (!uid && s.type === type));
    if (index < 0) {
      throw new Error(`There is no data source ${uid ?? type}`);
    }
    return index;
  };
  return {
    get: async (ref?: SourceRef, scoped?: ScopedVars) => sources[find(ref, scoped)],
    getList: (filters?: { pluginId?: string | ((id: string) => boolean) }) =>
      settings.filter(({ type }) => {
        const wanted = filters?.pluginId;
        return typeof wanted === 'function' ? wanted(type) : !wanted || wanted === type;
      }),
    getInstanceSettings: (ref?: SourceRef, scoped?: ScopedVars) => settings[find(ref, scoped)],
    reload: () => undefined,
    registerRuntimeDataSource: () => undefined,
  };
}

export async function startServices(sources: DataSourceApi[], theme: 'light' | 'dark'): Promise<void> {
  await initPluginTranslations('grafana-scenes', [loadResources]);
  registerFieldOptions();
  registerTransformations();
  config.theme2 = (await import('@grafana/data')).createTheme({ colors: { mode: theme } });
  config.buildInfo = { ...config.buildInfo, version: '12.0.2' };
  setAppEvents(new EventBusSrv());
  setRunRequest(runRequest as Parameters<typeof setRunRequest>[0]);
  setDataSourceSrv(dataSources(sources) as unknown as Parameters<typeof setDataSourceSrv>[0]);
  setPluginLinksHook(() => ({ isLoading: false, links: [] }));
  setPluginImportUtils({
    importPanelPlugin: (id: string) => Promise.reject(new Error(`The preview cannot draw panels of type ${id}`)),
    getPanelPluginFromCache: () => undefined,
  });
}

// Draws the dashboard that the page's server hands out, and tells the camera when it is done.
import { LoadingState } from '@grafana/data';
import { config, LocationServiceProvider, locationService } from '@grafana/runtime';
import { EmbeddedScene, sceneGraph, SceneGridRow, VizPanel } from '@grafana/scenes';
import type { Dashboard } from '@grafana/schema';
import { GlobalStyles, PortalContainer, ThemeContext } from '@grafana/ui';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import './panels/barchart';
import './panels/single';
import './panels/table';
import './panels/timeseries';
import './panels/xychart';
import 'react-grid-layout/css/styles.css';
import { PostgresSource } from './postgres';
import { PrometheusSource } from './prometheus';
import { scene as readScene, View } from './scene';
import { startServices } from './services';

interface Settings extends View {
  dashboard: Dashboard;
  theme: 'light' | 'dark';
  scrapeSeconds: number;
}

interface Status {
  done: boolean;
  errors: string[];
  empty: string[];
}

declare global {
  interface Window {
    preview: { status: () => Status; fit: () => number };
  }
}

/** Makes the page as high as the grid, whose height depends on how often panels are repeated. */
function fit(): number {
  const frame = document.getElementById('frame')!;
  const items = [...document.querySelectorAll('.react-grid-item')];
  const end = Math.max(0, ...items.map((item) => item.getBoundingClientRect().bottom));
  frame.style.height = `${end - frame.getBoundingClientRect().top}px`;
  return document.getElementById('dashboard')!.scrollHeight;
}

const isShown = (panel: VizPanel) => {
  const row = panel.parent?.parent;
  return !(row instanceof SceneGridRow && row.state.isCollapsed);
};

/** Whether all queries have been answered, and what went wrong with which panel. */
function status(scene: EmbeddedScene): Status {
  const panels = sceneGraph.findAllObjects(scene, (each) => each instanceof VizPanel) as VizPanel[];
  const data = (panel: VizPanel) => sceneGraph.getData(panel).state.data;
  const isDone = (panel: VizPanel) => {
    const state = panel.state.$data ? data(panel)?.state : LoadingState.Done;
    const isRead = panel.getPlugin() || panel.state._pluginLoadError;
    return isRead && (state === LoadingState.Done || state === LoadingState.Error);
  };
  const errors = panels.flatMap((panel) => {
    const all = [
      ...(data(panel)?.errors ?? []).map((error) => error.message ?? 'unknown error'),
      ...(panel.state._pluginLoadError ? [panel.state._pluginLoadError] : []),
    ];
    return all.map((message) => `${panel.state.title}: ${message}`);
  });
  const empty = panels
    .filter((panel) => panel.state.$data && data(panel)?.state === LoadingState.Done)
    .filter((panel) => !data(panel)!.series.some((frame) => frame.length > 0));
  return {
    done: panels.length > 0 && panels.filter(isShown).every(isDone),
    errors,
    empty: empty.map((panel) => panel.state.title),
  };
}

/** Says how the picture came about, and which of its panels are no drawings of Grafana's. */
function caption(dashboard: Dashboard): string {
  const drawn = `Drawn by Grafana ${config.buildInfo.version}'s published components without its server.`;
  const standIn = (dashboard.panels ?? []).some(({ type }) => type === 'barchart' || type === 'xychart');
  return standIn ? `${drawn} Bar and XY charts are stand-ins: Grafana's own look slightly different.` : drawn;
}

async function start(): Promise<void> {
  const settings = (await (await fetch('api/settings')).json()) as Settings;
  const sources = [
    new PrometheusSource('prometheus', settings.scrapeSeconds),
    new PostgresSource('grafana-postgresql-datasource', 'postgres'),
  ];
  await startServices(sources, settings.theme);
  document.body.className = `theme-${settings.theme}`;
  const { dashboard } = settings;
  const scene = readScene(dashboard, settings);
  window.preview = { status: () => status(scene), fit };
  createRoot(document.getElementById('root')!).render(
    <ThemeContext.Provider value={config.theme2}>
      <BrowserRouter>
        <LocationServiceProvider service={locationService}>
          <GlobalStyles />
          <main id="dashboard" style={{ padding: 16, background: config.theme2.colors.background.canvas }}>
            <h1 style={{ fontSize: 20 }}>{dashboard.title}</h1>
            <div id="frame" style={{ display: 'flex', height: 1000 }}>
              <scene.Component model={scene} />
            </div>
            <footer style={{ fontSize: 12, color: config.theme2.colors.text.secondary }}>{caption(dashboard)}</footer>
          </main>
          <PortalContainer />
        </LocationServiceProvider>
      </BrowserRouter>
    </ThemeContext.Provider>
  );
}

start().catch((error: Error) => {
  window.preview = { status: () => ({ done: true, errors: [error.message], empty: [] }), fit: () => 0 };
  console.error(error);
});

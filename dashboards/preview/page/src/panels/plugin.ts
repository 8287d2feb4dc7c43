// Panel plugins are not published as packages; these wrap Grafana's published components.
import {
  FieldColorModeId,
  FieldConfigProperty,
  identityOverrideProcessor,
  PanelPlugin,
  PanelProps,
} from '@grafana/data';
import { sceneUtils } from '@grafana/scenes';
import type { ComponentType } from 'react';

const noEditor = () => null;

interface PanelType {
  id: string;
  component: ComponentType<PanelProps>;
  /** Options by path, with the value that Grafana gives where a dashboard says nothing. */
  options: Record<string, unknown>;
  /** The same of the field options that only this panel has. */
  custom?: Record<string, unknown>;
  color?: FieldColorModeId;
}

/** Makes a panel type known under Grafana's own name for it. */
export function register({ id, component, options, custom = {}, color }: PanelType): void {
  const plugin = new PanelPlugin(component)
    .setPanelOptions((builder) => {
      for (const [path, defaultValue] of Object.entries(options)) {
        builder.addCustomEditor({ id: path, path, name: path, defaultValue, editor: noEditor } as never);
      }
    })
    .useFieldConfig({
      standardOptions: color ? { [FieldConfigProperty.Color]: { defaultValue: { mode: color } } } : {},
      useCustomConfig: (builder) => {
        for (const [path, defaultValue] of Object.entries(custom)) {
          builder.addCustomEditor({
            id: path,
            path,
            name: path,
            defaultValue,
            editor: noEditor,
            override: noEditor,
            process: identityOverrideProcessor,
            shouldApply: () => true,
          } as never);
        }
      },
    });
  sceneUtils.registerRuntimePanelPlugin({ pluginId: id, plugin: plugin as unknown as PanelPlugin });
}

/** Defaults of `addLegendOptions` and `addTooltipOptions`. */
export const legendAndTooltip = {
  'legend.showLegend': true,
  'legend.displayMode': 'list',
  'legend.placement': 'bottom',
  'legend.calcs': [],
  'legend.width': undefined,
  'legend.sortBy': undefined,
  'legend.sortDesc': undefined,
  'legend.isVisible': undefined,
  'tooltip.mode': 'single',
  'tooltip.sort': 'none',
  'tooltip.hideZeros': false,
};

/** Defaults of `addAxisConfig` and `addHideFrom`. */
export const axisAndHideFrom = {
  axisPlacement: 'auto',
  axisLabel: '',
  axisWidth: undefined,
  axisGridShow: undefined,
  axisColorMode: 'text',
  axisBorderShow: false,
  scaleDistribution: { type: 'linear' },
  axisCenteredZero: false,
  axisSoftMin: undefined,
  axisSoftMax: undefined,
  hideFrom: { tooltip: false, viz: false, legend: false },
};

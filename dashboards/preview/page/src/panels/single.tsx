// Panels of single values: BigValue and BarGauge of @grafana/ui, laid out by its VizRepeater.
import {
  DisplayValueAlignmentFactors,
  FieldColorModeId,
  FieldDisplay,
  getDisplayValueAlignmentFactors,
  getFieldDisplayValues,
  PanelProps,
  VizOrientation,
} from '@grafana/data';
import { BarGauge, BigValue, BigValueColorMode, BigValueGraphMode, useTheme2, VizRepeater } from '@grafana/ui';
import type { ReactElement } from 'react';
import { legendAndTooltip, register } from './plugin';

interface Cell {
  value: FieldDisplay;
  width: number;
  height: number;
  count: number;
  alignmentFactors?: DisplayValueAlignmentFactors;
  orientation: VizOrientation;
}

interface ValuesProps extends PanelProps {
  draw: (cell: Cell) => ReactElement;
  sparkline?: boolean;
  grid?: boolean;
  spacing?: number;
  minimum?: { width?: number; height?: number; maxHeight?: number };
}

function Values({ draw, sparkline, grid, spacing = 8, minimum = {}, ...panel }: ValuesProps) {
  const theme = useTheme2();
  const { data, options, fieldConfig, replaceVariables, timeZone, width, height, renderCounter } = panel;
  return (
    <VizRepeater<FieldDisplay, DisplayValueAlignmentFactors>
      source={data}
      width={width}
      height={height}
      renderCounter={renderCounter}
      orientation={options.orientation}
      autoGrid={grid}
      itemSpacing={spacing}
      minVizWidth={minimum.width}
      minVizHeight={minimum.height}
      maxVizHeight={minimum.maxHeight}
      getValues={() =>
        getFieldDisplayValues({
          fieldConfig,
          reduceOptions: options.reduceOptions,
          replaceVariables,
          theme,
          data: data.series,
          sparkline,
          percentChange: options.showPercentChange,
          timeZone,
        })
      }
      getAlignmentFactors={(values) => getDisplayValueAlignmentFactors(values)}
      renderValue={draw}
    />
  );
}

function StatPanel(panel: PanelProps) {
  const theme = useTheme2();
  const { options } = panel;
  return (
    <Values
      {...panel}
      grid
      sparkline={options.graphMode !== 'none'}
      draw={({ value, width, height, count, alignmentFactors }) => (
        <BigValue
          value={value.display}
          count={count}
          sparkline={value.sparkline}
          colorMode={options.colorMode as BigValueColorMode}
          graphMode={options.graphMode as BigValueGraphMode}
          justifyMode={options.justifyMode}
          textMode={options.textMode}
          alignmentFactors={alignmentFactors}
          text={options.text}
          width={width}
          height={height}
          theme={theme}
          percentChangeColorMode={options.percentChangeColorMode}
          disableWideLayout={!options.wideLayout}
        />
      )}
    />
  );
}

function BarGaugePanel(panel: PanelProps) {
  const theme = useTheme2();
  const { options, data } = panel;
  const sized = options.sizing === 'manual';
  return (
    <Values
      {...panel}
      spacing={10}
      minimum={{
        width: sized ? options.minVizWidth : 8,
        height: sized ? options.minVizHeight : 16,
        maxHeight: sized ? options.maxVizHeight : 300,
      }}
      draw={({ value, width, height, alignmentFactors, orientation }) => (
        <BarGauge
          value={value.display}
          width={width}
          height={height}
          orientation={orientation}
          field={value.field}
          text={options.text}
          display={value.view?.getFieldDisplayProcessor(value.colIndex!)}
          theme={theme}
          itemSpacing={10}
          displayMode={options.displayMode}
          alignmentFactors={data.series.length > 1 || options.reduceOptions.values ? alignmentFactors : undefined}
          showUnfilled={options.showUnfilled}
          valueDisplayMode={options.valueMode}
          namePlacement={options.namePlacement}
          isOverflow={false}
        />
      )}
    />
  );
}

const reduce = {
  'reduceOptions.values': false,
  'reduceOptions.calcs': ['lastNotNull'],
  'reduceOptions.fields': '',
  'reduceOptions.limit': undefined,
  orientation: 'auto',
};

register({
  id: 'stat',
  component: StatPanel,
  color: FieldColorModeId.Thresholds,
  options: {
    ...reduce,
    textMode: 'auto',
    wideLayout: true,
    colorMode: 'value',
    graphMode: 'area',
    justifyMode: 'auto',
    showPercentChange: false,
    percentChangeColorMode: 'standard',
  },
});
register({
  id: 'bargauge',
  component: BarGaugePanel,
  color: FieldColorModeId.Thresholds,
  options: {
    ...reduce,
    ...legendAndTooltip,
    'legend.showLegend': false,
    displayMode: 'gradient',
    valueMode: 'color',
    namePlacement: 'auto',
    showUnfilled: true,
    sizing: 'auto',
    minVizWidth: 8,
    minVizHeight: 16,
    maxVizHeight: 300,
  },
});

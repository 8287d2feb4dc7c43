// Time series: the TimeSeries component of @grafana/ui, drawn by its uPlot.
import { DataFrame, Field, FieldType, PanelProps } from '@grafana/data';
import { VizLegendOptions } from '@grafana/schema';
import { TimeSeries } from '@grafana/ui';
import { useMemo } from 'react';
import { NoData } from './empty';
import { axisAndHideFrom, legendAndTooltip, register } from './plugin';

/** What can be drawn of a field: neither NaN nor infinity, as Grafana's own panel has it. */
function drawn(field: Field): Field {
  switch (field.type) {
    case FieldType.boolean:
      return { ...field, type: FieldType.number, values: field.values.map((value) => (value ? 1 : 0)) };
    case FieldType.number:
      return { ...field, values: field.values.map((value) => (Number.isFinite(value) ? value : null)) };
    default:
      return field;
  }
}

function graphable(series: DataFrame[]): DataFrame[] {
  const types = [FieldType.time, FieldType.number, FieldType.boolean, FieldType.enum];
  return series
    .map((frame) => ({
      ...frame,
      fields: frame.fields.filter(({ type }) => types.includes(type)).map(drawn),
    }))
    .filter((frame) => frame.fields.some(({ type }) => type === FieldType.time) && frame.fields.length > 1);
}

function TimeSeriesPanel({ data, timeRange, timeZone, width, height, options }: PanelProps) {
  const frames = useMemo(() => graphable(data.series), [data.series]);
  if (!frames.some((frame) => frame.length > 0)) {
    return <NoData data={data} />;
  }
  return (
    <TimeSeries
      frames={frames}
      structureRev={data.structureRev}
      timeRange={timeRange}
      timeZone={timeZone}
      width={width}
      height={height}
      legend={options.legend as VizLegendOptions}
      options={options}
    />
  );
}

register({
  id: 'timeseries',
  component: TimeSeriesPanel,
  options: legendAndTooltip,
  custom: {
    ...axisAndHideFrom,
    drawStyle: 'line',
    lineInterpolation: 'linear',
    barAlignment: 0,
    barWidthFactor: 0.6,
    barMaxWidth: undefined,
    lineColor: undefined,
    lineWidth: 1,
    lineStyle: undefined,
    fillColor: undefined,
    fillOpacity: 0,
    fillBelowTo: undefined,
    gradientMode: 'none',
    spanNulls: false,
    insertNulls: false,
    showPoints: 'auto',
    pointSize: 5,
    pointColor: undefined,
    pointSymbol: undefined,
    stacking: { mode: 'none', group: 'A' },
    transform: undefined,
    thresholdsStyle: { mode: 'off' },
  },
});

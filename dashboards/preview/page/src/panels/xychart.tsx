// Points: a drawing of the preview's own, as that of bars. It knows what the dashboards use: the
// first number across, all others up, on logarithmic axes; points, or a line.
import { DataFrame, Field, FieldType, formattedValueToString, getFieldDisplayName, PanelProps } from '@grafana/data';
import { LegendDisplayMode } from '@grafana/schema';
import { measureText, useTheme2, VizLayout, VizLegend } from '@grafana/ui';
import { NoData } from './empty';
import { axisAndHideFrom, legendAndTooltip, register } from './plugin';
import { logarithmic } from './scales';

const FONT = 12;
const RADIUS = 4;

interface Chart {
  across: Field;
  series: Array<{ field: Field; label: string; color: string }>;
}

function read(frame: DataFrame | undefined, all: DataFrame[]): Chart | undefined {
  const [across, ...others] = frame?.fields.filter(({ type }) => type === FieldType.number) ?? [];
  if (!frame || !across || frame.length === 0) {
    return undefined;
  }
  const series = others
    .filter((field) => field.values.some((value) => value > 0))
    .map((field) => ({
      field,
      label: getFieldDisplayName(field, frame, all),
      color: field.display!(1).color ?? '#888',
    }));
  return { across, series };
}

const shown = (field: Field, value: number) => formattedValueToString(field.display!(value));

function Drawing({ chart, width, height }: { chart: Chart; width: number; height: number }) {
  const theme = useTheme2();
  const { across, series } = chart;
  const first = series[0]?.field ?? across;
  const heights = series.flatMap(({ field }) => field.values.filter((value) => value > 0));
  const room = Math.max(...heights.map((value) => measureText(shown(first, value), FONT).width)) + 12;
  const plot = { width: width - room - 16, height: height - FONT - 24 };
  const x = logarithmic([...across.values], 10, plot.width);
  const y = logarithmic(heights, 10, plot.height);
  const grid = { stroke: theme.colors.border.weak, strokeWidth: 1 };
  const text = { fill: theme.colors.text.primary, fontSize: FONT, fontFamily: theme.typography.fontFamily };
  return (
    <svg width={width} height={height}>
      <g transform={`translate(${room},8)`}>
        {x.marks.map((mark) => (
          <g key={mark} transform={`translate(${x.place(mark)},0)`}>
            <line y2={plot.height} {...grid} />
            <text y={plot.height + FONT + 6} textAnchor="middle" {...text}>
              {shown(across, mark)}
            </text>
          </g>
        ))}
        {y.marks.map((mark) => (
          <g key={mark} transform={`translate(0,${plot.height - y.place(mark)})`}>
            <line x2={plot.width} {...grid} />
            <text x={-8} y={4} textAnchor="end" {...text}>
              {shown(first, mark)}
            </text>
          </g>
        ))}
        {series.map(({ field, label, color }) => {
          const places = [...across.values]
            .map((calls, i) => [calls, field.values[i]] as const)
            .filter(([, value]) => value > 0)
            .map(([calls, value]) => [x.place(calls), plot.height - y.place(value)] as const);
          return field.config.custom?.show === 'lines' ? (
            <polyline key={label} points={places.join(' ')} fill="none" stroke={color} strokeWidth={2} />
          ) : (
            places.map(([cx, cy], i) => (
              <circle key={`${label} ${i}`} cx={cx} cy={cy} r={RADIUS} fill={color} fillOpacity={0.5} stroke={color} />
            ))
          );
        })}
      </g>
    </svg>
  );
}

function PointsPanel({ data, width, height, options }: PanelProps) {
  const chart = read(data.series[0], data.series);
  if (!chart) {
    return <NoData data={data} />;
  }
  const { placement, displayMode, showLegend } = options.legend;
  const legend = showLegend ? (
    <VizLayout.Legend placement={placement}>
      <VizLegend
        placement={placement}
        displayMode={displayMode as LegendDisplayMode}
        items={chart.series.map(({ label, color }) => ({ label, color, yAxis: 1 }))}
      />
    </VizLayout.Legend>
  ) : null;
  return (
    <VizLayout width={width} height={height} legend={legend}>
      {(plotWidth: number, plotHeight: number) => <Drawing chart={chart} width={plotWidth} height={plotHeight} />}
    </VizLayout>
  );
}

register({
  id: 'xychart',
  component: PointsPanel,
  options: { ...legendAndTooltip, mapping: 'auto', series: [] },
  custom: {
    ...axisAndHideFrom,
    show: 'points',
    pointSize: { fixed: 5 },
    pointShape: 'circle',
    pointStrokeWidth: 1,
    fillOpacity: 50,
    lineWidth: 1,
    lineStyle: { fill: 'solid' },
  },
});

// Bar charts: a drawing of the preview's own. Grafana's bar chart is in no package; names, values,
// colours and units come from its display processors, and the legend is its VizLegend.
import { DataFrame, Field, FieldType, formattedValueToString, getFieldDisplayName, PanelProps } from '@grafana/data';
import { LegendDisplayMode } from '@grafana/schema';
import { measureText, useTheme2, VizLayout, VizLegend } from '@grafana/ui';
import { NoData } from './empty';
import { axisAndHideFrom, legendAndTooltip, register } from './plugin';
import { linear, logarithmic, ticks } from './scales';

const FONT = 12;
const VALUE_FONT = { least: 8, most: 30 };

interface Chart {
  names: string[];
  series: Array<{ field: Field; label: string; color: string }>;
}

function read(frame: DataFrame | undefined, xField: string | undefined, all: DataFrame[]): Chart | undefined {
  const named = (field: Field) => getFieldDisplayName(field, frame, all);
  const x = frame?.fields.find((field) => (xField ? named(field) === xField : field.type === FieldType.string));
  const series = frame?.fields
    .filter((field) => field.type === FieldType.number && field !== x && !field.config.custom?.hideFrom?.viz)
    .map((field) => ({ field, label: named(field), color: field.display!(1).color ?? '#888' }));
  if (!frame || !x || !series?.length || frame.length === 0) {
    return undefined;
  }
  return { names: x.values.map((value) => formattedValueToString(x.display!(value))), series };
}

const shown = (field: Field, value: number) => formattedValueToString(field.display!(value));

function Drawing({ chart, options, width, height }: { chart: Chart; options: any; width: number; height: number }) {
  const theme = useTheme2();
  const { names, series } = chart;
  const across =
    options.orientation === 'horizontal' || ((options.orientation ?? 'auto') === 'auto' && width < height);
  const stacked = options.stacking === 'normal' || options.stacking === 'percent';
  const first = series[0]!.field;
  const short = (name: string) =>
    options.xTickLabelMaxLength && name.length > options.xTickLabelMaxLength
      ? `${name.slice(0, options.xTickLabelMaxLength)}...`
      : name;
  const labels = names.map(short);
  const longest = Math.max(...labels.map((label) => measureText(label, FONT).width));
  const angle = across ? 0 : (options.xTickLabelRotation ?? 0);
  const tilted = Math.abs(Math.sin((angle * Math.PI) / 180)) * longest;

  const sums = names.map((_, i) => series.map(({ field }) => (Number.isFinite(field.values[i]) ? field.values[i] : 0)));
  const totals = sums.map((values) => (stacked ? values.reduce((a, b) => a + b, 0) : Math.max(...values)));
  const highest = Math.max(...totals, first.config.custom?.axisSoftMax ?? 0, first.config.max ?? 0) || 1;

  const valueRoom = Math.max(...ticks(highest, 200).map((tick) => measureText(shown(first, tick), FONT).width)) + 12;
  const nameRoom = across ? longest + 12 : tilted + FONT + 12;
  const left = across ? nameRoom : Math.max(valueRoom, angle < 0 ? longest * 0.6 : 0);
  const bottom = across ? FONT + 12 : nameRoom;
  const plot = { width: width - left - 16, height: height - bottom - 12 };
  const length = across ? plot.width : plot.height;
  const slot = (across ? plot.height : plot.width) / names.length;
  const group = slot * (options.groupWidth ?? 0.7);
  const one = stacked ? group : group / series.length;
  const thick = one * (options.barWidth ?? 0.97);
  const texts = series.flatMap(({ field }) => names.map((_, i) => shown(field, Number(field.values[i]))));
  const widest = Math.max(...texts.map((text) => measureText(text, 10).width)) / 10;
  const fit = across ? thick * 0.65 : (thick * 0.95) / widest;
  const size = options.text?.valueSize ?? Math.min(VALUE_FONT.most, fit);
  const values = options.showValue === 'always' || (options.showValue !== 'never' && size >= VALUE_FONT.least);

  const spare = values ? size * (across ? widest + 0.5 : 1.2) : 0;
  const distribution = first.config.custom?.scaleDistribution;
  const { marks, place: scale } =
    distribution?.type === 'log'
      ? logarithmic(totals.concat(sums.flat()), distribution.log ?? 2, length - spare)
      : linear(highest, length - spare, across ? length / 2 : length);

  const grid = { stroke: theme.colors.border.weak, strokeWidth: 1 };
  const text = { fill: theme.colors.text.primary, fontSize: FONT, fontFamily: theme.typography.fontFamily };
  return (
    <svg width={width} height={height}>
      <g transform={`translate(${left},8)`}>
        {marks.map((mark) =>
          across ? (
            <g key={mark} transform={`translate(${scale(mark)},0)`}>
              <line y2={plot.height} {...grid} />
              <text y={plot.height + FONT + 6} textAnchor="middle" {...text}>
                {shown(first, mark)}
              </text>
            </g>
          ) : (
            <g key={mark} transform={`translate(0,${length - scale(mark)})`}>
              <line x2={plot.width} {...grid} />
              <text x={-8} y={4} textAnchor="end" {...text}>
                {shown(first, mark)}
              </text>
            </g>
          )
        )}
        {labels.map((label, i) => {
          const middle = (i + 0.5) * slot;
          return across ? (
            <text key={i} x={-8} y={middle + 4} textAnchor="end" {...text}>
              {label}
            </text>
          ) : (
            <text
              key={i}
              transform={`translate(${middle},${length + FONT + 4}) rotate(${angle})`}
              textAnchor={angle < 0 ? 'end' : angle > 0 ? 'start' : 'middle'}
              {...text}
            >
              {label}
            </text>
          );
        })}
        {series.map(({ field, label }, s) =>
          names.map((name, i) => {
            const value = field.values[i];
            if (!Number.isFinite(value)) {
              return null;
            }
            const color = field.display!(value).color ?? '#888';
            const below = stacked ? sums[i]!.slice(0, s).reduce((a, b) => a + b, 0) : 0;
            const long = scale(value);
            const start = i * slot + (slot - group) / 2 + (stacked ? 0 : s * one) + (one - thick) / 2;
            const at = across
              ? { x: scale(below), y: start, width: long, height: thick }
              : { x: start, y: length - scale(below) - long, width: thick, height: long };
            return (
              <g key={`${name} ${label} ${i}`}>
                <rect
                  {...at}
                  fill={color}
                  fillOpacity={(field.config.custom?.fillOpacity ?? 80) / 100}
                  stroke={color}
                  strokeWidth={field.config.custom?.lineWidth ?? 1}
                />
                {values && (
                  <text
                    {...text}
                    fontSize={size}
                    x={across ? at.x + at.width + 4 : at.x + thick / 2}
                    y={across ? at.y + thick / 2 + size * 0.35 : at.y - 4}
                    textAnchor={across ? 'start' : 'middle'}
                  >
                    {shown(field, value)}
                  </text>
                )}
              </g>
            );
          })
        )}
      </g>
    </svg>
  );
}

function BarChartPanel({ data, width, height, options }: PanelProps) {
  const chart = read(data.series[0], options.xField, data.series);
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
      {(plotWidth: number, plotHeight: number) => (
        <Drawing chart={chart} options={options} width={plotWidth} height={plotHeight} />
      )}
    </VizLayout>
  );
}

register({
  id: 'barchart',
  component: BarChartPanel,
  options: {
    ...legendAndTooltip,
    xField: undefined,
    colorByField: undefined,
    orientation: 'auto',
    xTickLabelRotation: 0,
    xTickLabelMaxLength: undefined,
    xTickLabelSpacing: 0,
    showValue: 'auto',
    stacking: 'none',
    groupWidth: 0.7,
    barWidth: 0.97,
    barRadius: 0,
    fullHighlight: false,
    text: undefined,
  },
  custom: { ...axisAndHideFrom, lineWidth: 1, fillOpacity: 80, gradientMode: 'none', thresholdsStyle: { mode: 'off' } },
});

// Tables and texts: Table of @grafana/ui, and @grafana/data's own Markdown.
import { FieldColorModeId, PanelProps, renderTextPanelMarkdown, textUtil } from '@grafana/data';
import { Table } from '@grafana/ui';
import { NoData } from './empty';
import { register } from './plugin';

function TablePanel({ data, width, height, options, timeRange, fieldConfig, replaceVariables }: PanelProps) {
  const frame = data.series[options.frameIndex ?? 0] ?? data.series[0];
  if (!frame || frame.length === 0) {
    return <NoData data={data} />;
  }
  return (
    <Table
      width={width}
      height={height}
      data={frame}
      noHeader={!options.showHeader}
      showTypeIcons={options.showTypeIcons}
      resizable
      initialSortBy={options.sortBy}
      footerOptions={options.footer}
      enablePagination={options.footer?.enablePagination}
      cellHeight={options.cellHeight}
      timeRange={timeRange}
      fieldConfig={fieldConfig}
      replaceVariables={replaceVariables}
    />
  );
}

function TextPanel({ options, replaceVariables }: PanelProps) {
  const text = replaceVariables(options.content ?? '', {}, 'html');
  const html = options.mode === 'html' ? textUtil.sanitizeTextPanelContent(text) : renderTextPanelMarkdown(text);
  return <div className="markdown-html" dangerouslySetInnerHTML={{ __html: html }} />;
}

register({
  id: 'table',
  component: TablePanel,
  color: FieldColorModeId.Thresholds,
  options: {
    frameIndex: 0,
    showHeader: true,
    showTypeIcons: false,
    sortBy: undefined,
    cellHeight: 'sm',
    footer: { show: false, countRows: false, reducer: ['sum'] },
  },
  custom: {
    width: undefined,
    minWidth: undefined,
    align: 'auto',
    cellOptions: { type: 'auto' },
    inspect: false,
    filterable: undefined,
    hidden: false,
    hideFrom: undefined,
    wrapHeaderText: undefined,
  },
});
register({ id: 'text', component: TextPanel, options: { mode: 'markdown', content: '', code: undefined } });

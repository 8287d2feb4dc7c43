import { LoadingState, PanelData } from '@grafana/data';

/** What Grafana writes where a query answered nothing; the camera counts these. */
export function NoData({ data }: { data: PanelData }) {
  const text = data.state === LoadingState.Error ? 'Error' : 'No data';
  return (
    <div
      data-preview="empty"
      style={{ height: '100%', display: 'flex', alignItems: 'center', justifyContent: 'center', fontSize: 18 }}
    >
      {data.state === LoadingState.Loading ? '' : text}
    </div>
  );
}

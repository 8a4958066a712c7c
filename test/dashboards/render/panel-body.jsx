import { dateTime, getDisplayValueAlignmentFactors, getFieldDisplayValues } from '@grafana/data';
import { BigValue, TimeSeries } from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';

function Empty({ panel }) {
  const text = panel.fieldConfig?.defaults?.noValue ?? 'No data';
  return <div style={{ padding: 16, textAlign: 'center' }}>{text}</div>;
}

function Stat({ panel, frames, width, height, theme }) {
  const values = getFieldDisplayValues({
    fieldConfig: panel.fieldConfig,
    reduceOptions: panel.options.reduceOptions,
    replaceVariables: (text) => text,
    theme,
    data: frames,
    timeZone: 'utc',
  });
  const each = Math.floor(width / values.length);
  return (
    <div style={{ display: 'flex' }}>
      {values.map(({ display }) => (
        <BigValue
          key={display.title}
          value={display}
          width={each}
          height={height}
          theme={theme}
          colorMode={panel.options.colorMode}
          graphMode={panel.options.graphMode}
          textMode={panel.options.textMode}
          text={panel.options.text}
          disableWideLayout={!panel.options.wideLayout}
          justifyMode={panel.options.justifyMode}
          count={values.length}
          alignmentFactors={getDisplayValueAlignmentFactors(values)}
        />
      ))}
    </div>
  );
}

function Lines({ panel, frames, width, height, range }) {
  const timeRange = {
    from: dateTime(range.startSeconds * 1000),
    to: dateTime(range.endSeconds * 1000),
    raw: { from: 'now', to: 'now' },
  };
  return (
    <TimeSeries
      frames={frames}
      width={width}
      height={height}
      timeRange={timeRange}
      timeZone="utc"
      legend={panel.options.legend}
      options={panel.options}
    />
  );
}

function Table({ panel, frames, width, height }) {
  return (
    <TableNG
      data={frames[0]}
      width={width}
      height={height}
      sortBy={panel.options.sortBy}
      cellHeight={panel.options.cellHeight}
      fieldConfig={panel.fieldConfig}
      noValue={panel.fieldConfig.defaults.noValue}
      enableVirtualization={false}
    />
  );
}

/** Grafana's bar chart panel is not published: its matrix is shown as the table that the bars are drawn from. */
const bodies = { stat: Stat, timeseries: Lines, table: Table, barchart: Table };

export function PanelBody(props) {
  const Body = bodies[props.panel.type];
  const isEmpty = props.frames.every((frame) => frame.length === 0);
  return isEmpty ? <Empty panel={props.panel} /> : <Body {...props} />;
}

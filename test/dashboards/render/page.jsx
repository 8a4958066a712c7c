import { createTheme } from '@grafana/data';
import { PanelChrome, PortalContainer, ThemeContext } from '@grafana/ui';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { framesFor } from './frames.js';
import { PanelBody } from './panel-body.jsx';

// Grafana's grid: 24 columns, rows of 30 px and gaps of 8 px.
const pageWidth = 1600;
const cell = { width: pageWidth / 24, height: 38, gap: 8 };
const theme = createTheme({ colors: { mode: new URLSearchParams(location.search).get('theme') ?? 'dark' } });

function boxOf({ x, y, w, h }) {
  return {
    position: 'absolute',
    left: x * cell.width,
    top: y * cell.height,
    width: w * cell.width - cell.gap,
    height: h * cell.height - cell.gap,
  };
}

function PanelBox({ panel, answers, range }) {
  const [frames, setFrames] = useState();
  useEffect(() => {
    if (panel.type !== 'row') void framesFor(panel, answers, theme).then(setFrames);
  }, [panel, answers]);
  const box = boxOf(panel.gridPos);
  if (panel.type === 'row') return <h2 style={{ ...box, margin: 0, fontSize: 15 }}>{panel.title}</h2>;
  return (
    <div style={box} data-panel={panel.title} data-done={frames !== undefined}>
      <PanelChrome title={panel.title} width={box.width} height={box.height} padding="none">
        {(width, height) =>
          frames && (
            <PanelBody
              panel={panel}
              frames={frames}
              range={range}
              width={width}
              height={height}
              theme={theme}
            />
          )
        }
      </PanelChrome>
    </div>
  );
}

function Page({ board, answers, range }) {
  const rows = Math.max(...board.panels.map(({ gridPos }) => gridPos.y + gridPos.h));
  return (
    <div
      style={{ background: theme.colors.background.canvas, color: theme.colors.text.primary, padding: 16 }}
    >
      <h1 style={{ fontSize: 20, margin: '0 0 12px' }}>{board.title}</h1>
      <div style={{ position: 'relative', width: pageWidth, height: rows * cell.height }}>
        {board.panels.map((panel) => (
          <PanelBox key={panel.id} panel={panel} answers={answers[panel.id] ?? []} range={range} />
        ))}
      </div>
    </div>
  );
}

const { board, answers, range } = await (await fetch('/board.json')).json();
createRoot(document.getElementById('root')).render(
  <ThemeContext.Provider value={theme}>
    <Page board={board} answers={answers} range={range} />
    <PortalContainer />
  </ThemeContext.Provider>,
);

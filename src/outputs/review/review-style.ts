import { type Markup, markup } from './markup.ts';

/** The look of the report: the reader's colour scheme, and from 360 px up. */
export const reviewStyle: Markup = markup`
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --text: #1b1f24; --muted: #57606a; --line: #d0d7de;
  --request: #8250df; --use: #0969da; --recommended: #1a7f37; --allocatable: #8c959f; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --card: #161b22; --text: #e6edf3; --muted: #9198a1; --line: #30363d;
  --request: #b083f0; --use: #539bf5; --recommended: #57ab5a; --allocatable: #768390; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2rem 0 .75rem; font-size: 1.2rem; } h3 { margin: 0 0 .25rem; font-size: 1rem; overflow-wrap: anywhere; }
header p, .facts, figcaption, .remedy { color: var(--muted); } header p { margin: 0; } .facts, figcaption { font-size: .85rem; margin: 0 0 .5rem; }
article p { margin: .5rem 0 0; overflow-wrap: anywhere; } .remedy::before { content: "→ "; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
.cards.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .9rem; min-width: 0; }
.bar { display: grid; grid-template-columns: 6.5rem 1fr 4.5rem; gap: .5rem; align-items: center; font-size: .85rem; }
.bar svg { width: 100%; height: .7rem; } .value { text-align: right; font-variant-numeric: tabular-nums; } .label { color: var(--muted); }
rect.request { fill: var(--request); } rect.use { fill: var(--use); } rect.recommended { fill: var(--recommended); } rect.allocatable { fill: var(--allocatable); }
.gain { font-size: 1.25rem; line-height: 1.4; font-weight: 600; } .head p { max-width: 60rem; overflow-wrap: anywhere; } .head ul { padding-left: 1.1rem; margin: .25rem 0 1rem; overflow-wrap: anywhere; } .head .details { color: var(--muted); font-size: .9rem; } .head p { margin: 0; } .head p.gain { margin: 1.25rem 0 .75rem; } .head p.gap { margin: 0 0 1rem; }
.gap { border-left: 4px solid var(--request); background: var(--card); padding: .6rem .9rem; }
.legend span { margin-right: 1rem; white-space: nowrap; } .legend span::before { content: ""; display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; margin-right: .35rem; background: var(--use); }
.legend .request::before { background: var(--request); } .legend .recommended::before { background: var(--recommended); }
figure { margin: .6rem 0 0; } .hours { display: block; width: 100%; height: 4rem; }
.hours path { fill: none; stroke: var(--use); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.hours line { stroke-width: 1.5; stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; } line.request { stroke: var(--request); } line.recommended { stroke: var(--recommended); }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); font-size: .85rem; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums; }
td { white-space: nowrap; } td.word, th.word { text-align: left; } td.word { white-space: normal; }
thead th { vertical-align: bottom; } th:first-child { text-align: left; min-width: 13rem; overflow-wrap: break-word; } tbody th { font-weight: 500; }
@media (max-width: 60rem) { thead { display: none; } tbody tr { display: block; padding: .5rem; border-bottom: 1px solid var(--line); }
  tbody th { font-weight: 700; } tbody th, td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; } td:empty { display: none; } td.word { text-align: right; } td::before { content: attr(data-title); color: var(--muted); } }
`;

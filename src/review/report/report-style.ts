/**
 * The stylesheet of the HTML report. Its tones are those of the dashboard: readable as text on
 * every ground in both themes. Print is light, and its bars differ in brightness, not in hue alone.
 */
const LIGHT = `
  --ground: #ffffff; --raised: #f3f5f7; --line: #d5dbe1; --text: #16202a; --quiet: #4f5c69;
  --accent: #00558a; --good: #00664a; --bad: #a03800; --wait: #744d00;
  --good-ground: #dcf3ea; --bad-ground: #fde6da; --wait-ground: #fcefd2; --placed: #9cc9bb;`;

const DARK = `
  --ground: #0f1419; --raised: #1a222a; --line: #33404d; --text: #e6edf3; --quiet: #a3b0bd;
  --accent: #72c3ef; --good: #43d3a2; --bad: #ff9459; --wait: #f0b93a;
  --good-ground: #12352a; --bad-ground: #42210f; --wait-ground: #3a2d0e; --placed: #2f6f5b;`;

const PAGE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main { max-width: 900px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { margin: 0; font-size: 26px; line-height: 1.25; letter-spacing: -0.015em; }
h2 { margin: 0 0 8px; font-size: 19px; line-height: 1.3; }
h3 { margin: 20px 0 6px; font-size: 15px; }
p, ul, dl, pre, table, figure { margin: 0 0 8px; }
ul { padding-left: 20px; }
a { color: var(--accent); }
code, pre { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { padding: 8px 12px; border-radius: 4px; background: var(--raised); white-space: pre-wrap; }
section { margin-top: 32px; padding-top: 20px; border-top: 1px solid var(--line); }
.kind, .quiet { color: var(--quiet); }
.sum { margin-top: 6px; font-size: 17px; font-weight: 600; }
.breached { color: var(--bad); } .holds { color: var(--good); } .not-shown { color: var(--wait); }
.badge {
  display: inline-block; padding: 1px 8px; border-radius: 4px;
  font-size: 13px; font-weight: 600; line-height: 1.6; white-space: nowrap; vertical-align: 2px;
}
.badge.breached { background: var(--bad-ground); }
.badge.holds { background: var(--good-ground); }
.badge.not-shown { background: var(--wait-ground); }
dl { display: grid; grid-template-columns: minmax(110px, max-content) minmax(0, 1fr); gap: 4px 16px; }
dt { max-width: 230px; color: var(--quiet); } dd { margin: 0; } dd ul { margin: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--quiet); font-size: 13px; font-weight: 600; }
.reason { font-weight: 600; }
.bars th { width: 1%; min-width: 60px; font-weight: 400; }
.bars .name { min-width: 180px; }
.bars td:last-child { width: 1%; min-width: 120px; padding-right: 0; text-align: right; }
.bars th, .bars td { border: 0; padding-top: 3px; padding-bottom: 3px; }
.bar { display: block; width: 100%; height: 18px; margin-top: 2px; overflow: visible; background: var(--raised); }
.bar rect { height: 18px; } .kept, .placed { fill: var(--placed); } .over, .homeless { fill: var(--bad); }
.plain { fill: var(--accent); } .bar .never { height: 16px; fill: none; stroke: var(--bad); stroke-width: 2; stroke-dasharray: 5 4; }
.promise-mark { stroke: var(--text); stroke-width: 2; }
.places { display: flex; flex-wrap: wrap; gap: 4px; padding: 0; list-style: none; }
.places li { padding: 0 8px; border: 1px solid var(--bad); border-radius: 4px; font-size: 13px; }
@media (max-width: 600px) {
  main { padding: 20px 14px 48px; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dt { max-width: none; margin-top: 6px; }
  .overview thead { position: absolute; left: -9999px; }
  .overview tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
  .overview th, .overview td { display: block; padding: 1px 0; border: 0; }
  .bars .name { min-width: 90px; } .bars td:last-child { min-width: 84px; }
}
@media print {
  body { font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  a { color: inherit; text-decoration: none; }
  h2, h3, thead { break-after: avoid; }
  tr, figure, pre, li, .sum { break-inside: avoid; }
}`;

export const REPORT_STYLE = `:root { color-scheme: light dark;${LIGHT}
}
@media screen and (prefers-color-scheme: dark) { :root {${DARK}
} }${PAGE}
`;

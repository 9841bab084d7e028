/**
 * The SVG around a chart: its size, its colours for light and dark backgrounds, its title. It
 * contains everything it needs, so it can be opened, embedded or sent as it is.
 */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const WIDTH = 760;

/** Distinct for colour-blind readers, and on both backgrounds. */
const SERIES_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"] as const;

export const colourOf = (series: number): string =>
  SERIES_COLOURS[series % SERIES_COLOURS.length] ?? SERIES_COLOURS[0];

const STYLE = `
  .paper { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e }
  .grid { stroke: #d1d9e0 } .axis { stroke: #59636e }
  text { font: 12px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .ink { fill: #f0f6fc } .soft { fill: #9198a1 }
    .grid { stroke: #3d444d } .axis { stroke: #9198a1 }
  }
`;

export function svgDocument(of: {
  readonly title: string;
  readonly height: number;
  readonly body: readonly string[];
}): string {
  const { title, height, body } = of;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    textAt(title, { x: 16, y: 26, className: "title ink" }),
    ...body,
    "</svg>\n",
  ].join("\n");
}

export interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly className?: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly transform?: string;
}

export function textAt(text: string, place: TextPlace): string {
  const { x, y, className = "ink", anchor = "start", transform } = place;
  const turned = transform === undefined ? "" : ` transform="${transform}"`;
  return `<text class="${className}" x="${pixel(x)}" y="${pixel(y)}" text-anchor="${anchor}"${turned}>${escaped(text)}</text>`;
}

/** A square of each series' colour with its name, side by side. */
export function legend(names: readonly string[], at: { x: number; y: number }): readonly string[] {
  let { x } = at;
  return names.flatMap((name, series) => {
    const begin = x;
    // The average width of a letter of this font; a legend that is a little too wide does no harm.
    x += 34 + name.length * 6.8;
    return [
      `<rect x="${pixel(begin)}" y="${pixel(at.y - 10)}" width="12" height="12" rx="2" fill="${colourOf(series)}"/>`,
      textAt(name, { x: begin + 18, y: at.y }),
    ];
  });
}

/** A tenth of a pixel is finer than the eye sees, and keeps the file small. */
export const pixel = (value: number): string => String(Math.round(value * 10) / 10);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);

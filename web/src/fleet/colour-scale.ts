/**
 * Colours for shares: from nothing over half to all, in as many steps as can be told apart. Nothing
 * here touches the browser.
 */

/** More steps are not told apart, and fewer hide that a node fills up. */
export const STEPS = 12;
/**
 * A step of its own for nodes that have nothing of what is shown, and one for those that hold more
 * than they have.
 */
export const STEP_NONE = STEPS;
export const STEP_OVER = STEPS + 1;

type Rgb = readonly [red: number, green: number, blue: number];

/**
 * A node that is not quite empty is never drawn as empty, nor one that is not quite full as full.
 */
export function stepOf(share: number): number {
  if (share < 0) return STEP_NONE;
  if (share > 1) return STEP_OVER;
  if (share === 0) return 0;
  if (share === 1) return STEPS - 1;
  return 1 + Math.min(STEPS - 3, Math.floor(share * (STEPS - 2)));
}

/** The colour of each step between the given ones, which are `#rrggbb`. */
export function scaleOf(stops: readonly string[]): readonly string[] {
  const colours = stops.map(parse);
  return Array.from({ length: STEPS }, (_, step) => {
    const at = (step / (STEPS - 1)) * (colours.length - 1);
    const left = Math.min(colours.length - 2, Math.floor(at));
    return write(mix(colours[left] ?? BLACK, colours[left + 1] ?? BLACK, at - left));
  });
}

const BLACK: Rgb = [0, 0, 0];

/** In six digits, or in the three that a stylesheet may be shortened to. */
function parse(text: string): Rgb {
  const digits = text.trim().replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/i, "#$1$1$2$2$3$3");
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(digits);
  if (found === null) throw new Error(`A colour of a scale is written #rrggbb; found "${text}".`);
  const [, red = "", green = "", blue = ""] = found;
  return [red, green, blue].map((part) => Number.parseInt(part, 16)) as unknown as Rgb;
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((part, at) => Math.round(part + ((b[at] ?? 0) - part) * share)) as unknown as Rgb;

const write = (colour: Rgb): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** Black or white, whichever can be read on it. */
export function inkOn(colour: string): "light" | "dark" {
  const [red, green, blue] = parse(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  // Of equal contrast to both is a luminance of 0.179.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "dark" : "light";
}

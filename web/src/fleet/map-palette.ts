/**
 * The theme's colours as the map's canvas needs them: read from the page once, and again when the
 * theme changes.
 */
import { inkOn, scaleOf, STEP_NONE, STEP_OVER } from "./colour-scale.ts";

export interface MapPalette {
  /** By step of the scale, with the two steps that are none. */
  readonly fills: readonly string[];
  /** What can be read on each of them. */
  readonly inks: readonly string[];
  readonly ground: string;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly bad: string;
  readonly wait: string;
  readonly busy: string;
  readonly font: string;
}

export function readMapPalette(element: Element): MapPalette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const fills = [...scaleOf([read("heat-low"), read("heat-middle"), read("heat-high")])];
  fills[STEP_NONE] = read("raised");
  fills[STEP_OVER] = read("heat-over");
  const inks = { dark: read("heat-ink-dark"), light: read("heat-ink-light") };
  return {
    fills,
    inks: fills.map((fill) => inks[inkOn(fill)]),
    ground: read("ground"),
    surface: read("surface"),
    line: read("line"),
    text: read("text"),
    quiet: read("quiet"),
    bad: read("bad"),
    wait: read("wait"),
    busy: read("busy"),
    font: style.fontFamily,
  };
}

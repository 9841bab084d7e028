/**
 * The theme's colours as a canvas needs them: read from the page once, and again when the theme
 * changes.
 */
import type { Mark } from "../../../../src/incident/incident-document.ts";
import { TURN_KINDS, type TurnKind } from "./turn-shapes.ts";

export interface Palette {
  readonly turns: Readonly<Record<TurnKind, string>>;
  readonly marks: Readonly<Record<Mark["kind"], string>>;
  readonly ground: string;
  readonly band: string;
  readonly line: string;
  readonly text: string;
  readonly faint: string;
  readonly accent: string;
  readonly wrong: string;
  readonly font: string;
}

/** incidents.css gives each of them a colour of the theme. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--incident-${name}`).trim();
  const turns = Object.fromEntries(TURN_KINDS.map((kind) => [kind, read(kind)]));
  return {
    turns: turns as Record<TurnKind, string>,
    marks: {
      violation: read("violate"),
      fault: read("fault"),
      divergence: read("violate"),
      point: read("violate"),
      lead: read("lead"),
    },
    ground: read("ground"),
    band: read("band"),
    line: read("line"),
    text: read("text"),
    faint: read("faint"),
    accent: read("accent"),
    wrong: read("wrong"),
    font: style.fontFamily,
  };
}

/**
 * Draws a spec from the fields of its kind: each value within its bounds, at one of them, or just
 * beyond. A new kind or field is drawn here without a word about it. The types of values are right,
 * because the API lets no other command through; all else may be wrong.
 */
import { WHOLE } from "../../core/model/slo.ts";
import { type AnyField, type Fields, mayLack, settledForm } from "../../core/kinds/fields/field.ts";

/** A number from 0 to below `count`, by chance that depends on `what` alone. */
export type Draw = (what: string, count: number) => number;

type Values = Readonly<Record<string, unknown>>;

/** One value in this many lies beyond its bounds; a spec has some twenty values. */
const BEYOND_ONE_IN = 40;
/** Of fields that a user may leave out, one in this many is written. */
const WRITTEN_ONE_IN = 3;
/** Lists and maps of more entries make a simulated run dearer and meet the same rules. */
const MOST_ENTRIES = 3;
/** The simulator runs each replica that a count asks for, so drawn counts stay small. */
const MOST_COUNTED = 4;
const MOST_LARGE = 1_000;

const TEXTS = ["", "a", "zone", "a.b/c", "berth.dev/x", "\u0000", " ", "ä", "x".repeat(300)];
const NAMES = ["w1", "a", "zone", "eu-west", "w1.1.0"];
const BAD_NAMES = ["", "A/b", "../x", "-"];

export function drawSpec(fields: Fields, draw: Draw, path = ""): Values {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const here = `${path}.${name}`;
    if (mayLack(field) && draw(`${here} written`, WRITTEN_ONE_IN) > 0) continue;
    values[name] = drawValue(settledForm(field, values), draw, here);
  }
  return values;
}

export function drawValue(field: AnyField, draw: Draw, path: string): unknown {
  const isBeyond = draw(`${path} beyond`, BEYOND_ONE_IN) === 0;
  switch (field.form) {
    case "text":
      return pick(TEXTS, draw, path);
    case "name":
      return pick(isBeyond ? BAD_NAMES : NAMES, draw, path);
    case "choice":
      return isBeyond ? "no-such-word" : pick(field.words, draw, path);
    case "count":
      return numberOf(field, MOST_COUNTED, { draw, path, isBeyond });
    case "duration":
      return numberOf(field, field.most - field.least, { draw, path, isBeyond });
    case "count-or-percentage":
      return draw(`${path} unit`, 2) === 0
        ? `${draw(path, isBeyond ? 300 : 101)}%`
        : numberOf({ least: 0, most: field.most }, MOST_COUNTED, { draw, path, isBeyond });
    case "share":
      return numberOf({ least: 1, most: 1_000 }, 999, { draw, path, isBeyond });
    case "part":
      return numberOf({ least: 1, most: WHOLE - 1 }, WHOLE - 2, { draw, path, isBeyond });
    case "flag":
      return draw(path, 2) === 0;
    case "amounts":
      return drawAmounts(draw, path);
    case "object":
      return drawSpec(field.fields, draw, path);
    case "labels":
      return drawMap(() => pick(TEXTS, draw, `${path} value`), draw, path);
    case "list":
      return Array.from({ length: draw(`${path} length`, MOST_ENTRIES + 1) }, (_, at) =>
        drawValue(field.each, draw, `${path}[${at}]`),
      );
    case "map":
      return drawMap((name) => drawValue(field.each, draw, `${path}.${name}`), draw, path);
    case "one-of":
      return drawOption(field.options, draw, path);
    case "by-choice":
      // Settled by the caller; one that stays has no form of its own.
      return undefined;
  }
}

const pick = <T>(from: readonly T[], draw: Draw, path: string): T | undefined =>
  from[draw(path, from.length)];

interface Drawing {
  readonly draw: Draw;
  readonly path: string;
  readonly isBeyond: boolean;
}

/** Mostly near the least, sometimes at the bounds, once in a while one beyond. */
function numberOf(
  { least, most }: { readonly least: number; readonly most: number },
  spread: number,
  { draw, path, isBeyond }: Drawing,
): number {
  if (isBeyond) return draw(`${path} side`, 2) === 0 ? least - 1 : most + 1;
  const near = least + draw(path, Math.min(spread, most - least) + 1);
  return most <= MOST_LARGE && draw(`${path} edge`, 4) === 0 ? most : near;
}

/** Tiny, so that the quota of the tenant is no bound on their number; a device that no node has. */
const drawAmounts = (draw: Draw, path: string): Values => ({
  cpuMillis: draw(`${path} cpu`, 20),
  memoryMiB: draw(`${path} memory`, 16),
  deviceMillis: draw(`${path} device`, 8) === 0 ? 1 : 0,
});

function drawMap(value: (name: string) => unknown, draw: Draw, path: string): Values {
  const count = draw(`${path} entries`, MOST_ENTRIES + 1);
  const names = [...NAMES, ...BAD_NAMES].slice(0, count);
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

function drawOption(options: Readonly<Record<string, AnyField>>, draw: Draw, path: string): Values {
  const kind = pick(Object.keys(options), draw, `${path} kind`) ?? "";
  const option = options[kind];
  if (option === undefined) return { kind };
  const value =
    option.form === "object"
      ? drawSpec(option.fields, draw, `${path}.${kind}`)
      : { value: drawValue(option, draw, `${path}.${kind}`) };
  return { kind, ...value };
}

/** Changes a value that was right in a few places: another type, a field more, less or twice, something huge, a strange key. */
import type { Draw } from "./draw.ts";
import {
  type Json,
  type JsonObject,
  nastyKey,
  nastyName,
  nastyNumber,
  nastyText,
  nastyValue,
} from "./nasty-values.ts";

/** Beyond what any body may have: more is only more to send. */
const TEXT_MOST = 4 * 1024 * 1024;

export function mutateValue(draw: Draw, value: Json, changes: number): Json {
  let mutated = value;
  for (let change = 0; change < changes; change += 1) mutated = changeOne(draw, mutated);
  return mutated;
}

/** Walks down to a place that is drawn, and changes what is there. */
function changeOne(draw: Draw, value: Json): Json {
  const isInner = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isInner || draw.chance(15)) return replaced(draw, value);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const at = draw.below(items.length);
    if (draw.chance(15)) return [...items, ...repeated(items[at] ?? null, draw.size(500))];
    if (draw.chance(10)) return items.toSpliced(at, 1);
    return items.with(at, changeOne(draw, items[at] ?? null));
  }
  const entries = Object.entries(value);
  const at = draw.below(entries.length);
  const [name = "", inner = null] = entries[at] ?? [];
  if (draw.chance(8)) return Object.fromEntries(entries.toSpliced(at, 1));
  if (draw.chance(8)) return withKey(value, nastyKey(draw), nastyValue(draw));
  if (draw.chance(4)) return withKey(value, nastyKey(draw), inner);
  return withKey(value, name, changeOne(draw, inner));
}

function replaced(draw: Draw, value: Json): Json {
  if (draw.chance(30)) return nastyValue(draw);
  switch (typeof value) {
    case "string":
      return draw.pick([
        () => nastyText(draw),
        () => nastyName(draw),
        () => value + nastyText(draw),
        () => value.repeat(Math.min(draw.size(5_000), Math.ceil(TEXT_MOST / value.length) || 1)),
        () => value.toUpperCase(),
        () => Number(value) || 0,
      ])();
    case "number":
      return draw.pick([
        () => nastyNumber(draw),
        () => -value,
        () => value * 1e9,
        () => `${value}`,
      ])();
    case "boolean":
      return draw.pick([!value, "true", 1, null]);
    default:
      return nastyValue(draw);
  }
}

const repeated = (value: Json, times: number): Json[] => Array.from({ length: times }, () => value);

/** A key such as __proto__ must become a field of its own, not the parent of the object. */
function withKey(value: object, name: string, inner: Json): Json {
  const copy: Record<string, Json> = { ...(value as JsonObject) };
  Object.defineProperty(copy, name, {
    value: inner,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** As text; a field is sometimes there twice, which no object can hold. */
export function jsonText(draw: Draw, value: Json): string {
  const text = JSON.stringify(value).slice(0, TEXT_MOST);
  if (!draw.chance(5) || !text.startsWith("{") || text.length < 3) return text;
  return `{${text.slice(1, -1)},${text.slice(1)}`;
}

/** Values that parsers, comparisons and renderers have been known to stumble over, and names of the world under attack. */
import type { Draw } from "./draw.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** What belongs to the honest tenant; a hostile request may name it and must not change it. */
export const HONEST = { tenant: "honest", workload: "steady", node: "n1", region: "home" } as const;
export const OWN_TENANTS = ["mal", "mal-2", "bob-team"] as const;

const NAMES: readonly string[] = [
  ...OWN_TENANTS,
  ...Object.values(HONEST),
  "default",
  "default-1",
  "steady.1.0",
  "n2",
  "a",
  "x".repeat(63),
  "x".repeat(253),
  "x".repeat(254),
  "A",
  "a.b",
  "a..b",
  "-a",
  "..",
  "%2e%2e",
  "%00",
  "caf\u00e9",
  "cafe\u0301",
  "\u212a",
  "\ufb01",
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
  "",
];

const TEXTS: readonly string[] = [
  "\u001b[2J\u001b[31mred",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "\u0000",
  "\u202egnp.exe",
  "\u200b\u200d\ufeff",
  "\ud800",
  "\udc00\ud800",
  "\u{1f4a9}",
  "\r\nSet-Cookie: a=b",
  "{{constructor}}",
  "${env}",
  "../../../../etc/passwd",
  "/",
  "//",
  "null",
  "true",
  "NaN",
  "-0",
  "1e309",
  "1e-400",
  "0x10",
  "0o17",
  "1_000",
  "9007199254740993",
  "18446744073709551616",
  "1Gi",
  "1e3Gi",
  "-1Gi",
  "100m",
  "0.0000000001",
  "30s",
  "9999999999h",
  "-1s",
  "1h1h1h",
  "100%",
  "101%",
  "2026-11-16T09:00:00Z",
  "(a+)+$",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
  "=cmd|' /C calc'!A0",
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  255,
  256,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1e300,
  Number.MIN_VALUE,
  -(2 ** 53),
];

const KEYS: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "length",
  "then",
  "toJSON",
  "a/b",
  "a~1b",
  "~0",
  "",
  " ",
  "0",
  "-",
  "$ref",
  "berth.dev/x",
  "kubernetes.io/hostname",
];

export const nastyName = (draw: Draw): string => draw.pick(NAMES);

export function nastyText(draw: Draw): string {
  const text = draw.pick(TEXTS);
  if (draw.chance(80)) return text;
  return draw.chance(50)
    ? text.repeat(draw.size(2_000))
    : `${text}${"z".repeat(draw.size(60_000))}`;
}

export const nastyNumber = (draw: Draw): number => draw.pick(NUMBERS);
export const nastyKey = (draw: Draw): string =>
  draw.chance(60) ? draw.pick(KEYS) : nastyText(draw);

/** An operation as another caller's next write may be called: a revision near the present one. */
export const predictedOperation = (draw: Draw, revision: number): string =>
  draw.pick([
    `u${revision + draw.between(0, 4)}`,
    `enqueue/Workload/${HONEST.tenant}/${HONEST.workload}/1`,
    `report/${HONEST.node}/${revision}`,
    `lease/${HONEST.node}/1/${draw.between(1, 50)}`,
    "",
    "x".repeat(5_000),
  ]);

export function nastyValue(draw: Draw, depth = 0): Json {
  const forms: (() => Json)[] = [
    () => null,
    () => draw.chance(50),
    () => nastyNumber(draw),
    () => nastyText(draw),
    () => nastyName(draw),
    () => [],
    () => ({}),
    () => nested(draw, draw.size(400)),
    () => manyKeys(draw, draw.size(3_000)),
    () => Array.from({ length: draw.size(3_000) }, () => draw.pick([0, "a", null])),
  ];
  if (depth < 4) forms.push(() => ({ [nastyKey(draw)]: nastyValue(draw, depth + 1) }));
  return draw.pick(forms)();
}

function nested(draw: Draw, levels: number): Json {
  let value: Json = 1;
  const isList = draw.chance(50);
  for (let level = 0; level < levels; level += 1) value = isList ? [value] : { a: value };
  return value;
}

function manyKeys(draw: Draw, count: number): JsonObject {
  const value = draw.pick<Json>(["", 0, "v", null]);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

/** As part of an address. A lone surrogate has no encoding; it goes as the replacement for it. */
export const encodedWord = (text: string): string =>
  encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"));

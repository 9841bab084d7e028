import { expect, test } from "vitest";
import type { AuthorityEffect, ClientEffect } from "../../core/kernel/component.ts";
import { encodeOutlines, outlinesOf } from "./effect-outline.ts";

const effects = [
  {
    kind: "request",
    call: 3,
    request: { kind: "command", attempt: 1, command: { intent: { operation: 'bind/"a"' } } },
  },
  { kind: "request", call: 4, request: { kind: "lookup", operation: "bind/b", attempt: 2 } },
  { kind: "timer", atMs: 12 },
  { kind: "append", epoch: 2, commits: [{ revision: 7, operation: "put/x" }] },
  { kind: "respond", to: "n1", call: 5, reply: { kind: "outcome", outcome: { kind: "refused" } } },
  { kind: "respond", to: "n1", call: 6, reply: { kind: "unavailable" } },
  { kind: "publish", to: 7 },
  { kind: "list" },
] as unknown as readonly (AuthorityEffect | ClientEffect)[];

const decision = (key: string, kind: string) =>
  ({ kind: "decision", record: { key, decision: { kind } } }) as unknown as ClientEffect;

test("an outline names what matters of each effect", () => {
  expect(outlinesOf(effects)).toEqual([
    { kind: "request", call: 3, operation: 'bind/"a"' },
    { kind: "request", call: 4, operation: "bind/b" },
    { kind: "timer", atMs: 12 },
    { kind: "append", epoch: 2, commits: { "7": "put/x" } },
    { kind: "respond", to: "n1", call: 5, said: "refused" },
    { kind: "respond", to: "n1", call: 6, said: "unavailable" },
    { kind: "publish", to: 7 },
    { kind: "list" },
  ]);
});

test("[RC2] its text is the same after it was read back, which is how a replay compares it", () => {
  expect(JSON.stringify(outlinesOf(effects))).toBe(encodeOutlines(effects));
  expect(encodeOutlines([])).toBe("[]");
});

test("of very many decisions the first are named, and the others still count", () => {
  const many = Array.from({ length: 130 }, (_, at) => decision(`Workload/a/${at}`, "settled"));
  const outlines = outlinesOf(many);
  expect(outlines).toHaveLength(101);
  expect(outlines.at(-1)).toMatchObject({ kind: "more-decisions", count: 30 });
  const other = [...many.slice(0, -1), decision("Workload/a/129", "wait")];
  expect(encodeOutlines(other)).not.toBe(encodeOutlines(many));
});

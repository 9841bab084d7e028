import { expect, test } from "vitest";
import type { ClientEffect } from "../core/kernel/component.ts";
import { operationId } from "../core/model/ids.ts";
import type { EffectOutline } from "../host/recording/effect-outline.ts";
import { compareEffects, firstDifference, type LaterInput } from "./compare-effects.ts";

const component = "controllers";

const bind = (call: number, node: string): Extract<ClientEffect, { kind: "request" }> => ({
  kind: "request",
  call,
  request: {
    kind: "command",
    attempt: 1,
    command: { intent: { kind: "bind", operation: operationId(`bind/${call}`), node } },
  } as never,
});
const timer: ClientEffect = { kind: "timer", atMs: 9 };
const outlineOf = (call: number): EffectOutline => ({
  kind: "request",
  call,
  operation: `bind/${call}`,
});
const arrives = (call: number, node: string): LaterInput => [
  "plane-1",
  { ...bind(call, node), from: component },
];

test("[RC2] effects that differ are shown field by field, with what arrived of the command", () => {
  const expected: EffectOutline[] = [
    { kind: "timer", atMs: 9 },
    { kind: "request", call: 4, operation: "bind/other" },
  ];
  const later = [arrives(3, "n0"), arrives(4, "n1"), arrives(4, "n7")];
  const pairs = compareEffects({ component, expected, got: [timer, bind(4, "n2")], later });
  expect(pairs).toEqual([
    {
      effect: 2,
      fields: [
        { field: "kind", expected: "request", got: "request" },
        { field: "call", expected: "4", got: "4" },
        { field: "operation", expected: "bind/other", got: "bind/4" },
        { field: "request.kind", expected: "command", got: "command" },
        { field: "request.attempt", expected: "1", got: "1" },
        { field: "request.command.intent.kind", expected: "bind", got: "bind" },
        { field: "request.command.intent.operation", expected: "bind/4", got: "bind/4" },
        { field: "request.command.intent.node", expected: "n1", got: "n2" },
      ],
    },
  ]);
  expect(firstDifference(pairs)).toMatchObject({ field: "operation" });
});

test("[RC2] an effect that only one side has stands beside nothing", () => {
  const more = compareEffects({ component, expected: [], got: [timer], later: [] });
  expect(more).toEqual([
    {
      effect: 1,
      fields: [
        { field: "kind", expected: "(nothing)", got: "timer" },
        { field: "atMs", expected: "(nothing)", got: "9" },
      ],
    },
  ]);
  // What both end with is the same, so the timer is not held against the request.
  const expected = [outlineOf(4), { kind: "timer", atMs: 9 } as const];
  const [fewer, ...rest] = compareEffects({ component, expected, got: [timer], later: [] });
  expect(rest).toEqual([]);
  expect(fewer?.fields).toEqual([
    { field: "kind", expected: "request", got: "(nothing)" },
    { field: "call", expected: "4", got: "(nothing)" },
    { field: "operation", expected: "bind/4", got: "(nothing)" },
  ]);
});

test("[RC2] of a recording that has only a digest, what arrived later stands beside what is done now", () => {
  const pairs = compareEffects({
    component,
    expected: undefined,
    got: [bind(4, "n2"), timer],
    later: [arrives(4, "n1")],
  });
  expect(pairs).toHaveLength(2);
  expect(firstDifference(pairs)).toEqual({
    field: "request.command.intent.node",
    expected: "n1",
    got: "n2",
  });
  expect(pairs[1]?.fields).toContainEqual({
    field: "atMs",
    expected: "(not recorded)",
    got: "9",
  });
});

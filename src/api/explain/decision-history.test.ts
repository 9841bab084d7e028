import { expect, it } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { type DecisionRecord, propose, wait } from "../../core/protocol/decision.ts";
import { nodeKey, type ObjectKey, operationId } from "../../core/model/ids.ts";
import { DecisionLog } from "../../host/decision-log.ts";
import { PlaneMeter } from "../../host/plane-meter.ts";
import { DecisionHistory } from "./decision-history.ts";

const said = (key: ObjectKey, atMs: number, summary: string): DecisionRecord => ({
  controller: "place-1",
  key,
  atMs,
  viewRevision: atMs,
  decision: wait({
    reason: "no-feasible-node",
    wakes: [],
    deadlineMs: atMs + 1,
    because: { summary },
  }),
});

const asked = (key: ObjectKey, atMs: number, bindings: number): DecisionRecord => ({
  ...said(key, atMs, ""),
  decision: propose(
    [
      {
        kind: "bind-all",
        operation: operationId(`op-${atMs}`),
        bindings: Array.from({ length: bindings }, () => ({
          replica: key,
          incarnation: 1,
          node: "n",
          deviceIds: [],
        })),
      },
    ],
    { summary: "" },
  ),
});

it("[EX3] a wait that is said again is counted, and keeps when it was first said", () => {
  const history = new DecisionHistory();
  const key = nodeKey("a");
  for (const atMs of [1, 2, 3]) history.add(said(key, atMs, "full"));
  history.add(said(key, 4, "fuller"));
  expect(history.about(key)).toMatchObject([
    { sinceMs: 1, times: 3, record: { atMs: 3 } },
    { sinceMs: 4, times: 1 },
  ]);
});

it("[EX3] what is kept is bounded, by key and over all, and the oldest goes first", () => {
  const history = new DecisionHistory(100);
  const busy = nodeKey("busy");
  for (let atMs = 0; atMs < 50; atMs += 1) history.add(said(busy, atMs, `${atMs}`));
  expect(history.about(busy)).toHaveLength(16);
  expect(history.about(busy)[0]?.sinceMs).toBe(34);
  history.add(asked(nodeKey("wide"), 99, 90));
  expect(history.about(busy)).toHaveLength(10);
  for (let at = 0; at < 100; at += 1) history.add(said(nodeKey(`n-${at}`), 100 + at, ""));
  expect(history.about(busy)).toEqual([]);
  expect(history.about(nodeKey("wide"))).toEqual([]);
  expect(history.about(nodeKey("n-99"))).toHaveLength(1);
});

it("[EX3] what the authority refused is counted by operation", () => {
  const history = new DecisionHistory();
  const [decisions, meter] = [new DecisionLog(), new PlaneMeter()];
  const stop = history.listen({ decisions, meter });
  const operation = operationId("bind/x");
  const intent = {
    kind: "bind",
    operation,
    replica: "r",
    incarnation: 1,
    node: "n",
    deviceIds: [],
  };
  const command = { intent, epoch: 1, basis: 1, actor: { role: "place", name: "place-1" } };
  const request = { kind: "command", attempt: 1, command } as never;
  const reply = { kind: "outcome", outcome: aRefusal("node-full"), epoch: 1 } as const;
  for (const call of [1, 2]) {
    meter.ask("place-1", call, request);
    meter.answer("place-1", call, reply);
  }
  decisions.add(said(nodeKey("a"), 1, "x"));
  stop();
  decisions.add(said(nodeKey("b"), 1, "x"));
  expect(history.refusalsOf(operation)).toMatchObject({ times: 2, last: { code: "node-full" } });
  expect([nodeKey("a"), nodeKey("b")].map((key) => history.about(key).length)).toEqual([1, 0]);
});

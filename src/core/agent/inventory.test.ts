import { expect, test } from "vitest";
import { AgentHarness } from "../../../test/builders/an-agent.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import type { IntentOf } from "../protocol/command.ts";
import { NOTHING } from "../model/amounts.ts";
import type { Uid } from "../model/ids.ts";

const leases = (harness: AgentHarness): readonly IntentOf<"lease">[] =>
  harness.effects.flatMap((effect) => {
    if (effect.kind !== "request" || effect.request.kind !== "command") return [];
    const { intent } = effect.request.command;
    return intent.kind === "lease" ? [intent] : [];
  });

const onNode = (index: number) => aReplica({ index, stage: "bound", node: "a-1" });

/** One that is running, and that no replica of the view wants. */
const stranger = {
  replica: aReplica({ workload: "old" }).key,
  uid: "gone" as Uid,
  incarnation: 1,
  permittedAt: 3,
  leashed: true,
  asked: NOTHING,
};

test("an agent lists what it knows of every fifteen seconds, as of its view [FG1]", () => {
  const harness = new AgentHarness().adopted().listed([onNode(1), onNode(0)], 10);
  for (let passedMs = 0; passedMs < 40_000; passedMs += 1_000) harness.later(1_000);
  const told = leases(harness).flatMap(({ inventory }) => inventory ?? []);
  const known = told.filter(({ asOf }) => asOf === 10);
  expect(known.length).toBeGreaterThanOrEqual(2);
  expect(known.length).toBeLessThanOrEqual(3);
  expect(known[0]?.replicas).toEqual([onNode(0).key, onNode(1).key]);
  // Before its first list it knows of nothing, and says that it has no view.
  expect(told.filter(({ asOf, replicas }) => asOf === 0 && replicas.length > 0)).toEqual([]);
});

test("an unwanted process is listed, counted, and stopped on a view that can know [AG4] [RP6]", () => {
  const harness = new AgentHarness().adopted({ processes: [stranger] }).listed([], 10);
  expect(harness.all("stop-process")).toMatchObject([{ replica: stranger.replica }]);
  harness.later(16_000);
  const { notes, inventory } = leases(harness).at(-1)!;
  expect(notes).toEqual(["1 process without a binding, being stopped"]);
  expect(inventory?.replicas).toEqual([stranger.replica]);
});

test("a namesake's process is unwanted, too [AG7] [RP6]", () => {
  const namesake = { ...stranger, replica: onNode(0).key };
  const harness = new AgentHarness().adopted({ processes: [namesake] }).listed([onNode(0)], 10);
  harness.later(16_000);
  expect(leases(harness).at(-1)?.notes).toEqual(["1 process without a binding, being stopped"]);
});

test("nothing is said of processes that are wanted [RP6]", () => {
  const harness = new AgentHarness()
    .adopted()
    .listed([onNode(0)], 10)
    .later(16_000);
  expect(leases(harness).at(-1)?.notes).toBeUndefined();
});

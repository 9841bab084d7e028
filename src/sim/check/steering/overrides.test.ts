import { propose } from "../../../core/protocol/decision.ts";
import { describe, expect, test } from "vitest";
import { aPolicy } from "../../../../test/builders/a-policy.ts";
import type { CommandKind } from "../../../core/protocol/command.ts";
import { type ObjectKey, workloadKey } from "../../../core/model/ids.ts";
import { type OverrideSpec, overrideKey } from "../../../core/model/override.ts";
import type { AnyObject, Override, ReplicaStatus } from "../../../core/model/objects.ts";
import { View } from "../../../core/observe/view.ts";
import type { Owed } from "../../../core/runner/runner.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aReservation,
  aWorkload,
} from "../../../../test/builders/check/fixtures.ts";
import { createOverridesChecker } from "./overrides.ts";
import { createProgressChecker } from "../liveness/progress.ts";

const UNTIL_MS = 10_000;

function anOverride(of: Partial<OverrideSpec>, name = "ov-1", owner = "ana"): Override {
  const spec = { action: "pin", target: {}, reason: "why", ttlMs: UNTIL_MS, ...of } as const;
  const status = { owner, sinceMs: 0, untilMs: UNTIL_MS, extensions: 0 };
  const key = overrideKey(name);
  return { kind: "Override", key, meta: { ...aNode().meta, name, revision: 0 }, spec, status };
}

interface Story {
  readonly holds: Partial<OverrideSpec>;
  readonly before: readonly AnyObject[];
  readonly command: CommandKind;
  readonly after: readonly AnyObject[];
}

/** What the checker finds when it happens while the override holds, and when its time is over. */
function tell({ holds, before, command, after }: Story): readonly (readonly string[])[] {
  return [UNTIL_MS - 1, UNTIL_MS].map((atMs) => {
    const harness = new CheckerHarness(createOverridesChecker());
    harness.commit({ put: before });
    harness.commit({ put: [anOverride(holds)] });
    harness.nowMs = atMs;
    harness.commit({ command, role: "place", put: after });
    return harness.found;
  });
}

const replica = (status: Partial<ReplicaStatus>) => aReplica({ status });
const bound = replica({ stage: "bound", node: "node-1" });
const waiting = replica({ stage: "queued", node: undefined });
const stopping = (reason: "drain" | "preempted" | "quota") =>
  replica({ stage: "bound", node: "node-1", stopping: { reason, sinceMs: 1 } });
const { namespace: tenant } = bound.meta;
const { workload } = bound.spec;
const { region, zone } = aNode().spec;

const room = aReservation(waiting, {
  for: "recovery",
  room: { node: "node-1", deviceIds: [], epoch: 1 },
});

const STORIES: readonly [title: string, story: Story, found: RegExp][] = [
  [
    "a bind to an avoided node",
    {
      holds: { action: "avoid-node", target: { node: "node-1" } },
      before: [aNode(), waiting],
      command: "bind",
      after: [bound],
    },
    /^INV130 .* came to node-1 by bind, which ana avoids by Override\/\/ov-1\.$/,
  ],
  [
    "room that is kept in an avoided zone",
    {
      holds: { action: "avoid-zone", target: { region, zone } },
      before: [aNode()],
      command: "hold-recovery",
      after: [room],
    },
    /^INV130 /,
  ],
  [
    "the release of one where repair is paused",
    {
      holds: { action: "pause-repair", target: { zone } },
      before: [aNode(), bound],
      command: "release",
      after: [replica({ stage: "released", node: undefined })],
    },
    /^INV131 .* was released by release/,
  ],
  [
    "an eviction where repair is paused",
    {
      holds: { action: "pause-repair", target: {} },
      before: [aNode(), bound],
      command: "evict",
      after: [stopping("quota")],
    },
    /^INV131 .* was asked to stop \(quota\)/,
  ],
  [
    "a first incarnation where expansion is paused",
    {
      holds: { action: "pause-expansion", target: { tenant } },
      before: [aWorkload()],
      command: "enqueue",
      after: [waiting],
    },
    /^INV132 /,
  ],
  [
    "a bind of a frozen tenant's",
    {
      holds: { action: "freeze-tenant", target: { tenant } },
      before: [aNode(), waiting],
      command: "bind-all",
      after: [bound],
    },
    /^INV133 .* came to be bound/,
  ],
  [
    "the preemption of one that is pinned",
    {
      holds: { action: "pin", target: { tenant, workload } },
      before: [aNode(), bound],
      command: "preempt",
      after: [stopping("preempted")],
    },
    /^INV134 .* was asked to stop \(preempted\)/,
  ],
];

describe("what an override holds back", () => {
  test.each(STORIES)(
    "%s is found while it holds, and not once its time is over [INV130] [INV131] [INV132] [INV133] [INV134]",
    (_, story, found) => {
      const [during, after] = tell(story);
      expect(during).toEqual([expect.stringMatching(found)]);
      expect(after).toEqual([]);
    },
  );

  test("reports of agents, and next incarnations, break no rule [INV131] [INV132]", () => {
    const lost = replica({ stage: "failed", node: undefined });
    const paused = { action: "pause-repair", target: {} } as const;
    const told = {
      holds: paused,
      before: [aNode(), bound],
      command: "report",
      after: [lost],
    } as const;
    expect(tell(told)[0]).toEqual([]);
    const again = replica({ stage: "queued", node: undefined, incarnation: 2 });
    const expansion = { action: "pause-expansion", target: {} } as const;
    const next = {
      holds: expansion,
      before: [aWorkload(), lost],
      command: "enqueue",
      after: [again],
    } as const;
    expect(tell(next)[0]).toEqual([]);
  });
});

describe("whose an override is", () => {
  test("who ends or moves another's is reported, who ends one's own is not [INV135]", () => {
    const harness = new CheckerHarness(createOverridesChecker());
    harness.commit({ put: [anOverride({}), anOverride({}, "own", "harness")] });
    harness.commit({ command: "delete", remove: [overrideKey("own")] });
    expect(harness.found).toEqual([]);
    harness.commit({ put: [anOverride({ ttlMs: 20_000 })] });
    harness.commit({ command: "expire", role: "expire-override", remove: [overrideKey("ov-1")] });
    expect(harness.found).toEqual([
      "INV135 harness changed Override//ov-1, which is of ana.",
      "INV135 harness ended Override//ov-1 of ana 10000 ms early.",
    ]);
  });
});

const owed = (key: ObjectKey): Owed => ({
  key,
  reason: "override",
  wakes: [overrideKey("ov-1"), key],
  deadlineMs: 0,
  sinceRevision: 1,
});

describe("the way back", () => {
  const POLICIES = [aPolicy({ scoring: "best-fit" })];
  const keys = Array.from({ length: 5 }, (_, at) => workloadKey(tenant, `w${at}`));
  const view = new View({ kinds: new Set(), node: undefined });

  function comeBack(
    apartMs: number,
    changed: readonly AnyObject[] = [],
    by = { held: "admit", looks: "admit" },
  ): readonly string[] {
    const harness = new CheckerHarness(createOverridesChecker());
    harness.everyClient = [{ name: by.held, view, owed: keys.map(owed), isTracking: () => true }];
    harness.commit({ put: [anOverride({})] });
    harness.nowMs = UNTIL_MS;
    harness.commit({ command: "expire", role: "expire-override", remove: [overrideKey("ov-1")] });
    if (changed.length > 0) harness.commit({ put: changed });
    for (const key of keys) {
      harness.nowMs += apartMs;
      const decision = propose([], { summary: "found" });
      const record = { controller: by.looks, key, atMs: 0, viewRevision: 2, decision };
      harness.checker.decided?.([record], view, harness, harness.report);
    }
    return harness.found;
  }

  test("that all come at one moment is reported, one after the other is not [INV136]", () => {
    expect(comeBack(500)).toEqual([]);
    expect(comeBack(10)).toEqual([
      "INV136 5 keys were looked at within 40 ms of the end of Override//ov-1.",
    ]);
  });

  test("who has changed meanwhile is looked at for that, and is no part of a crowd [INV136]", () => {
    expect(comeBack(10, [aReplica({ tenant, spec: { workload: "w3" } })])).toEqual([]);
    expect(comeBack(10, [aReplica({ tenant, spec: { workload: "another" } })])).toHaveLength(1);
  });

  test("what another controller of the same view looks at has not come back [INV136]", () => {
    expect(comeBack(10, [], { held: "admit", looks: "preempt" })).toEqual([]);
  });

  /** All come at one moment, when the client has just been shown these. */
  function comeBackTo(client: string, shown: readonly AnyObject[]): readonly string[] {
    const harness = new CheckerHarness(createOverridesChecker());
    const own = new View({ kinds: new Set(["Policy", "Override"]), node: undefined });
    const before = [anOverride({}), ...POLICIES, anOverride({ action: "avoid-zone" }, "closes")];
    own.replace(before, 1, 1);
    harness.everyClient = [
      { name: client, view: own, owed: keys.map(owed), isTracking: () => true },
    ];
    harness.commit({ put: [anOverride({})] });
    harness.nowMs = UNTIL_MS;
    harness.commit({ command: "expire", role: "expire-override", remove: [overrideKey("ov-1")] });
    own.replace(shown, 2, 1);
    const decision = propose([], { summary: "found" });
    const of = { controller: client, atMs: 0, viewRevision: 2, decision };
    const records = keys.map((key) => ({ ...of, key }));
    harness.checker.decided?.(records, own, harness, harness.report);
    return harness.found;
  }

  test("whom a policy or a place that is closed makes a scheduler look at is no part of a crowd, whom an end does is [INV136]", () => {
    const crowd = ["INV136 5 keys were looked at within 0 ms of the end of Override//ov-1."];
    const [policy] = POLICIES;
    const moved = { ...policy!, meta: { ...policy!.meta, revision: 9 } };
    const closes = anOverride({ action: "avoid-zone" }, "closes");
    const partitioned = anOverride({ action: "mark-partitioned", target: { region } }, "another");
    for (const client of ["place-1", "preempt"]) {
      expect(comeBackTo(client, [moved, closes])).toEqual([]);
      expect(comeBackTo(client, [closes])).toEqual([]);
      expect(comeBackTo(client, [...POLICIES, closes])).toEqual(crowd);
      // One that ends closes nothing, and one that closes nothing sends nobody through the queue.
      expect(comeBackTo(client, POLICIES)).toEqual(crowd);
      expect(comeBackTo(client, [...POLICIES, closes, anOverride({}, "pins")])).toEqual(crowd);
    }
    expect(comeBackTo("place-1", [...POLICIES, closes, partitioned])).toEqual([]);
    expect(comeBackTo("preempt", [...POLICIES, closes, partitioned])).toEqual(crowd);
    // Nobody else looks at everything for any of these.
    expect(comeBackTo("admit", [moved, closes, partitioned])).toEqual(crowd);
  });

  test("a wait for one that is gone is reported [LIV56]", () => {
    const harness = new CheckerHarness(createOverridesChecker(), { faultsUntilMs: 0 });
    const [key] = keys;
    harness.everyClient = [{ name: "admit", view, owed: [owed(key!)], isTracking: () => true }];
    harness.sample();
    harness.nowMs = 119_000;
    harness.sample();
    expect(harness.found).toEqual([]);
    harness.nowMs = 120_000;
    harness.sample();
    expect(harness.found).toEqual([`LIV56 admit still lets ${key} wait for Override//ov-1, gone.`]);
  });

  test("an override that outlives its time is reported [LIV55]", () => {
    const harness = new CheckerHarness(createProgressChecker(), { faultsUntilMs: 0 });
    harness.commit({ put: [anOverride({})] });
    harness.sample();
    harness.nowMs = 120_000 + UNTIL_MS + 170_000;
    harness.sample();
    harness.finish();
    expect(harness.found).toEqual([expect.stringMatching(/^LIV55 Override\/\/ov-1 was to hold/)]);
  });
});

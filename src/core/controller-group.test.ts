import { describe, expect, test } from "vitest";
import { aCommit } from "../../test/builders/a-commit.ts";
import { aNode } from "../../test/builders/a-node.ts";
import {
  proposing,
  ScriptedController,
  type Script,
} from "../../test/builders/a-scripted-controller.ts";
import { aReplica } from "../../test/builders/a-replica.ts";
import { aTurn } from "../../test/builders/a-turn.ts";
import { ControllerGroup } from "./controller-group.ts";
import type { Controller } from "./runner/controller.ts";
import { settled, wait } from "./protocol/decision.ts";
import type { ClientEffect, ClientInput, Component } from "./kernel/component.ts";
import { Runner } from "./runner/runner.ts";

class GroupHarness {
  readonly group: ControllerGroup;
  readonly controllers: readonly ScriptedController[];

  constructor(...scripts: readonly (Script | undefined)[]) {
    this.controllers = scripts.map((script) => new ScriptedController(script));
    this.group = new ControllerGroup({
      name: "controllers",
      controllers: this.controllers.map((controller, at) => [`place-${at + 1}`, controller]),
    });
  }

  give(input: ClientInput, now = 0): readonly ClientEffect[] {
    return this.group.receive(input, aTurn(now));
  }

  /** And the turn after it, in which keys are looked at. */
  listed(): readonly ClientEffect[] {
    this.give({ kind: "started" });
    this.give({ kind: "listed", objects: [aNode()], revision: 10, epoch: 1 });
    return this.give({ kind: "timer" });
  }

  get looks(): readonly number[] {
    return this.controllers.map(({ looks }) => looks.length);
  }
}

const kinds = (effects: readonly ClientEffect[]): readonly string[] =>
  effects.map(({ kind }) => kind);

const waiting: Script = () =>
  wait({ reason: "no-feasible-node", wakes: [], deadlineMs: 9_000, because: { summary: "full" } });

const until =
  (deadlineMs: number): Script =>
  () =>
    wait({ reason: "no-feasible-node", wakes: [], deadlineMs, because: { summary: "full" } });

/** Says which changes it was told of, under its name. */
const aWatcher = (
  name: string,
  told: string[],
  of: Partial<Controller["interest"]> = {},
): [string, Controller] => [
  name,
  {
    role: "expire-budget",
    interest: { kinds: new Set(["Replica", "RecoveryBudget"]), node: undefined, ...of },
    keysFor: ({ key }) => {
      told.push(`${name} ${key}`);
      return [];
    },
    allKeys: () => [],
    reconcile: () => settled,
  },
];

describe("controllers that share a view", () => {
  test("ask for one list, and all look at what it brings", () => {
    const harness = new GroupHarness(undefined, undefined);
    expect(kinds(harness.give({ kind: "started" })).filter((kind) => kind === "list")).toHaveLength(
      1,
    );
    harness.give({ kind: "listed", objects: [aNode()], revision: 10, epoch: 1 });
    harness.give({ kind: "timer" });
    expect(harness.looks).toEqual([1, 1]);
    expect(harness.group.view.revision).toBe(10);
  });

  test("wait each under a name of its own", () => {
    const harness = new GroupHarness(undefined, waiting);
    harness.listed();
    const owed = harness.group.owed().filter(({ reason }) => reason === "no-feasible-node");
    expect(owed.map(({ controller }) => controller)).toEqual(["place-2"]);
  });

  test("get the answers to their own calls, whatever numbers the others use", () => {
    const harness = new GroupHarness(
      () => proposing("a-1"),
      () => proposing("a-1"),
    );
    const calls = harness
      .listed()
      .flatMap((effect) => (effect.kind === "request" ? [effect.call] : []));
    expect(new Set(calls).size).toBe(2);
    const outcome = { kind: "committed", revision: 10 } as const;
    const [, second] = calls;
    harness.give({ kind: "reply", call: second!, reply: { kind: "outcome", outcome, epoch: 1 } });
    harness.give({ kind: "timer" });
    expect(harness.looks).toEqual([1, 2]);
  });

  test("take note of changes and answers at once, and look at keys in a turn after them [RN11]", () => {
    const harness = new GroupHarness(() => proposing("a-1"));
    const [asked] = harness.listed().filter((effect) => effect.kind === "request");
    const commits = [aCommit({ revision: 11, put: [aNode({ name: "b-1" })] })];
    const seen = harness.give({ kind: "watch", commits, to: 11, epoch: 1 }, 5);
    expect([harness.group.view.revision, harness.looks]).toEqual([11, [1]]);
    expect(seen).toEqual([{ kind: "timer", atMs: 5 }]);
    const outcome = { kind: "committed", revision: 11 } as const;
    harness.give({
      kind: "reply",
      call: asked!.call,
      reply: { kind: "outcome", outcome, epoch: 1 },
    });
    expect(harness.looks).toEqual([1]);
    harness.give({ kind: "timer" }, 5);
    expect(harness.looks).toEqual([3]);
  });

  test("are shown nothing while there is nothing that they are about [RN11]", () => {
    const told: string[] = [];
    const both = new Set(["Replica", "Node"] as const);
    const controllers = [
      aWatcher("all", told),
      aWatcher("nodes", told, { kinds: both, onlyWith: "Node" }),
    ];
    const group = new ControllerGroup({ name: "controllers", controllers });
    const give = (input: ClientInput) => group.receive(input, aTurn(0));
    give({ kind: "started" });
    give({ kind: "listed", objects: [], revision: 10, epoch: 1 });
    const plain = aReplica({ index: 0, stage: "bound", node: "a-1" });
    const node = aNode();
    const later = aReplica({ index: 1, stage: "bound", node: "a-1" });
    for (const [at, put] of [plain, node, later].entries()) {
      const commit = aCommit({ revision: 11 + at, put: [put] });
      give({ kind: "watch", commits: [commit], to: commit.revision, epoch: 1 });
    }
    expect(told).toEqual([
      `all ${plain.key}`,
      `nodes ${node.key}`,
      `all ${later.key}`,
      `nodes ${later.key}`,
    ]);
  });

  test("are not woken by replicas without a budget, where only those matter to them [BU7]", () => {
    const told: string[] = [];
    const controllers = [aWatcher("all", told), aWatcher("paid", told, { paidOnly: true })];
    const group = new ControllerGroup({ name: "controllers", controllers });
    const give = (input: ClientInput) => group.receive(input, aTurn(0));
    give({ kind: "started" });
    give({ kind: "listed", objects: [], revision: 10, epoch: 1 });
    const plain = aReplica({ index: 0, stage: "bound", node: "a-1" });
    const other = aReplica({ index: 1, stage: "bound", node: "a-1" });
    const paid = { ...other, status: { ...other.status, budget: "us-1" } };
    const commits = [plain, paid].map((put, at) => aCommit({ revision: 11 + at, put: [put] }));
    for (const commit of commits) {
      give({ kind: "watch", commits: [commit], to: commit.revision, epoch: 1 });
    }
    expect(told).toEqual([`all ${plain.key}`, `all ${paid.key}`, `paid ${paid.key}`]);
    expect(group.view.objects.budgets.spent("us-1")).toEqual(other.spec.template.ask.amounts);
  });

  test("ask for one list again when the first was lost, and not each for itself", () => {
    const harness = new GroupHarness(undefined, undefined);
    harness.give({ kind: "started" });
    expect(kinds(harness.give({ kind: "timer" }, 2_000)).filter((kind) => kind === "list")).toEqual(
      ["list"],
    );
  });

  test("refuse together a list that is older than their view [VW2]", () => {
    const harness = new GroupHarness(undefined, undefined);
    harness.listed();
    harness.give({ kind: "listed", objects: [], revision: 9, epoch: 1 });
    expect(harness.group.view.objects.all("Node").size).toBe(1);
  });

  test("see nothing of a stream before they have a list [VW1]", () => {
    const harness = new GroupHarness(undefined);
    harness.give({ kind: "started" });
    harness.give({
      kind: "watch",
      commits: [aCommit({ revision: 3, put: [aNode()] })],
      to: 3,
      epoch: 1,
    });
    expect(harness.group.view.revision).toBe(0);
  });

  test("have one timer, the first of theirs, and all are woken by it", () => {
    const harness = new GroupHarness(until(9_000), until(4_000));
    harness.listed();
    // The timer of the first list rings first, and is set anew for what comes next.
    const timers = harness
      .give({ kind: "timer" }, 2_000)
      .flatMap((effect) => (effect.kind === "timer" ? [effect.atMs] : []));
    expect(timers).toEqual([4_000]);
    harness.give({ kind: "timer" }, 4_000);
    expect(harness.controllers.map(({ looks }) => looks.length)).toEqual([1, 2]);
    harness.give({ kind: "timer" }, 9_000);
    expect(harness.controllers[0]!.looks.length).toBe(2);
  });
});

/**
 * Two that wait for different times and propose now and then, driven by their own timers for two
 * minutes.
 */
const scripts: readonly Script[] = [
  (key, _view, { now }) =>
    wait({
      reason: "no-feasible-node",
      wakes: [key],
      deadlineMs: now + 7_000,
      because: { summary: "" },
    }),
  (_key, view, { now }) =>
    view.revision % 2 === 0
      ? proposing(`n-${now}`)
      : wait({ reason: "stopping", wakes: [], deadlineMs: now + 1_700, because: { summary: "" } }),
];

/** What happens to everybody at the same times; answers come 300 ms after they were asked for. */
function played(component: Component<ClientInput, ClientEffect>): void {
  const due: { atMs: number; input: ClientInput }[] = [{ atMs: 0, input: { kind: "started" } }];
  for (let change = 1; change < 20; change += 1) {
    const commits = [aCommit({ revision: 10 + change, put: [aNode({ name: `a-${change % 3}` })] })];
    const input: ClientInput = { kind: "watch", commits, to: 10 + change, epoch: 1 };
    due.push({ atMs: 6_000 * change + 11, input });
  }
  let timerMs = Number.POSITIVE_INFINITY;
  for (;;) {
    due.sort((a, b) => a.atMs - b.atMs);
    const isTimer = timerMs <= (due[0]?.atMs ?? Number.POSITIVE_INFINITY);
    const next = isTimer ? { atMs: timerMs, input: { kind: "timer" } as const } : due.shift();
    if (next === undefined || next.atMs > 120_000) return;
    if (isTimer) timerMs = Number.POSITIVE_INFINITY;
    for (const effect of component.receive(next.input, aTurn(next.atMs))) {
      const atMs = next.atMs + 300;
      if (effect.kind === "timer") timerMs = Math.min(timerMs, effect.atMs);
      else if (effect.kind === "list") {
        due.push({ atMs, input: { kind: "listed", objects: [aNode()], revision: 10, epoch: 1 } });
      } else if (effect.kind === "request") {
        const outcome = { kind: "committed", revision: 10 } as const;
        const reply = { kind: "outcome", outcome, epoch: 1 } as const;
        due.push({ atMs, input: { kind: "reply", call: effect.call, reply } });
      }
    }
  }
}

test("controllers look at the same keys at the same times, alone or in a group", () => {
  const alone = scripts.map((script) => new ScriptedController(script));
  for (const [at, controller] of alone.entries()) {
    played(new Runner({ name: `place-${at + 1}`, controller }));
  }
  const harness = new GroupHarness(...scripts);
  played(harness.group);
  expect(alone.map(({ looks }) => looks.length > 20)).toEqual([true, true]);
  expect(harness.controllers.map(({ looks }) => looks)).toEqual(alone.map(({ looks }) => looks));
});

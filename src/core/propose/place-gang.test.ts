import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { createPlace } from "./place.ts";

const API = workloadKey("payments", "api");
const gangOf = (replicas: number) => aWorkload({ replicas, gang: { deadlineMs: 60_000 } });
const member = (index: number, of: ReplicaParts = {}): Replica =>
  aReplica({ index, stage: "queued", cpuMillis: 600, ...of });

class Harness {
  readonly place: Controller = createPlace();
  readonly view: View;

  constructor(...objects: readonly AnyObject[]) {
    this.view = aView(this.place, objects);
    for (const after of objects) {
      this.place.follow?.({ key: after.key, before: undefined, after }, this.view);
    }
  }

  look(key = API): Decision {
    return this.place.reconcile(key, this.view, aLook());
  }
}

const bindings = (decision: Decision): readonly string[] =>
  decision.kind === "propose"
    ? decision.intents.flatMap((intent) =>
        intent.kind === "bind-all" ? intent.bindings.map(({ node }) => node) : [],
      )
    : [];

describe("a gang in the queue", () => {
  test("is bound in one commit when there is room for all of it [GA1]", () => {
    const harness = new Harness(
      gangOf(2),
      aNode({ name: "a-1" }),
      aNode({ name: "a-2" }),
      member(0),
      member(1),
    );
    expect(bindings(harness.look())).toEqual(["a-1", "a-2"]);
  });

  test("waits when there is room for some of it, and says for how many [GA1]", () => {
    const harness = new Harness(gangOf(2), aNode({ name: "a-1" }), member(0), member(1));
    expect(harness.look()).toMatchObject({
      kind: "wait",
      reason: "gang-does-not-fit",
      because: { summary: "room for 1 of 2 members", rejected: { capacity: { count: 1 } } },
    });
  });

  test("that waits leaves the room that it does not take to others", () => {
    const other = aReplica({ workload: "other", stage: "queued", cpuMillis: 600 });
    const harness = new Harness(gangOf(2), aNode({ name: "a-1" }), member(0), member(1), other);
    harness.look();
    expect(harness.look(workloadKey("payments", "other")).kind).toBe("propose");
  });

  test.each<{ title: string; of: ReplicaParts }>([
    { title: "waits for quota", of: { stage: "admitted" } },
    {
      title: "is being stopped",
      of: { stage: "serving", node: "a-1", stopping: { reason: "drain", sinceMs: 0 } },
    },
    { title: "has failed", of: { stage: "failed" } },
  ])("waits for all of it while one $title [GA1]", ({ of }) => {
    const harness = new Harness(
      gangOf(2),
      aNode({ name: "a-1" }),
      aNode({ name: "a-2" }),
      member(0),
      member(1, of),
    );
    expect(harness.look()).toMatchObject({ kind: "wait", reason: "gang-incomplete" });
  });

  test("takes room that is held for one of it and room beside that, each once [GA1] [PE6]", () => {
    const room = { node: "a-1", deviceIds: [], epoch: 1 };
    const hold = aReservation(member(0, { cpuMillis: 500 }), { for: "preemptor", room });
    const both = [0, 1].map((index) => member(index, { cpuMillis: 500 }));
    const harness = new Harness(gangOf(2), aNode({ name: "a-1" }), ...both, hold);
    expect(bindings(harness.look())).toEqual(["a-1", "a-1"]);
  });

  test("gets a lost member back beside those that run [GA1]", () => {
    const there = member(1, { stage: "serving", node: "a-1" });
    const harness = new Harness(
      gangOf(2),
      aNode({ name: "a-1" }),
      aNode({ name: "a-2" }),
      member(0),
      there,
    );
    expect(harness.look()).toMatchObject({
      kind: "propose",
      intents: [{ kind: "bind", node: "a-2" }],
    });
  });

  test("of an earlier template is left to the controller that ends it", () => {
    const old = member(0, { generation: 1 });
    const gang = aWorkload({ replicas: 1, templateGeneration: 2, gang: { deadlineMs: 60_000 } });
    expect(new Harness(gang, aNode(), old).look()).toMatchObject({ reason: "gang-incomplete" });
  });
});

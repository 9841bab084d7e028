import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { ControllerGroup } from "../../src/core/controller-group.ts";
import { operationId } from "../../src/core/model/ids.ts";
import { propose } from "../../src/core/protocol/decision.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { ScriptedController, type Script } from "../builders/a-scripted-controller.ts";
import { PlaneUser } from "./a-running-plane.ts";

/** Always has something more to write, about every node, as soon as it was answered. */
function greedy(): Script {
  let count = 0;
  return (key, view) => {
    const { spec } = view.objects.node(key)!;
    count += 1;
    const operation = operationId(`again/${key}/${count}`);
    const labels = { count: String(count) };
    const desired = { kind: "Node", spec } as const;
    return propose([{ kind: "put", operation, key, desired, labels, finalizers: [], expect: {} }], {
      summary: "the test says so",
    });
  };
}

test("[LG13] [RN11] while controllers never run out of work, a lease is committed with the next batch but one", async () => {
  const controller = new ScriptedController(greedy());
  Object.assign(controller, { role: "user" });
  const group = new ControllerGroup({
    name: "controllers",
    controllers: [["greedy", controller]],
  });
  const plane = await Plane.open({ store: new MemoryLog(), createControllers: () => [group] });
  await new PlaneUser(plane).furnish();
  const batches: (readonly Commit[])[] = [];
  plane.onPublish((commits) => void batches.push(commits));
  for (let seq = 1; seq <= 20; seq += 1) {
    const [before, looks] = [batches.length, controller.looks.length];
    const operation = operationId(`lease/n1/${seq}`);
    const intent = { kind: "lease", operation, node: "n1", session: 1, seq, kept: [] } as const;
    const answer = plane.submit(intent, { role: "agent", name: "agent:n1" });
    expect(await answer).toMatchObject({ kind: "outcome", outcome: { kind: "committed" } });
    expect(batches.length - before).toBeLessThanOrEqual(2);
    // Two nodes: no turn looked at either of them twice.
    expect(controller.looks.length - looks).toBeLessThanOrEqual(2 * 4);
    await nextTurn();
  }
  // It was busy all the while.
  expect(controller.looks.length).toBeGreaterThan(20);
  await plane.close();
});

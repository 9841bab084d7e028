import { expect, test } from "vitest";
import { leaseKey, nodeKey, operationId } from "../../src/core/model/ids.ts";
import { LOAD_LIMITS } from "../../src/core/model/limits/load-limits.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { PlaneUser } from "./a-running-plane.ts";

/** A clock that the test turns by hand: a jump between two inputs is what a stopped process sees. */
class JumpingClock {
  atMs = 1_000_000;
  nowMs(): number {
    return this.atMs;
  }
}

async function aPlaneWithNodes(clock: JumpingClock, troubles: string[] = []): Promise<Plane> {
  const plane = await Plane.open({
    store: new MemoryLog(),
    clock,
    createControllers: () => [],
    onTrouble: (message) => void troubles.push(message),
  });
  await new PlaneUser(plane).furnish();
  const operation = operationId("lease/n1/1");
  const renewal = { kind: "lease", operation, node: "n1", session: 1, seq: 1, kept: [] } as const;
  await plane.submit(renewal, { role: "agent", name: "agent:n1" });
  return plane;
}

async function fence(plane: Plane, clock: JumpingClock): Promise<unknown> {
  const { status } = plane.objects.node(nodeKey("n1"))!;
  const { seq, session } = plane.objects.lease(leaseKey("n1"))!.status;
  const evidence = { kind: "lease-expired", node: "n1", session, seq } as const;
  return plane.submit(
    {
      kind: "transition",
      operation: operationId(`fence at ${clock.atMs}`),
      key: nodeKey("n1"),
      session,
      from: status.health,
      to: "fenced",
      evidence,
    },
    { role: "node-health", name: "node-health" },
  );
}

test("[LB7] a plane that was stopped for a minute fences no node for it: each node gets its full time again", async () => {
  const clock = new JumpingClock();
  const troubles: string[] = [];
  const plane = await aPlaneWithNodes(clock, troubles);
  clock.atMs += 60_000;
  const refused = { kind: "outcome", outcome: { code: "lease-not-over" } };
  expect(await fence(plane, clock)).toMatchObject(refused);
  expect(troubles).toEqual(["Could not keep time: this plane stalled for 60000 ms"]);
  // In steps that no plane would take for a stall.
  for (let at = 0; at < 4; at += 1) {
    clock.atMs += LOAD_LIMITS.stallMs.value - 500;
    expect(await fence(plane, clock)).toMatchObject(refused);
  }
  clock.atMs += 1_000;
  expect(await fence(plane, clock)).toMatchObject({ outcome: { kind: "committed" } });
  await plane.close();
});

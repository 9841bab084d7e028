import { expect, test } from "vitest";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import {
  amounts,
  aNode,
  anAsk,
  aReplica,
  aReservation,
  aTemplate,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { hasRoom } from "./naive-room.ts";

test("a device that is free only now and another that is free only later are no room [INV18]", () => {
  const device = { class: "gpu", models: [], count: 1, shareMillis: 1000 };
  const asked = amounts({ deviceMillis: 1000 });
  const template = aTemplate({ ask: anAsk({ amounts: asked, device }) });
  const node = aNode({
    spec: {
      capacity: amounts({ cpuMillis: 1000, memoryMiB: 1000, deviceMillis: 2000 }),
      pools: [{ class: "gpu", model: "", ids: ["gpu-0", "gpu-1"] }],
    },
  });
  const queued = (index: number) =>
    aReplica({ spec: { index, template }, status: { stage: "queued" } });
  const leaving = bound(queued(1), "node-1", {
    deviceIds: ["gpu-0"],
    stopping: { reason: "preempted", sinceMs: 0 },
  });
  const room = { node: "node-1", deviceIds: ["gpu-1"], epoch: 1 };
  const held = aReservation(queued(2), { for: "preemptor", room, amounts: asked });
  const index = new ObjectIndex();
  const hasRoomBeside = (...all: readonly { readonly key: typeof node.key }[]): boolean => {
    for (const after of all)
      index.fold({ key: after.key, before: undefined, after: after as never });
    return hasRoom(index, node, queued(0));
  };
  expect(hasRoomBeside(node, held)).toBe(true);
  expect(hasRoomBeside(leaving)).toBe(false);
});

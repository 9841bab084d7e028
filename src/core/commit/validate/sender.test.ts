import { describe, expect, test } from "vitest";
import { aPlane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { nodeKey } from "../../model/ids.ts";

const NOT_OWNER = { kind: "refused", code: "not-owner" };
const other = { role: "agent", name: "agent:b-9" } as const;
const report = {
  kind: "report",
  replica: indexKey(),
  incarnation: 1,
  node: "a-1",
  session: 1,
  stage: "starting",
} as const;

describe("an agent", () => {
  test("reports on its own node only, whichever node its command names [ID3]", () => {
    const plane = aPlane();
    plane.bound();
    expect(plane.send(report, { actor: other })).toMatchObject({
      ...NOT_OWNER,
      field: "report node",
      expected: "agent:a-1",
      actual: "agent:b-9",
    });
    expect(plane.send({ ...report, node: "b-9" }, { actor: other })).toMatchObject(NOT_OWNER);
    expect(plane.send(report)).toMatchObject({ kind: "committed" });
  });

  test("renews its own lease only [ID3]", () => {
    const plane = aPlane();
    const lease = { kind: "lease", node: "a-1", session: 2, seq: 1, kept: [] } as const;
    expect(plane.send(lease, { actor: other })).toMatchObject(NOT_OWNER);
    expect(plane.send(lease)).toMatchObject({ kind: "committed" });
  });

  test("sends nothing but renewals and reports [ID3]", () => {
    const plane = aPlane();
    const actor = { role: "agent", name: "agent:a-1" } as const;
    const remove = { kind: "delete", key: nodeKey("a-1"), expect: {} } as const;
    expect(plane.send(remove, { actor })).toMatchObject({ ...NOT_OWNER, field: "delete" });
    expect(plane.send({ kind: "scale-down", node: "a-1" }, { actor })).toMatchObject(NOT_OWNER);
  });
});

test.each([
  { kind: "enqueue", workload: WORKLOAD, generation: 1, indexes: [{ index: 0, incarnation: 1 }] },
  { kind: "bind", replica: indexKey(), incarnation: 1, node: "a-1", deviceIds: [] },
  { kind: "scale-down", node: "a-1" },
  report,
] as const)("a user may not $kind [ID4]", (ask) => {
  const actor = { role: "user", name: "eve" } as const;
  expect(aPlane().send(ask, { actor })).toMatchObject({ ...NOT_OWNER, field: ask.kind });
});

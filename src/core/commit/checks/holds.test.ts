import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { aPlane, putting, type Plane } from "../../../../test/builders/a-plane.ts";
import { nodeKey, operationId } from "../../model/ids.ts";
import type { NodeSpec } from "../../model/objects.ts";
import { apply } from "../apply.ts";

const KEY = nodeKey("a-1");
let asked = 0;

/** Writes the node in somebody's name and says how that ended. */
function putAs(plane: Plane, name: string, spec: Partial<NodeSpec>, force?: true): string {
  asked += 1;
  const held = plane.node();
  const desired = { kind: "Node", spec: { ...held.spec, ...spec } } as const;
  const intent = {
    ...putting(KEY, desired, { labels: held.meta.labels }),
    operation: operationId(`holds/${asked}`),
    ...(force === undefined ? {} : { force }),
  };
  const { ledger, nowMs } = plane;
  const command = { intent, epoch: ledger.epoch, basis: 0, actor: { role: "user", name } } as const;
  const { outcome, commit } = apply(ledger, command, nowMs);
  if (commit !== undefined) {
    ledger.fold(commit);
    plane.commits.push(commit);
  }
  if (outcome.kind !== "refused") return outcome.kind;
  return `${outcome.code}: ${outcome.field}, ${outcome.expected}, ${outcome.actual}`;
}

const cordon = (holder: string, reason = "") => ({ holder, reason });
const drain = (holder: string, rest: object = {}) => ({
  draining: true,
  drain: { holder, reason: "new disk", ...rest },
});

describe("cordons", () => {
  test("several hold a node, and each lifts their own alone [MT1]", () => {
    const plane = aPlane();
    const ada = cordon("ada", "new disk");
    expect(putAs(plane, "ada", { cordons: [ada] })).toBe("committed");
    expect(putAs(plane, "bob", { cordons: [ada, cordon("bob")] })).toBe("committed");
    const refused = `not-holder: ${KEY} spec.cordons, ada, bob`;
    expect(putAs(plane, "bob", { cordons: [cordon("bob")] })).toBe(refused);
    expect(putAs(plane, "bob", { cordons: [cordon("ada", "it is fine"), cordon("bob")] })).toBe(
      refused,
    );
    expect(putAs(plane, "ada", { cordons: [cordon("bob")] })).toBe("committed");
    expect(plane.node().spec.cordons).toEqual([cordon("bob")]);
  });

  test("no user holds a node in another's name [MT1]", () => {
    expect(putAs(aPlane(), "bob", { cordons: [cordon("ada")] })).toMatch(/^not-holder/);
  });

  test("a user who forces it lifts another's cordon, and their name is in the log [MT2]", () => {
    const plane = aPlane();
    putAs(plane, "ada", { cordons: [cordon("ada")] });
    expect(putAs(plane, "bob", { cordons: [] }, true)).toBe("committed");
    expect(plane.node().spec.cordons).toEqual([]);
    const { actor, evidence } = plane.lastCommit;
    expect(actor.name).toBe("bob");
    expect(evidence).toMatchObject({ kind: "person", name: "bob" });
  });

  test("any user writes the other fields of the node [MT1]", () => {
    const plane = aPlane();
    putAs(plane, "ada", { cordons: [cordon("ada")], ...drain("ada") });
    expect(putAs(plane, "bob", { maxReplicas: 4 })).toBe("committed");
  });

  test("a node is made with the cordons of its former holders [MT1]", () => {
    const plane = aPlane();
    const spec = aNodeSpec({ cordons: [cordon("ada")] });
    plane.must(putting(nodeKey("a-2"), { kind: "Node", spec }));
    expect(plane.node("a-2").spec.cordons).toEqual([cordon("ada")]);
  });
});

describe("drains", () => {
  test("a drain is ended and changed by its holder, or by force [MT1] [MT2]", () => {
    const plane = aPlane();
    expect(putAs(plane, "bob", drain("ada"))).toMatch(/^not-holder/);
    expect(putAs(plane, "ada", drain("ada"))).toBe("committed");
    const refused = `not-holder: ${KEY} spec.drain, ada, bob`;
    expect(putAs(plane, "bob", { draining: false })).toBe(refused);
    expect(putAs(plane, "bob", drain("bob"))).toBe(refused);
    expect(putAs(plane, "bob", drain("bob"), true)).toBe("committed");
    expect(putAs(plane, "bob", { draining: false })).toBe("committed");
  });

  test("a drain without a holder belongs to any user [MT1]", () => {
    const plane = aPlane();
    expect(putAs(plane, "bob", { draining: true })).toBe("committed");
    expect(putAs(plane, "ada", { draining: false })).toBe("committed");
  });

  test("a deadline is counted from the last change of the terms [MT3]", () => {
    const plane = aPlane();
    plane.nowMs = 1_000;
    putAs(plane, "ada", drain("ada", { deadlineMs: 60_000 }));
    expect(plane.node().status.drain).toMatchObject({ sinceMs: 1_000 });
    plane.nowMs = 2_000;
    putAs(plane, "bob", { maxReplicas: 4 });
    expect(plane.node().status.drain).toMatchObject({ sinceMs: 1_000 });
    putAs(plane, "ada", drain("ada", { deadlineMs: 90_000 }));
    expect(plane.node().status.drain).toMatchObject({ sinceMs: 2_000 });
    putAs(plane, "ada", { draining: false });
    expect(plane.node().status.drain).toBeUndefined();
  });

  test.each([
    { title: "a deadline of no time", of: { deadlineMs: 0 } },
    { title: "a deadline beyond a day", of: { deadlineMs: 86_400_001 } },
    { title: "a holder without a name", of: { holder: "" } },
    { title: "an end that there is none of", of: { atDeadline: "never" } },
  ])("$title is refused [MT5]", ({ of }) => {
    expect(putAs(aPlane(), "ada", drain("ada", of))).toMatch(/^bad-object: .*spec\.drain/);
  });
});

import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Evidence } from "../../model/evidence.ts";
import { FORGOTTEN_TIMES } from "../../model/node/forgotten.ts";
import { leaseKey, type ObjectKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const FORGOT: Evidence = { kind: "agent-forgot", node: "a-1", session: 1 };

/** The agent renews, and lists these as of a view as new as the log, or as told. */
function lists(plane: Plane, replicas: readonly ObjectKey[], of: { asOf?: number } = {}): void {
  const seq = (plane.ledger.objects.lease(leaseKey("a-1"))?.status.seq ?? 0) + 1;
  const asOf = of.asOf ?? plane.ledger.revision;
  const inventory = { asOf, replicas };
  plane.must({ kind: "lease", node: "a-1", session: 1, seq, kept: [], inventory });
}

const forgotten = (plane: Plane) => plane.ledger.objects.lease(leaseKey("a-1"))?.status.forgotten;

const release = (plane: Plane, of: { evidence?: Evidence; role?: Role } = {}): Outcome =>
  plane.send(
    { kind: "release", key: indexKey(), incarnation: 1, evidence: of.evidence ?? FORGOT },
    { role: of.role ?? "release-forgotten" },
  );

/** A replica is bound to a node whose agent has listed nothing so many times. */
function missing(times: number): Plane {
  const plane = aPlane();
  plane.bound();
  for (let list = 0; list < times; list += 1) lists(plane, []);
  return plane;
}

describe("what an agent lists", () => {
  test("is compared with what is bound there; who is missing is counted [FG1]", () => {
    expect(forgotten(missing(3))).toMatchObject({
      replicas: [{ replica: indexKey(), incarnation: 1, times: 3 }],
    });
  });

  test("lacks nothing that was bound after the view it was made on [FG1]", () => {
    const plane = aPlane();
    const asOf = plane.ledger.revision;
    plane.bound();
    lists(plane, [], { asOf });
    expect(forgotten(plane)).toBeUndefined();
  });

  test("clears who is on it, and the count begins anew [FG1]", () => {
    const plane = missing(3);
    lists(plane, [indexKey()]);
    expect(forgotten(plane)).toBeUndefined();
    lists(plane, []);
    expect(forgotten(plane)?.replicas).toMatchObject([{ times: 1 }]);
  });

  test("stands until the next list; a renewal without one changes nothing [FG1]", () => {
    const plane = missing(3);
    plane.renew({ seq: 100 });
    expect(forgotten(plane)?.replicas).toMatchObject([{ times: 3 }]);
  });
});

describe("a replica that its agent does not know of", () => {
  test("is released after six lists, and its next incarnation looks elsewhere first [FG2] [PR4]", () => {
    expect(codeOf(release(missing(FORGOTTEN_TIMES - 1)))).toBe("evidence-wrong");
    const plane = missing(FORGOTTEN_TIMES);
    expect(codeOf(release(plane))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "released",
      node: undefined,
      failures: 0,
      rejections: [{ node: "a-1", incarnation: 1 }],
    });
  });

  test("is not released once anything was heard of it since [FG2]", () => {
    const plane = missing(FORGOTTEN_TIMES);
    const stage = "starting" as const;
    plane.must({
      kind: "report",
      replica: indexKey(),
      incarnation: 1,
      node: "a-1",
      session: 1,
      stage,
    });
    expect(codeOf(release(plane))).toBe("evidence-wrong");
  });

  test("is not released for what was missing of a namesake [FG2] [ST3]", () => {
    const plane = missing(FORGOTTEN_TIMES);
    plane.putDesired({ replicas: 0 });
    const evidence: Evidence = { kind: "surplus", workload: plane.workload().key };
    plane.must({ kind: "evict", replica: indexKey(), incarnation: 1, evidence });
    const ended = { incarnation: 1, node: "a-1", session: 1, stage: "released" } as const;
    plane.must({ kind: "report", replica: indexKey(), ...ended });
    plane.must({ kind: "delete", key: indexKey(), expect: {} });
    plane.putDesired({ replicas: 1 });
    plane.bound();
    lists(plane, []);
    expect(codeOf(release(plane))).toBe("evidence-wrong");
    expect(forgotten(plane)?.replicas).toMatchObject([{ times: 1 }]);
  });

  test("is not released in another session, or once the node is fenced [FG2]", () => {
    const later = missing(FORGOTTEN_TIMES);
    later.renew({ session: 2, seq: 1 });
    expect(codeOf(release(later))).toBe("evidence-wrong");
    const fenced = missing(FORGOTTEN_TIMES);
    fenced.vouchedGone();
    expect(codeOf(release(fenced))).toBe("evidence-wrong");
  });

  test("is released by no other controller, and only on its own node and session [FG2] [RP1]", () => {
    const plane = missing(FORGOTTEN_TIMES);
    expect(codeOf(release(plane, { role: "release-lost" }))).toBe("not-owner");
    expect(codeOf(release(plane, { evidence: { ...FORGOT, session: 2 } }))).toBe("evidence-wrong");
    expect(codeOf(release(plane, { evidence: { ...FORGOT, node: "b-1" } }))).toBe("evidence-wrong");
  });
});

import { describe, expect, test } from "vitest";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Intent } from "../protocol/command.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { createAdmit } from "./admit.ts";

const API = workloadKey("payments", "api");
const CPU = { cpuMillis: 100 };
const gangOf = (replicas: number) => aWorkload({ replicas, gang: { deadlineMs: 60_000 }, ...CPU });
const member = (index: number, of: ReplicaParts): Replica => aReplica({ index, ...CPU, ...of });

/** With a reservation for everybody that is queued, as the authority leaves them. */
const held = (replicas: readonly Replica[]): readonly AnyObject[] => [
  ...replicas,
  ...replicas
    .filter(({ status }) => status.stage === "queued")
    .map((replica) => aReservation(replica)),
];

class Harness {
  private readonly admit = createAdmit();
  private readonly quota: number;

  constructor(of: { readonly quotaMillis?: number } = {}) {
    this.quota = of.quotaMillis ?? 1_000;
  }

  look(replicas: number, objects: readonly AnyObject[], now = 0): Decision {
    const all = [gangOf(replicas), aQuota({ cpuMillis: this.quota }), ...objects];
    return this.admit.reconcile(API, aView(this.admit, all), aLook(now));
  }
}

const intents = (decision: Decision): readonly Intent[] =>
  decision.kind === "propose" ? decision.intents : [];

const stages = (...indexes: readonly ReplicaParts["stage"][]): readonly Replica[] =>
  indexes.map((stage, index) => member(index, { stage: stage ?? "admitted" }));

describe("quota for a gang", () => {
  test("is taken for all of it in one commit [GA2]", () => {
    expect(intents(new Harness().look(3, []))).toMatchObject([
      {
        kind: "enqueue",
        indexes: [
          { index: 0, incarnation: 1 },
          { index: 1, incarnation: 1 },
          { index: 2, incarnation: 1 },
        ],
      },
    ]);
  });

  test("is not taken for a part of it: all wait for it, and are seen to [GA2]", () => {
    const harness = new Harness({ quotaMillis: 250 });
    expect(intents(harness.look(3, [])).map(({ kind }) => kind)).toEqual([
      "admit",
      "admit",
      "admit",
    ]);
    expect(harness.look(3, stages("admitted", "admitted", "admitted"))).toMatchObject({
      kind: "wait",
      reason: "quota-exhausted",
    });
  });

  test("that comes free is taken for those who were admitted and those who were lost [GA2]", () => {
    const lost = member(1, { stage: "released", incarnation: 4 });
    const decision = new Harness().look(2, [member(0, { incarnation: 2 }), lost]);
    expect(intents(decision)).toMatchObject([
      {
        kind: "enqueue",
        indexes: [
          { index: 0, incarnation: 2 },
          { index: 1, incarnation: 5 },
        ],
      },
    ]);
  });

  test("of one that was reserved before it was a gang is used, and not asked for again", () => {
    const reserved = member(0, {});
    const decision = new Harness().look(1, [reserved, aReservation(reserved)]);
    expect(intents(decision)).toMatchObject([{ kind: "transition", to: "queued" }]);
  });

  test("waits for a namesake's leak to be reclaimed", () => {
    const leak = aReservation(member(0, { uid: "another" as never }));
    expect(new Harness().look(1, [leak])).toMatchObject({ kind: "wait", reason: "gang-waiting" });
  });

  test("is not taken while a failed member waits for its next incarnation [GA2]", () => {
    const failed = member(0, { stage: "failed", failures: 3 });
    const decision = new Harness().look(2, [failed, member(1, { stage: "released" })], 1_000);
    expect(decision).toMatchObject({ kind: "wait", reason: "restart-backoff" });
  });
});

describe("a gang that holds quota and finds no room", () => {
  test("waits until its deadline, and then gives all of it back [GA3]", () => {
    const harness = new Harness();
    const queued = held(stages("queued", "queued"));
    expect(harness.look(2, queued, 5_000)).toMatchObject({
      kind: "wait",
      reason: "gang-waiting",
      deadlineMs: 65_000,
    });
    expect(harness.look(2, queued, 64_999).kind).toBe("wait");
    expect(intents(harness.look(2, queued, 65_000))).toMatchObject(
      [0, 1].map((index) => ({
        kind: "evict",
        replica: member(index, {}).key,
        evidence: { kind: "gang-deadline", workload: API },
      })),
    );
  });

  test("then stays out of the queue for a while, and lines up again [GA3]", () => {
    const harness = new Harness();
    const queued = held(stages("queued", "queued"));
    harness.look(2, queued, 0);
    harness.look(2, queued, 60_000);
    const gone = stages("released", "released");
    expect(harness.look(2, gone, 60_001)).toMatchObject({
      kind: "wait",
      reason: "gang-backoff",
      deadlineMs: 90_000,
    });
    expect(intents(harness.look(2, gone, 90_000))).toMatchObject([{ kind: "enqueue" }]);
  });

  test("gives back in steps what one look cannot, and takes nothing meanwhile [GA3]", () => {
    const harness = new Harness({ quotaMillis: 10_000 });
    const queued = Array.from({ length: 40 }, (_, index) => member(index, { stage: "queued" }));
    harness.look(40, held(queued), 0);
    expect(intents(harness.look(40, held(queued), 60_000))).toHaveLength(32);
    const rest = queued.map((each, index) =>
      index < 32 ? member(index, { stage: "released" }) : each,
    );
    const decision = harness.look(40, held(rest), 60_100);
    expect(intents(decision).map(({ kind }) => kind)).toEqual(Array(8).fill("evict"));
  });

  test("is not given more time by those who join it later [GA3]", () => {
    const harness = new Harness();
    harness.look(2, held(stages("queued", "serving")), 0);
    const joined = held(stages("queued", "queued"));
    expect(harness.look(2, joined, 50_000)).toMatchObject({
      reason: "gang-waiting",
      deadlineMs: 60_000,
    });
  });

  test("counts each incarnation of a member for itself [GA3]", () => {
    const harness = new Harness();
    harness.look(1, held([member(0, { stage: "queued", incarnation: 1 })]), 0);
    const again = held([member(0, { stage: "queued", incarnation: 2 })]);
    expect(harness.look(1, again, 50_000)).toMatchObject({ deadlineMs: 110_000 });
  });

  test("gives it back while others of it wait for quota, too: two gangs never hold half each [GA3]", () => {
    const harness = new Harness({ quotaMillis: 150 });
    const half = held(stages("queued", "admitted"));
    expect(harness.look(2, half, 0)).toMatchObject({
      reason: "quota-exhausted",
      deadlineMs: 15_000,
    });
    expect(harness.look(2, half, 50_000)).toMatchObject({ deadlineMs: 60_000 });
    expect(intents(harness.look(2, half, 60_000))).toMatchObject([{ kind: "evict" }]);
  });

  test("gives it back while one of it waits for its next incarnation [GA3]", () => {
    const harness = new Harness();
    const failed = member(1, { stage: "failed", failures: 20 });
    const objects = held([member(0, { stage: "queued" }), failed]);
    expect(harness.look(2, objects, 0)).toMatchObject({
      reason: "restart-backoff",
      deadlineMs: 60_000,
    });
    expect(intents(harness.look(2, objects, 60_000))).toMatchObject([{ kind: "evict" }]);
  });

  test("has no deadline once all of it have their nodes [GA3]", () => {
    const harness = new Harness();
    harness.look(2, held(stages("queued", "queued")), 0);
    expect(harness.look(2, stages("serving", "serving"), 70_000)).toEqual({ kind: "settled" });
  });
});

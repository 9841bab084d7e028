import { describe, expect, test } from "vitest";
import { aPlane, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aTurn } from "../../../../test/builders/a-turn.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { Authority } from "../../commit/authority.ts";
import { operationId } from "../../model/ids.ts";
import { recount } from "./recount.ts";

const SOME = { cpuMillis: 100, memoryMiB: 0, deviceMillis: 0 };

/** One serves, one is queued, one is admitted with a reservation. */
function aBusyPlane() {
  const plane = aPlane({ quota: { cpuMillis: 1_000 }, desired: { replicas: 4, cpuMillis: 100 } });
  plane.serving();
  plane.queued(1);
  plane.reserved(2);
  return plane;
}

describe("the accounts", () => {
  test("are right after everything that rules allow [RP4]", () => {
    const plane = aBusyPlane();
    expect(recount(plane.ledger.objects)).toBeUndefined();
    plane.must({ kind: "delete", key: plane.node().key, expect: {}, orphan: true });
    expect(recount(plane.ledger.objects)).toBeUndefined();
  });

  test("are found to be wrong by what was posted twice, or never [RP4]", () => {
    const { objects } = aBusyPlane().ledger;
    const posting = { tenant: "payments", side: "reserved", priorityClass: "" } as const;
    objects.quotaUsage.post({ ...posting, amounts: SOME }, 1);
    expect(recount(objects)).toBe(
      "the account of cpuMillis has 400 as tenant payments class , and the objects add up to 300",
    );
    objects.quotaUsage.post({ ...posting, amounts: SOME }, -1);
    expect(recount(objects)).toBeUndefined();
    objects.quotaUsage.post({ ...posting, side: "committed", amounts: SOME }, -1);
    expect(recount(objects)).toMatch(/^the account of cpuMillis has 200 as tenant payments class/);
  });

  test("that are wrong grant nothing more, and still take back [RP4]", () => {
    const plane = aBusyPlane();
    plane.ledger.objects.quotaUsage.wrong = "it does not add up";
    const indexes = [{ index: 3, incarnation: 1 }];
    expect(
      plane.send({ kind: "enqueue", workload: WORKLOAD, generation: 1, indexes }),
    ).toMatchObject({ code: "accounts-wrong", actual: "it does not add up" });
    const replica = plane.admitted(3).key;
    const reserve = { kind: "reserve", replica, incarnation: 1, deadlineMs: 1 } as const;
    expect(codeOf(plane.send(reserve))).toBe("accounts-wrong");
    const bind = { kind: "bind", replica: plane.replica(1).key, incarnation: 1 } as const;
    expect(codeOf(plane.send({ ...bind, node: "a-1", deviceIds: [] }))).toBe("committed");
  });
});

describe("an authority", () => {
  test("adds its accounts up every five minutes of its own clock [RP4]", () => {
    const { ledger } = aBusyPlane();
    const authority = Authority.resumed({ name: "plane-1", ledger });
    const ask = (nowMs: number): void => {
      const operation = operationId(`ask-${nowMs}`);
      const intent = { kind: "delete", operation, key: WORKLOAD, expect: { revision: 1 } } as const;
      const actor = { role: "user", name: "user" } as const;
      const command = { intent, epoch: ledger.epoch, basis: ledger.revision, actor };
      const request = { kind: "command", attempt: 1, command } as const;
      authority.receive({ kind: "request", from: "user", call: nowMs, request }, aTurn(nowMs));
    };
    ask(1_000);
    expect(ledger.objects.quotaUsage.wrong).toBeUndefined();
    const posting = { tenant: "payments", side: "reserved", priorityClass: "" } as const;
    ledger.objects.quotaUsage.post({ ...posting, amounts: SOME }, 1);
    ask(300_999);
    expect(ledger.objects.quotaUsage.wrong).toBeUndefined();
    ask(301_000);
    expect(ledger.objects.quotaUsage.wrong).toMatch(/^the account of cpuMillis has 400/);
  });
});

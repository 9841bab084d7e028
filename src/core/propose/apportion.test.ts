import { describe, expect, test } from "vitest";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { alike, RegionalPair } from "../../../test/builders/a-regional-pair.ts";
import { aPlane } from "../../../test/builders/a-plane.ts";
import { type Kind, KINDS, quotaKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { Decision } from "../protocol/decision.ts";
import { createApportion } from "./apportion.ts";

const objectsOf = ({ ledger }: RegionalPair["global"]): readonly AnyObject[] =>
  KINDS.flatMap((kind: Kind) => [...ledger.objects.all(kind).values()]);

function decide(pair: RegionalPair): Decision {
  const controller = createApportion();
  const view = aView(controller, objectsOf(pair.global));
  return controller.reconcile(quotaKey("payments"), view, aLook(0));
}

/** What is proposed is committed as it is. */
function carryOut(pair: RegionalPair): readonly number[] {
  const decision = decide(pair);
  if (decision.kind !== "propose") return [];
  return decision.intents.map((intent) => {
    pair.global.must(intent);
    return intent.kind === "lend" ? intent.amounts.cpuMillis : 0;
  });
}

describe("apportioning", () => {
  test("lends to a region that has confirmed, and then rests [RG15]", () => {
    const pair = new RegionalPair();
    expect(decide(pair).kind).toBe("settled");
    pair.exchange();
    expect(carryOut(pair)).toEqual([1_000]);
    expect(decide(pair).kind).toBe("settled");
    pair.exchange();
    expect(pair.limit()).toMatchObject({ cpuMillis: 1_000, memoryMiB: 1_000 });
    expect(decide(pair).kind).toBe("settled");
  });

  test("gives the rights back to a region whose term had ended [RG15][RG12]", () => {
    const pair = new RegionalPair();
    pair.exchange();
    carryOut(pair);
    pair.exchange();
    pair.spend([0]);
    pair.pass(60_000);
    const { askedMs, epoch } = pair.plane.term!;
    pair.west.must({ kind: "end-term", askedMs, epoch });
    pair.exchange();
    expect(pair.committed()).toEqual(alike(100));
    expect(carryOut(pair)).toEqual([1_000]);
  });

  test("takes what is left, and more once another region has given it up [RG15]", () => {
    const pair = new RegionalPair();
    pair.exchange();
    carryOut(pair);
    pair.exchange();
    pair.planned("east");
    const demand = {
      charged: alike(0),
      waiting: alike(300),
      largest: alike(100),
      smallest: alike(100),
    };
    const grants = [{ tenant: "payments", version: 0, held: alike(0), demand }];
    const east = { ...pair.report({ region: "east" }), grants };
    pair.hear(east);
    // Nothing is free yet: `west` is asked for some of it first.
    expect(carryOut(pair)).toEqual([350]);
    pair.exchange();
    expect(carryOut(pair)).toEqual([650]);
    expect(pair.grant("east")?.spec.amounts.cpuMillis).toBe(650);
  });

  test("leaves small differences alone, unless work waits [RG15]", () => {
    const pair = new RegionalPair();
    pair.exchange();
    const to = { tenant: "payments", region: "west", incarnation: 1, version: 1 };
    const amounts = { ...alike(950), deviceMillis: 4_000 };
    pair.global.must({ kind: "lend", ...to, amounts });
    pair.exchange();
    expect(decide(pair).kind).toBe("settled");
    const { version, held } = pair.report().grants[0]!;
    const demand = {
      charged: alike(950),
      waiting: alike(50),
      largest: alike(50),
      smallest: alike(50),
    };
    pair.hear(pair.report({ grants: [{ tenant: "payments", version, held, demand }] }));
    expect(carryOut(pair)).toEqual([1_000]);
  });

  test("is nothing in a plane that serves all regions [RG15]", () => {
    const controller = createApportion();
    const view = aView(controller, objectsOf(aPlane()));
    expect([...controller.allKeys(view)]).toEqual([]);
    expect(controller.interest.onlyWith).toBe("Plane");
  });
});

import { expect, test } from "vitest";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { RegionalPair, TERM_MS } from "../../../test/builders/a-regional-pair.ts";
import { PLANE_KEY } from "../model/ids.ts";
import { createEndTerm } from "./end-term.ts";

const DUE_MS = 1_000 + TERM_MS + TERM_MS / 50;

function aPairWithTerm(): RegionalPair {
  const pair = new RegionalPair();
  pair.exchange(1);
  return pair;
}

test("a term is ended after its length since it was seen to begin [RG12]", () => {
  const pair = aPairWithTerm();
  const controller = createEndTerm();
  const at = (now: number) => {
    const view = aView(controller, [pair.west.get(PLANE_KEY)!]);
    return controller.reconcile(PLANE_KEY, view, aLook(now));
  };
  at(0);
  pair.pass(1_000);
  pair.exchange(1);
  expect(at(1_000)).toMatchObject({ kind: "wait", reason: "region-term", deadlineMs: DUE_MS });
  expect(at(DUE_MS)).toMatchObject({
    kind: "propose",
    intents: [{ kind: "end-term", askedMs: 1_000, epoch: 1 }],
  });
  // Our clock was fast.
  expect(at(DUE_MS + 100)).toMatchObject({ kind: "wait", deadlineMs: DUE_MS + 5_000 });
});

test("a term that was there before the controller is asked about now and then [RG12]", () => {
  const pair = aPairWithTerm();
  const controller = createEndTerm();
  const view = aView(controller, [pair.west.get(PLANE_KEY)!]);
  const at = (now: number) => controller.reconcile(PLANE_KEY, view, aLook(now));
  expect(at(500).kind).toBe("propose");
  expect(at(600)).toMatchObject({ kind: "wait", deadlineMs: 500 + TERM_MS / 10 });
});

test("a plane without a term, or whose term has ended, is left alone [RG12]", () => {
  const pair = new RegionalPair();
  const controller = createEndTerm();
  const decide = (plane = pair.west) => {
    const view = aView(controller, [plane.get(PLANE_KEY)!]);
    return [controller.reconcile(PLANE_KEY, view, aLook(0)).kind, ...controller.allKeys(view)];
  };
  expect(decide()).toEqual(["settled", PLANE_KEY]);
  expect(decide(pair.global)).toEqual(["settled"]);
});

import { expect, test } from "vitest";
import { aPlane, putting } from "../../../test/builders/a-plane.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { ObjectKey } from "../model/ids.ts";
import { EXPIRES_ANNOTATION } from "../rules/access/binding-end.ts";
import { createExpireBinding } from "./expire-binding.ts";

const KEY = "ClusterRoleBinding//fire" as ObjectKey;
const END_MS = 3_600_000;

function aPlaneWithBinding() {
  const plane = aPlane();
  const put = putting(KEY, {
    kind: "ClusterRoleBinding",
    spec: {
      roleRef: { kind: "ClusterRole", name: "break-glass" },
      subjects: [{ kind: "User", name: "ana" }],
    },
  });
  plane.must({ ...put, annotations: { [EXPIRES_ANNOTATION]: "1970-01-01T01:00:00Z" } });
  return plane;
}

test("a binding is removed at its end, with the time as evidence, and not asked for all the time [AZ18]", () => {
  const controller = createExpireBinding();
  const view = aView(controller, [aPlaneWithBinding().get(KEY)!]);
  const at = (now: number) => controller.reconcile(KEY, view, aLook(now));
  expect(at(0)).toMatchObject({ kind: "wait", reason: "binding-ends", deadlineMs: END_MS });
  expect(at(END_MS)).toMatchObject({
    kind: "propose",
    intents: [{ kind: "expire", evidence: { kind: "binding-over", untilMs: END_MS } }],
  });
  expect(at(END_MS + 100).kind).toBe("wait");
  expect(at(END_MS + 5_000).kind).toBe("propose");
});

test("the authority removes it by its own clock, for this controller alone [AZ18]", () => {
  const plane = aPlaneWithBinding();
  const evidence = { kind: "binding-over", binding: KEY, untilMs: END_MS } as const;
  const expire = { kind: "expire", key: KEY, incarnation: 1, evidence } as const;
  const send = (role: "expire-binding" | "expire-override") => codeOf(plane.send(expire, { role }));
  expect(send("expire-binding")).toBe("binding-not-over");
  plane.nowMs = END_MS;
  expect(send("expire-override")).toBe("not-owner");
  const other = { ...expire, evidence: { ...evidence, untilMs: 1 } };
  expect(codeOf(plane.send(other, { role: "expire-binding" }))).toBe("evidence-wrong");
  expect(send("expire-binding")).toBe("committed");
  expect(plane.get(KEY)).toBeUndefined();
});

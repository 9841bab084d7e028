import { expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { anOverride } from "../../../test/builders/an-override.ts";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Uid } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { OverrideSpec } from "../../core/model/override.ts";
import type { Activation } from "../../core/model/policy.ts";
import { auditWords } from "./audit-words.ts";

const REVISION = 9;

function words(
  { before, after }: { readonly before?: AnyObject; readonly after?: AnyObject },
  command: Commit["command"] = "put",
): string {
  const { key } = (after ?? before)!;
  return auditWords({ key, before, after }, aCommit({ revision: REVISION, command }));
}

/** A uid begins with the revision that made it. */
function made<T extends AnyObject>(object: T): T {
  return { ...object, meta: { ...object.meta, uid: `u${REVISION}-0` as Uid } };
}

const MADE: readonly [spec: Partial<OverrideSpec>, words: string][] = [
  [{}, "avoids zone eu-a"],
  [{ action: "avoid-node", target: { node: "n1" } }, "avoids node n1"],
  [{ action: "pause-expansion", target: { tenant: "shop" } }, "pauses expansion of tenant shop"],
  [{ action: "pause-repair", target: {} }, "pauses repair of everything"],
  [{ action: "pin", target: { tenant: "a", workload: "b" } }, "pins workload a/b"],
  [
    { action: "raise-budget", target: { tenant: "a", workload: "b" }, amount: 2 },
    "raises the budget of workload a/b by 2",
  ],
  [{ action: "freeze-tenant", target: { tenant: "shop" } }, "freezes tenant shop"],
];

test.each(MADE)(
  "an override that is made says what it does, until when and why: %o",
  (of, says) => {
    const end = "until 1970-01-01T00:01:00Z (override ov-1): flaky power";
    expect(words({ after: made(anOverride(of)) })).toBe(`${says} ${end}`);
  },
);

test("an override is extended, released by a person, and expires by a controller", () => {
  const before = anOverride();
  const after = anOverride({ status: { untilMs: 120_000, extensions: 1 } });
  expect(words({ before, after })).toBe(
    "extended override ov-1 until 1970-01-01T00:02:00Z, was 1970-01-01T00:01:00Z",
  );
  expect(words({ before }, "delete")).toBe("released override ov-1");
  expect(words({ before }, "expire")).toBe("override ov-1 expired");
});

test("an activation says what is in force where, what it was, and why, even if the earlier object is unknown", () => {
  const move: Activation = {
    by: "ana",
    atMs: 0,
    region: "eu-west",
    from: "r6",
    to: "r7",
    reason: "CHG-17",
  };
  const moved = (of: Partial<Activation>): AnyObject =>
    aPolicy({ active: "r7" }, { history: [{ ...move, ...of }] });
  expect(words({ after: moved({}) }, "activate")).toBe(
    "activated policy default revision r7 in eu-west, was r6: CHG-17",
  );
  const { region: _, ...everywhere } = move;
  const first = aPolicy({ active: "r7" }, { history: [{ ...everywhere, from: "", reason: "" }] });
  expect(words({ before: aPolicy({ scoring: "best-fit" }), after: first }, "activate")).toBe(
    "activated policy default revision r7, was no revision",
  );
  const rollback = { bindings: "drain", reservations: "preserve" } as const;
  expect(words({ after: moved({ from: "r8", rollback }) }, "activate")).toBe(
    "rolled policy default back to revision r7 in eu-west, was r8: CHG-17",
  );
});

test("a policy and its revisions are called by their kinds", () => {
  expect(words({ after: made(aRevision("r7")) })).toBe("created policy revision r7");
  expect(words({ before: aPolicy({ active: "r7" }) }, "delete")).toBe("deleted policy default");
});

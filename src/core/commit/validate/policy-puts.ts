/**
 * What a put may not do to a policy: a revision never changes once it is committed (PY1), and the
 * pointer moves by activation alone, which says what it replaces (PY4).
 */
import type { Policy, PolicyRevision } from "../../model/objects.ts";
import type { Activation, PolicyStatus } from "../../model/policy.ts";
import type { PutOf } from "../../protocol/command.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/** Asked of a put that would change the spec. */
export function revisionFixed(held: PolicyRevision): Rejection | undefined {
  const instead = "another; put that as a new revision and activate it";
  return reject("revision-immutable", held.key, "the spec that it was made with", instead);
}

/** Asked of a put that would change the spec. */
export function pointerFixed(held: Policy, { desired }: PutOf<"Policy">): Rejection | undefined {
  const was = held.spec.active;
  const is = desired.spec.active;
  // Scoring of its own is written as it always was.
  if (was === undefined && is === undefined) return undefined;
  const instead = `${is ?? "scoring of its own"}; activate it instead`;
  return reject("pointer-not-put", `${held.key} spec`, was ?? "scoring of its own", instead);
}

/** Making a policy that points to a revision is its first activation. */
export function firstPolicyStatus(
  { nowMs, actorName }: CommitContext,
  { desired }: PutOf<"Policy">,
): PolicyStatus {
  const { active, stages = [] } = desired.spec;
  if (active === undefined) return {};
  const made = { by: actorName, atMs: nowMs, from: "", reason: "the policy was made" };
  const history: Activation[] = [
    { ...made, to: active },
    ...stages.map(({ region, revision }) => ({ ...made, region, from: active, to: revision })),
  ];
  return { history };
}

/**
 * The state that a run begins with, with another policy revision in force. The pointer is put into
 * a copy; no command moves it, so nothing is taken back that was decided before. A revision that is
 * not in the log yet is checked like any that is put.
 */
import { assert } from "../../core/model/assert.ts";
import { apply } from "../../core/commit/apply.ts";
import type { Desired, Intent } from "../../core/protocol/command.ts";
import type { Ledger } from "../../core/commit/ledger.ts";
import { restoreLedger } from "../../core/commit/snapshot.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import { type ObjectKey, operationId, policyKey, policyRevisionKey } from "../../core/model/ids.ts";
import type { AnyObject, Policy } from "../../core/model/objects.ts";
import type { PolicyRevisionSpec, PolicySpec } from "../../core/model/policy.ts";
import { PreviewRefused } from "./preview-refused.ts";

export interface OtherPolicy {
  readonly policy: string;
  readonly revision: string;
  /** What the revision says; it may be in the state already. */
  readonly spec: PolicyRevisionSpec;
  /** Left out: everywhere. */
  readonly region?: string | undefined;
  /** What the policy first points to everywhere else, for a state in which it is not made yet. */
  readonly rest?: { readonly revision: string; readonly spec: PolicyRevisionSpec } | undefined;
}

/**
 * What somebody did to the pointer meanwhile is left out: the question is what the other revision
 * would have done.
 */
export function movesPointer(intent: Intent, { policy }: OtherPolicy): boolean {
  if (intent.kind === "activate") return intent.policy === policy;
  if (intent.kind !== "put" && intent.kind !== "delete") return false;
  return intent.key === policyKey(policy);
}

export function withOtherPolicy(snapshot: Snapshot, other: OtherPolicy): Snapshot {
  const ledger = restoreLedger(snapshot);
  const { region, rest } = other;
  const put = [madeRevision(ledger, other)];
  let held = ledger.objects.all("Policy").get(policyKey(other.policy));
  if (held === undefined) {
    if (region !== undefined && rest === undefined) throw noStage(other);
    if (region !== undefined && rest !== undefined) put.push(madeRevision(ledger, rest));
    const active = region === undefined || rest === undefined ? other.revision : rest.revision;
    held = made(ledger, policyKey(other.policy), { kind: "Policy", spec: { active } }) as Policy;
  }
  put.push(moved(held, other));
  const keys = new Set(put.map(({ key }) => key));
  const objects = snapshot.objects.filter(({ key }) => !keys.has(key));
  return { ...snapshot, objects: [...objects, ...put] };
}

const madeRevision = (
  ledger: Ledger,
  { revision, spec }: Pick<OtherPolicy, "revision" | "spec">,
): AnyObject => made(ledger, policyRevisionKey(revision), { kind: "PolicyRevision", spec });

function moved(held: Policy, other: OtherPolicy): Policy {
  const { revision, region } = other;
  const left = held.status.left?.filter((each) => each.revision !== revision);
  const status = left === undefined ? held.status : { ...held.status, left };
  const meta = { ...held.meta, generation: held.meta.generation + 1 };
  if (region === undefined) return { ...held, meta, spec: { active: revision }, status };
  const { active, stages = [] } = held.spec;
  if (active === undefined) throw noStage(other);
  const others = stages.filter((stage) => stage.region !== region);
  const all = active === revision ? others : [...others, { region, revision }];
  const sorted = all.toSorted((a, b) => (a.region < b.region ? -1 : 1));
  const spec: PolicySpec = sorted.length === 0 ? { active } : { active, stages: sorted };
  return { ...held, meta, spec, status };
}

const noStage = ({ policy, region }: OtherPolicy): PreviewRefused =>
  new PreviewRefused(
    `Cannot preview policy ${policy} in ${region} alone: it points to no revision that the other regions would stay at. Leave --region out.`,
  );

/** As the authority would make it, at the revision that the state has. */
function made(ledger: Ledger, key: ObjectKey, desired: Desired): AnyObject {
  const held = ledger.objects.get(key);
  const intent = {
    kind: "put",
    operation: operationId(`preview/${key}`),
    key,
    desired,
    labels: held?.meta.labels ?? {},
    finalizers: held?.meta.finalizers ?? [],
    expect: {},
  } as const;
  const { epoch, revision: basis } = ledger;
  const actor = { role: "user", name: "preview" } as const;
  const { outcome, commit } = apply(ledger, { intent, epoch, basis, actor }, ledger.leadSinceMs);
  if (outcome.kind === "conflict" || outcome.kind === "refused") {
    const { code, rule, field, expected, actual } = outcome;
    throw new PreviewRefused(
      `Cannot preview ${key}: ${field}: expected ${expected}, found ${actual} (${code}, rule ${rule}).`,
    );
  }
  if (held !== undefined) return held;
  const after = commit?.changes.find((change) => change.key === key)?.after;
  assert(commit !== undefined && after !== undefined, `A put of ${key} made nothing.`);
  ledger.fold(commit);
  return { ...after, meta: { ...after.meta, revision: basis } };
}

/**
 * The region takes over what the global plane answered: the term, counted from when it asked, the
 * newest version of each grant, and the objects that the global plane owns (RG10). Late terms
 * change nothing: rights that came with a term that is over would be spent for ever.
 */
import { grantKey, quotaKey, regionKey } from "../../model/ids.ts";
import type { Quota } from "../../model/objects.ts";
import type { RegionalPlane, Term } from "../../model/regional/plane.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import type { LentGrant, RegionTerms } from "../../protocol/region-exchange.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { withSpec } from "../checks/fallen-rights.ts";
import { grantChange, newMeta, planeChange, regionalPlane } from "../checks/plane-object.ts";
import { sharedChanges } from "../checks/shared-changes.ts";
import { malformedTerms } from "../validate/region-messages.ts";
import { sameValue } from "../validate/same-value.ts";
import type { CommitContext, Verdict } from "../verdict.ts";

export function checkTakeTerms(context: CommitContext, { terms }: IntentOf<"take-terms">): Verdict {
  const key = regionKey(terms.region);
  if (context.role !== "region-link") return reject("not-owner", key, "region-link", context.role);
  const plane = regionalPlane(context);
  if ("code" in plane) return plane;
  const wrong = malformedTerms(terms) ?? notFor(plane, terms) ?? passed(context, terms);
  if (wrong !== undefined) return wrong;
  const shared = sharedChanges(context, plane, terms);
  if ("code" in shared) return shared;
  const taken = { ...plane, global: terms.global, objectsTo: shared.objectsTo };
  // Rights are for a plane that knows what it holds; the link itself is good from the start.
  if (plane.learning !== undefined) return [planeChange(context, taken), ...shared.changes];
  const { ended: _, ...spending } = taken;
  const term = termAfter(context, plane.term, terms);
  const rights = terms.grants.flatMap((grant) => rightsAfter(context, plane, grant));
  const written = new Set(rights.map((change) => change.key));
  return [
    planeChange(context, { ...spending, term }),
    ...shared.changes.filter((change) => !written.has(change.key)),
    ...rights,
  ];
}

function notFor(plane: RegionalPlane, terms: RegionTerms): Rejection | undefined {
  const key = regionKey(terms.region);
  if (terms.region !== plane.region || terms.incarnation !== plane.incarnation) {
    const expected = `${plane.region} incarnation ${plane.incarnation}`;
    return reject("terms-not-for", key, expected, `${terms.region} ${terms.incarnation}`);
  }
  const { global = 0 } = plane;
  return terms.global < global
    ? reject("lender-passed", key, `incarnation ${global} or later`, terms.global)
    : undefined;
}

function passed({ ledger, nowMs }: CommitContext, terms: RegionTerms): Rejection | undefined {
  const key = regionKey(terms.region);
  const { asked, termMs } = terms;
  if (asked.epoch !== ledger.epoch) {
    return reject("terms-passed", key, `a question of epoch ${ledger.epoch}`, asked.epoch);
  }
  if (asked.ms > nowMs) return reject("bad-object", `${key} asked`, `at most ${nowMs}`, asked.ms);
  const leftMs = asked.ms + termMs - nowMs;
  return leftMs > 0
    ? undefined
    : reject("terms-passed", key, `a question of the last ${termMs} ms`, `${-leftMs} ms late`);
}

/** Answers come in any order; each is a promise that holds until its own time. */
function termAfter(
  { ledger }: CommitContext,
  held: Term | undefined,
  { asked, termMs }: RegionTerms,
): Term {
  const untilMs = asked.ms + termMs;
  const kept = held?.epoch === ledger.epoch ? held : { askedMs: 0, untilMs: 0 };
  return {
    askedMs: Math.max(kept.askedMs, asked.ms),
    untilMs: Math.max(kept.untilMs, untilMs),
    epoch: ledger.epoch,
  };
}

/** A version is taken over once and whole; an older or equal one changes nothing. */
function rightsAfter(
  context: CommitContext,
  { region, incarnation }: RegionalPlane,
  { tenant, version, amounts, quota }: LentGrant,
): readonly Change[] {
  const { objects } = context.ledger;
  const key = grantKey(tenant, region);
  const held = objects.all("Grant").get(key)?.spec;
  const accepted = held?.incarnation === incarnation ? held.version : 0;
  if (version <= accepted) return [];
  const spec = { region, side: "accepted", incarnation, version, amounts } as const;
  return [
    ...grantChange(context, key, { spec, status: {} }),
    ...quotaAfter(context, quotaKey(tenant), { ...quota, limit: amounts }),
  ];
}

function quotaAfter(
  context: CommitContext,
  key: ReturnType<typeof quotaKey>,
  spec: Quota["spec"],
): readonly Change[] {
  const held = context.ledger.objects.all("Quota").get(key);
  if (held === undefined) {
    const after: Quota = { kind: "Quota", key, meta: newMeta(context, key), spec, status: {} };
    return [{ key, before: undefined, after }];
  }
  return sameValue(held.spec, spec) ? [] : [withSpec(context, held, spec)];
}

/**
 * A plane becomes one of several, or another incarnation of itself because its log was restored
 * (RG1). A region's rights of an earlier incarnation count for nothing: its log vouches for its
 * charges alone, and until its agents have spoken not even these are known to be true (RG13).
 */
import { NOTHING } from "../../model/amounts.ts";
import { PLANE_KEY } from "../../model/ids.ts";
import type { PlaneRole, PlaneStatus, RegionalPlane } from "../../model/regional/plane.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { regionalOf } from "../../rules/regional/term.ts";
import { ownRights } from "../checks/fallen-rights.ts";
import { grantChange, planeChange } from "../checks/plane-object.ts";
import { sameValue } from "../validate/same-value.ts";
import type { CommitContext, Verdict } from "../verdict.ts";

export function checkIncarnate(context: CommitContext, intent: IntentOf<"incarnate">): Verdict {
  if (context.role !== "region-link") {
    return reject("not-owner", PLANE_KEY, "region-link", context.role);
  }
  const { plane, incarnation } = intent;
  const held = context.ledger.objects.plane?.status;
  const wrong = unfit(intent) ?? (held && fixed(held, plane));
  if (wrong !== undefined) return wrong;
  if (held !== undefined && incarnation <= held.incarnation) {
    return reject("incarnation-passed", PLANE_KEY, `after ${held.incarnation}`, incarnation);
  }
  if (plane.role === "global") return [planeChange(context, { role: "global", incarnation })];
  const status = regionalAnew(context, plane.region, incarnation);
  return [planeChange(context, status), ...grantsAnew(context, incarnation), ...ownRights(context)];
}

function unfit({ plane, incarnation }: IntentOf<"incarnate">): Rejection | undefined {
  if (!Number.isSafeInteger(incarnation) || incarnation < 1) {
    return reject("bad-object", `${PLANE_KEY} incarnation`, "a whole number from 1", incarnation);
  }
  return plane.role === "regional" && plane.region === ""
    ? reject("bad-object", `${PLANE_KEY} region`, "the name of a region", "")
    : undefined;
}

const roleOf = (plane: PlaneStatus | PlaneRole): PlaneRole =>
  plane.role === "global" ? { role: "global" } : { role: "regional", region: plane.region };

const textOf = (plane: PlaneRole): string =>
  plane.role === "global" ? "global" : `regional of ${plane.region}`;

function fixed(held: PlaneStatus, wanted: PlaneRole): Rejection | undefined {
  const [was, is] = [roleOf(held), roleOf(wanted)];
  return sameValue(was, is) ? undefined : reject("plane-fixed", PLANE_KEY, textOf(was), textOf(is));
}

function regionalAnew(
  { ledger, nowMs }: CommitContext,
  region: string,
  incarnation: number,
): RegionalPlane {
  const { objects, epoch } = ledger;
  const held = regionalOf(objects.plane);
  const knowsAgents = (["Node", "Lease", "Replica"] as const).some(
    (kind) => objects.all(kind).size > 0,
  );
  return {
    role: "regional",
    region,
    incarnation,
    ...(knowsAgents ? { learning: { epoch, sinceMs: nowMs } } : {}),
    ...(held?.global === undefined ? {} : { global: held.global }),
    // The rights have fallen in this same commit.
    ended: true,
    objectsTo: 0,
  };
}

function grantsAnew(context: CommitContext, incarnation: number): readonly Change[] {
  return [...context.ledger.objects.all("Grant").values()].flatMap(({ key, spec }) =>
    grantChange(context, key, {
      spec: { region: spec.region, side: "accepted", incarnation, version: 0, amounts: NOTHING },
      status: {},
    }),
  );
}

/**
 * The powers that a put asks for, decided by committed roles: a role that was taken away between
 * the API's question and the commit gives nothing any more (AZ52).
 */
import type { ResourceRequest } from "../../model/access.ts";
import type { AnyObject } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { subjectOfActor } from "../../rules/access/subject-of-actor.ts";
import { powersOfWrite } from "../../rules/powers/powers-of-write.ts";
import type { CommitContext } from "../verdict.ts";

export function powerMissing(
  { ledger, actor, role, nowMs }: CommitContext,
  held: AnyObject | undefined,
  put: IntentOf<"put">,
): Rejection | undefined {
  // Controllers put what is there already, and only people name something new.
  const subject = role === "user" ? subjectOfActor(actor) : undefined;
  if (subject === undefined) return undefined;
  const { access } = ledger.objects;
  const pools = ledger.objects.all("NodePool").values();
  const lacking = powersOfWrite(put, held, pools).find(
    (power) => !access.decide(subject, power, nowMs).isAllowed,
  );
  if (lacking === undefined) return undefined;
  return reject("power-missing", put.key, textOf(lacking), `no role gives it to ${subject.user}`);
}

function textOf({ verb, resource, name, namespace }: ResourceRequest): string {
  const of = name === undefined ? `all ${resource}` : `${resource} ${name}`;
  return `the power ${verb} over ${of}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

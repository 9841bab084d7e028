/**
 * What the API does before a request of a person reaches the authority: it asks the plane's roles,
 * and refuses what they do not allow. A production plane asks them a moment before the authority
 * takes the command; here both are one turn, so that what is committed can be held against the
 * very state in which it was decided.
 */
import { askedOfCommand } from "../../core/access/asked-of-command.ts";
import { hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { Request } from "../../core/kernel/component.ts";
import type { AccessRequest, ResourceRequest, Subject } from "../../core/model/access.ts";
import type { Intent } from "../../core/protocol/command.ts";
import type { Outcome, Reply } from "../../core/protocol/outcome.ts";
import { subjectOfActor } from "../../core/rules/access/subject-of-actor.ts";
import type { Message } from "../hosts/message.ts";
import type { PlaneProcess } from "../hosts/plane-process.ts";
import type { Sim } from "../sim.ts";
import { READS } from "./reads-asked.ts";

export interface Answered {
  readonly request: AccessRequest;
  readonly isAllowed: boolean;
  /** What it rests on. */
  readonly by?: string;
}

/** What a plane has decided about one request of a person, on the state of that moment. */
export interface AccessAsked {
  readonly plane: string;
  readonly who: Subject;
  readonly intent: Intent;
  /** On the clock of the plane. */
  readonly nowMs: number;
  readonly asked: readonly Answered[];
  /** Reads that the same person asks for in the same moment. */
  readonly reads: readonly Answered[];
}

const READ = hashText("read-of-person");
/** With each command: enough to ask for all of them in every world. */
const READS_EACH = 4;

/** The request as the authority gets it, or the answer of the API. */
export function throughGate(sim: Sim, plane: PlaneProcess, message: Message): Request | Reply {
  const { request } = message;
  const { component } = plane;
  if (request.kind !== "command" || component?.isLeading !== true) return request;
  const { command } = request;
  const who = subjectOfActor(command.actor);
  if (who === undefined) return request;
  const { objects } = component.ledger;
  const nowMs = plane.readClock(sim.nowMs);
  const decide = (asks: AccessRequest): Answered => {
    const decision = objects.access.decide(who, asks, nowMs);
    const { isAllowed } = decision;
    return { request: asks, isAllowed, ...(decision.isAllowed ? { by: decision.by } : {}) };
  };
  const { intent } = command;
  const held = "key" in intent ? objects.get(intent.key) : undefined;
  const asked = askedOfCommand(intent, held, objects.all("NodePool").values()).map(decide);
  const reads = readsOf(sim, message).map(decide);
  sim.checks.accessAsked({ plane: plane.name, who, intent, nowMs, asked, reads }, objects);
  const refused = asked.find(({ isAllowed }) => !isAllowed);
  if (refused !== undefined) return forbidden(refused.request as ResourceRequest, plane);
  const allowed = asked[0]?.by ?? "";
  const by = { ...command.actor.by, kind: command.actor.by?.kind ?? "user", allowed };
  return { ...request, command: { ...command, actor: { ...command.actor, by } } };
}

/** People with roles have a credential; everything else comes from inside the plane. */
export const isGated = ({ request }: Message): boolean =>
  request.kind === "command" && request.command.actor.by !== undefined;

export const isReply = (what: Request | Reply): what is Reply =>
  what.kind !== "command" && what.kind !== "lookup";

function readsOf(sim: Sim, { client, labelHash }: Message): readonly AccessRequest[] {
  return Array.from({ length: READS_EACH }, (_, at) => {
    const draw = keyed(sim.seed, READ, client.nameHash, labelHash, at);
    return READS[draw % READS.length] as AccessRequest;
  });
}

/** The API answers 403 here. The authority has no such answer; people only read that it is a no. */
function forbidden(request: ResourceRequest, { published, epoch }: PlaneProcess): Reply {
  const outcome: Outcome = {
    kind: "refused",
    code: "not-owner",
    rule: "AZ42",
    field: request.resource,
    expected: "a role that allows it",
    actual: request.verb,
    revision: published,
  };
  return { kind: "outcome", outcome, epoch };
}

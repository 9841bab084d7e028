/**
 * Who gets the values of secrets (SE11): the agent of the node to which the replica is bound at
 * this moment, in its session, for the process that it has claimed and not begun. It gets all of
 * them or none.
 */
import type { Actor } from "../../model/actor.ts";
import { nodeKey } from "../../model/ids.ts";
import { secretKey, secretRefsOf, secretText } from "../../model/secret/secret-refs.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import type { SecretsAsk, SecretsDecision } from "../../protocol/secrets-ask.ts";
import { missingSecret } from "../../rules/secrets/missing-secret.ts";
import { missing } from "../verdict.ts";

/** `by`: who asks. Left out: the agent of the node, in a recording of an earlier version. */
export function secretsFor(
  objects: ObjectIndex,
  ask: SecretsAsk,
  by: Actor | undefined,
): SecretsDecision {
  const because = notForSender(ask, by) ?? notItsOwn(objects, ask) ?? incomplete(objects, ask);
  if (because !== undefined) return { kind: "withheld", because };
  const { meta, spec } = objects.replica(ask.replica) ?? {};
  const names = spec === undefined ? [] : secretRefsOf(spec.template).map(({ name }) => name);
  const tenant = meta?.namespace ?? "";
  return { kind: "given", secrets: [...new Set(names)].map((name) => secretKey(tenant, name)) };
}

/** The API checks the same; it is asked here once more because here is where safety is decided. */
function notForSender({ replica, node }: SecretsAsk, by: Actor | undefined): Rejection | undefined {
  const agent = `agent:${node}`;
  if (by === undefined || (by.role === "agent" && by.name === agent)) return undefined;
  return reject("not-owner", replica, agent, by.name);
}

function notItsOwn(objects: ObjectIndex, ask: SecretsAsk): Rejection | undefined {
  const replica = objects.replica(ask.replica);
  if (replica === undefined) return missing(ask.replica);
  const { key, meta, status } = replica;
  if (meta.uid !== ask.uid || status.incarnation !== ask.incarnation) {
    return reject("wrong-incarnation", key, status.incarnation, ask.incarnation);
  }
  if (status.node !== ask.node) {
    const of = status.node ?? "no node";
    return reject("not-owner", key, `agent of ${of}`, `agent of ${ask.node}`);
  }
  if (status.stage !== "starting" || status.stopping !== undefined) {
    const stage = status.stopping === undefined ? status.stage : "stopping";
    return reject("wrong-stage", key, "starting", stage);
  }
  const node = objects.node(nodeKey(ask.node));
  if (status.session !== ask.session || node?.status.session !== ask.session) {
    return reject("session-ended", key, status.session, ask.session);
  }
  return node.status.health === "fenced"
    ? reject("node-fenced", node.key, "not fenced", `fenced in session ${ask.session}`)
    : undefined;
}

function incomplete(objects: ObjectIndex, { replica: key }: SecretsAsk): Rejection | undefined {
  const replica = objects.replica(key);
  const lacked = replica && missingSecret(objects, replica);
  return lacked && reject("secret-missing", key, secretText(lacked), "(none)");
}

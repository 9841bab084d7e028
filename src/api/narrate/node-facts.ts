/** What became of a node: its health, its clock, and what people do with it. */
import type { Node, NodeHealth, NodeStatus } from "../../core/model/objects.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { type Fact, normal, warning } from "./fact.ts";
import { maintenanceFacts } from "./maintenance-facts.ts";

/** `by`: who wrote the node. */
export function nodeFacts(before: Node | undefined, after: Node, by: string): readonly Fact[] {
  // A node that was just made has not changed its health: its agent has not connected yet.
  if (before === undefined) return [];
  return [
    ...healthFacts(before, after),
    ...dampingFacts(before.status, after.status),
    ...clockFacts(before.status, after.status),
    ...maintenanceFacts(before, after, by),
  ];
}

const HEALTH_WORDS: Readonly<Record<NodeHealth, readonly [reason: string, message: string]>> = {
  ready: ["NodeReady", "The agent renews its lease."],
  suspect: ["NodeSuspect", "A renewal of the lease is late; no new work is placed here."],
  unknown: ["NodeSilent", "The agent is silent; its replicas may still be running."],
  fenced: ["NodeFenced", "The session has ended; its processes are gone."],
};

function* healthFacts({ status: was }: Node, { status, meta }: Node): Iterable<Fact> {
  const { health, evidence, session } = status;
  const isSame = was.health === health;
  if (isSame && was.session !== session) yield { did: `began session ${session} of ${meta.name}` };
  if (isSame && was.evidence?.kind === evidence?.kind) return;
  const [reason, message] = HEALTH_WORDS[health];
  if (health === "ready") {
    yield normal(reason, message, isSame ? undefined : `marked ${meta.name} ready`);
    return;
  }
  const cited = evidence === undefined ? undefined : evidenceText(evidence);
  const did = `marked ${meta.name} ${health}${cited === undefined ? "" : `: ${cited}`}`;
  const cites = cited === undefined ? message : `${message} ${cited}`;
  yield warning(reason, cites, isSame ? undefined : did);
}

function dampingFacts(was: NodeStatus, { damped }: NodeStatus): readonly Fact[] {
  if (was.damped?.sinceMs === damped?.sinceMs) return [];
  if (damped === undefined) {
    const message = "No longer held for flapping; it takes new work again.";
    return [normal("FlappingOver", message)];
  }
  const { times, untilMs } = damped;
  const message = `It came back ${times} times within ten minutes; no new work is placed here until ${rfc3339Millis(untilMs)}.`;
  return [warning("NodeFlapping", message)];
}

function clockFacts(was: NodeStatus, { clock }: NodeStatus): readonly Fact[] {
  if ((was.clock === undefined) === (clock === undefined)) return [];
  if (clock === undefined) return [normal("ClockTrusted", "Its clock is within the bound again.")];
  const message = `Its clock is off by ${clock.offBy} parts in a thousand, beyond the bound; no new work is placed here.`;
  return [warning("ClockSuspect", message)];
}

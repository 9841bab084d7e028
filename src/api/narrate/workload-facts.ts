/**
 * What became of a workload: what people want of it, and how far its rollout, its job and its
 * recovery are.
 */
import { countText } from "../../core/model/text/count-text.ts";
import type { Workload } from "../../core/model/objects.ts";
import { SESSION_ANNOTATION } from "../../core/model/session-note.ts";
import { type Fact, normal } from "./fact.ts";
import { jobFacts } from "./job-facts.ts";
import { recoveryFacts } from "./recovery-facts.ts";
import { rolloutFacts } from "./rollout-facts.ts";
import { shortName } from "./short-name.ts";

export function workloadFacts(before: Workload | undefined, after: Workload): readonly Fact[] {
  const name = shortName(after.key);
  const { replicas } = after.spec;
  if (before === undefined) {
    const those = replicas === 1 ? "replica" : "replicas";
    return [{ did: `created workload ${name} with ${replicas} ${those}` }];
  }
  if (before.meta.deletingMs === undefined && after.meta.deletingMs !== undefined) {
    return [normal("Deleting", "Its replicas are being stopped.")];
  }
  return [
    ...desiredFacts(before, after, name),
    ...rolloutFacts(before, after),
    ...jobFacts(before, after),
    ...recoveryFacts(before, after),
  ];
}

function* desiredFacts(before: Workload, after: Workload, name: string): Iterable<Fact> {
  const { replicas: from } = before.spec;
  const { replicas: to } = after.spec;
  if (from !== to) {
    const message = `Scaled from ${from} to ${countText(to, "replica")}.`;
    yield normal("Scaled", message, `scaled ${name} from ${from} to ${to}`);
  }
  const session = after.meta.annotations?.[SESSION_ANNOTATION];
  if (session !== undefined && session !== before.meta.annotations?.[SESSION_ANNOTATION]) {
    yield { did: `began a session with a replica of ${name}: ${session}` };
  }
  if (before.status.templateGeneration !== after.status.templateGeneration) {
    yield { did: `changed the template of ${name} (generation ${after.meta.generation})` };
  }
}

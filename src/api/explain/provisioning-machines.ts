/**
 * Which machines are on their way for work that waits for room: those that were asked for and would
 * take it.
 */
import type { Node, Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { provisioningNodes } from "../../core/observe/pool-nodes.ts";
import { overridesInForce } from "../../core/rules/override/overrides-in-force.ts";
import { FitTrial } from "../../core/rules/provision/fit-trial.ts";
import { asIfThere } from "../../core/rules/provision/pool-need.ts";
import { rfc3339Millis } from "../rfc3339.ts";

/** More names than this do not help the reader. */
const NAMED = 3;

/**
 * Empty, or a sentence with a space before it; `replicas` are those of one workload, or one of
 * them.
 */
export function provisioningText(
  objects: ObjectIndex,
  replicas: Iterable<Replica>,
  nowMs: number,
): string {
  const waiting = [...replicas].find(({ status }) => status.stage === "queued");
  if (waiting === undefined) return "";
  const nodes = provisioningFor(objects, waiting, nowMs);
  const [first] = nodes;
  if (first === undefined) return "";
  const names = nodes.slice(0, NAMED).map(({ meta }) => meta.name);
  const more = nodes.length > NAMED ? ` and ${nodes.length - NAMED} more` : "";
  const since = rfc3339Millis(first.status.provision?.asked.atMs ?? first.meta.createdMs);
  return ` Pool ${first.spec.pool} has been provisioning nodes since ${since}: ${names.join(", ")}${more}.`;
}

const askedMs = ({ status }: Node): number => status.provision?.asked.atMs ?? 0;

/** The one that was asked for first is the first. */
function provisioningFor(objects: ObjectIndex, replica: Replica, nowMs: number): readonly Node[] {
  const coming = provisioningNodes(objects)
    .filter(({ status }) => status.provision?.failed === undefined)
    .map(asIfThere);
  if (coming.length === 0) return [];
  const trial = new FitTrial(objects, overridesInForce(objects, nowMs), coming);
  return coming
    .filter((node) => trial.misfit(node, replica) === undefined)
    .toSorted((a, b) => askedMs(a) - askedMs(b) || (a.key < b.key ? -1 : 1));
}

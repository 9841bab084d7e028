/**
 * What controllers said that concerns one object. Replicas are placed and admitted a workload at a
 * time, so most decisions about one are about its workload; only those that name this replica are
 * its own.
 */
import type { Intent } from "../../core/protocol/command.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { objectFact } from "../../core/observe/facts.ts";
import type { PlanePort } from "../../host/plane-port.ts";

type Waits = ReturnType<PlanePort["owed"]>;

export interface Words {
  readonly decisions: readonly DecisionRecord[];
  readonly waits: Waits;
}

export function decisionsAbout(key: ObjectKey, plane: PlanePort): Words {
  const own = plane.decisions.about(key);
  const waits = plane.owed();
  const replica = plane.objects.replica(key);
  if (replica === undefined) {
    // For an override also the waits for it: what it blocks now (OV11).
    const isNamed = ({ reason, wakes }: Waits[number]): boolean =>
      (reason === "override" || reason === "region-partitioned") && wakes.includes(objectFact(key));
    return { decisions: own, waits: waits.filter((owed) => owed.key === key || isNamed(owed)) };
  }
  const workload = workloadOf(replica);
  const ofWorkload = plane.decisions.about(workload).filter((record) => concerns(record, replica));
  return {
    decisions: [...own, ...ofWorkload].toSorted((a, b) => a.atMs - b.atMs),
    waits: waits.filter(
      (owed) => owed.key === key || (owed.key === workload && waitsFor(owed.controller, replica)),
    ),
  };
}

const concerns = ({ controller, decision }: DecisionRecord, replica: Replica): boolean =>
  decision.kind === "propose"
    ? decision.intents.some((intent) => names(intent, replica))
    : waitsFor(controller, replica);

/** A scheduler waits for those that are queued, the admit controller for those that are not yet. */
function waitsFor(controller: string, { status }: Replica): boolean {
  if (status.stage === "queued") return controller.startsWith("place");
  return status.stage === "admitted" && controller === "admit";
}

function names(intent: Intent, { key, spec }: Replica): boolean {
  switch (intent.kind) {
    case "bind-all":
      return intent.bindings.some(({ replica }) => replica === key);
    case "enqueue":
      return (
        intent.generation === spec.generation &&
        intent.indexes.some(({ index }) => index === spec.index)
      );
    case "admit":
      return intent.generation === spec.generation && intent.index === spec.index;
    default:
      return (
        ("replica" in intent && intent.replica === key) || ("key" in intent && intent.key === key)
      );
  }
}

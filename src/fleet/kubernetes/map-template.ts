/** A pod as the template of a replica. Its containers, images and environment stay behind. */
import type { Template } from "../../core/model/objects.ts";
import { nameOf } from "./dump.ts";
import type { DynamicDevices } from "./dynamic-devices.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { LabelSelector, Pod } from "./kube-objects.ts";
import { affinityOf, placementOf, type PlacementSources, spreadOf } from "./map-placement.ts";
import type { PriorityClasses } from "./map-priorities.ts";
import { podRequest } from "./pod-request.ts";
import { requestedOf } from "./resources.ts";

export interface TemplateSources {
  readonly priorities: PriorityClasses;
  readonly placement: PlacementSources;
  readonly devices: DynamicDevices;
  readonly notes: ImportNotes;
}

const GRACE_SECONDS = 30;

export function templateOf(
  pod: Pod,
  isOwn: (selector: LabelSelector | undefined) => boolean,
  { priorities, placement, devices, notes }: TemplateSources,
): Template {
  const spec = pod.spec ?? {};
  const claimed = devices.claimedBy(pod);
  const requested = requestedOf(podRequest(spec), { pod: nameOf(pod), claimed, notes });
  const affinity = affinityOf(pod, placement);
  const { terminationGracePeriodSeconds: grace = GRACE_SECONDS } = spec;
  return {
    ask: { ...requested, ...placementOf(pod, placement) },
    spread: spreadOf(pod, isOwn, placement),
    ...(affinity === undefined ? {} : { affinity }),
    priorityClass: priorities.nameFor(pod),
    onDisconnect: "stop",
    command: ["container"],
    run: { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: grace * 1_000 },
  };
}

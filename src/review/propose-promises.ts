/**
 * Promises that a fleet could make, as YAML: what it does today under the failures that it has
 * places for. They are a beginning to correct, and each says from what it was taken.
 */
import {
  FLEET_NAMESPACE,
  type FailureCase,
  type CommitmentSpec,
} from "../core/model/commitment.ts";
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import type { Workload } from "../core/model/objects.ts";
import { classOf } from "../core/model/preemption.ts";
import { isReadyStage } from "../core/model/stage.ts";
import { domainOf } from "../core/model/topology.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import { type Fleet, indexOf } from "../fleet/fleet.ts";
import { writeFields } from "../manifest/write-fields.ts";
import { yamlText } from "../text/yaml-text.ts";
import { runKubernetes } from "./kubernetes/run-kubernetes.ts";
import { runTwin } from "../twin/run-twin.ts";
import { type StatedPromise } from "./promise.ts";
import type { Finding, Review } from "./review.ts";
import { Reviewer } from "./reviewer.ts";

/** The most important services; more promises than these are not kept up by a team. */
const SERVICES = 5;
/** A few runs suffice for a proposal; the review of it makes its own. */
const SEEDS = 3;
/** Proposed deadlines have room for what the runs did not show. */
const MARGIN = 1.5;
const MINUTE_MS = 60_000;
const RECOVERS_WITHIN_MS = 15 * MINUTE_MS;
const DRAINS_WITHIN_MS = 10 * MINUTE_MS;
const COMMANDS = 100;

export function proposePromises(fleet: Fleet, profile: Review["profile"]): string {
  const objects = indexOf(fleet);
  const reviewer = new Reviewer(fleet, {
    profile,
    runTwin: profile === "kubernetes" ? runKubernetes : runTwin,
    seeds: SEEDS,
  });
  const asked = promisesFor(objects, profile);
  const documents = asked.map((promise) => {
    const finding = reviewer.review(promise);
    const fitted = fittedTo(promise, finding);
    return `# Today: ${todayText(finding)}\n${manifestText(fitted)}`;
  });
  const head = `# Promises proposed for ${fleet.source}. Correct them, and check them with: berth review FILE\n`;
  return `${head}${documents.join("---\n")}`;
}

function promisesFor(objects: ObjectIndex, profile: Review["profile"]): readonly StatedPromise[] {
  const lose = largestOf(objects);
  const when: FailureCase = { lose };
  const services = servicesOf(objects);
  const recover = services.map((workload): StatedPromise => {
    const spec: CommitmentSpec = {
      recover: { workload: workload.meta.name, withinMs: RECOVERS_WITHIN_MS },
      when,
    };
    return { namespace: workload.meta.namespace, name: `${workload.meta.name}-recovers`, spec };
  });
  const serving = services.flatMap((workload): readonly StatedPromise[] => {
    const atLeast = leastAfter(objects, workload, lose);
    if (atLeast < 1) return [];
    const spec: CommitmentSpec = { keepServing: { workload: workload.meta.name, atLeast }, when };
    const { namespace, name } = workload.meta;
    return [{ namespace, name: `${name}-keeps-serving`, spec }];
  });
  const fleetWide = (name: string, spec: CommitmentSpec): StatedPromise => ({
    namespace: FLEET_NAMESPACE,
    name,
    spec,
  });
  return [
    ...recover,
    ...serving,
    fleetWide(`survives-a-${lose}`, { headroom: {}, when }),
    ...(profile === "kubernetes"
      ? []
      : [
          fleetWide("nodes-drain", { drains: { withinMs: DRAINS_WITHIN_MS } }),
          fleetWide("no-storm", { noStorm: { commandsPerCause: COMMANDS }, when }),
        ]),
  ];
}

/** The largest place of which there are several. */
function largestOf(objects: ObjectIndex): "node" | "zone" | "region" {
  const several = (["region", "zone"] as const).find((by) => {
    const places = new Set([...objects.all("Node").values()].map((node) => domainOf(node, by)));
    return places.size > 1;
  });
  return several ?? "node";
}

/** Services by their class and then by their size. */
function servicesOf(objects: ObjectIndex): readonly Workload[] {
  const classes = objects.all("PriorityClass");
  const valueOf = ({ spec }: Workload): number =>
    classOf(classes, spec.template.priorityClass).value;
  return [...objects.all("Workload").values()]
    .filter(({ spec }) => spec.type === "service" && spec.replicas > 1)
    .toSorted(
      (a, b) =>
        valueOf(b) - valueOf(a) || b.spec.replicas - a.spec.replicas || (a.key < b.key ? -1 : 1),
    )
    .slice(0, SERVICES);
}

/** Those that serve when the place with the most of them is gone. */
function leastAfter(objects: ObjectIndex, { key }: Workload, by: string): number {
  const counts = new Map<string, number>();
  let serving = 0;
  for (const { status } of objects.replicasOf(key).values()) {
    const node = objects.nodeNamed(status.node ?? "");
    if (!isReadyStage(status.stage) || node === undefined) continue;
    serving += 1;
    const place = domainOf(node, by) ?? "";
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return serving - Math.max(0, ...counts.values());
}

/** The deadline of a recovery becomes what the runs took, with a margin, in whole minutes. */
function fittedTo(promise: StatedPromise, { simulation, verdict }: Finding): StatedPromise {
  const { recover } = promise.spec;
  const ms = simulation?.worst?.ms;
  if (recover === undefined || ms === undefined || verdict !== "holds") return promise;
  const withinMs = Math.max(1, Math.ceil((ms * MARGIN) / MINUTE_MS)) * MINUTE_MS;
  return { ...promise, spec: { ...promise.spec, recover: { ...recover, withinMs } } };
}

const todayText = ({ verdict, reason }: Finding): string =>
  `${verdict}. ${reason.replaceAll(/\s+/g, " ")}`;

function manifestText(promise: StatedPromise): string {
  const { namespace, name, spec } = promise;
  return yamlText({
    apiVersion: "berth.dev/v1",
    kind: "Commitment",
    metadata: { name, namespace },
    spec: writeFields(fieldsOf("Commitment"), spec, "manifest"),
  });
}

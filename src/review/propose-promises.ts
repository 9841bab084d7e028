/**
 * Promises that a fleet could make, as YAML: what it does today under the failures that it has
 * places for. They are a beginning to correct, and each says from what it was taken.
 */
import { FLEET_NAMESPACE, type CommitmentSpec } from "../core/model/commitment.ts";
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
  const documents = promisesFor(objects, profile).flatMap((tried): readonly string[] => {
    const found = largestThatHolds(reviewer, tried);
    if (found === undefined) return [];
    const { promise, finding } = found;
    return [`# Today: ${todayText(finding)}\n${manifestText(fittedTo(promise, finding))}`];
  });
  const head = `# Promises proposed for ${fleet.source}. Correct them, and check them with: berth review FILE\n`;
  return `${head}${documents.join("---\n")}`;
}

/** Of none that holds, the last and smallest: a promise that is broken today is worth knowing. */
function largestThatHolds(
  reviewer: Reviewer,
  tried: readonly StatedPromise[],
): { readonly promise: StatedPromise; readonly finding: Finding } | undefined {
  let found: { readonly promise: StatedPromise; readonly finding: Finding } | undefined;
  for (const promise of tried) {
    found = { promise, finding: reviewer.review(promise) };
    if (found.finding.verdict === "holds") return found;
  }
  return found;
}

/** What might be promised, each under the failures to try, the largest first. */
function promisesFor(objects: ObjectIndex, profile: Review["profile"]): readonly StatedPromise[][] {
  const loses = placesOf(objects);
  const under = (spec: CommitmentSpec, of: Omit<StatedPromise, "spec">): StatedPromise[] =>
    loses.map((lose) => ({ ...of, spec: { ...spec, when: { lose } } }));
  const services = servicesOf(objects);
  const recover = services.map(({ meta: { namespace, name: workload } }) =>
    under(
      { recover: { workload, withinMs: RECOVERS_WITHIN_MS } },
      { namespace, name: `${workload}-recovers` },
    ),
  );
  const serving = services.map((workload) => {
    const { namespace, name } = workload.meta;
    return loses.flatMap((lose): readonly StatedPromise[] => {
      const atLeast = leastAfter(objects, workload, lose);
      const spec = { keepServing: { workload: name, atLeast }, when: { lose } };
      return atLeast < 1 ? [] : [{ namespace, name: `${name}-keeps-serving`, spec }];
    });
  });
  const wide = FLEET_NAMESPACE;
  return [
    ...recover,
    ...serving,
    under({ headroom: {} }, { namespace: wide, name: "survives-a-loss" }),
    ...(profile === "kubernetes"
      ? []
      : [
          [
            {
              namespace: wide,
              name: "nodes-drain",
              spec: { drains: { withinMs: DRAINS_WITHIN_MS } },
            },
          ],
          under({ noStorm: { commandsPerCause: COMMANDS } }, { namespace: wide, name: "no-storm" }),
        ]),
  ];
}

/** Places of which there are several, the largest first. */
const placesOf = (objects: ObjectIndex): readonly ("node" | "zone" | "region")[] =>
  (["region", "zone", "node"] as const).filter((by) => {
    const places = new Set([...objects.all("Node").values()].map((node) => domainOf(node, by)));
    return places.size > 1;
  });

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
  const { worst: { ms } = {}, tightestMs = 0 } = simulation ?? {};
  if (recover === undefined || ms === undefined || verdict !== "holds") return promise;
  const withinMs =
    Math.max(1, Math.ceil(Math.max(ms * MARGIN, tightestMs) / MINUTE_MS)) * MINUTE_MS;
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

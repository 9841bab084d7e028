/**
 * A Kubernetes cluster as a fleet of Berth: namespaces are tenants, controllers are workloads, pods
 * are replicas on their nodes. What has no equal is noted with its effect; finished pods are
 * counted and left out.
 */
import type { AnyObject } from "../../core/model/objects.ts";
import { allOf, type Fleet, indexOf } from "../fleet.ts";
import { assignDevices } from "./assign-devices.ts";
import { noteAttachLimits } from "./volume-attachments.ts";
import type { KubeDump } from "./dump.ts";
import { DynamicDevices } from "./dynamic-devices.ts";
import { type Difference, findDifferences } from "./fidelity.ts";
import { type ImportNote, ImportNotes } from "./import-notes.ts";
import type { KubeNode, LabelSelector, Pod } from "./kube-objects.ts";
import { DisruptionBudgets } from "./map-disruption.ts";
import { mapNode } from "./map-nodes.ts";
import { namespacesByPort } from "./map-placement.ts";
import { PriorityClasses } from "./map-priorities.ts";
import { taintKeysOf } from "./map-taints.ts";
import { mapTenants } from "./map-tenants.ts";
import { livePods, noteLeftOut } from "./live-pods.ts";
import { mapWorkloads } from "./map-workloads.ts";
import { Owners } from "./owners.ts";
import { Marks, selects } from "./selectors.ts";
import { Volumes } from "./volumes.ts";

export interface Import {
  readonly fleet: Fleet;
  readonly notes: readonly ImportNote[];
  /** Pods that run today where Berth's rules would not place them. */
  readonly differences: readonly Difference[];
  readonly counts: ImportCounts;
}

export interface ImportCounts {
  readonly nodes: number;
  readonly pods: number;
  /** On a node today. */
  readonly bound: number;
  readonly workloads: number;
  readonly tenants: number;
}

export function importKubernetes(dump: KubeDump): Import {
  const notes = new ImportNotes();
  const sourceNodes = dump.all("Node");
  const pods = livePods(dump, notes);
  const namespaces = namespacesOf(dump, pods);
  const nodeMarks = new Marks<KubeNode>("node-selector.import");
  const podMarks = new Marks<Pod>("selector.import");
  const priorities = new PriorityClasses(dump);
  const volumes = new Volumes(dump, notes);
  const withPort = namespacesByPort(pods);
  const devices = new DynamicDevices(dump, notes);
  const workloads = mapWorkloads(pods, {
    owners: new Owners(dump),
    priorities,
    budgets: new DisruptionBudgets(dump, notes),
    placement: {
      taintKeys: taintKeysOf(sourceNodes.map(({ spec }) => spec?.taints ?? [])),
      namespacesOf: (selector) => namespacesSelected(dump, selector),
      namespacesWith: (port) => withPort.get(port) ?? [],
      volumesOf: (pod) => volumes.of(pod),
      nodeMarks,
      podMarks,
      notes,
    },
    devices,
    notes,
  });
  // Their marks are known only now.
  const nodes = sourceNodes.map((node) => mapNode(node, { marks: nodeMarks, devices, notes }));
  const objects: readonly AnyObject[] = [
    ...nodes,
    ...mapTenants(namespaces, dump, notes),
    ...priorities.all(),
    ...workloads.workloads,
    ...workloads.replicas,
  ];
  noteAttachLimits(dump, notes);
  noteLeftOut(dump, notes);
  const source = `${nodes.length} nodes and ${pods.length} pods of Kubernetes`;
  const index = indexOf({ source, objects });
  assignDevices(index);
  const counts = {
    nodes: nodes.length,
    pods: pods.length,
    bound: workloads.replicas.filter(({ status }) => status.node !== undefined).length,
    workloads: workloads.workloads.length,
    tenants: namespaces.length,
  };
  const differences = findDifferences(index);
  return { fleet: { source, objects: allOf(index) }, notes: notes.all(), differences, counts };
}

/** Those of the dump, and those that only a pod names. */
function namespacesOf(dump: KubeDump, pods: readonly Pod[]): readonly string[] {
  const named = dump.all("Namespace").map(({ metadata }) => metadata.name ?? "");
  const used = pods.map(({ metadata }) => metadata.namespace ?? "");
  return [...new Set([...named, ...used])].toSorted();
}

const namespacesSelected = (dump: KubeDump, selector: LabelSelector): readonly string[] =>
  dump
    .all("Namespace")
    .filter(({ metadata }) => selects(selector, metadata.labels ?? {}))
    .map(({ metadata }) => metadata.name ?? "");

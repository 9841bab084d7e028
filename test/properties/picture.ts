/** One plain picture of a state, drawn from the ledger or from the model, so that the two can be compared. */
import type { Ledger } from "../../src/core/commit/ledger.ts";
import { KINDS } from "../../src/core/model/ids.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import type { Account } from "../../src/core/observe/accounts/account.ts";
import type { NodeUse } from "../../src/core/observe/usage.ts";
import { deviceUse, type ModelState, replicasOn, sum, type Thing } from "./model-state.ts";
import { accountOf } from "./rules-of-quota.ts";

export interface Picture {
  readonly revision: number;
  readonly epoch: number;
  readonly leadSinceMs: number;
  readonly objects: Readonly<Record<string, unknown>>;
  readonly accounts: Readonly<Record<string, Account>>;
  readonly nodes: Readonly<
    Record<string, Omit<NodeUse, "devices" | "held"> & { devices: unknown }>
  >;
}

/** The names whose sums are compared, whether or not anything of that name exists. */
export interface Names {
  readonly nodes: readonly string[];
  readonly tenants: readonly string[];
}

export function pictureOfLedger(ledger: Ledger, names: Names): Picture {
  const { objects } = ledger;
  return {
    revision: ledger.revision,
    epoch: ledger.epoch,
    leadSinceMs: ledger.leadSinceMs,
    objects: Object.fromEntries(
      KINDS.flatMap((kind) =>
        [...objects.all(kind).values()].map((object) => [object.key, drawObject(object)]),
      ),
    ),
    accounts: Object.fromEntries(
      names.tenants.map((tenant) => [tenant, structuredClone(objects.accountOf(tenant))]),
    ),
    nodes: Object.fromEntries(
      names.nodes.map((node) => {
        const { devices, held: _held, ...totals } = objects.useOf(node);
        // What hangs on a node by the look-up must be what the sums were made of.
        const replicas = objects.replicasOn(node).size;
        return [node, { ...totals, replicas, devices: drawDevices(devices) }];
      }),
    ),
  };
}

/** Who came first to a shared device is nobody's business. */
function drawDevices(devices: NodeUse["devices"]): unknown {
  return Object.fromEntries(
    [...devices].map(([id, { usedMillis, owners }]) => [
      id,
      { usedMillis, owners: owners.toSorted() },
    ]),
  );
}

function drawObject(object: AnyObject): unknown {
  const { kind, meta, spec, status } = object;
  const base = {
    kind,
    namespace: meta.namespace,
    name: meta.name,
    revision: meta.revision,
    generation: meta.generation,
    createdMs: meta.createdMs,
    labels: meta.labels,
    finalizers: meta.finalizers,
    deletingMs: meta.deletingMs,
  };
  switch (object.kind) {
    case "Node": {
      const { health, session, evidence } = object.status;
      return { ...base, spec, health, session, because: evidence?.kind };
    }
    case "Replica": {
      const { workload, generation, slot, template } = object.spec;
      const { address, lastNode, lastEnd, preemptions: _preemptions, ...rest } = object.status;
      const made = { workload, templateGeneration: generation, slot, template };
      return { ...base, ...made, ...rest, address, lastNode, lastEnd };
    }
    case "Reservation": {
      const { owner, life, amounts, priorityClass } = object.spec;
      const ofClass = priorityClass === undefined ? {} : { priorityClass };
      return { ...base, owner, life, amounts, ...ofClass };
    }
    case "Lease":
      return { ...base, node: object.spec.node, ...object.status };
    default:
      return { ...base, spec, ...status };
  }
}

export function pictureOfModel(state: ModelState, names: Names): Picture {
  return {
    revision: state.revision,
    epoch: state.epoch,
    leadSinceMs: state.leadSinceMs,
    objects: Object.fromEntries(state.things.map((thing) => [thing.key, drawThing(thing)])),
    accounts: Object.fromEntries(names.tenants.map((tenant) => [tenant, accountOf(state, tenant)])),
    nodes: Object.fromEntries(
      names.nodes.map((node) => {
        const here = replicasOn(state, node);
        const totals = sum(here.map(({ template }) => template.ask.amounts));
        return [node, { ...totals, replicas: here.length, devices: deviceUse(state, node) }];
      }),
    ),
  };
}

/** Identities are told apart by what the two sides do with them; how each writes them is its own affair. */
function drawThing(thing: Thing): unknown {
  const { key: _key, born: _born, ...rest } = thing;
  if (rest.kind === "Replica") {
    const { workloadBorn: _workloadBorn, ...shown } = rest;
    return shown;
  }
  if (rest.kind === "Reservation") {
    const { ownerBorn: _ownerBorn, ...shown } = rest;
    return shown;
  }
  return rest;
}

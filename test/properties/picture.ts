/** One plain picture of a state, drawn from the ledger or from the model, so that the two can be compared. */
import { roomOf } from "../../src/core/model/reservation.ts";
import type { Forgotten } from "../../src/core/model/node/forgotten.ts";
import type { Ledger } from "../../src/core/commit/ledger.ts";
import { KINDS } from "../../src/core/model/ids.ts";
import { wantedOf } from "../../src/core/model/rollout.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import type { Account } from "../../src/core/observe/accounts/account.ts";
import type { NodeUse } from "../../src/core/observe/usage.ts";
import {
  deviceUse,
  LOST,
  type ModelState,
  replicasOn,
  sum,
  type Thing,
  type ToldSilence,
} from "./model-state.ts";
import { roomsOn } from "./rules-of-preemption.ts";
import { accountOf } from "./rules-of-quota.ts";

export interface Picture {
  readonly revision: number;
  readonly epoch: number;
  readonly leadSinceMs: number;
  readonly objects: Readonly<Record<string, unknown>>;
  readonly accounts: Readonly<Record<string, Account>>;
  readonly nodes: Readonly<
    Record<string, Omit<NodeUse, "devices" | "held"> & { devices: unknown; held: unknown }>
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
        const { devices, held, ...totals } = objects.useOf(node);
        // What hangs on a node by the look-up must be what the sums were made of.
        const replicas = objects.replicasOn(node).size;
        const drawn = { devices: drawDevices(devices), held: [...held.keys()].toSorted() };
        return [node, { ...totals, replicas, ...drawn }];
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

/** Committed objects are frozen, so each is drawn once. */
const pictures = new WeakMap<AnyObject, unknown>();

function drawObject(object: AnyObject): unknown {
  const known = pictures.get(object);
  if (known !== undefined) return known;
  const picture = draw(object);
  pictures.set(object, picture);
  return picture;
}

function draw(object: AnyObject): unknown {
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
      const { health, session, evidence, returns, damped, drain } = object.status;
      return {
        ...base,
        spec,
        health,
        session,
        because: evidence?.kind,
        told: toldOf(evidence),
        returns: returns?.atMs ?? [],
        returnsOf: returns?.epoch ?? 0,
        heldSinceMs: damped?.sinceMs,
        heldForMs: damped && damped.untilMs - damped.sinceMs,
        heldOf: damped?.epoch,
        drain,
      };
    }
    case "Replica": {
      const { workload, generation, index, template } = object.spec;
      const {
        address,
        lastNode,
        lastEnd,
        unready,
        failingProbe,
        rejections = [],
        preemptions = 0,
        ...rest
      } = object.status;
      const made = { workload, templateGeneration: generation, index, template };
      const isLoss = /^(node-fenced|session-ended|node-vanished|agent-forgot): /.test(
        lastEnd ?? "",
      );
      const last = { lastNode, lastEnd: isLoss ? LOST : lastEnd };
      const probes = { unready, failingProbe };
      return { ...base, ...made, ...rest, address, ...last, ...probes, rejections, preemptions };
    }
    case "Workload": {
      // What is wanted comes to one generation: nobody here moves a rollout on.
      const { templateGeneration } = object.status;
      const [runs] = wantedOf(object).filter(({ indexes }) => indexes.length > 0);
      return { ...base, spec, templateGeneration, runs: runs?.generation };
    }
    case "Reservation": {
      const { owner, incarnation, amounts, priorityClass, deadlineMs } = object.spec;
      const room = roomOf(object.spec);
      const ofClass = priorityClass === undefined ? {} : { priorityClass };
      // How long a reservation of quota is for is told to people only.
      const holdMs = room === undefined ? 0 : deadlineMs - meta.createdMs;
      return { ...base, owner, incarnation, amounts, ...ofClass, room, holdMs };
    }
    case "Lease":
      return {
        ...base,
        node: object.spec.node,
        backMs: undefined,
        ...object.status,
        forgotten: drawForgotten(object.status.forgotten),
      };
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
        const held = roomsOn(state, node).map(({ key }) => key);
        const drawn = { devices: deviceUse(state, node), held: held.toSorted() };
        return [node, { ...totals, replicas: here.length, ...drawn }];
      }),
    ),
  };
}

const drawForgotten = (forgotten: Forgotten | undefined): unknown =>
  forgotten && {
    ...forgotten,
    replicas: forgotten.replicas.map(({ uid: _uid, ...rest }) => rest),
  };

/** Identities are told apart by what the two sides do with them; how each writes them is its own affair. */
function drawThing(thing: Thing): unknown {
  const { key: _key, born: _born, ...rest } = thing;
  if (rest.kind === "Node" && rest.heldSinceMs === undefined) {
    return { ...rest, heldForMs: undefined, heldOf: undefined };
  }
  if (rest.kind === "Lease") return { ...rest, forgotten: drawForgotten(rest.forgotten) };
  if (rest.kind === "Replica") {
    const { workloadBorn: _workloadBorn, ...shown } = rest;
    return shown;
  }
  if (rest.kind === "Workload") {
    const { past: _past, ...shown } = rest;
    return shown;
  }
  if (rest.kind === "Reservation") {
    const { ownerBorn: _ownerBorn, ...shown } = rest;
    return shown;
  }
  return rest;
}

/** What a node's status says of its silence, in the words of the model. */
function toldOf(evidence: Evidence | undefined): ToldSilence | undefined {
  if (evidence?.kind !== "lease-expired") return undefined;
  const { session, seq, epoch = -1, silentMs = -1, carriedMs = 0 } = evidence;
  return { session, seq, epoch, ownMs: silentMs, beforeMs: carriedMs };
}

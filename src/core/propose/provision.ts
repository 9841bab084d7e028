/**
 * Asks for machines: for work that waits for nothing but room, a node of a pool that would take it,
 * within the bounds of the pool and of its region; and gives those up that do not come. For
 * replicas that wait for quota, topology, a stale view or a slow start, a new node does not help.
 * Observes pools, nodes, replicas, workloads, quota, policies; proposes `provision`, and `release`
 * of what did not come. Leaves who really needs one and all bounds to the authority, and the
 * machines to the provisioner.
 */
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import {
  type Because,
  type Decision,
  type Look,
  propose,
  settled,
  wait,
} from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import {
  isProvisioning,
  nodePoolKey,
  pendingForMs,
  readyWithinMs,
} from "../model/node/node-pool.ts";
import type { Node, NodePool, Replica } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { nextPoolNumber, nodesOfPool, poolNodeName } from "../observe/pool-nodes.ts";
import type { View } from "../observe/view.ts";
import { giveUpOperation, provisionOperation } from "../protocol/operations.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { poolBound, type PoolBound } from "../rules/provision/pool-bound.ts";
import { type Helped, poolNeed, type PoolNeed } from "../rules/provision/pool-need.ts";
import { needText, rejectedText } from "./provision/pool-text.ts";
import { type SeenLead, SeenMoments } from "./provision/seen-moments.ts";
import { POOL_INTEREST } from "../rules/provision/pool-interest.ts";

/** A wait for a machine is counted in minutes; every replica there is may have to be looked at. */
const LOOK_EVERY_MS = 3_000;

export function createProvision(): Controller {
  const planner = new ProvisionPlanner();
  return {
    role: "provision",
    interest: POOL_INTEREST,
    keysFor: poolsOf,
    allKeys: (view) => view.objects.all("NodePool").keys(),
    reconcile: (key, view, look) => planner.look(key, view, look),
  };
}

/** Of the rest nothing is looked at for its own sake: it would be every change there is. */
function poolsOf({ key, before, after }: Change): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind === "NodePool") return [key];
  if (some?.kind !== "Node" || some.spec.pool === undefined) return [];
  return [nodePoolKey(some.spec.pool)];
}

/** One incarnation of a replica in the queue, and since when it was seen there. */
interface SeenWait {
  readonly uid: string;
  readonly incarnation: number;
  readonly sinceMs: number;
}

class ProvisionPlanner {
  /**
   * All times are on this controller's own clock: those of the authority mean nothing on it (CL1).
   */
  private waits = new Map<ObjectKey, SeenWait>();
  private readonly moments = new SeenMoments();
  private readonly provisioning = new Map<
    ObjectKey,
    { readonly uid: string; readonly sinceMs: number }
  >();
  private lead: SeenLead = { epoch: -1, sinceMs: 0 };

  look(key: ObjectKey, view: View, look: Look): Decision {
    const pool = view.objects.get(key);
    if (pool?.kind !== "NodePool") return settled;
    // What an earlier leadership wrote, the present one counts from its own beginning.
    if (this.lead.epoch !== view.epoch) this.lead = { epoch: view.epoch, sinceMs: look.now };
    const over = this.overdue(pool, view, look.now);
    if (over.length > 0) {
      const names = over.map(({ meta }) => meta.name).join(", ");
      return propose(over.map(giveUp), { summary: `${key}: ${names} did not join in time` });
    }
    return this.decide(pool, view, look);
  }

  private decide(pool: NodePool, view: View, look: Look): Decision {
    const { objects } = view;
    const need = this.need(pool, view, look.now);
    const clock = this.moments.clock(objects.all("NodePool").values(), look.now, this.lead);
    const bound = poolBound(objects, pool, clock);
    const because: Because = { summary: needText(pool, need, bound), rejected: rejectedText(need) };
    const [first] = need.helped;
    if (first === undefined || bound !== undefined) {
      const deadlineMs = look.now + LOOK_EVERY_MS;
      return wait({
        reason: whyNot(objects.all("Node"), pool, { first, bound }),
        wakes: [],
        deadlineMs,
        because,
      });
    }
    const node = poolNodeName(pool.meta.name, nextPoolNumber(objects, pool));
    const intent: Intent = {
      kind: "provision",
      operation: provisionOperation(pool, node),
      pool: pool.meta.name,
      node,
      workload: first.workload,
    };
    return propose([intent], { ...because, chosen: node });
  }

  private need(pool: NodePool, view: View, nowMs: number): PoolNeed {
    const seen = new Map<ObjectKey, SeenWait>();
    const forMs = surely(pendingForMs(pool));
    const hasWaited = (replica: Replica): boolean => {
      const { key, meta, status } = replica;
      const known = this.waits.get(key);
      const isSame = known?.uid === meta.uid && known.incarnation === status.incarnation;
      const seenWait = isSame
        ? known
        : { uid: meta.uid, incarnation: status.incarnation, sinceMs: nowMs };
      seen.set(key, seenWait);
      return nowMs - Math.max(seenWait.sinceMs, this.lead.sinceMs) >= forMs;
    };
    const overrides = overridesInForce(view.objects);
    const need = poolNeed(view.objects, pool, { hasWaited, overrides });
    this.waits = seen;
    return need;
  }

  /** Those that will not come, and those that should be there by now. */
  private overdue(pool: NodePool, { objects }: View, nowMs: number): readonly Node[] {
    const withinMs = surely(readyWithinMs(pool));
    return nodesOfPool(objects, pool.meta.name).filter((node) => {
      if (!isProvisioning(node)) {
        this.provisioning.delete(node.key);
        return false;
      }
      const { uid } = node.meta;
      const known = this.provisioning.get(node.key);
      const sinceMs = known?.uid === uid ? known.sinceMs : nowMs;
      this.provisioning.set(node.key, { uid, sinceMs });
      if (node.status.provision?.failed !== undefined) return true;
      return nowMs - Math.max(sinceMs, this.lead.sinceMs) >= withinMs;
    });
  }
}

/** Our clock may run faster than the authority's: asked too early, it would refuse. */
const surely = (ms: number): number => ms + Math.ceil((2 * ms * DRIFT_PARTS_PER_THOUSAND) / 1_000);

const giveUp = (node: Node): Intent => ({
  kind: "expire",
  operation: giveUpOperation(node),
  key: node.key,
  incarnation: node.status.session,
  evidence: { kind: "provision-over", node: node.meta.name },
});

function whyNot(
  nodes: ReadonlyMap<ObjectKey, Node>,
  { meta }: NodePool,
  found: { readonly first: Helped | undefined; readonly bound: PoolBound | undefined },
): "pool-steady" | "pool-bound" | "pool-backoff" | "node-provisioning" {
  if (found.first !== undefined) {
    return found.bound?.code === "provision-backoff" ? "pool-backoff" : "pool-bound";
  }
  const isAny = [...nodes.values()].some(
    (node) => node.spec.pool === meta.name && isProvisioning(node),
  );
  return isAny ? "node-provisioning" : "pool-steady";
}

/**
 * Whether nodes take replicas one after the other, each as if those before it were there: with the
 * rules by which a scheduler would look for a place, on nodes that are there or on such as will be.
 * Nothing is committed by it.
 */
import { chooseDevices } from "../feasibility/devices.ts";
import { firstMisfit, neighbourMisfit } from "../feasibility/feasibility.ts";
import { Neighbourhood } from "../feasibility/neighbourhood.ts";
import type { Surroundings } from "../obstacles/obstacle.ts";
import { obstaclesOf, surroundingsOf } from "../obstacles/obstacles.ts";
import { type Amounts, NOTHING, plus, shortage } from "../../model/amounts.ts";
import type { Node, Override, Replica } from "../../model/objects.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import { tightUse } from "../../observe/held-room.ts";
import { Neighbours, type Placed } from "../../observe/neighbours.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { addToDevices, addToNode, emptyNodeUse, type NodeUse } from "../../observe/usage.ts";
import { regionQuota } from "../obstacles/region-quota.ts";

export class FitTrial {
  private readonly objects: ObjectIndex;
  private readonly overrides: readonly Override[];
  private readonly thoughtOf: readonly Node[];
  private readonly byName: ReadonlyMap<string, Node>;
  private readonly uses = new Map<string, NodeUse>();
  private readonly placed: Placed[] = [];
  private readonly trial: Neighbours;
  private readonly neighbours: Neighbourhood;
  /** What was taken here of a tenant's quota in a region. */
  private readonly taken = new Map<string, Amounts>();
  private nodes: readonly Node[] | undefined;
  private around: { readonly replica: Replica; readonly of: Surroundings } | undefined;

  /**
   * `thoughtOf` are nodes as they will be once they are there; each stands for the one of its name.
   */
  constructor(
    objects: ObjectIndex,
    overrides: readonly Override[],
    thoughtOf: readonly Node[] = [],
  ) {
    this.objects = objects;
    this.overrides = overrides;
    this.byName = new Map(thoughtOf.map((node) => [node.meta.name, node]));
    this.thoughtOf = thoughtOf;
    this.trial = new Neighbours({
      node: (name) => this.byName.get(name) ?? objects.nodeNamed(name),
      placed: () => this.placed,
    });
    this.neighbours = new Neighbourhood(objects.neighbours, this.trial);
  }

  /** The name of the rule that turns the replica away; undefined: the node takes it. */
  misfit(node: Node, replica: Replica): string | undefined {
    const use = this.useFor(node, replica);
    // Most nodes of a fleet are full: cheap checks come first.
    const first = firstMisfit({ node, use }, replica.spec.template.ask);
    if (first !== undefined) return first.rule.name;
    const [obstacle] = obstaclesOf({ node, use, replica }, this.surroundings(replica));
    if (obstacle !== undefined) return obstacle.rule;
    if (this.placed.length === 0) return undefined;
    const beside = neighbourMisfit(node, replica, this.neighbours);
    return beside?.code ?? this.regionShort(node, replica);
  }

  /** As if the replica were there. */
  take(node: Node, replica: Replica): void {
    const { name } = node.meta;
    const use = this.useFor(node, replica);
    const { ask } = replica.spec.template;
    const ids = chooseDevices({ node, use }, ask);
    const own = { ...use, devices: new Map(use.devices) };
    addToNode(own, ask.amounts, 1);
    addToDevices(own, replica, ids, 1);
    this.uses.set(name, own);
    this.placed.push({ replica, node: name });
    this.trial.note(replica, name, 1);
    const quota = quotaOf(node, replica);
    this.taken.set(quota, plus(this.taken.get(quota) ?? NOTHING, ask.amounts));
  }

  /** How many of these the nodes take, the first nodes first. All of them ask for the same. */
  pack(nodes: readonly Node[], replicas: readonly Replica[]): number {
    let packed = 0;
    for (const node of nodes) {
      for (let next = replicas[packed]; next !== undefined; next = replicas[packed]) {
        if (this.misfit(node, next) !== undefined) break;
        this.take(node, next);
        packed += 1;
      }
      if (packed === replicas.length) break;
    }
    return packed;
  }

  /** What others hold there, now or once those have come for whom room is held. */
  private useFor({ meta }: Node, replica: Replica): NodeUse {
    const own = this.uses.get(meta.name);
    if (own !== undefined) return own;
    const isThere = this.objects.nodeNamed(meta.name) !== undefined;
    if (!isThere) return emptyNodeUse();
    return tightUse(this.objects, meta.name, (held) => isHeldFor(held, replica));
  }

  private surroundings(replica: Replica): Surroundings {
    const { objects, overrides } = this;
    const known = this.around;
    const isSame =
      known !== undefined &&
      known.replica.spec.workloadUid === replica.spec.workloadUid &&
      known.replica.spec.generation === replica.spec.generation;
    if (isSame) return known.of;
    const nodes = this.allNodes();
    const of = surroundingsOf(replica, { objects, quotas: objects, nodes, overrides });
    this.around = { replica, of };
    return of;
  }

  /**
   * All there are, and those that are only thought of; worked out when somebody first asks about
   * neighbours.
   */
  private allNodes(): readonly Node[] {
    this.nodes ??= [
      ...[...this.objects.all("Node").values()].filter(({ meta }) => !this.byName.has(meta.name)),
      ...this.thoughtOf,
    ];
    return this.nodes;
  }

  private regionShort(node: Node, replica: Replica): string | undefined {
    const { region } = node.spec;
    const room = regionRoom(this.objects, replica.meta.namespace, region);
    if (room === undefined) return undefined;
    const taken = this.taken.get(quotaOf(node, replica)) ?? NOTHING;
    const sum = plus(taken, replica.spec.template.ask.amounts);
    return shortage(sum, room) === undefined ? undefined : regionQuota.name;
  }
}

const quotaOf = ({ spec }: Node, { meta }: Replica): string => `${meta.namespace} ${spec.region}`;

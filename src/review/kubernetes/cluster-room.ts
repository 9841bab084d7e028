/**
 * Where the pods of a cluster have room: a copy of the fleet's objects in which nodes fall silent,
 * pods end and replacements are bound, and the scheduler's own search on it. At the end of a run
 * everything is put back, so that one copy serves all seeds.
 */
import type { ChangedWorld } from "../../core/explain/changed-world.ts";
import { unbound } from "../../core/explain/unbound.ts";
import { NOTHING } from "../../core/model/amounts.ts";
import { KINDS, nodeKey, type ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Node, Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { View } from "../../core/observe/view.ts";
import { NodeFinder } from "../../core/propose/fleet/node-finder.ts";
import { IN_TURN } from "../../core/propose/fleet/placement-mode.ts";
import { whyNowhere } from "../../core/propose/place/why-nowhere.ts";
import { honorsTaints, UNREACHABLE } from "../../fleet/kubernetes/recovery-facts.ts";

export class ClusterRoom {
  readonly objects: ObjectIndex;
  private readonly before = new Map<ObjectKey, AnyObject | undefined>();
  private readonly view = new View({ kinds: new Set(KINDS), node: undefined });
  private readonly finder: NodeFinder;

  constructor({ objects }: ChangedWorld) {
    this.objects = objects;
    this.view.lookInto({ objects, leaps: 0 });
    this.finder = new NodeFinder(this.view);
  }

  replicasOn(node: string): readonly Replica[] {
    return [...this.objects.replicasOn(node).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** A silent node has the taint and no room, and still counts for spreading. */
  silence(name: string): void {
    const node = this.objects.node(nodeKey(name));
    if (node !== undefined) this.put(node.key, silentNode(node));
  }

  giveBack(name: string): void {
    const key = nodeKey(name);
    if (this.before.has(key)) this.put(key, this.before.get(key));
  }

  end(replica: Replica): void {
    this.put(replica.key, undefined);
  }

  /** The node that takes the replacement of this replica, or the rules that reject the nodes. */
  place(lost: Replica): { readonly node: string } | { readonly rejectedBy: string } {
    const waiting = asReplacement(lost);
    this.put(waiting.key, waiting);
    const found = this.finder.find(waiting);
    if (found === undefined) {
      const { rejected } = whyNowhere(waiting, {
        finder: this.finder,
        view: this.view,
        mode: IN_TURN,
      });
      const rules = Object.entries(rejected).toSorted(([, a], [, b]) => b.count - a.count);
      return { rejectedBy: rules.map(([rule, { count }]) => `${rule} (${count})`).join(", ") };
    }
    const { node, deviceIds } = found;
    const stage = waiting.spec.type === "batch" ? "running" : "serving";
    this.put(waiting.key, {
      ...waiting,
      status: { ...waiting.status, stage, node, deviceIds, session: 1 },
    });
    return { node };
  }

  restore(): void {
    for (const [key, after] of this.before) this.fold(key, after);
    this.before.clear();
  }

  private put(key: ObjectKey, after: AnyObject | undefined): void {
    if (!this.before.has(key)) this.before.set(key, this.objects.get(key));
    this.fold(key, after);
  }

  private fold(key: ObjectKey, after: AnyObject | undefined): void {
    const before = this.objects.get(key);
    if (before === undefined && after === undefined) return;
    this.objects.fold({ key, before, after });
    this.finder.follow({ key, before, after });
  }
}

const TAINT = { key: UNREACHABLE, value: "", effect: "no-schedule" } as const;

const silentNode = (node: Node): Node => ({
  ...node,
  spec: {
    ...node.spec,
    capacity: NOTHING,
    maxReplicas: 0,
    taints: [...node.spec.taints.filter(({ key }) => key !== UNREACHABLE), TAINT],
  },
});

/**
 * A hard spread counts places whose nodes are all tainted, unless its `nodeTaintsPolicy` is Honor
 * (pkg/scheduler/framework/plugins/podtopologyspread). Berth's rule counts places that a pod
 * tolerates, so all other pods tolerate the taint here; the silent nodes have no room for them.
 */
function asReplacement(lost: Replica): Replica {
  const waiting = unbound(lost);
  const { template } = waiting.spec;
  if (template.spread.length === 0 || honorsTaints(lost)) return waiting;
  const tolerations = [...template.ask.tolerations, { key: UNREACHABLE, value: "" }];
  const ask = { ...template.ask, tolerations };
  return { ...waiting, spec: { ...waiting.spec, template: { ...template, ask } } };
}

/**
 * A truth with a node pool `burst`, as a harness that asks for machines sees it: commands are checked by the real authority, and
 * every commit is told to whoever listens.
 */
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { Actor } from "../../src/core/model/actor.ts";
import { nodeKey, type Uid, workloadKey } from "../../src/core/model/ids.ts";
import { nodePoolKey, poolNodeSpec, type Provision } from "../../src/core/model/node/node-pool.ts";
import type { Node, NodePool } from "../../src/core/model/objects.ts";
import type { ProvisionDriverOf } from "../../src/host/provision/provision-driver.ts";
import { aMeta } from "./a-meta.ts";
import { Plane } from "./a-plane.ts";

const POOL: NodePool = {
  kind: "NodePool",
  key: nodePoolKey("burst"),
  meta: aMeta(nodePoolKey("burst")),
  spec: {
    region: "eu",
    zone: "eu-a",
    capacity: { cpuMillis: 2_000, memoryMiB: 1_024, deviceMillis: 0 },
    provisioner: "cloud",
    maxNodes: 10,
    pace: { nodes: 10, periodMs: 60_000 },
  },
  status: {},
};

type Listener = (commits: readonly Commit[], to: number) => void;

export class ProvisionedPlane extends Plane {
  isLeading = true;
  /** Whether what is submitted gets through. */
  isAnswering = true;
  private readonly listeners = new Set<Listener>();
  private told = 0;

  constructor() {
    super();
    this.plant(POOL);
    this.told = this.commits.length;
  }

  /** A node of the pool that was asked for, and whatever is known of it since. */
  expect(name: string, of: Partial<Provision> & { readonly uid?: string } = {}): Node {
    const { uid = `uid-of-${name}`, ...provision } = of;
    const key = nodeKey(name);
    const { supply: _, ...hard } = poolNodeSpec(POOL);
    const node: Node = {
      kind: "Node",
      key,
      meta: aMeta(key, { uid: uid as Uid }),
      spec: provision.arrived === undefined ? { ...hard, supply: "soft" } : hard,
      status: {
        health: "unknown",
        healthSinceMs: 0,
        session: 0,
        evidence: undefined,
        provision: {
          asked: { atMs: 0, epoch: 1 },
          workload: workloadKey("payments", "api"),
          ...provision,
        },
      },
    };
    this.plant(node);
    this.publish();
    return node;
  }

  /** As the controller does with what failed or is overdue; whoever listens is told with the next. */
  giveUp(name: string): void {
    this.nowMs += 600_000;
    const evidence = { kind: "provision-over", node: name } as const;
    const intent = { kind: "expire", key: nodeKey(name), incarnation: 0, evidence } as const;
    this.must(intent, { role: "provision", operation: `give-up/${name}` });
  }

  publish(): void {
    const commits = this.commits.slice(this.told);
    this.told = this.commits.length;
    for (const listener of this.listeners) listener(commits, this.ledger.revision);
  }

  readonly port = portOf(this);

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** What a harness may ask of it, always as it is at that moment. */
function portOf(plane: ProvisionedPlane): ProvisionDriverOf["plane"] {
  return {
    get isLeading() {
      return plane.isLeading;
    },
    get epoch() {
      return plane.ledger.epoch;
    },
    objects: plane.ledger.objects,
    since: () => plane.commits,
    submit: async ({ operation, ...ask }: Intent, { role }: Actor) => {
      if (!plane.isAnswering) return { kind: "unavailable" };
      const outcome = plane.send(ask, { role, operation });
      plane.publish();
      return { kind: "outcome", outcome, epoch: plane.ledger.epoch };
    },
    onPublish: (listener) => plane.listen(listener),
  };
}

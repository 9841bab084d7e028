/**
 * Two worlds from one seed that differ only in what one tenant, bravo, writes inside its own
 * limits. It writes as often, at the same times and under the same operation ids in both, and work
 * that takes room has the same name, requests and number of replicas: so both have as many commits,
 * and nothing that bravo must share is different. Everything else may be: names of work without
 * replicas and of secrets, labels, annotations, commands, environments, roles and bindings of its
 * namespace, its display name, and what the plane refuses.
 */
import { NOTHING } from "../../core/model/amounts.ts";
import {
  type ObjectKey,
  type OperationId,
  operationId,
  quotaKey,
  tenantKey,
  workloadKey,
} from "../../core/model/ids.ts";
import { secretKey } from "../../core/model/secret/secret-refs.ts";
import type { Desired, Intent } from "../../core/protocol/command.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import { worldWorkload } from "../world/build-world.ts";
import { secretOf } from "../world/secrets-of-world.ts";
import type { Step } from "../world/user-script.ts";
import type { World } from "../world/world.ts";
import { TIERS } from "../swarm/swarm-constraints.ts";
import { drawWorld } from "../swarm/swarm-world.ts";

export const NEIGHBOUR = "bravo";
/** The tenant that reads; every drawn world has it. */
export const READER_TENANT = "t1";
export const READER = "alpha";

export type Variant = "one" | "two";

const ACTS = [
  "work",
  "work",
  "work",
  "idle",
  "secret",
  "role",
  "bind",
  "tenant",
  "refused",
  "drop",
] as const;
const SMALL = { cpuMillis: 20, memoryMiB: 16 };
const NAMES = 3;
/** As a template without options has it. */
const RUN = { workingDir: "", user: "", ports: [], stopGraceMs: 1_000 } as const;

/** Strangers are left out: what they aim at is drawn from all objects, bravo's among them. */
export function worldOf(seed: number, variant: Variant): World {
  const { attacks: _, people: __, ...world } = drawWorld(seed);
  return { ...world, neighbour: new Neighbour(seed, variant).write(world) };
}

class Neighbour {
  /** The same in both worlds. */
  private readonly common: KeyedRandom;
  /** Of what is written in this one. */
  private readonly own: KeyedRandom;
  private readonly variant: Variant;
  private readonly steps: Step[] = [];
  /** What the affinity of others may select. */
  private apps: readonly string[] = [];

  constructor(seed: number, variant: Variant) {
    this.common = new KeyedRandom(seed, "neighbour");
    this.own = new KeyedRandom(seed, `neighbour-${variant}`);
    this.variant = variant;
  }

  write({ workloads, faultsUntilMs }: World): readonly Step[] {
    const { common } = this;
    this.apps = workloads.map(({ name }) => name);
    // Words that mean something to the work of others, among them.
    const words = [
      ...new Set(workloads.flatMap(({ name, labels }) => [name, ...Object.values(labels)])),
      "front",
      "back",
    ];
    this.begin();
    const count = common.between("acts", 0, 15, 40);
    const times = Array.from({ length: count }, (_, at) =>
      common.between("time", at, 3_000, faultsUntilMs + 5_000),
    );
    times
      .toSorted((a, b) => a - b)
      .forEach((atMs, at) => {
        const act = ACTS[common.draw("act", at) % ACTS.length] ?? "work";
        this.say(atMs, this.intentOf(act, at, words));
      });
    return this.steps;
  }

  private begin(): void {
    // The reader's own rights: those of an editor, and to read the fleet.
    const subjects = [{ kind: "User", name: READER }] as const;
    this.say(0, (operation) => put(operation, tenantKey(NEIGHBOUR), this.tenant(0)));
    const edits = `RoleBinding/${READER_TENANT}/reader` as ObjectKey;
    this.say(0, (operation) =>
      put(operation, edits, {
        kind: "RoleBinding",
        spec: { roleRef: clusterRole("edit"), subjects },
      }),
    );
    const rules = [
      {
        verbs: ["get", "list"],
        apiGroups: ["berth.dev"],
        resources: ["nodes", "regions", "priorityclasses", "policies", "leases"],
      },
    ];
    const fleet = "ClusterRole//fleet" as ObjectKey;
    this.say(0, (operation) => put(operation, fleet, { kind: "ClusterRole", spec: { rules } }));
    const reads = "ClusterRoleBinding//fleet" as ObjectKey;
    this.say(0, (operation) =>
      put(operation, reads, {
        kind: "ClusterRoleBinding",
        spec: { roleRef: clusterRole("fleet"), subjects },
      }),
    );
    const limit = { ...NOTHING, cpuMillis: 400, memoryMiB: 400 };
    this.say(0, (operation) =>
      put(operation, quotaKey(NEIGHBOUR), { kind: "Quota", spec: { limit } }),
    );
  }

  private say(atMs: number, intent: (operation: OperationId) => Intent): void {
    const operation = operationId(`neighbour/${this.steps.length + 1}`);
    this.steps.push({ atMs, intent: intent(operation), as: NEIGHBOUR });
  }

  private tenant(at: number): Desired {
    return { kind: "Tenant", spec: { displayName: this.word("tenant", at, ["shop"]) } };
  }

  private intentOf(
    act: (typeof ACTS)[number],
    at: number,
    words: readonly string[],
  ): (operation: OperationId) => Intent {
    const name = `work-${this.common.draw("name", at) % NAMES}`;
    const own = this.word("word", at, words);
    const inOwn = (kind: string): ObjectKey => `${kind}/${NEIGHBOUR}/${own}` as ObjectKey;
    switch (act) {
      case "work":
        return this.work(name, this.common.draw("replicas", at) % 6, { at, words });
      case "idle":
        return this.work(own, 0, { at, words });
      case "secret":
        return (operation) =>
          put(operation, secretKey(NEIGHBOUR, own), secretOf([this.word("key", at, words)]));
      case "role": {
        const rules = [{ verbs: ["get"], apiGroups: ["berth.dev"], resources: [own] }];
        return (operation) => put(operation, inOwn("Role"), { kind: "Role", spec: { rules } });
      }
      case "bind": {
        const roleRef = { kind: "Role", name: own } as const;
        // Also to the reader's own groups and name: a binding here is a right here.
        const subjects = [{ kind: "User", name: `${own}-user` }] as const;
        const spec = { roleRef, subjects };
        return (operation) => put(operation, inOwn("RoleBinding"), { kind: "RoleBinding", spec });
      }
      case "tenant":
        return (operation) => put(operation, tenantKey(NEIGHBOUR), this.tenant(at + 1));
      case "refused": {
        const desired = { kind: "Tenant", spec: { displayName: own.repeat(2_000) } } as const;
        return (operation) => put(operation, tenantKey(NEIGHBOUR), desired);
      }
      case "drop":
        return (operation) => ({
          kind: "delete",
          operation,
          key: workloadKey(NEIGHBOUR, name),
          expect: {},
        });
    }
  }

  private work(
    name: string,
    replicas: number,
    { at, words }: { readonly at: number; readonly words: readonly string[] },
  ): (operation: OperationId) => Intent {
    const word = (what: string): string => this.word(what, at, words);
    const { labels, spec } = worldWorkload({
      tenant: NEIGHBOUR,
      name,
      replicas,
      amounts: SMALL,
      labels: { app: this.bare("app", at, this.apps), tier: this.bare("tier", at, TIERS) },
      command: ["run", word("command")],
    });
    const run = { ...RUN, env: { [word("variable")]: word("value") } };
    const template = { ...spec.template, run };
    return (operation) => ({
      ...put(operation, workloadKey(NEIGHBOUR, name), {
        kind: "Workload",
        spec: { ...spec, template },
      }),
      labels,
      annotations: { note: word("note") },
    });
  }

  /** A word of others, as it is: it may match what their work selects. */
  private bare(what: string, at: number, words: readonly string[]): string {
    return words[this.own.draw(what, at) % words.length] ?? "front";
  }

  /** A word that is in one of the two worlds only, whatever was drawn. */
  private word(what: string, at: number, words: readonly string[]): string {
    return `${this.bare(what, at, words)}-${this.variant}-${at}`;
  }
}

const clusterRole = (name: string) => ({ kind: "ClusterRole", name }) as const;

function put(
  operation: OperationId,
  key: ObjectKey,
  desired: Desired,
): Extract<Intent, { kind: "put" }> {
  return { kind: "put", operation, key, desired, labels: {}, finalizers: [], expect: {} };
}

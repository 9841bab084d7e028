/** Draws a small world from a seed: places, tenants, their workloads, and the actions of people. */
import { type Amounts, NOTHING, plus } from "../../core/model/amounts.ts";
import type { Ask } from "../../core/model/objects.ts";
import { REPLICAS_FINALIZER } from "../../core/model/finalizers.ts";
import { worldNode, worldWorkload } from "../world/build-world.ts";
import { withRoles } from "../roles/draw-person-acts.ts";
import { withByzantine } from "../hostile/draw-byzantine.ts";
import { withAttacks } from "../hostile/draw-attacks.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import { drawAutoscalers } from "./swarm-autoscalers.ts";
import { drawRecoveryBudgets } from "./swarm-recovery-budgets.ts";
import { drawChurn } from "./swarm-churn.ts";
import { withPartitionedRegions } from "./swarm-partitioned-regions.ts";
import { drawDisconnect } from "./swarm-disconnects.ts";
import { drawGang } from "./swarm-gangs.ts";
import { drawJob } from "./swarm-jobs.ts";
import { drawCordon, drawDrain, drawUncordon } from "./swarm-maintenance.ts";
import {
  drawDevice,
  drawExpressions,
  drawDriver,
  drawFixedPorts,
  drawLimits,
  drawPools,
  drawTaints,
  drawTogether,
  TIERS,
} from "./swarm-constraints.ts";
import { withNodePools } from "./swarm-node-pools.ts";
import { withSecrets } from "./swarm-secrets.ts";
import { drawOwners } from "./swarm-owners.ts";
import { drawOverrides } from "./swarm-overrides.ts";
import { drawPolicies } from "./swarm-policies.ts";
import { drawCrowd, drawRecovery } from "./swarm-recoveries.ts";
import { drawRestarts } from "./swarm-restarts.ts";
import { drawRollout, drawRollouts } from "./swarm-rollouts.ts";
import { drawScalingBounds } from "./swarm-scaling-bounds.ts";
import { drawLateWants, drawPercent, drawSharing, part } from "./swarm-quotas.ts";
import {
  drawClassChange,
  drawDisruption,
  drawPriorityClass,
  drawPriorityClasses,
} from "./swarm-priorities.ts";
import type { TimelineEntry, UserAction, World, WorldNode, WorldWorkload } from "../world/world.ts";

const FAULTS_UNTIL_MS = 60_000;
/** Progress is demanded after a relist and two resyncs, and some steps follow each other. */
const HEAL_MS = 400_000;

/** People still act for this long after the faults. */
const LATE_MS = 10_000;
const LAST_ACTS_MS = FAULTS_UNTIL_MS + LATE_MS;

type Region = World["regions"][number];

export function drawWorld(seed: number): World {
  const drawn = withNodePools(seed, withPartitionedRegions(seed, secretsDrawn(seed)));
  return withRoles(seed, withByzantine(seed, withAttacks(seed, drawn)));
}

const secretsDrawn = (seed: number): World =>
  withSecrets(new KeyedRandom(seed, "swarm-secrets"), new WorldDraw(seed).draw(), LAST_ACTS_MS);

class WorldDraw {
  private readonly seed: number;
  private readonly random: KeyedRandom;
  /** Few nodes and ample quota: not everything fits, so that the order matters. */
  private readonly isCrowded: boolean;

  constructor(seed: number) {
    this.seed = seed;
    this.random = new KeyedRandom(seed, "swarm-world");
    this.isCrowded = this.random.chance("crowded", 0, 35);
  }

  draw(): World {
    const { random } = this;
    const regions = this.regions();
    const nodes = this.times("nodes", 3, this.isCrowded ? 5 : 20, (at) => this.node(at, regions));
    const tenants = this.times("tenants", 1, 3, (at) => {
      const quota = this.quota(at, nodes);
      return {
        name: `t${at + 1}`,
        quota,
        ...drawSharing(random, at, { limit: quota, regions }),
        // A workload's finalizer, put here by mistake: no controller looks for it on a tenant.
        ...(random.chance("lost finalizer", at, 30) ? { finalizers: [REPLICAS_FINALIZER] } : {}),
      };
    });
    const names = tenants.map(({ name }) => name);
    const churn = this.isCrowded ? drawChurn(random, nodes) : undefined;
    const priorityClasses = drawPriorityClasses(random);
    const workloads = this.times("workloads", 2, 8, (at) => this.workload(at, names, regions));
    const untilMs = FAULTS_UNTIL_MS + LATE_MS;
    const autoscalers = drawAutoscalers(random, workloads, untilMs);
    const policies = drawScalingBounds(random, {
      policies: drawPolicies(random, regions, untilMs),
      autoscalers,
      regions,
      untilMs,
    });
    const budgets = drawRecoveryBudgets(random, {
      regions,
      tenants: names,
      workloads,
      policies: policies.world,
      untilMs: FAULTS_UNTIL_MS + LATE_MS,
    });
    return {
      name: `swarm-${this.seed}`,
      regions,
      nodes,
      tenants: [...tenants, ...(churn?.tenants ?? [])],
      priorityClasses,
      ...budgets.world,
      workloads,
      ...(autoscalers === undefined ? {} : { autoscalers }),
      schedulers: random.between("schedulers", 0, 1, 3),
      ...(random.chance("several planes", 0, 34)
        ? { planes: random.between("planes", 0, 2, 3) }
        : {}),
      // As in a plane's own process. In the others each controller may be stale in its own way.
      controllersShareView: random.between("shared view", 0, 0, 2) < 2,
      timeline: [
        ...this.times("actions", 0, 12, (at) =>
          this.entry(at, { nodes, workloads, regions, names }),
        ),
        ...drawLateWants(random, workloads),
        ...drawRestarts(random, workloads),
        ...drawOwners(random, workloads, FAULTS_UNTIL_MS),
        ...drawRollouts(random, workloads, FAULTS_UNTIL_MS + LATE_MS),
        ...drawCrowd(random, nodes, workloads),
        ...(churn?.timeline ?? []),
        ...policies.timeline,
        ...drawOverrides(random, { nodes, workloads, regions }, FAULTS_UNTIL_MS + LATE_MS),
        ...budgets.timeline,
      ],
      faultsUntilMs: FAULTS_UNTIL_MS,
      healMs: HEAL_MS,
      startUpMs: random.between("start-up", 0, 100, 4_000),
      batchRunMs: churn?.batchRunMs ?? random.between("batch-run", 0, 1_000, 20_000),
    };
  }

  private times<T>(what: string, min: number, max: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.random.between(what, 0, min, max) }, (_, at) => make(at));
  }

  private one<T>(what: string, at: number, from: readonly T[], otherwise: T): T {
    return from[this.random.draw(what, at) % Math.max(1, from.length)] ?? otherwise;
  }

  private regions(): readonly Region[] {
    return this.times("regions", 1, 3, (at) => {
      const name = `r${at + 1}`;
      const zones = this.random.between("zones", at, 1, 3);
      return { name, zones: Array.from({ length: zones }, (_, zone) => `${name}-${"abc"[zone]}`) };
    });
  }

  private node(at: number, regions: readonly Region[]): WorldNode {
    const { random } = this;
    const region = this.one("node region", at, regions, { name: "r1", zones: ["r1-a"] });
    return worldNode({
      name: `n${at + 1}`,
      region: region.name,
      zone: this.one("node zone", at, region.zones, "r1-a"),
      cpuMillis: random.between("node size", at, 2, 16) * 500,
      memoryMiB: random.between("node memory", at, 4, 32) * 256,
      pools: drawPools(random, at),
      limits: drawLimits(random, at),
      taints: drawTaints(random, at),
      labels: {
        disk: random.chance("node disk", at, 50) ? "ssd" : "hdd",
        ...(random.chance("node in rack", at, 85)
          ? { rack: `${random.between("node rack", at, 1, 4)}` }
          : {}),
      },
    });
  }

  private quota(at: number, nodes: readonly WorldNode[]): Amounts {
    const whole = nodes.reduce<Amounts>((sum, { spec }) => plus(sum, spec.capacity), NOTHING);
    return part(whole, drawPercent(this.random, at, this.isCrowded));
  }

  private workload(
    at: number,
    tenants: readonly string[],
    regions: readonly Region[],
  ): WorldWorkload {
    const { random } = this;
    const name = `w${at + 1}`;
    // A few request more than any node has, and must be seen to wait.
    const isWhale = random.chance("workload infeasible", at, 8);
    const type = random.chance("workload type", at, 35) ? "batch" : "service";
    const gang = drawGang(random, at);
    const job = type === "batch" ? drawJob(random, at, { isGang: gang !== undefined }) : undefined;
    const isRolling = type === "service" && gang === undefined;
    const ask = this.ask(at, regions);
    const open = ask.regions?.[0] === undefined ? regions.map((each) => each.name) : ask.regions;
    return worldWorkload({
      tenant: this.one("workload tenant", at, tenants, "t1"),
      name,
      type,
      replicas: random.between("workload replicas", at, 0, 8),
      amounts: {
        cpuMillis: isWhale ? 100_000 : random.between("workload cpu", at, 1, 8) * 250,
        memoryMiB: random.between("workload memory", at, 1, 8) * 128,
      },
      device: drawDevice(random, at),
      ask,
      together: drawTogether(random, at, name),
      labels: { app: name, tier: this.one("workload tier", at, TIERS, "front") },
      disconnect: drawDisconnect(random, at, { type, isGang: gang !== undefined }),
      priorityClass: drawPriorityClass(random, at),
      disruption: job === undefined ? drawDisruption(random, at) : undefined,
      gang,
      ...job,
      rollout: isRolling ? drawRollout(random, at) : undefined,
      recovery: isRolling ? drawRecovery(random, at, open) : undefined,
    });
  }

  private ask(at: number, regions: readonly Region[]): Partial<Ask> {
    const { random } = this;
    const region = this.one("ask region", at, regions, { name: "r1", zones: ["r1-a"] });
    return {
      regions: random.chance("ask for region", at, 25) ? [region.name] : [],
      zones: random.chance("ask for zone", at, 10)
        ? [this.one("ask zone", at, region.zones, "r1-a")]
        : [],
      ...drawExpressions(random, at),
      ...drawFixedPorts(random, at),
      ...drawDriver(random, at),
      nodeSelector: random.chance("ask for disk", at, 15) ? { disk: "ssd" } : {},
      tolerations: random.chance("ask tolerates", at, 30) ? [{ key: "dedicated", value: "" }] : [],
    };
  }

  private entry(at: number, of: Scene): TimelineEntry {
    // Some actions come after the faults: they must work in a healed world, too.
    const atMs = this.random.between("action time", at, 1_000, FAULTS_UNTIL_MS + LATE_MS);
    return { atMs, action: this.action(at, of) };
  }

  private action(at: number, { nodes, workloads, regions, names }: Scene): UserAction {
    const { random } = this;
    const workload = this.one("action workload", at, workloads, workloads[0]);
    const node = this.one("action node", at, nodes, nodes[0])?.name ?? "n1";
    const tenant = workload?.tenant ?? "t1";
    const name = workload?.name ?? "w1";
    if (random.chance("action tenant goes", at, 3)) return { do: "delete-tenant", tenant };
    if (random.chance("action node vanishes", at, 6)) return { do: "delete-node", node };
    // A deleted node may come back under its old name.
    if (random.chance("action node returns", at, 6)) return { do: "restore-node", node };
    if (random.chance("action class changes", at, 5)) {
      return { do: "put-priority-class", priorityClass: drawClassChange(random, at) };
    }
    switch (random.between("action", at, 0, 12)) {
      case 0:
      case 1:
      case 2:
        return {
          do: "scale",
          tenant,
          workload: name,
          replicas: random.between("action replicas", at, 0, 10),
        };
      case 3:
        return { do: "delete-workload", tenant, workload: name };
      case 4:
        return { do: "change-template", tenant, workload: name, command: ["run", name, `v${at}`] };
      case 5:
        return {
          do: "put-workload",
          workload: this.workload(at + workloads.length, names, regions),
        };
      case 6:
        return drawCordon(node, at);
      case 7:
        return drawUncordon(random, node, at);
      case 8:
        return drawDrain(random, node, at);
      case 9:
        return { do: "undrain", node };
      case 10:
        return {
          do: "add-node",
          node: { ...this.node(at + nodes.length, regions), name: `late-${at}` },
        };
      default: {
        const isAmple = random.chance("ample quota", at, 40);
        const ample = { cpuMillis: 200_000, memoryMiB: 200_000, deviceMillis: 40_000 };
        // Another number than those of the tenants gives a new limit, which is often too small.
        const limit = isAmple ? ample : this.quota(at + names.length, nodes);
        const shared = random.chance("quota shared anew", at, 50)
          ? drawSharing(random, at + names.length, { limit, regions })
          : {};
        return { do: "set-quota", tenant, limit, ...shared };
      }
    }
  }
}

interface Scene {
  readonly nodes: readonly WorldNode[];
  readonly workloads: readonly WorldWorkload[];
  readonly regions: readonly Region[];
  readonly names: readonly string[];
}

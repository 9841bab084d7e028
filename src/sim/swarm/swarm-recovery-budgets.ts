/**
 * Draws recovery budgets for a part of the worlds that have recoveries: the policy's ceiling and
 * automatic grants, usually tight, and people who grant, extend, withdraw and raise. Budgets matter
 * only if something is lost and only the recovery reserve has room. Chance alone hardly ever causes
 * that. So this file also draws a few services, their machines, a crowd that fills the machines,
 * and people who empty or forget them.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { RecoveryBudgetTerms, RecoveryRules } from "../../core/model/recovery-budget.ts";
import { worldNode, worldWorkload } from "../world/build-world.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import { drawPriorityClass } from "./swarm-priorities.ts";
import type { TimelineEntry, World, WorldPolicyRevision, WorldWorkload } from "../world/world.ts";
import { personOf } from "./swarm-people.ts";

/** Of a hundred worlds that have a recovery objective and two regions. */
const WORLDS_PERCENT = 45;

/**
 * The request of each replica of the story. Two machines in each of two regions take four of them
 * each.
 */
const UNIT: Amounts = { cpuMillis: 500, memoryMiB: 64, deviceMillis: 0 };
const UNITS_PER_NODE = 4;
const HOME = ["home-1", "home-2"] as const;
const AWAY = ["away-1", "away-2"] as const;

/**
 * First the services come up at home, then machines elsewhere give room for the reserve, and then
 * others take the rest.
 */
const AWAY_FROM_MS = 6_000;
const CROWD_FROM_MS = 12_000;
const LOSS_FROM_MS = 18_000;

/** Another file numbers its draws from 0 as well; other numbers keep them apart. */
const FIRST_NUMBER = 700;

interface Scene {
  readonly regions: World["regions"];
  readonly tenants: readonly string[];
  readonly workloads: readonly WorldWorkload[];
  /** The world drawn so far. */
  readonly policies: Pick<World, "policyRevisions" | "policies">;
  readonly untilMs: number;
}

interface Drawn {
  readonly world: Pick<World, "policyRevisions" | "policies">;
  readonly timeline: readonly TimelineEntry[];
}

export function drawRecoveryBudgets(random: KeyedRandom, scene: Scene): Drawn {
  const { regions, workloads, policies } = scene;
  const isPossible =
    regions.length > 1 && workloads.some(({ spec }) => spec.recovery !== undefined);
  if (!isPossible || !random.chance("budgets", 0, WORLDS_PERCENT)) {
    return { world: policies, timeline: [] };
  }
  const draw = new RecoveryBudgetDraw(random, scene);
  return { world: draw.policies(), timeline: draw.timeline() };
}

class RecoveryBudgetDraw {
  private readonly random: KeyedRandom;
  private readonly scene: Scene;
  private readonly home: World["regions"][number];
  private readonly away: World["regions"][number];

  constructor(random: KeyedRandom, scene: Scene) {
    this.random = random;
    this.scene = scene;
    const [home, away] = scene.regions;
    if (home === undefined || away === undefined) throw new Error("budgets need two regions");
    this.home = home;
    this.away = away;
  }

  /** The first revision in force always budgets recoveries; most of the others do. */
  policies(): Drawn["world"] {
    const { policyRevisions, policies } = this.scene.policies;
    const drawn = policyRevisions ?? [0, 1].map(plainRevision);
    const pointers = policies ?? [{ name: "default", active: "default-1" }];
    const first = pointers[0]?.active;
    return {
      policies: pointers,
      policyRevisions: drawn.map((revision, at) => {
        const isSaid = revision.name === first || this.random.chance("recovery said", at, 75);
        const { name, spec } = revision;
        return isSaid ? { name, spec: { ...spec, recovery: this.rules(at) } } : revision;
      }),
    };
  }

  timeline(): readonly TimelineEntry[] {
    const losses = this.losses();
    return [
      ...this.machines(),
      ...this.services(),
      ...losses.flatMap(({ entries }) => entries),
      ...losses.flatMap(({ atMs }, at) => this.people(atMs, at)),
      ...this.moves(),
    ];
  }

  private rules(at: number): RecoveryRules {
    const { random } = this;
    const count = random.between("recovery grants", at, 0, 3);
    return {
      reserve: units(random.between("recovery reserve", at, 2, 8)),
      ...(random.chance("recovery window", at, 85)
        ? { fairnessWindowMs: random.between("recovery window ms", at, 1_000, 15_000) }
        : {}),
      ...(count === 0
        ? {}
        : { grants: Array.from({ length: count }, (_, one) => this.terms(10 * at + one)) }),
    };
  }

  private terms(at: number): RecoveryBudgetTerms {
    const { random } = this;
    const { tenants } = this.scene;
    const tenant = tenants[random.draw("budget tenant", at) % Math.max(1, tenants.length)] ?? "t1";
    return {
      region: random.chance("budget away", at, 75) ? this.away.name : this.home.name,
      amounts: units(random.between("budget slots", at, 1, 3)),
      ...(random.chance("budget for one", at, 25) ? { tenants: [tenant] } : {}),
      ...(random.chance("budget for a class", at, 10) ? { classes: ["high"] } : {}),
      // Many end during a recovery, and some before any component has heard of them.
      ttlMs: random.chance("budget is brief", at, 35)
        ? random.between("budget brief ttl", at, 1_000, 4_000)
        : random.between("budget ttl", at, 4_000, 40_000),
    };
  }

  private machines(): readonly TimelineEntry[] {
    const { random } = this;
    const isApart = random.chance("budget machines apart", 0, 60);
    const added = (name: string, region: World["regions"][number], atMs: number): TimelineEntry => {
      const node = worldNode({
        name,
        region: region.name,
        zone: region.zones[0] ?? "",
        cpuMillis: UNITS_PER_NODE * UNIT.cpuMillis,
        memoryMiB: 2 * UNITS_PER_NODE * UNIT.memoryMiB,
        ...(isApart
          ? { taints: [{ key: "story", value: "budgets", effect: "no-schedule" as const }] }
          : {}),
        labels: { story: "budgets" },
      });
      return { atMs, action: { do: "add-node", node } };
    };
    return [
      ...HOME.map((name) => added(name, this.home, 500)),
      ...AWAY.map((name) => added(name, this.away, AWAY_FROM_MS)),
    ];
  }

  /**
   * Two services that recover, each of its own tenant if there are several, and the crowd of a
   * third.
   */
  private services(): readonly TimelineEntry[] {
    const { random } = this;
    const { tenants } = this.scene;
    const limit = { cpuMillis: 200_000, memoryMiB: 200_000, deviceMillis: 40_000 };
    const quotas = tenants.map((tenant): TimelineEntry => ({
      atMs: 1_000,
      action: { do: "set-quota", tenant, limit },
    }));
    // Sometimes the crowd comes first, nothing is reserved, and a recovery waits for ordinary room.
    const crowdMs = random.chance("budget crowd is first", 0, 20) ? AWAY_FROM_MS : CROWD_FROM_MS;
    const crowd = this.workload(2, "crowd-of-budgets", 4 * UNITS_PER_NODE);
    return [
      ...quotas,
      ...[0, 1].map((at) => put(1_500, this.recovering(at))),
      ...(random.chance("budget crowd", 0, 90) ? [put(crowdMs, crowd)] : []),
    ];
  }

  private recovering(at: number): WorldWorkload {
    const { random } = this;
    const replicas = random.between("budget service replicas", at, 1, 3);
    const { spec, ...rest } = this.workload(at, `back-${at + 1}`, replicas);
    const withinMs = random.between("budget service within", at, 5, 60) * 1_000;
    const recovery = { withinMs, replicas, regions: [this.away.name] };
    return { ...rest, spec: { ...spec, recovery } };
  }

  private workload(at: number, name: string, replicas: number): WorldWorkload {
    const { tenants } = this.scene;
    const { cpuMillis, memoryMiB } = UNIT;
    return worldWorkload({
      tenant: tenants[at % Math.max(1, tenants.length)] ?? "t1",
      name,
      replicas,
      amounts: { cpuMillis, memoryMiB },
      ask: {
        regions: [this.home.name, this.away.name],
        nodeSelector: { story: "budgets" },
        tolerations: [{ key: "story", value: "" }],
      },
      // Without classes there is no preemption, and only the recovery reserve has room.
      priorityClass: this.random.chance("budget work has classes", 0, 35)
        ? drawPriorityClass(this.random, FIRST_NUMBER + at)
        : "",
    });
  }

  /** Drained, or deleted under its replicas, and back after a while. */
  private losses(): readonly {
    readonly atMs: number;
    readonly entries: readonly TimelineEntry[];
  }[] {
    const { random, scene } = this;
    return Array.from({ length: random.between("budget losses", 0, 2, 4) }, (_, at) => {
      const atMs = random.between("budget loss time", at, LOSS_FROM_MS, scene.untilMs - 10_000);
      const isForgotten = random.chance("budget loss forgets", at, 25);
      const both = random.chance("budget loss of both", at, 60);
      const one = HOME[random.between("budget loss of", at, 0, 1)] ?? "home-1";
      const untilMs = atMs + random.between("budget loss lasts", at, 5_000, 40_000);
      // Some losses last: even in a healed world, the lost replicas have the recovery reserve or
      // nothing.
      const isForGood = !isForgotten && random.chance("budget loss for good", at, 25);
      const entries = (both ? HOME : [one]).flatMap((node): TimelineEntry[] => [
        { atMs, action: { do: isForgotten ? "delete-node" : "drain", node } },
        ...(isForGood
          ? []
          : [
              {
                atMs: untilMs,
                action: { do: isForgotten ? "restore-node" : "undrain", node },
              } as const,
            ]),
      ]);
      return { atMs, entries };
    });
  }

  /** The reactions of people to the loss, or just before it. */
  private people(lossMs: number, at: number): readonly TimelineEntry[] {
    const { random } = this;
    const name = `bu-${at}`;
    const atMs = lossMs + random.between("budget hears", at, -3_000, 9_000);
    const who = (what: string): string => personOf(at + (random.chance(what, at, 35) ? 1 : 0));
    const entries: TimelineEntry[] = [];
    if (random.chance("budget granted", at, 75)) {
      const spec = { ...this.terms(FIRST_NUMBER + at), reason: "drawn" };
      entries.push({ atMs, action: { do: "grant-budget", name, as: personOf(at), spec } });
    }
    const laterMs = atMs + random.between("budget later", at, 200, 8_000);
    if (random.chance("budget extended", at, 50)) {
      const ttlMs = random.between("budget more", at, 5_000, 60_000);
      const action = { do: "extend-budget", name, as: who("extends a budget"), ttlMs } as const;
      entries.push({ atMs: laterMs, action });
    }
    if (random.chance("budget withdrawn", at, 45)) {
      const isPolicys = random.chance("budget withdrawn of the policy's", at, 50);
      const of = isPolicys ? `${this.away.name}-${at + 1}` : name;
      const action = { do: "withdraw-budget", name: of, as: who("withdraws a budget") } as const;
      entries.push({ atMs: laterMs + 500, action });
    }
    return random.chance("budget raised", at, 35) ? [...entries, this.raise(at, atMs)] : entries;
  }

  private raise(at: number, atMs: number): TimelineEntry {
    const { random } = this;
    const spec = {
      action: "raise-budget",
      target: { region: this.away.name },
      reason: "drawn",
      ttlMs: random.between("budget raised for", at, 2_000, 30_000),
      amount: random.between("budget raised by", at, 1, 4) * 50,
    } as const;
    return { atMs, action: { do: "override", name: `more-${at}`, as: personOf(at), spec } };
  }

  /** If policies were drawn before, people already move the pointer. */
  private moves(): readonly TimelineEntry[] {
    const { random, scene } = this;
    if (scene.policies.policies !== undefined) return [];
    const count = random.between("budget moves", 0, 0, 3);
    return Array.from({ length: count }, (_, at): TimelineEntry => ({
      atMs: random.between("budget move time", at, LOSS_FROM_MS, scene.untilMs),
      action: { do: "activate", policy: "default", to: `default-${(at + 1) % 2 === 0 ? 1 : 2}` },
    }));
  }
}

const put = (atMs: number, workload: WorldWorkload): TimelineEntry => ({
  atMs,
  action: { do: "put-workload", workload },
});

/** Memory is ample: usually only one amount is tight. */
const units = (count: number): Amounts => ({
  cpuMillis: count * UNIT.cpuMillis,
  memoryMiB: 2 * count * UNIT.memoryMiB,
  deviceMillis: 0,
});

export const plainRevision = (at: number): WorldPolicyRevision => ({
  name: `default-${at + 1}`,
  spec: { scoring: "best-fit" },
});

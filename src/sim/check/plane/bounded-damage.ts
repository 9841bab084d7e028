/**
 * [INV185] A node whose agent lies takes no more than its operator stated: no more room and no
 * other devices than the operator ever gave it, and only work whose regions, zones and labels fit
 * what the operator said of it. [INV186] A sender with an agent's credential is given secrets only
 * of replicas that are bound to its node. [INV187] What is bound to other nodes never loses its
 * node, its stage or its session by a message of that sender.
 *
 * They would break if any word of an agent about its machine counted for more than the machine's
 * own work. The checker keeps what people and provisioners wrote, and adds up for itself.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { SecretsAsk } from "../../../core/protocol/secrets-ask.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { AnyObject, Labels, Node, Replica } from "../../../core/model/objects.ts";
import { type Attack, attackersOf, nodeOf } from "../../hostile/attack.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** All that an operator has said of a node since the run began. */
interface Stated {
  cpuMillis: number;
  memoryMiB: number;
  readonly devices: Set<string>;
  readonly regions: Set<string>;
  readonly zones: Set<string>;
  readonly labels: Labels[];
}

const HOSTILE = "hostile:agent:";

class BoundedDamageChecker implements Checker {
  readonly name = "bounded-damage";
  private readonly liars: ReadonlySet<string>;
  private readonly stated = new Map<string, Stated>();
  private readonly on = new Map<ObjectKey, Replica>();
  /** The batch in which a replica left a node: an answer of that batch may rest on it. */
  private readonly leftMs = new Map<string, number>();

  constructor(attacks: readonly Attack[]) {
    this.liars = new Set(
      attackersOf(attacks)
        .map(nodeOf)
        .filter((name) => name !== undefined),
    );
  }

  beforeCommit(commit: Commit, { nowMs }: Truth, report: Report): void {
    for (const { key, before, after } of commit.changes) {
      if (after?.kind === "Node" && commit.actor.role !== "agent") this.note(after);
      if (before?.kind === "Replica" && before.status.node !== undefined) {
        this.leftMs.set(`${key} ${before.status.node}`, nowMs);
      }
      if (commit.actor.role === "agent") checkOthers(commit, key, before, after, report);
      if (after?.kind === "Replica" && this.liars.has(after.status.node ?? "")) {
        this.on.set(key, after);
        this.check(after, commit, report);
      } else this.on.delete(key);
    }
  }

  private note({ meta, spec }: Node): void {
    const { capacity, pools, region, zone } = spec;
    const held = this.stated.get(meta.name) ?? {
      cpuMillis: 0,
      memoryMiB: 0,
      devices: new Set<string>(),
      regions: new Set<string>(),
      zones: new Set<string>(),
      labels: [],
    };
    this.stated.set(meta.name, held);
    held.cpuMillis = Math.max(held.cpuMillis, capacity.cpuMillis);
    held.memoryMiB = Math.max(held.memoryMiB, capacity.memoryMiB);
    for (const { ids } of pools) for (const id of ids) held.devices.add(id);
    held.regions.add(region);
    held.zones.add(zone);
    const isNew = !held.labels.some((one) => JSON.stringify(one) === JSON.stringify(meta.labels));
    if (isNew) held.labels.push(meta.labels);
  }

  private check(replica: Replica, { command, operation }: Commit, report: Report): void {
    const { key, spec, status } = replica;
    const node = status.node ?? "";
    const what = `${command} ${operation} left ${key} on ${node}`;
    const stated = this.stated.get(node);
    if (stated === undefined) {
      report("INV185", `${what}, of which no operator has said anything.`, key);
      return;
    }
    const { regions, zones, nodeSelector } = spec.template.ask;
    const hasLabels = stated.labels.some((labels) =>
      Object.entries(nodeSelector).every(([name, value]) => labels[name] === value),
    );
    if (!fits(regions, stated.regions) || !fits(zones, stated.zones) || !hasLabels) {
      report("INV185", `${what}, where its operator's word does not let it be.`, key);
    }
    const device = status.deviceIds.find((id) => !stated.devices.has(id));
    if (device !== undefined) {
      report("INV185", `${what} with the device ${device}, which its operator never stated.`, key);
    }
    const all = [...this.on.values()].filter((one) => one.status.node === node);
    const sum = (of: "cpuMillis" | "memoryMiB"): number =>
      all.reduce((total, one) => total + one.spec.template.ask.amounts[of], 0);
    if (sum("cpuMillis") > stated.cpuMillis || sum("memoryMiB") > stated.memoryMiB) {
      const used = `${sum("cpuMillis")}m and ${sum("memoryMiB")} MiB`;
      report("INV185", `${what}: ${used} are more than its operator ever stated.`, key);
    }
  }

  secretsAnswered(to: string, ask: SecretsAsk, reply: Reply, truth: Truth, report: Report): void {
    if (!to.startsWith(HOSTILE) || reply.kind !== "secrets") return;
    if (reply.decided.kind !== "given") return;
    const own = to.slice(HOSTILE.length);
    const isOwn = truth.objects.replica(ask.replica)?.status.node === own;
    if (isOwn || this.leftMs.get(`${ask.replica} ${own}`) === truth.nowMs) return;
    report("INV186", `${to} was given secrets of ${ask.replica}.`, ask.replica);
  }
}

const fits = (asked: readonly string[], said: ReadonlySet<string>): boolean =>
  asked.length === 0 || asked.some((one) => said.has(one));

/** Of one message an agent is the author of everything that follows at once. */
function checkOthers(
  { actor, command, operation }: Commit,
  key: ObjectKey,
  before: AnyObject | undefined,
  after: AnyObject | undefined,
  report: Report,
): void {
  if (before?.kind !== "Replica") return;
  const { node, stage, session } = before.status;
  if (node === undefined || actor.name === `agent:${node}`) return;
  const is = after?.kind === "Replica" ? after.status : undefined;
  if (is?.node === node && is.stage === stage && is.session === session) return;
  report("INV187", `${command} ${operation} of ${actor.name} changed ${key} on ${node}.`, key);
}

export const createBoundedDamageChecker = (attacks: readonly Attack[]): Checker =>
  new BoundedDamageChecker(attacks);

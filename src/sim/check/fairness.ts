/**
 * [INV51] A scheduler asks for places in a fair order. When it asks for a place for a tenant, no
 * other tenant that has less gets one later in the same turn, unless that tenant had its look and a
 * later look found no place, after which tenants take turns. Within a tenant, it looks at higher
 * priorities first. [INV162] Only recovering workloads are looked at before their turn. If
 * recoveries are budgeted, this needs an open fairness window, a budget with something left that
 * the scheduler sees, and a bind on a budget.
 *
 * They would break if a scheduler read shares once for a whole turn, forgot its own latest
 * requests, or ignored shares; if a window never ended, or if a budget were valid for every tenant.
 * A scheduler counts its requests of earlier turns that its view does not show yet in its own way.
 * So a tenant with such requests proves no violation, and only the certain part of another tenant's
 * use counts.
 */
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { Request } from "../../core/kernel/component.ts";
import type { AmountName } from "../../core/model/amounts.ts";
import { type ObjectKey, type OperationId, parseKey } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { View } from "../../core/observe/view.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isHolding } from "./models/holding.ts";
import { RecoveryTurns } from "./steering/recovery-turns.ts";
import { AMOUNT_NAMES } from "./models/amount-names.ts";

type Sums = Record<AmountName, number>;

interface Look {
  readonly record: DecisionRecord;
  readonly tenant: string;
  /** The replicas it asks places for. */
  readonly asksFor: readonly ObjectKey[];
}

/** Called whenever a tenant gets a place before another tenant that has less, allowed or not. */
export type WentAhead = (workload: ObjectKey, truth: Truth) => void;

class FairnessChecker implements Checker {
  readonly name = "fairness";
  private readonly wentAhead: WentAhead;
  /** Scheduler → replica → the incarnation it asked a place for. */
  private readonly asked = new Map<string, Map<ObjectKey, number>>();
  private readonly turns = new RecoveryTurns();

  constructor(wentAhead: WentAhead) {
    this.wentAhead = wentAhead;
  }

  afterCommit(...of: Parameters<NonNullable<Checker["afterCommit"]>>): void {
    this.turns.afterCommit(...of);
  }

  requested(
    _from: string,
    _operation: OperationId,
    _attempt: number,
    _truth: Truth,
    _report: Report,
    request: Request,
  ): void {
    if (request.kind !== "command") return;
    const { intent, actor } = request.command;
    if (intent.kind !== "bind" && intent.kind !== "bind-all") return;
    const asked = this.asked.get(actor.name) ?? new Map<ObjectKey, number>();
    this.asked.set(actor.name, asked);
    const bindings = intent.kind === "bind" ? [intent] : intent.bindings;
    for (const { replica, incarnation } of bindings) asked.set(replica, incarnation);
  }

  decided(records: readonly DecisionRecord[], view: View, truth: Truth, report: Report): void {
    const schedulers = new Set(records.map(({ controller }) => controller));
    for (const name of schedulers) {
      if (!name.startsWith("place-")) continue;
      const looks = records.filter(({ controller }) => controller === name).map(lookOf);
      if (looks.length < 2) continue;
      this.checkPriorities(looks, view, truth, report);
      this.checkShares(name, looks, { view, truth, report });
    }
  }

  private checkPriorities(looks: readonly Look[], view: View, truth: Truth, report: Report): void {
    const { objects } = view;
    const lowest = new Map<string, { readonly priority: number; readonly key: ObjectKey }>();
    for (const { record, tenant } of looks) {
      const { key } = record;
      if (this.turns.isAhead(record, objects, truth)) continue;
      const priority = priorityOf(objects, key);
      const before = lowest.get(tenant);
      if (before !== undefined && priority > before.priority) {
        const what = `${record.controller} looked at ${key} of priority ${priority}`;
        const rule = ruleOf(objects, before.key);
        report(rule, `${what} after one of its tenant's of priority ${before.priority}.`, key);
      }
      if (before === undefined || priority < before.priority) lowest.set(tenant, { priority, key });
    }
  }

  private checkShares(name: string, looks: readonly Look[], { view, truth, report }: Seeing): void {
    const given = new Map<string, Sums>();
    // A tenant that waits for its own requests to appear is also looked at in vain, without a
    // record.
    let isCalm = !this.hasOnItsWay(name, undefined, view);
    for (const [at, { record, tenant, asksFor }] of looks.entries()) {
      if (asksFor.length === 0) {
        isCalm = false;
        continue;
      }
      const share = shareOf(view.objects, tenant, given.get(tenant));
      const isAhead = this.turns.isAhead(record, view.objects, truth);
      for (const other of contenders(looks, at, isCalm)) {
        if (this.hasOnItsWay(name, other.tenant, view)) continue;
        const less = shareOf(view.objects, other.tenant, given.get(other.tenant));
        if (less >= share) continue;
        this.wentAhead(record.key, truth);
        if (isAhead) continue;
        const what = `${name} asked for a place for ${record.key}, whose tenant has ${share} millionths`;
        const rule = ruleOf(view.objects, record.key);
        report(rule, `${what}, before ${other.record.key}, whose tenant has ${less}.`, record.key);
      }
      const sums = given.get(tenant) ?? { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
      for (const replica of asksFor) addAsk(sums, view.objects, replica);
      given.set(tenant, sums);
    }
  }

  /** Requests of earlier turns that the view does not show yet. */
  private hasOnItsWay(name: string, tenant: string | undefined, { objects }: View): boolean {
    for (const [key, incarnation] of this.asked.get(name) ?? []) {
      const replica = objects.replica(key);
      const isOpen =
        replica?.status.stage === "queued" && replica.status.incarnation === incarnation;
      if (isOpen && (tenant ?? replica.meta.namespace) === replica.meta.namespace) return true;
      if (!isOpen) this.asked.get(name)?.delete(key);
    }
    return false;
  }
}

interface Seeing {
  readonly view: View;
  readonly truth: Truth;
  readonly report: Report;
}

/** A recovering workload that lost its right to go first breaks INV162. */
const ruleOf = (objects: ObjectIndex, early: ObjectKey): string =>
  objects.workload(early)?.status.recovery?.under === undefined ? "INV51" : "INV162";

function lookOf(record: DecisionRecord): Look {
  const { decision, key } = record;
  const intents = decision.kind === "propose" ? decision.intents : [];
  const asksFor = intents.flatMap((intent) =>
    intent.kind === "bind-all"
      ? intent.bindings.map(({ replica }) => replica)
      : intent.kind === "bind"
        ? [intent.replica]
        : [],
  );
  return { record, tenant: parseKey(key).namespace, asksFor };
}

/**
 * The next look of every other tenant, if it asks for places: those that were ready at this turn. A
 * tenant that had a look before counts only if every look since has found a place.
 */
function contenders(looks: readonly Look[], at: number, isCalm: boolean): readonly Look[] {
  const passed = new Set(isCalm ? [] : looks.slice(0, at).map(({ tenant }) => tenant));
  passed.add(looks[at]?.tenant ?? "");
  const next: Look[] = [];
  for (const look of looks.slice(at + 1)) {
    if (!passed.has(look.tenant) && look.asksFor.length > 0) next.push(look);
    passed.add(look.tenant);
  }
  return next;
}

function shareOf(objects: ObjectIndex, tenant: string, more: Sums | undefined): number {
  const used = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0, ...more };
  for (const replica of objects.all("Replica").values()) {
    if (replica.meta.namespace === tenant && isHolding(replica)) addAsk(used, objects, replica.key);
  }
  const whole = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
  for (const { spec } of objects.all("Node").values()) {
    for (const name of AMOUNT_NAMES) whole[name] += spec.capacity[name];
  }
  let weight = 1;
  for (const { meta, spec } of objects.all("Quota").values()) {
    if (meta.namespace === tenant) weight = spec.weight ?? 1;
  }
  const parts = AMOUNT_NAMES.filter((name) => whole[name] > 0).map((name) =>
    Math.floor((used[name] * 1_000_000) / whole[name]),
  );
  return Math.floor(Math.max(0, ...parts) / weight);
}

function addAsk(sums: Sums, objects: ObjectIndex, key: ObjectKey): void {
  const amounts = objects.replica(key)?.spec.template.ask.amounts;
  for (const name of AMOUNT_NAMES) sums[name] += amounts?.[name] ?? 0;
}

/** The priority of the first index of the newest template, with which the scheduler begins. */
function priorityOf(objects: ObjectIndex, workload: ObjectKey): number {
  const [first] = [...objects.replicasOf(workload).values()]
    .filter(({ status }) => status.stage === "queued")
    .toSorted((a, b) => b.spec.generation - a.spec.generation || a.spec.index - b.spec.index);
  for (const { meta, spec } of objects.all("PriorityClass").values()) {
    if (meta.name === first?.spec.template.priorityClass) return spec.value;
  }
  return Number.MIN_SAFE_INTEGER;
}

export const createFairnessChecker = (wentAhead: WentAhead = () => undefined): Checker =>
  new FairnessChecker(wentAhead);

/**
 * Which recovery budget pays for a place, as one scheduler sees it: with the binds that it has
 * asked for and does not see yet. A look ahead of the queue finds only places that are paid for
 * (BU8); in its turn a workload needs a budget for kept room alone (BU4).
 */
import { type Amounts, minus, NOTHING, plus } from "../../model/amounts.ts";
import { recoveryBudgetKey, recoveryBudgetText, millisText } from "../../model/recovery-budget.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { recoveryBudgetFor, type EarlierBinds } from "../../rules/recovery/recovery-budget-for.ts";
import { grantedNow, leftNow, recoveryRules } from "../../rules/recovery/recovery-budgets-now.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import {
  PARTITIONED_RULE,
  partitionedText,
  whySensitive,
} from "../../rules/override/partitioned.ts";
import type { AssumedBinds } from "./assumed-binds.ts";
import type { AvoidedPlaces } from "./avoided-places.ts";
import { budgetRule } from "../../rules/obstacles/budget-rule.ts";
import type { NeighbourRule } from "../../rules/obstacles/neighbour-rules.ts";
import type { Found } from "./node-finder.ts";
import type { PlacementMode } from "./placement-mode.ts";
import { spareRoom, type SpareSearch } from "./spare-room.ts";

const NO_RULES: readonly NeighbourRule[] = [];
const NO_COUNTS: NeighbourRule["counts"] = new Map();

const regionRule = (
  name: string,
  forbids: (region: string, nowMs: number | undefined) => boolean,
): NeighbourRule => ({
  name,
  by: "region",
  counts: NO_COUNTS,
  looksAt: "place",
  forbids: (region = "", _, nowMs) => forbids(region, nowMs),
  points: () => 0,
});

export class RecoveryBudgetLook {
  private readonly objects: ObjectIndex;
  private readonly assumed: AssumedBinds;
  private readonly places: AvoidedPlaces;

  constructor(objects: ObjectIndex, assumed: AssumedBinds, places: AvoidedPlaces) {
    this.objects = objects;
    this.assumed = assumed;
    this.places = places;
  }

  get isBudgeted(): boolean {
    return recoveryRules(this.objects) !== undefined;
  }

  /** The name of the budget that would pay for a bind of the replica in the region, if one does. */
  payFor(replica: Replica, region: string, nowMs: number | undefined): string | undefined {
    const earlier = this.earlier();
    const at = nowMs === undefined ? {} : { guessMs: nowMs };
    return recoveryBudgetFor(this.objects, { replica, region, earlier, ...at })?.meta.name;
  }

  /** The same place with what pays for it, where something has to; undefined: nothing does. */
  paid(replica: Replica, found: Found | undefined, mode: PlacementMode): Found | undefined {
    const paysInAll = mode.paysIn === "every-region";
    if (found === undefined || !(paysInAll || this.places.hasMarks)) return found;
    const region = this.objects.nodeNamed(found.node)?.spec.region ?? "";
    // Of what a region is given while it is partitioned, something pays for all (DG4).
    if (!paysInAll && this.places.marksOn(region).length === 0) return found;
    const budget = this.payFor(replica, region, mode.nowMs);
    return budget === undefined ? undefined : { ...found, budget };
  }

  /**
   * Room that is kept for its workload, with what pays for it where something has to (BU4, DG4).
   */
  paidRoom(search: SpareSearch, replica: Replica, mode: PlacementMode): Found | undefined {
    if (!this.isBudgeted) return this.paid(replica, spareRoom(search, replica), mode);
    const payFor = (region: string): string | undefined => this.payFor(replica, region, mode.nowMs);
    return spareRoom({ ...search, payFor }, replica);
  }

  /** What keeps a look before its turn out of regions in which nothing pays for it. */
  rules(replica: Replica, mode: PlacementMode): readonly NeighbourRule[] {
    if (mode.paysIn === "every-region") {
      return [
        regionRule(
          budgetRule.name,
          (region, nowMs) => region === "" || this.isUnpaid(replica, region, nowMs),
        ),
      ];
    }
    if (!this.places.hasMarks) return NO_RULES;
    const isMarked = (region: string): boolean => this.places.marksOn(region).length > 0;
    return [
      regionRule(
        PARTITIONED_RULE,
        (region, nowMs) => isMarked(region) && this.isUnpaid(replica, region, nowMs),
      ),
    ];
  }

  private isUnpaid(replica: Replica, region: string, nowMs: number | undefined): boolean {
    return this.payFor(replica, region, nowMs) === undefined;
  }

  /**
   * Whether the node's region is partitioned and the replica is not decided about there alone,
   * whatever pays for it (DG3).
   */
  keepsOut(replica: Replica, { spec: { region } }: Node): boolean {
    if (!this.places.hasMarks || this.places.marksOn(region).length === 0) return false;
    return whySensitive(this.objects, replica, region) !== undefined;
  }

  /**
   * Why a partitioned region takes no such replica, e.g. "Node//a-1: override ov-1
   * (mark-partitioned by ana …): residency, …"
   */
  partitionedText(replica: Replica, { key, spec: { region } }: Node): string | undefined {
    const [mark] = this.places.marksOn(region);
    if (mark === undefined) return undefined;
    const unpaid = {
      test: "budget",
      text: `no budget granted before the partition covers it in ${region}`,
    } as const;
    return `${key}: ${partitionedText(mark, whySensitive(this.objects, replica, region) ?? unpaid)}`;
  }

  /** Whom a budget pays for depends on the tenant, the class and the workload. */
  className(name: string, replica: Replica, mode: PlacementMode): string {
    const paysInAll = mode.paysIn === "every-region";
    if (!paysInAll && !this.places.hasMarks) return name;
    const { workloadUid, generation } = replica.spec;
    const isGang = this.objects.workload(workloadOf(replica))?.spec.gang !== undefined;
    const how = paysInAll
      ? "on a budget"
      : isGang
        ? "of a gang, region partitioned"
        : "region partitioned";
    return `${name} ${how} ${workloadUid}/${generation}`;
  }

  /**
   * e.g. "budget eu-west-3 (granted by policy revision r-2 until 2026-11-16T12:30:00Z; 4 of 16 cpu
   * left)"
   */
  text(name: string): string {
    const budget = this.objects.all("RecoveryBudget").get(recoveryBudgetKey(name));
    if (budget === undefined) return `recovery budget ${name}`;
    const left = minus(leftNow(this.objects, budget), this.earlier().spentOf(name));
    const granted = grantedNow(this.objects, budget);
    const cpu = `${millisText(left.cpuMillis)} of ${millisText(granted.cpuMillis)} cpu left`;
    return recoveryBudgetText(budget, cpu);
  }

  private earlier(): EarlierBinds {
    const { assumed } = this;
    return {
      bindsOf: (workload: ObjectKey): number => {
        let count = 0;
        for (const { replica } of assumed.all()) if (workloadOf(replica) === workload) count += 1;
        return count;
      },
      spentOf: (name: string): Amounts => {
        let spent = NOTHING;
        for (const { replica, budget } of assumed.all()) {
          if (budget === name) spent = plus(spent, replica.spec.template.ask.amounts);
        }
        return spent;
      },
    };
  }
}

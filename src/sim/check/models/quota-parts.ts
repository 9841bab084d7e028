/**
 * [INV31] The quota of a region or a priority class bounds the growth there, and no tenant borrows
 * quota that another tenant of the group waits for and is entitled to.
 *
 * It would break if a bind checked its node and not the region's limit, if a class were charged for
 * less than its replicas hold, or if a group with too little quota served tenants first come, first
 * served.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Amounts } from "../../../core/model/amounts.ts";
import { nodeKey, quotaKey } from "../../../core/model/ids.ts";
import type { AnyObject, QuotaSpec } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { keepsBinding } from "../fast-path.ts";
import { isHolding } from "./holding.ts";
import { quotaPicture } from "./naive-quota.ts";
import { AMOUNT_NAMES } from "./amount-names.ts";

const NOTHING: Amounts = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };

/** The growth of use in one commit, by tenant: in all, by region and by class. */
class Growth {
  readonly byTenant = new Map<string, Amounts>();
  readonly byRegion = new Map<string, Amounts>();
  readonly byClass = new Map<string, Amounts>();

  add(object: AnyObject | undefined, objects: ObjectIndex, sign: 1 | -1): void {
    if (object?.kind === "Replica") {
      const isOnNode = isHolding(object);
      if (!isOnNode && object.status.stage !== "queued") return;
      const { ask, priorityClass } = object.spec.template;
      const tenant = object.meta.namespace;
      tally(this.byTenant, tenant, ask.amounts, sign);
      tally(this.byClass, `${tenant} ${priorityClass}`, ask.amounts, sign);
      if (!isOnNode) return;
      const node = objects.node(nodeKey(object.status.node ?? ""));
      tally(this.byRegion, `${tenant} ${node?.spec.region ?? ""}`, ask.amounts, sign);
    } else if (object?.kind === "Reservation" && object.spec.for === "quota") {
      const { tenant, owner, amounts } = object.spec;
      const priorityClass = objects.replica(owner)?.spec.template.priorityClass ?? "";
      tally(this.byTenant, tenant, amounts, sign);
      tally(this.byClass, `${tenant} ${priorityClass}`, amounts, sign);
    }
  }
}

function tally(into: Map<string, Amounts>, name: string, amounts: Amounts, sign: 1 | -1): void {
  const was = into.get(name) ?? NOTHING;
  into.set(name, {
    cpuMillis: was.cpuMillis + sign * amounts.cpuMillis,
    memoryMiB: was.memoryMiB + sign * amounts.memoryMiB,
    deviceMillis: was.deviceMillis + sign * amounts.deviceMillis,
  });
}

class QuotaPartsChecker implements Checker {
  readonly name = "quota-parts";
  readonly ignoresRenewals = true;

  afterCommit(commit: Commit, { objects }: Truth, report: Report): void {
    if (commit.changes.every(keepsBinding)) return;
    const growth = new Growth();
    for (const change of commit.changes) {
      if (keepsBinding(change)) continue;
      growth.add(change.before, objects, -1);
      growth.add(change.after, objects, 1);
    }
    for (const tenant of growth.byTenant.keys()) {
      const quota = objects.get(quotaKey(tenant));
      const spec = quota?.kind === "Quota" ? quota.spec : undefined;
      const isPlain = spec?.regions === undefined && spec?.classes === undefined;
      if (spec === undefined || (isPlain && spec.group === undefined)) continue;
      this.check({ tenant, spec, growth, commit, objects }, report);
    }
  }

  private check(of: Checked, report: Report): void {
    const { tenant, spec, growth, objects } = of;
    checkParts(of, "region", { bounds: spec.regions, grown: growth.byRegion }, report);
    checkParts(of, "class", { bounds: spec.classes, grown: growth.byClass }, report);
    const grownAll = growth.byTenant.get(tenant);
    // Only growth is checked, because a picture of all objects costs a walk over all of them.
    if (spec.group === undefined || !isGrowing(grownAll)) return;
    const picture = quotaPicture(objects);
    const beyond = picture.usedBeyondLimit(tenant);
    const left = picture.leftForOthers(tenant);
    for (const name of AMOUNT_NAMES) {
      const grown = grownAll?.[name] ?? 0;
      if (grown <= 0 || beyond[name] <= 0 || left[name] >= 0) continue;
      report(
        "INV31",
        `After ${said(of.commit)}, tenant ${tenant} borrows ${name} ${beyond[name]}, of which others of group ${spec.group} wait for ${-left[name]} that is theirs.`,
        quotaKey(tenant),
      );
    }
  }
}

interface Checked {
  readonly tenant: string;
  readonly spec: QuotaSpec;
  readonly growth: Growth;
  readonly commit: Commit;
  readonly objects: ObjectIndex;
}

const isGrowing = (grown: Amounts | undefined): boolean =>
  grown !== undefined && AMOUNT_NAMES.some((name) => grown[name] > 0);

function checkParts(
  { tenant, commit, objects }: Checked,
  part: "region" | "class",
  of: {
    readonly bounds: Readonly<Record<string, Amounts>> | undefined;
    readonly grown: ReadonlyMap<string, Amounts>;
  },
  report: Report,
): void {
  for (const [name, bound] of Object.entries(of.bounds ?? {})) {
    const grown = of.grown.get(`${tenant} ${name}`) ?? NOTHING;
    if (!isGrowing(grown)) continue;
    const held = quotaPicture(objects).usedIn(tenant, part, name);
    for (const amount of AMOUNT_NAMES) {
      if (grown[amount] <= 0 || held[amount] <= bound[amount]) continue;
      report(
        "INV31",
        `After ${said(commit)}, tenant ${tenant} uses ${amount} ${held[amount]} in ${part} ${name}, of ${bound[amount]}.`,
        quotaKey(tenant),
      );
    }
  }
}

const said = ({ command, operation }: Commit): string => `${command} ${operation}`;

export const createQuotaPartsChecker = (): Checker => new QuotaPartsChecker();

/**
 * [INV223] A region that was restored charges nothing new while it learns, and when it has learned
 * nothing runs there that its log does not charge. [INV224] A restored global plane lends nothing
 * while a region obeys an earlier incarnation of it.
 *
 * It would break by an incarnation that goes on with what its backup says.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { RegionalPlane } from "../../../core/model/regional/plane.ts";
import type { AnyObject } from "../../../core/model/objects.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import { isHolding } from "../models/holding.ts";
import type { Report } from "../checker.ts";
import { GLOBAL } from "../../regional/regional-world.ts";
import { Charges } from "./charges.ts";
import type { EstateTruth, Realm, RegionalChecker } from "./realm.ts";
import { firstBeyond } from "./tenant-sums.ts";

export class LearningChecker implements RegionalChecker {
  readonly name = "learning";
  private readonly charges = new Map<string, Charges>();
  /**
   * The latest incarnation of the global plane that each region ever obeyed: it has heard all that
   * was lent before. What a restored region has forgotten of that, it cannot spend.
   */
  private readonly obeyed = new Map<string, number>();

  restored(at: EstateTruth): void {
    if (at.name !== GLOBAL) this.charges.set(at.name, Charges.of(at.truth.objects));
  }

  committed(commit: Commit, at: EstateTruth, realm: Realm, report: Report): void {
    if (at.name === GLOBAL) return this.lent(commit, realm, report);
    let charges = this.charges.get(at.name);
    if (charges === undefined) this.charges.set(at.name, (charges = new Charges()));
    const before = charges.see(commit);
    const own = regional(at.truth.objects.plane);
    if (own?.learning !== undefined) {
      for (const [tenant, was] of before) {
        const name = firstBeyond(charges.ofTenant(tenant), was);
        if (name === undefined) continue;
        report(
          "INV223",
          `${at.name} learns, and charges ${tenant} more ${name} by ${commit.command}.`,
        );
      }
    }
    const latest = Math.max(own?.global ?? 0, this.obeyed.get(at.name) ?? 0);
    this.obeyed.set(at.name, latest);
    for (const change of commit.changes) {
      const was = regional(change.before);
      const is = regional(change.after);
      if (was?.learning === undefined || is === undefined || is.learning !== undefined) continue;
      if (is.incarnation === was.incarnation) this.learned(at, charges, report);
    }
  }

  private learned(at: EstateTruth, charges: Charges, report: Report): void {
    for (const { key, meta, spec } of at.truth.objects.all("Quota").values()) {
      const name = firstBeyond(spec.limit, charges.ofTenant(meta.namespace));
      if (name === undefined) continue;
      const rights = `${spec.limit[name]} ${name} of ${meta.namespace}`;
      report(
        "INV223",
        `${at.name} has learned, and keeps rights to ${rights} that are not charged.`,
        key,
      );
    }
    for (const { replica, incarnation } of at.running()) {
      const key = replica as ObjectKey;
      const known = at.truth.objects.replica(key);
      const isKnown =
        known !== undefined && isHolding(known) && known.status.incarnation === incarnation;
      if (isKnown) continue;
      report(
        "INV223",
        `${at.name} has learned, and ${key} runs as ${incarnation} without a charge.`,
        key,
      );
    }
  }

  private lent(commit: Commit, { global, regions }: Realm, report: Report): void {
    if (commit.command !== "lend") return;
    for (const { name, isLost } of regions) {
      const latest = this.obeyed.get(name) ?? 0;
      if (isLost || latest === 0 || latest >= global.incarnation) continue;
      report(
        "INV224",
        `The global plane lends in incarnation ${global.incarnation}, and ${name} obeys incarnation ${latest}.`,
      );
    }
  }
}

const regional = (plane: AnyObject | undefined): RegionalPlane | undefined =>
  plane?.kind === "Plane" && plane.status.role === "regional" ? plane.status : undefined;

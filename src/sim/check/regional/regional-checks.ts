/**
 * Hands what happens at each of several planes to the checkers that look across them, and keeps
 * when each commit landed, for backups.
 */
import type { Revision } from "../../../core/model/ids.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { RegionReport, RegionTerms } from "../../../core/protocol/region-exchange.ts";
import type { Checker, Report } from "../checker.ts";
import { GLOBAL } from "../../regional/regional-world.ts";
import type { EstateTruth, Realm, RegionalChecker } from "./realm.ts";

export class RegionalChecks {
  private readonly checkers: readonly RegionalChecker[];
  private readonly realm: () => Realm;
  /** True times, by plane and revision. */
  private readonly landed = new Map<string, number[]>();
  /** The plane whose log is read back from a backup. */
  private restoring: string | undefined;

  constructor(checkers: readonly RegionalChecker[], realm: () => Realm) {
    this.checkers = checkers;
    this.realm = realm;
  }

  /** As one of the checkers of that plane. */
  watcherOf(name: string): Checker {
    return {
      name: "regional",
      afterCommit: (commit, truth, report) => this.committed(name, commit, truth.nowMs, report),
      processStarted: (_, __, report) => {
        if (this.restoring === name) return;
        const [realm, at] = this.at(name);
        for (const checker of this.checkers) checker.processStarted?.(at, realm, report);
      },
      sampled: (_, report) => {
        if (name !== GLOBAL) return;
        for (const checker of this.checkers) checker.sampled?.(this.realm(), report);
      },
    };
  }

  reported(sent: RegionReport, report: Report): void {
    const [realm, at] = this.at(sent.region);
    for (const checker of this.checkers) checker.reported?.(sent, at, realm, report);
  }

  answered(terms: RegionTerms, report: Report): void {
    for (const checker of this.checkers) checker.answered?.(terms, this.realm(), report);
  }

  atEnd(report: Report): void {
    for (const checker of this.checkers) checker.atEnd?.(this.realm(), report);
  }

  /** The last revision that had landed by then. */
  revisionAt(name: string, trueMs: number): Revision {
    const times = this.landed.get(name) ?? [];
    return times.filter((landedMs) => landedMs <= trueMs).length;
  }

  /** What lands at this plane until `act` is over is read back, and happened before. */
  whileRestoring(name: string, kept: Revision, act: () => void): void {
    this.restoring = name;
    this.landed.get(name)?.splice(kept);
    act();
    this.restoring = undefined;
    const [realm, at] = this.at(name);
    for (const checker of this.checkers) checker.restored?.(at, realm);
  }

  private committed(name: string, commit: Commit, nowMs: number, report: Report): void {
    const times = this.landed.get(name) ?? [];
    this.landed.set(name, times);
    if (times.length < commit.revision) times.push(nowMs);
    if (this.restoring === name) return;
    const [realm, at] = this.at(name);
    for (const checker of this.checkers) checker.committed?.(commit, at, realm, report);
  }

  private at(name: string): readonly [Realm, EstateTruth] {
    const realm = this.realm();
    const at = realm.regions.find((region) => region.name === name) ?? realm.global;
    return [realm, at];
  }
}

/**
 * The true state of several planes at once, for the checkers that look across them. Times are true
 * times.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { RegionReport, RegionTerms } from "../../../core/protocol/region-exchange.ts";
import type { Amounts } from "../../../core/model/amounts.ts";
import type { Report, Truth } from "../checker.ts";

export interface RunningWork {
  readonly tenant: string;
  readonly replica: string;
  readonly incarnation: number;
  readonly asked: Amounts;
}

export interface EstateTruth {
  /** A region, or "global". */
  readonly name: string;
  readonly truth: Truth;
  /** What its host says it is. */
  readonly incarnation: number;
  /** It is gone for good, with its machines. */
  readonly isLost: boolean;
  /** What runs on its machines in this moment. */
  running(): readonly RunningWork[];
}

export interface Realm {
  readonly nowMs: number;
  readonly global: EstateTruth;
  readonly regions: readonly (EstateTruth & { readonly termMs: number })[];
}

export interface RegionalChecker {
  readonly name: string;
  /** A commit is durable at one of the planes, and its truth has folded it. */
  committed?(commit: Commit, at: EstateTruth, realm: Realm, report: Report): void;
  /** A log goes on from an older state, under a larger incarnation. */
  restored?(at: EstateTruth, realm: Realm): void;
  /** A region's leading plane sends a report. */
  reported?(sent: RegionReport, at: EstateTruth, realm: Realm, report: Report): void;
  /** The global plane sends an answer. */
  answered?(terms: RegionTerms, realm: Realm, report: Report): void;
  processStarted?(at: EstateTruth, realm: Realm, report: Report): void;
  sampled?(realm: Realm, report: Report): void;
  atEnd?(realm: Realm, report: Report): void;
}

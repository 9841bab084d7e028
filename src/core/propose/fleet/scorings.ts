/**
 * Which way of scoring is in force for whom. Where a policy is staged, nodes of one region are
 * scored by another revision than the rest: each row is asked of the one that is in force in its
 * region.
 */
import type { Replica, Template } from "../../model/objects.ts";
import type { Scoring } from "../../model/policy.ts";
import { policyKey } from "../../model/ids.ts";
import {
  policyInForce,
  policyNameOf,
  rulesInForce,
  type PolicySource,
} from "../../observe/policy-in-force.ts";
import { ALL_POLICIES } from "../policies/all-policies.ts";
import type { ScoringPolicy } from "../policies/scoring-policy.ts";
import type { AskShape, Fleet } from "./fleet.ts";

type RegionOf = (row: number) => string | undefined;

export class Scorings {
  private readonly source: PolicySource;
  private readonly regionOf: RegionOf;
  private readonly fixed: ScoringPolicy | undefined;
  /**
   * One of each way of scoring that was asked for: what it learns, it learns from all who use it.
   */
  private readonly made = new Map<Scoring, ScoringPolicy>();
  /** By the name of the policy; made anew when one of them moves. */
  private readonly staged = new Map<string, ScoringPolicy>();

  /** With one of its own it scores by that alone, whatever workloads name. */
  constructor(source: PolicySource, regionOf: RegionOf, fixed?: ScoringPolicy) {
    this.source = source;
    this.regionOf = regionOf;
    this.fixed = fixed;
  }

  of({ spec }: Replica): ScoringPolicy {
    return this.fixed ?? this.ofTemplate(spec.template);
  }

  /** A policy moved: what was joined of several may be of others now. */
  moved(): void {
    this.staged.clear();
  }

  /**
   * e.g. "default@3 fragmentation", or with the revision that the pointer names "default@3
   * default-7 fragmentation".
   */
  text(replica: Replica, region: string | undefined): string {
    const { template } = replica.spec;
    const { policy, generation, revision } = policyInForce(this.source, template, region);
    const named = revision === undefined ? "" : ` ${revision}`;
    const scoring = this.fixed?.name ?? rulesInForce(this.source, template, region).scoring;
    return `${policy}@${generation}${named} ${scoring}`;
  }

  private ofTemplate(template: Template): ScoringPolicy {
    const everywhere = this.one(rulesInForce(this.source, template, undefined).scoring);
    const policies = this.source.all("Policy");
    if (policies.size === 0) return everywhere;
    const policy = policyNameOf(template);
    const stages = policies.get(policyKey(policy))?.spec.stages;
    if (stages === undefined) return everywhere;
    let joined = this.staged.get(policy);
    if (joined === undefined) {
      const byRegion = new Map(
        stages.map(({ region }) => [
          region,
          this.one(rulesInForce(this.source, template, region).scoring),
        ]),
      );
      joined = new StagedScoring(everywhere, byRegion, this.regionOf);
      this.staged.set(policy, joined);
    }
    return joined;
  }

  private one(name: Scoring): ScoringPolicy {
    let scoring = this.made.get(name);
    if (scoring === undefined) {
      scoring = ALL_POLICIES[name]();
      this.made.set(name, scoring);
    }
    return scoring;
  }
}

class StagedScoring implements ScoringPolicy {
  readonly name: string;
  private readonly everywhere: ScoringPolicy;
  private readonly byRegion: ReadonlyMap<string, ScoringPolicy>;
  private readonly all: ReadonlySet<ScoringPolicy>;
  private readonly regionOf: RegionOf;

  constructor(
    everywhere: ScoringPolicy,
    byRegion: ReadonlyMap<string, ScoringPolicy>,
    regionOf: RegionOf,
  ) {
    this.name = everywhere.name;
    this.everywhere = everywhere;
    this.byRegion = byRegion;
    this.all = new Set([everywhere, ...byRegion.values()]);
    this.regionOf = regionOf;
  }

  get version(): number {
    let sum = 0;
    for (const { version } of this.all) sum += version;
    return sum;
  }

  arrived(shape: AskShape): void {
    for (const scoring of this.all) scoring.arrived(shape);
  }

  score(fleet: Fleet, row: number, shape: AskShape): number {
    return this.at(row).score(fleet, row, shape);
  }

  units(fleet: Fleet, row: number, shape: AskShape): readonly number[] {
    return this.at(row).units(fleet, row, shape);
  }

  private at(row: number): ScoringPolicy {
    return this.byRegion.get(this.regionOf(row) ?? "") ?? this.everywhere;
  }
}

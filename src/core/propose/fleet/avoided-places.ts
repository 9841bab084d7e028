/**
 * Nodes that nothing is placed on because somebody avoids them, or their zone, for a while (OV5),
 * and regions that somebody has partitioned (DG3). Which those are changes with the overrides
 * alone, so it is worked out when one of them does, and skipped while there is none.
 */
import { isAvoiding, isPartitioned, meansPlace } from "../../model/override.ts";
import type { Change } from "../../protocol/commit-record.ts";
import type { Node, Override } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { overridesInForce } from "../../rules/override/overrides-in-force.ts";

/**
 * Whether work may be spread in another way from now on: by another revision, or over fewer places.
 */
export function movesPlaces({ before, after }: Pick<Change, "before" | "after">): boolean {
  if ((after ?? before)?.kind === "Policy") return true;
  return before === undefined && after?.kind === "Override" && closesPlaces(after);
}

const closesPlaces = (override: Override): boolean =>
  isAvoiding(override) || isPartitioned(override);

export class AvoidedPlaces {
  private readonly objects: () => ObjectIndex;
  private known: readonly Override[] | undefined;
  private marks: readonly Override[] | undefined;

  constructor(objects: () => ObjectIndex) {
    this.objects = objects;
  }

  /** Overrides came or went. */
  changed(): void {
    this.known = undefined;
    this.marks = undefined;
  }

  get isEmpty(): boolean {
    return this.avoiding().length === 0;
  }

  /** The override that avoids the node, if any. */
  by({ meta, spec }: Node): Override | undefined {
    return this.avoiding().find((override) =>
      meansPlace(override.spec.target, { name: meta.name, region: spec.region, zone: spec.zone }),
    );
  }

  /** Whether somebody has cut any region off. */
  get hasMarks(): boolean {
    return this.marking().length > 0;
  }

  /** The override that marks the region as partitioned; nearly always none. */
  marksOn(region: string | undefined): readonly Override[] {
    const all = this.marking();
    return all.length === 0 ? all : all.filter(({ spec }) => spec.target.region === region);
  }

  private marking(): readonly Override[] {
    this.marks ??= overridesInForce(this.objects()).filter(isPartitioned);
    return this.marks;
  }

  private avoiding(): readonly Override[] {
    this.known ??= overridesInForce(this.objects()).filter(isAvoiding);
    return this.known;
  }
}

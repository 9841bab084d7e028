/**
 * Nodes that nothing is placed on because somebody avoids them, or their zone, for a while (OV5). Which those are changes
 * with the overrides alone, so it is worked out when one of them does, and asked of nobody while there is none.
 */
import { isAvoiding, meansPlace } from "../../model/override.ts";
import type { Node, Override } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { overridesInForce } from "../../override/overrides-in-force.ts";

export class AvoidedPlaces {
  private readonly objects: () => ObjectIndex;
  private known: readonly Override[] | undefined;

  constructor(objects: () => ObjectIndex) {
    this.objects = objects;
  }

  /** Overrides came or went. */
  changed(): void {
    this.known = undefined;
  }

  get isEmpty(): boolean {
    return this.avoiding().length === 0;
  }

  /** Who avoids the node; undefined: nobody does. */
  by({ meta, spec }: Node): Override | undefined {
    return this.avoiding().find((override) =>
      meansPlace(override.spec.target, { name: meta.name, region: spec.region, zone: spec.zone }),
    );
  }

  private avoiding(): readonly Override[] {
    this.known ??= overridesInForce(this.objects()).filter(isAvoiding);
    return this.known;
  }
}

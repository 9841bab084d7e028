/**
 * When many nodes of one place fall silent together, the blind eye may be ours. One check for all:
 * for a zone, a region and the whole plane, each with a time of its own after which lost is lost.
 */
import type { Node } from "../model/objects.ts";
import {
  CORRELATED_HOLD_MS,
  CORRELATED_MIN_NODES,
  CORRELATED_PERCENT,
  PLANE_HOLD_MS,
  ZONE_HOLD_MS,
} from "../model/timing.ts";

export interface Silence {
  readonly silent: number;
  /** Nodes that were ever heard of and are not fenced. */
  readonly watched: number;
}

export const isCorrelated = ({ silent, watched }: Silence): boolean =>
  silent >= CORRELATED_MIN_NODES && silent * 100 >= watched * CORRELATED_PERCENT;

export type SilenceLevel = "zone" | "region" | "plane";

/** Correlated silence that a node is part of. */
export interface Hold extends Silence {
  readonly level: SilenceLevel;
  /** The zone or region; "plane" for the whole plane. */
  readonly place: string;
  readonly holdMs: number;
}

/** Who is silent where, as of one moment. */
export class SilencePicture {
  private readonly zones = new Map<string, Silence>();
  private readonly regions = new Map<string, Silence>();
  private readonly silentRegions = new Set<string>();
  private all: Silence = { silent: 0, watched: 0 };

  /**
   * Fenced nodes are left out: their loss is settled, and says nothing about what can be seen now.
   */
  add({ spec }: Node, isSilent: boolean): void {
    const zone = zoneOf(spec);
    this.zones.set(zone, oneMore(this.zones.get(zone), isSilent));
    this.regions.set(spec.region, oneMore(this.regions.get(spec.region), isSilent));
    this.all = oneMore(this.all, isSilent);
    if (isSilent) this.silentRegions.add(spec.region);
  }

  /**
   * The longest hold there is a reason for (EV4, EV6, EV7); undefined when the node is silent on
   * its own.
   */
  holdOn({ spec }: Node): Hold | undefined {
    if (this.silentRegions.size > 1 && isCorrelated(this.all)) {
      return { level: "plane", place: "plane", holdMs: PLANE_HOLD_MS, ...this.all };
    }
    const region = this.regions.get(spec.region);
    if (region !== undefined && isCorrelated(region)) {
      return { level: "region", place: spec.region, holdMs: CORRELATED_HOLD_MS, ...region };
    }
    const zone = this.zones.get(zoneOf(spec));
    if (zone === undefined || !isCorrelated(zone)) return undefined;
    return { level: "zone", place: spec.zone, holdMs: ZONE_HOLD_MS, ...zone };
  }
}

/** Two regions may have zones of one name. */
const zoneOf = ({ region, zone }: Node["spec"]): string => `${region}/${zone}`;

const oneMore = (silence: Silence | undefined, isSilent: boolean): Silence => ({
  silent: (silence?.silent ?? 0) + (isSilent ? 1 : 0),
  watched: (silence?.watched ?? 0) + 1,
});

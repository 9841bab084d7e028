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

type InPlace = { readonly spec: Pick<Node["spec"], "region" | "zone"> };

interface Count {
  silent: number;
  watched: number;
}

/** Two regions may have zones of one name. */
interface RegionCount {
  readonly count: Count;
  readonly zones: Map<string, Count>;
}

/** Who is silent where, as of one moment. */
export class SilencePicture {
  private readonly regions = new Map<string, RegionCount>();
  private readonly all: Count = { silent: 0, watched: 0 };

  /**
   * Fenced nodes are left out: their loss is settled, and says nothing about what can be seen now.
   */
  add({ spec }: InPlace, isSilent: boolean): void {
    this.count(spec, isSilent, 1);
  }

  remove(spec: InPlace["spec"], isSilent: boolean): void {
    this.count(spec, isSilent, -1);
  }

  copy(): SilencePicture {
    const copy = new SilencePicture();
    copy.all.silent = this.all.silent;
    copy.all.watched = this.all.watched;
    for (const [name, { count, zones }] of this.regions) {
      const own = new Map([...zones].map(([zone, of]) => [zone, { ...of }]));
      copy.regions.set(name, { count: { ...count }, zones: own });
    }
    return copy;
  }

  private count(spec: InPlace["spec"], isSilent: boolean, by: 1 | -1): void {
    let region = this.regions.get(spec.region);
    if (region === undefined) {
      region = { count: { silent: 0, watched: 0 }, zones: new Map() };
      this.regions.set(spec.region, region);
    }
    let zone = region.zones.get(spec.zone);
    if (zone === undefined) {
      zone = { silent: 0, watched: 0 };
      region.zones.set(spec.zone, zone);
    }
    for (const count of [zone, region.count, this.all]) {
      count.watched += by;
      if (isSilent) count.silent += by;
    }
  }

  /**
   * The longest hold there is a reason for (EV4, EV6, EV7); undefined when the node is silent on
   * its own.
   */
  holdOn({ spec }: Node): Hold | undefined {
    if (isCorrelated(this.all) && this.isSilentInSeveral()) {
      return { level: "plane", place: "plane", holdMs: PLANE_HOLD_MS, ...this.all };
    }
    const region = this.regions.get(spec.region);
    if (region === undefined) return undefined;
    if (isCorrelated(region.count)) {
      return { level: "region", place: spec.region, holdMs: CORRELATED_HOLD_MS, ...region.count };
    }
    const zone = region.zones.get(spec.zone);
    if (zone === undefined || !isCorrelated(zone)) return undefined;
    return { level: "zone", place: spec.zone, holdMs: ZONE_HOLD_MS, ...zone };
  }

  private isSilentInSeveral(): boolean {
    let silent = 0;
    for (const { count } of this.regions.values()) if (count.silent > 0) silent += 1;
    return silent > 1;
  }
}

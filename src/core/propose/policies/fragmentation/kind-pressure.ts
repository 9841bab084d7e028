/**
 * How sought after each kind of device is. Learns which kinds asks accept. What asks for certain
 * kinds only presses on these the more, the fewer of them the fleet has; who is not particular had
 * better take what the others would not.
 */
import type { Fleet } from "../../fleet/fleet.ts";
import { ONE, shareOf } from "./fixed-point.ts";

/** There are few ways to choose among models; asks with yet another one count as not particular. */
const CHOICES_KEPT = 64;

interface Choice {
  readonly kinds: Uint8Array;
  mass: number;
}

export class KindPressure {
  private readonly choices = new Map<string, Choice>();
  private settled: readonly { readonly kinds: Uint8Array; readonly weight: number }[] = [];
  /** For which fleet it was worked out: how many there are of a kind is a matter of the fleet. */
  private fleet: Fleet | undefined;
  private pressure: Float64Array = new Float64Array(0);

  learn(kinds: Uint8Array | undefined, millis: number): void {
    if (kinds === undefined) return;
    const name = kinds.join("");
    const choice = this.choices.get(name);
    if (choice !== undefined) choice.mass += millis;
    else if (this.choices.size < CHOICES_KEPT) this.choices.set(name, { kinds, mass: millis });
  }

  halve(): void {
    for (const [name, choice] of this.choices) {
      choice.mass = Math.floor(choice.mass / 2);
      if (choice.mass === 0) this.choices.delete(name);
    }
  }

  /** What was learned counts from here on. */
  settle(whole: number): void {
    this.settled = [...this.choices.values()].map(({ kinds, mass }) => ({
      kinds,
      weight: shareOf(mass, whole),
    }));
    this.fleet = undefined;
  }

  /** By kind: 0 where no work asks for it in particular, ONE where all of it is spoken for. */
  on(fleet: Fleet): Float64Array {
    if (this.fleet !== fleet) {
      this.fleet = fleet;
      this.pressure = this.workOut(fleet);
    }
    return this.pressure;
  }

  private workOut(fleet: Fleet): Float64Array {
    const units: number[] = [];
    for (const kind of fleet.unitKind) units[kind] = (units[kind] ?? 0) + 1;
    const pressure = new Float64Array(units.length);
    for (const { kinds, weight } of this.settled) {
      let accepted = 0;
      for (const [kind, accepts] of kinds.entries()) accepted += accepts * (units[kind] ?? 0);
      if (accepted === 0) continue;
      const share = Math.floor((weight * fleet.unitKind.length) / accepted);
      for (const kind of pressure.keys()) {
        if (kinds[kind] === 1) pressure[kind] = Math.min(ONE, (pressure[kind] ?? 0) + share);
      }
    }
    return pressure;
  }
}

/**
 * The network between a region and the global plane: messages are lost, late or doubled, so also
 * reordered, and a cut loses all of one direction. Each message is keyed by its link and number.
 */
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { RegionalEvent, WanRates } from "./regional-world.ts";

export type Way = "to-global" | "to-region";

const LATENCY = hashText("wan-latency");
const LOST = hashText("wan-lost");
const LATE = hashText("wan-late");
const DOUBLED = hashText("wan-doubled");

/** One way across an ocean, in the good case. */
const LATENCY_MS = { least: 5, most: 120 } as const;

export class Wan {
  private readonly seed: number;
  private readonly rates: WanRates;
  private readonly cuts: readonly Extract<RegionalEvent, { readonly event: "cut" }>[];
  private readonly healMs: number;
  private messages = 0;

  constructor(of: {
    readonly seed: number;
    readonly rates: WanRates;
    readonly events: readonly RegionalEvent[];
    /** From then on nothing happens to messages. */
    readonly healMs: number;
  }) {
    this.seed = of.seed;
    this.rates = of.rates;
    this.cuts = of.events.filter((event) => event.event === "cut");
    this.healMs = of.healMs;
  }

  /** How long each copy of a message is on its way; none: it is lost. */
  delaysOf(region: string, way: Way, nowMs: number): readonly number[] {
    const link = hashText(`${region} ${way}`);
    const message = ++this.messages;
    const draw = (site: number): number => keyed(this.seed, site, link, message, 0);
    const delayMs = between(draw(LATENCY), LATENCY_MS.least, LATENCY_MS.most);
    if (nowMs >= this.healMs) return [delayMs];
    if (this.isCut(region, way, nowMs) || draw(LOST) % 1_000 < this.rates.lost) return [];
    const isLate = draw(LATE) % 1_000 < this.rates.late;
    const lateMs = isLate ? between(draw(LATE) >>> 10, 0, this.rates.lateMs) : 0;
    const first = delayMs + lateMs;
    if (draw(DOUBLED) % 1_000 >= this.rates.doubled) return [first];
    return [first, first + between(draw(DOUBLED) >>> 10, 0, this.rates.lateMs)];
  }

  isCut(region: string, way: Way, nowMs: number): boolean {
    return this.cuts.some(
      (cut) =>
        cut.region === region &&
        (cut.way === "both" || cut.way === way) &&
        nowMs >= cut.atMs &&
        nowMs < Math.min(this.healMs, cut.atMs + cut.forMs),
    );
  }
}

/** The results of a run: waits, utilisation of devices, evenness of the tenants' shares. */
import { quantile, rounded } from "../measure/latencies.ts";

export interface PhillyFigures {
  readonly jobs: number;
  readonly waitP50S: number;
  readonly waitP90S: number;
  readonly waitP99S: number;
  readonly waitMaxS: number;
  readonly meanWaitS: number;
  /** Of all devices, from the first submission to the last one. */
  readonly utilisationPercent: number;
  /**
   * Jain's index of the devices held by tenants with waiting jobs, over the time when several
   * tenants had some.
   */
  readonly fairness: number;
  readonly makespanDays: number;
}

export class Measures {
  private readonly waits: number[] = [];
  private readonly devices: number;
  private readonly lastSubmissionS: number;
  private busy = 0;
  private sinceS = 0;
  private index = 0;
  private contendedS = 0;

  constructor(devices: number, lastSubmissionS: number) {
    this.devices = devices;
    this.lastSubmissionS = lastSubmissionS;
  }

  started(waitS: number): void {
    this.waits.push(waitS);
  }

  /** Counts the held devices from the last call until now, in all and by each waiting tenant. */
  until(nowS: number, held: number, waiting: readonly number[]): void {
    const forS = nowS - this.sinceS;
    this.busy += Math.max(0, Math.min(nowS, this.lastSubmissionS) - this.sinceS) * held;
    if (waiting.length > 1) {
      this.contendedS += forS;
      this.index += forS * jain(waiting);
    }
    this.sinceS = nowS;
  }

  figures(): PhillyFigures {
    const waits = Float64Array.from(this.waits).toSorted();
    return {
      jobs: waits.length,
      waitP50S: quantile(waits, 0.5),
      waitP90S: quantile(waits, 0.9),
      waitP99S: quantile(waits, 0.99),
      waitMaxS: waits.at(-1) ?? 0,
      meanWaitS: Math.round(waits.reduce((sum, wait) => sum + wait, 0) / Math.max(1, waits.length)),
      utilisationPercent: percent(this.busy, this.devices * this.lastSubmissionS),
      fairness:
        this.contendedS === 0 ? 1 : Math.round((1000 * this.index) / this.contendedS) / 1000,
      makespanDays: rounded(this.sinceS / 86_400),
    };
  }
}

/**
 * 1 when all shares are equal, 1/n when one tenant has everything; no shares at all count as equal.
 */
export function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : rounded((100 * part) / whole);

/**
 * The lease that a plane leads under, kept alive until it is given up. Etcd counts from when a
 * renewal arrives and we count from when it was sent, so what is promised here ends before etcd
 * ends it.
 */
import type { EtcdApi } from "../../etcd/etcd-api.ts";

/**
 * A renewal every third of the time that was granted: two may be lost before the lead is. One that
 * takes longer than that is no longer waited for; the next one goes out beside it, which may reach
 * another member.
 */
const RENEWALS = 3;

/**
 * The part of the time that is not counted on. What it has to cover is how much faster etcd's clock
 * may run than ours, some thousandths at the worst, and how long the plane may take from looking at
 * the clock to answering.
 */
const MARGIN = 10;

export class LeaderLease {
  readonly id: bigint;
  private readonly api: EtcdApi;
  private readonly ttlMs: number;
  private readonly timer: NodeJS.Timeout;
  private readonly onLost: () => void;
  private until: number;
  /** The same moment by the wall clock. */
  private wallUntil: number;
  private isOver = false;

  private constructor(
    api: EtcdApi,
    of: { id: bigint; ttlMs: number; sent: Moment; onLost: () => void },
  ) {
    this.api = api;
    this.id = of.id;
    this.ttlMs = of.ttlMs;
    this.onLost = of.onLost;
    this.until = of.sent.steady + this.counted;
    this.wallUntil = of.sent.wall + this.counted;
    this.timer = setInterval(() => void this.renew(), of.ttlMs / RENEWALS);
    // Who only waits for the end of the program is not kept from it.
    this.timer.unref();
  }

  /** Etcd may grant more than was asked for; what it grants counts. */
  static async grant(
    api: EtcdApi,
    { ttlSeconds, onLost }: { ttlSeconds: number; onLost: () => void },
  ): Promise<LeaderLease> {
    const sent = now();
    const { id, ttlSeconds: granted } = await api.grantLease(ttlSeconds);
    return new LeaderLease(api, { id, ttlMs: granted * 1000, sent, onLost });
  }

  /**
   * By the clock of `performance.now()`; 0 once it is lost or given up. That clock stands still
   * while a machine is suspended and the wall clock does not, so whichever has run further counts.
   * A wall clock that is set forward costs a new epoch and nothing else.
   */
  get untilMs(): number {
    if (this.isOver) return 0;
    const { steady, wall } = now();
    return Math.min(this.until, steady + (this.wallUntil - wall));
  }

  /** Whether it is worth trying to lead under it. */
  get isAlive(): boolean {
    return performance.now() < this.untilMs;
  }

  /** It is known to be gone, or not to be wanted any more; nothing is asked of etcd. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.onLost();
  }

  async revoke(): Promise<void> {
    this.end();
    await this.api.revokeLease(this.id);
  }

  private async renew(): Promise<void> {
    // Where renewals arrive and their answers do not, it would last for ever, and no plane could
    // lead.
    if (!this.isAlive) return this.end();
    const sent = now();
    try {
      const left = await this.api.renewLease(this.id);
      if (left <= 0) this.end();
      else if (sent.steady + this.counted > this.until) {
        this.until = sent.steady + this.counted;
        this.wallUntil = sent.wall + this.counted;
      }
    } catch {
      // The clock shows that it runs out; the next one may get through.
    }
  }

  private get counted(): number {
    return this.ttlMs - this.ttlMs / MARGIN;
  }
}

interface Moment {
  readonly steady: number;
  readonly wall: number;
}

const now = (): Moment => ({ steady: performance.now(), wall: Date.now() });

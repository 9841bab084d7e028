/**
 * Bytes that callers hold of the server at this moment, bounded for each of them and for all
 * together. A holder that does not fit is told so at once, or waits until somebody gives bytes
 * back.
 */
export interface ByteBounds {
  readonly total: number;
  readonly perCaller: number;
}

export interface Claim {
  readonly caller: string;
  readonly bytes: number;
  /** Agents' own: bounded for each of them, and never kept out by what users hold. */
  readonly isReserved?: boolean;
}

export class ByteBudget {
  private readonly bounds: ByteBounds;
  private readonly byCaller = new Map<string, number>();
  private waiting: (() => void)[] = [];
  /** Of claims that are not reserved. */
  private shared = 0;
  held = 0;
  turnedAway = 0;

  constructor(bounds: ByteBounds) {
    this.bounds = bounds;
  }

  of(caller: string): number {
    return this.byCaller.get(caller) ?? 0;
  }

  /**
   * Undefined when it does not fit. Otherwise the function that gives the bytes back; calling it
   * twice does no harm.
   */
  take(claim: Claim): (() => void) | undefined {
    if (!this.fits(claim)) {
      this.turnedAway += 1;
      return undefined;
    }
    this.add(claim, claim.bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(claim, -claim.bytes);
      const woken = this.waiting;
      this.waiting = [];
      for (const wake of woken) wake();
    };
  }

  /**
   * Resolves once it fits and is held, or with undefined when `isOver` says that its caller has
   * left.
   */
  async takeLater(claim: Claim, isOver: () => boolean): Promise<(() => void) | undefined> {
    while (!isOver()) {
      if (this.fits(claim)) return this.take(claim);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return undefined;
  }

  /** Those that wait look again whether anybody still wants what they wait for. */
  wakeAll(): void {
    const woken = this.waiting;
    this.waiting = [];
    for (const wake of woken) wake();
  }

  /**
   * A caller that holds nothing may take one thing of any size: an object over the bound must still
   * be readable.
   */
  private fits({ caller, bytes, isReserved = false }: Claim): boolean {
    const own = this.of(caller);
    if (own > 0 && own + bytes > this.bounds.perCaller) return false;
    return isReserved || this.shared === 0 || this.shared + bytes <= this.bounds.total;
  }

  private add({ caller, isReserved = false }: Claim, bytes: number): void {
    this.held += bytes;
    if (!isReserved) this.shared += bytes;
    const own = this.of(caller) + bytes;
    if (own === 0) this.byCaller.delete(caller);
    else this.byCaller.set(caller, own);
  }
}

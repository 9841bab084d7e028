/** The rate limit of one controller's client: tokens that come back one by one. */
export class RequestBudget {
  private readonly periodMs: number;
  private readonly burst: number;
  /** When all tokens are back, counted on from the last request. */
  private fullMs = Number.NEGATIVE_INFINITY;

  constructor({ periodMs, burst }: { readonly periodMs: number; readonly burst: number }) {
    this.periodMs = periodMs;
    this.burst = burst;
  }

  /** When a request that is wanted at this time is sent; asked in the order of these times. */
  take(atMs: number): number {
    const fullMs = Math.max(this.fullMs, atMs);
    this.fullMs = fullMs + this.periodMs;
    return Math.max(atMs, this.fullMs - this.burst * this.periodMs);
  }
}

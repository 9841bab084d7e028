/**
 * Counts the work for one request and ends it beyond its limit. Work is counted in bytes or steps,
 * never in time, so that the same request has the same answer on every machine.
 */
export class WorkBudget {
  readonly #most: number;
  readonly #exceeded: () => Error;
  #spent = 0;

  /** `exceeded` makes what is thrown once more than `most` was spent. */
  constructor(most: number, exceeded: () => Error) {
    this.#most = most;
    this.#exceeded = exceeded;
  }

  get spent(): number {
    return this.#spent;
  }

  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#most) throw this.#exceeded();
  }
}

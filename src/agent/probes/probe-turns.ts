/**
 * Lets so many probes of a node run at once; the others wait for their turn, first come, first
 * served in each namespace.
 */

/** One namespace's slow probes must leave room for the others'. */
const PART_OF_ONE = 4;

interface Waiting {
  readonly namespace: string;
  readonly begin: () => void;
}

export class ProbeTurns {
  private readonly most: number;
  private readonly running = new Map<string, number>();
  private total = 0;
  private waiting: Waiting[] = [];

  constructor(most: number) {
    this.most = most;
  }

  async run<T>(namespace: string, probe: () => Promise<T>): Promise<T> {
    if (!this.hasRoomFor(namespace)) {
      await new Promise<void>((begin) => this.waiting.push({ namespace, begin }));
    } else this.count(namespace, 1);
    try {
      return await probe();
    } finally {
      this.count(namespace, -1);
      this.next();
    }
  }

  private hasRoomFor(namespace: string): boolean {
    const own = this.running.get(namespace) ?? 0;
    return this.total < this.most && own < Math.ceil(this.most / PART_OF_ONE);
  }

  /** Counted before it begins, so that no other takes its place meanwhile. */
  private next(): void {
    const at = this.waiting.findIndex(({ namespace }) => this.hasRoomFor(namespace));
    const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (next === undefined) return;
    this.count(next.namespace, 1);
    next.begin();
  }

  private count(namespace: string, by: 1 | -1): void {
    this.total += by;
    const own = (this.running.get(namespace) ?? 0) + by;
    if (own === 0) this.running.delete(namespace);
    else this.running.set(namespace, own);
  }
}

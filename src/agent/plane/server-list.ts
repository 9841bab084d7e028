/**
 * The planes an agent may speak to, one at a time. From a plane that does not answer, the agent
 * turns to a healthy one. While every plane says that there is no leader, the agent stays where it
 * is and only looks around now and then: that plane sends what it is asked to the next leader,
 * unless it is itself the one that is cut off.
 */

/**
 * A third of a lease: an agent that sits at a plane which is cut off has found another before it
 * loses its own.
 */
const STAY_MS = 5_000;

interface Trouble {
  readonly atMs: number;
  /** It answers, and cannot serve for now: there is no leader, or it has too much to do. */
  readonly isThere: boolean;
}

export class ServerList {
  private readonly urls: readonly URL[];
  private readonly note: (message: string) => void;
  private readonly nowMs: () => number;
  private at = 0;
  private turnedMs = Number.NEGATIVE_INFINITY;
  private readonly troubles = new Map<URL, Trouble>();
  /** Those that failed last; said once of each, until it answers again. */
  private readonly told = new Set<URL>();

  constructor(
    urls: readonly URL[],
    note: (message: string) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    if (urls.length === 0) throw new Error("An agent needs at least one server.");
    this.urls = urls;
    this.note = note;
    this.nowMs = nowMs;
  }

  get current(): URL {
    return this.urls[this.at] as URL;
  }

  get count(): number {
    return this.urls.length;
  }

  /** Turns to another, unless somebody else has turned away from it before. */
  failed(
    server: URL,
    reason: string,
    { isThere = false }: { readonly isThere?: boolean } = {},
  ): void {
    this.troubles.set(server, { atMs: this.nowMs(), isThere });
    if (server === this.current) this.turn(isThere);
    if (this.told.has(server)) return;
    this.told.add(server);
    const next = this.current === server ? "" : ` with ${this.current.origin}`;
    this.note(`request to ${server.origin} failed: ${reason}; retrying${next}`);
  }

  answered(server: URL): void {
    this.troubles.delete(server);
    // Somebody leads, so those that only waited for that wait no longer.
    for (const [other, { isThere }] of this.troubles) if (isThere) this.troubles.delete(other);
    if (this.told.delete(server)) this.note(`${server.origin} answers again`);
  }

  private turn(mayStay: boolean): void {
    const [next] = [...this.urls.slice(this.at + 1), ...this.urls.slice(0, this.at)].toSorted(
      (a, b) => this.distrust(a) - this.distrust(b),
    );
    if (next === undefined) return;
    const hasJustTurned = this.nowMs() - this.turnedMs < STAY_MS;
    if (mayStay && hasJustTurned && this.troubles.has(next)) return;
    this.at = this.urls.indexOf(next);
    this.turnedMs = this.nowMs();
  }

  /** The one whose trouble is longest ago is the likeliest to be over it. */
  private distrust(server: URL): number {
    return this.troubles.get(server)?.atMs ?? -1;
  }
}

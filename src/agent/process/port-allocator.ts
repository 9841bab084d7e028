/**
 * Ports for the replicas of this node. Below the range the kernel takes outgoing connections from,
 * so that none of those gets in between finding a port free and the process opening it.
 */
import { createServer } from "node:net";
import { randomInt } from "node:crypto";

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

const RANGE: PortRange = { first: 20_000, last: 29_999 };
/** With most of the range free the first draw succeeds; so many failures mean that it is not. */
const DRAWS = 200;

/** Knows which ports it has given away, because a process may take a while to open its own. */
export class PortAllocator {
  private readonly taken = new Set<number>();
  private readonly range: PortRange;

  constructor(range: PortRange = RANGE) {
    this.range = range;
  }

  /** One free port per name. */
  async take(names: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const found = new Map<string, number>();
    try {
      for (const name of names) found.set(name, await this.takeOne());
    } catch (error) {
      // Half of its ports are of no use to it, and may be all that somebody else needs.
      this.release(Object.fromEntries(found));
      throw error;
    }
    return Object.fromEntries(found);
  }

  /** Ports that an earlier agent gave away. */
  hold(ports: Readonly<Record<string, number>>): void {
    for (const port of Object.values(ports)) this.taken.add(port);
  }

  release(ports: Readonly<Record<string, number>>): void {
    for (const port of Object.values(ports)) this.taken.delete(port);
  }

  private async takeOne(): Promise<number> {
    const { first, last } = this.range;
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const port = randomInt(first, last + 1);
      if (this.taken.has(port)) continue;
      // Taken before it is tried, so that two orders at once cannot find the same one.
      this.taken.add(port);
      if (await isFree(port)) return port;
      this.taken.delete(port);
    }
    throw new Error(
      `No free port was found between ${first} and ${last}: ${this.taken.size} of them are in use.`,
    );
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

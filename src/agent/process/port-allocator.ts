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
  /** How many have it: the next to get a fixed port may come before the last one is forgotten. */
  private readonly taken = new Map<number, number>();
  private readonly range: PortRange;

  constructor(range: PortRange = RANGE) {
    this.range = range;
  }

  /** One port per name: the fixed one, or else a free one. */
  async take(
    names: readonly string[],
    fixed: Readonly<Record<string, number>> = {},
  ): Promise<Readonly<Record<string, number>>> {
    const found = new Map<string, number>();
    try {
      for (const name of names) {
        const port = fixed[name];
        found.set(name, port === undefined ? await this.takeOne() : await this.takeFixed(port));
      }
    } catch (error) {
      // Half of its ports are of no use to it, and may be all that somebody else needs.
      this.release(Object.fromEntries(found));
      throw error;
    }
    return Object.fromEntries(found);
  }

  /** Ports that an earlier agent gave away. */
  hold(ports: Readonly<Record<string, number>>): void {
    for (const port of Object.values(ports)) this.add(port);
  }

  release(ports: Readonly<Record<string, number>>): void {
    for (const port of Object.values(ports)) this.giveBack(port);
  }

  private add(port: number): void {
    this.taken.set(port, (this.taken.get(port) ?? 0) + 1);
  }

  private giveBack(port: number): void {
    const others = (this.taken.get(port) ?? 0) - 1;
    if (others > 0) this.taken.set(port, others);
    else this.taken.delete(port);
  }

  /** The plane keeps replicas with one fixed port apart; the rest of the machine it cannot see. */
  private async takeFixed(port: number): Promise<number> {
    this.add(port);
    const trouble = await troubleWith(port);
    // The process may be allowed to open what its agent is not, as those below 1024.
    if (trouble === undefined || trouble === "EACCES") return port;
    this.giveBack(port);
    const why = trouble === "EADDRINUSE" ? "another process listens on it" : trouble;
    throw new Error(
      `The fixed port ${port} is not free on this node: ${why}. Stop that process, or change run.fixedPorts.`,
    );
  }

  private async takeOne(): Promise<number> {
    const { first, last } = this.range;
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const port = randomInt(first, last + 1);
      if (this.taken.has(port)) continue;
      // Taken before it is tried, so that two orders at once cannot find the same one.
      this.add(port);
      if ((await troubleWith(port)) === undefined) return port;
      this.giveBack(port);
    }
    throw new Error(
      `No free port was found between ${first} and ${last}: ${this.taken.size} of them are in use.`,
    );
  }
}

/** Why the port cannot be opened, as the system names it; undefined: it can. */
function troubleWith(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

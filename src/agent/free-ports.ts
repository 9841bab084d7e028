/**
 * Ports for the replicas of this node. Below the range the kernel takes outgoing connections from, so that
 * none of those gets in between finding a port free and the process opening it.
 */
import { createServer } from "node:net";
import { randomInt } from "node:crypto";

const FIRST = 20_000;
const LAST = 29_999;
/** With most of the range free the first draw succeeds; so many failures mean that it is not. */
const DRAWS = 200;

/** One free port per name, none of them in `taken`; the names of the template, in its order. */
export async function findFreePorts(
  names: readonly string[],
  taken: ReadonlySet<number>,
): Promise<Readonly<Record<string, number>>> {
  const found = new Map<string, number>();
  const used = new Set(taken);
  for (const name of names) {
    const port = await findFreePort(used);
    used.add(port);
    found.set(name, port);
  }
  return Object.fromEntries(found);
}

async function findFreePort(taken: ReadonlySet<number>): Promise<number> {
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`No free port was found between ${FIRST} and ${LAST}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

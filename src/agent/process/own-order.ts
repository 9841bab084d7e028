/**
 * The order in which a node tries its planes. Each node has one of its own, and always the same, so
 * that the agents are spread over the planes, and those of a plane that is lost are spread over the
 * others.
 */
import { createHash } from "node:crypto";

export function ownOrder(node: string, servers: readonly URL[]): readonly URL[] {
  const ranked = servers.map((server) => ({ server, rank: rankOf(node, server) }));
  return ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ server }) => server);
}

const rankOf = (node: string, { href }: URL): string =>
  createHash("sha256").update(`${node} ${href}`).digest("hex");

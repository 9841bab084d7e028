/**
 * Addresses for the members of a local etcd. Members write each other's addresses into their files,
 * so these must be free not only now but whenever the cluster is started again. A port that is free
 * now may be somebody's outgoing connection later; an address of the loopback network that no other
 * process uses stays free.
 */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

export interface MemberAddresses {
  /** `host:port` for clients. */
  readonly client: string;
  /** `host:port` for the other members. */
  readonly peer: string;
}

/**
 * Below the ports that the kernel gives away, and not etcd's own, which a machine's own etcd may
 * have everywhere.
 */
const CLIENT_PORT = 23_790;
const PEER_PORT = 23_800;
/**
 * One of sixteen million addresses is taken by chance rarely; all of these only when nothing can be
 * bound at all.
 */
const TRIES = 20;

/** One address for the whole cluster, and a pair of ports for each member. */
export async function findLocalAddresses(members: number): Promise<readonly MemberAddresses[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    // Neither 127.0.x.x, where other programs are, nor the last byte 0 or 255.
    const host = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
    const found = Array.from({ length: members }, (_, at) => ({
      client: `${host}:${CLIENT_PORT + at}`,
      peer: `${host}:${PEER_PORT + at}`,
    }));
    const wanted = found.flatMap(({ client, peer }) => [client, peer]);
    const free = await Promise.all(wanted.map(isFree));
    if (free.every(Boolean)) return found;
  }
  throw new Error(
    `Cannot start a local etcd: after ${TRIES} tries no address of 127.0.0.0/8 had the ports ` +
      `${CLIENT_PORT} and ${PEER_PORT} free. Another process listens on these ports on all addresses: stop it.`,
  );
}

function isFree(address: string): Promise<boolean> {
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port: Number(port) }, () => server.close(() => resolve(true)));
  });
}

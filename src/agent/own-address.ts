/**
 * Under which address the replicas of this node are reached: the one the node itself uses towards
 * its plane, because clients of both are on that side.
 */
import { connect } from "node:net";
import { networkInterfaces } from "node:os";

const PATIENCE_MS = 3_000;

export async function findOwnAddress(servers: readonly URL[]): Promise<string> {
  for (const server of servers) {
    const address = await addressTowards(server);
    if (address !== undefined) return address;
  }
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  return outside?.address ?? "127.0.0.1";
}

function addressTowards({ hostname, port, protocol }: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    });
    const answer = (address: string | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(address);
    };
    const timer = setTimeout(() => answer(undefined), PATIENCE_MS);
    socket.once("connect", () => answer(socket.localAddress?.replace(/^::ffff:/, "")));
    socket.once("error", () => answer(undefined));
  });
}

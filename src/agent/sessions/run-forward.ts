/**
 * Connects a session to a port of a replica. Only to ports that this agent gave to the replica: any
 * other port of the machine belongs to other replicas, or to the machine itself.
 */
import { connect } from "node:net";
import type { Address } from "../../core/model/objects.ts";
import { CHANNELS, exitStatus, failureStatus, onChannel } from "../../shell/web-socket/channels.ts";
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";

export interface ForwardOf {
  readonly link: WebSocketLink;
  readonly address: Address | undefined;
  readonly port: string;
  readonly isEnded: () => boolean;
}

const CONNECT_MS = 10_000;
/** Between two looks whether the replica still runs. */
const LOOK_MS = 500;

/** Undefined: it is none of the replica's. */
export function ownPort(address: Address | undefined, asked: string): number | undefined {
  const ports = Object.entries(address?.ports ?? {});
  return ports.find(([name, number]) => name === asked || String(number) === asked)?.[1];
}

/** Resolves when the connection is gone. */
export function runForward({ link, address, port, isEnded }: ForwardOf): Promise<void> {
  const number = ownPort(address, port);
  if (address === undefined || number === undefined) {
    const known = Object.entries(address?.ports ?? {}).map(([name, at]) => `${name} (${at})`);
    const has = known.length === 0 ? "none" : known.join(", ");
    link.send(failureStatus(`The replica has no port ${port}; it has: ${has}.`));
    link.close(1000);
    return Promise.resolve();
  }
  const socket = connect({ host: address.host, port: number, allowHalfOpen: true });
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error("timed out")));
  socket.once("connect", () => socket.setTimeout(0));
  const looks = setInterval(() => {
    if (isEnded()) socket.destroy();
  }, LOOK_MS);
  socket.on("data", (bytes: Buffer) => {
    if (!link.send(onChannel(CHANNELS.stdout, bytes))) socket.pause();
  });
  socket.on("end", () => link.send(Buffer.from([CHANNELS.close, CHANNELS.stdout])));
  socket.on("drain", () => link.resume());
  link.onDrain = () => socket.resume();
  link.onEnd = () => socket.destroy();
  link.onMessage = (message) => {
    const [channel, which] = message;
    if (channel === CHANNELS.close && which === CHANNELS.stdin) socket.end();
    if (channel !== CHANNELS.stdin || message.length === 1 || !socket.writable) return;
    if (!socket.write(message.subarray(1))) link.pause();
  };
  link.begin();
  let failure: Error | undefined;
  socket.once("error", (error) => (failure = error));
  return new Promise((resolve) => {
    socket.once("close", () => {
      clearInterval(looks);
      const at = `${address.host}:${number}`;
      link.send(
        failure === undefined ? exitStatus(0) : failureStatus(`${at}: ${failure.message}.`),
      );
      link.close(1000);
      resolve();
    });
  });
}

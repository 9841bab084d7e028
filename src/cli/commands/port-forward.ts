/**
 * `berth port-forward`: listens on a port of this machine and carries each connection to a port of
 * a replica, through the plane and the agent of the node.
 */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Command } from "commander";
import { UserError } from "../../shell/errors.ts";
import { CHANNELS, onChannel, readStatus } from "../../shell/web-socket/channels.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { type FoundReplica, locateReplica } from "../session/locate-replica.ts";
import { openSession } from "../session/open-session.ts";

interface ForwardOptions extends ServerOptions {
  readonly namespace?: string;
}

export function registerPortForward(program: Command, terminal: Terminal): void {
  const command = program
    .command("port-forward <name> <ports>")
    .description("forward a local port to a port of a replica: LOCAL:REMOTE")
    .option("-n, --namespace <tenant>", "tenant of the object")
    .addHelpText(
      "after",
      "\nREMOTE is the name or the number of a port of the replica; LOCAL 0 takes a free port.",
    );
  addServerOptions(command).action((name: string, ports: string, options: ForwardOptions) =>
    portForward({ name, ports, options, terminal }),
  );
}

/** Serves until the signal ends it, or for ever. */
export async function portForward(of: {
  readonly name: string;
  readonly ports: string;
  readonly options: ForwardOptions;
  readonly terminal: Terminal;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const { name, options, terminal, signal } = of;
  const { local, remote } = readPorts(of.ports);
  const client = connect(options);
  const replica = await locateReplica(client, name, options.namespace);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    carry(client, { socket, replica, remote }).catch((error: unknown) => {
      terminal.err(`${error instanceof Error ? error.message : String(error)}\n`);
      socket.destroy();
    });
  });
  const port = await listen(server, local);
  terminal.out(`Forwarding 127.0.0.1:${port} to port ${remote} of ${replica.name}.\n`);
  await new Promise<void>((resolve) => {
    server.once("close", resolve);
    signal?.addEventListener("abort", () => server.close());
  });
}

function readPorts(text: string): { readonly local: number; readonly remote: string } {
  const [, local, remote] = /^(?:(\d{1,5}):)?([a-z0-9-]{1,63})$/.exec(text) ?? [];
  const number = Number(local ?? remote);
  if (remote !== undefined && number <= 65_535) return { local: number, remote };
  throw new UserError(
    "bad-usage",
    `Found "${text}", expected LOCAL:REMOTE such as 8080:http or 8080:31000.`,
  );
}

/** On the loopback alone: a program that reaches the port acts as this user. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new UserError("bad-usage", `Cannot listen on 127.0.0.1:${port}: ${error.message}.`)),
    );
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function carry(
  client: ApiClient,
  of: { readonly socket: Socket; readonly replica: FoundReplica; readonly remote: string },
): Promise<void> {
  const { socket, replica, remote } = of;
  // It may leave while the session is opened.
  socket.on("error", () => socket.destroy());
  socket.pause();
  const query = new URLSearchParams({ port: remote });
  const link = await openSession(client, { path: `${replica.path}/portforward`, query });
  let failure: string | undefined;
  socket.on("data", (bytes: Buffer) => {
    if (!link.send(onChannel(CHANNELS.stdin, bytes))) socket.pause();
  });
  socket.on("end", () => link.send(Buffer.from([CHANNELS.close, CHANNELS.stdin])));
  socket.on("drain", () => link.resume());
  socket.once("close", () => link.close(1000));
  link.onDrain = () => socket.resume();
  const over = new Promise<void>((resolve, reject) => {
    link.onEnd = () => {
      socket.end();
      if (failure === undefined) resolve();
      else reject(new UserError("request-refused", failure));
    };
  });
  link.onMessage = (message) => {
    const [channel, which] = message;
    if (channel === CHANNELS.close && which === CHANNELS.stdout) socket.end();
    if (channel === CHANNELS.stdout && socket.writable && !socket.write(message.subarray(1))) {
      link.pause();
    }
    if (channel === CHANNELS.error) {
      const { status, message: said } = readStatus(message);
      if (status === "Failure") failure = said ?? "The session failed.";
    }
  };
  link.begin();
  if (socket.destroyed) link.close(1000);
  else socket.resume();
  await over;
}

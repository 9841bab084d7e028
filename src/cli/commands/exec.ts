/**
 * `berth exec`: runs a command in a replica, in its environment and inside its limits. The command
 * ends with the session.
 */
import type { Readable } from "node:stream";
import type { Command } from "commander";
import { UserError } from "../../shell/errors.ts";
import {
  CHANNELS,
  exitCodeOf,
  onChannel,
  readStatus,
  type SessionStatus,
} from "../../shell/web-socket/channels.ts";
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { byteWriter } from "../session/byte-writer.ts";
import { locateReplica } from "../session/locate-replica.ts";
import { openSession } from "../session/open-session.ts";

interface ExecOptions extends ServerOptions {
  readonly namespace?: string;
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

export function registerExec(program: Command, terminal: Terminal): void {
  const command = program
    .command("exec <name> <command...>")
    .description("run a command in a replica, or in a replica of workload/NAME")
    .option("-n, --namespace <tenant>", "tenant of the object")
    .option("-i, --stdin", "send the input of this command to it")
    .option("-t, --tty", "run it in a terminal (not supported yet)")
    .addHelpText(
      "after",
      "\nThe exit code is that of the command. The audit trail names who ran what: `berth audit`.",
    );
  addServerOptions(command).action((name: string, words: string[], options: ExecOptions) =>
    exec({ name, command: words, options, terminal, input: process.stdin }),
  );
}

export async function exec(of: {
  readonly name: string;
  readonly command: readonly string[];
  readonly options: ExecOptions;
  readonly terminal: Terminal;
  readonly input: Readable;
}): Promise<void> {
  const { name, command, options, terminal, input } = of;
  if (options.tty === true) {
    throw new UserError(
      "bad-usage",
      "-t: sessions have no terminal yet. Leave it out; -i sends input.",
    );
  }
  const client = connect(options);
  const { path } = await locateReplica(client, name, options.namespace);
  const isFed = options.stdin === true;
  const query = new URLSearchParams([
    ...command.map((word): [string, string] => ["command", word]),
    ["stdout", "true"],
    ["stderr", "true"],
    ["stdin", String(isFed)],
  ]);
  const link = await openSession(client, { path: `${path}/exec`, query });
  if (isFed) feed(link, input);
  const { status, reason } = await follow(link, terminal);
  if (isFed) input.destroy();
  if (status === undefined) {
    throw new UserError("plane-failed", `The session broke off: ${reason}.`);
  }
  const code = exitCodeOf(status);
  if (code === undefined) throw new UserError("request-refused", status.message ?? "It failed.");
  terminal.exitCode = code;
}

function feed(link: WebSocketLink, input: Readable): void {
  input.on("data", (bytes: Buffer) => {
    if (!link.send(onChannel(CHANNELS.stdin, bytes))) input.pause();
  });
  input.once("end", () => link.send(Buffer.from([CHANNELS.close, CHANNELS.stdin])));
  link.onDrain = () => input.resume();
}

interface Followed {
  /** Left out: the session broke off. */
  readonly status?: SessionStatus;
  readonly reason: string;
}

function follow(link: WebSocketLink, terminal: Terminal): Promise<Followed> {
  const out = byteWriter(terminal, "out");
  const err = byteWriter(terminal, "err");
  let status: SessionStatus | undefined;
  return new Promise((resolve) => {
    link.onMessage = (message) => {
      const [channel] = message;
      const bytes = message.subarray(1);
      if (channel === CHANNELS.stdout) out(bytes);
      if (channel === CHANNELS.stderr) err(bytes);
      if (channel === CHANNELS.error) status = readStatus(message);
    };
    link.onEnd = (reason) => resolve({ reason, ...(status === undefined ? {} : { status }) });
    link.begin();
  });
}

/**
 * `berth logs`: what a replica's process has written, wherever it runs. The plane fetches it from
 * the node.
 */
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import { locate, parseReference } from "../client/locate.ts";
import { objectPath } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { asWritten } from "../text/terminal-text.ts";

export interface LogsOptions extends ServerOptions {
  readonly namespace?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly tail?: string;
}

export function registerLogs(program: Command, terminal: Terminal): void {
  const command = program
    .command("logs <replica>")
    .description("print the logs of a replica")
    .option("-n, --namespace <tenant>", "tenant of the object")
    .option("-f, --follow", "stream the logs until the replica ends or Ctrl-C")
    .option("-p, --previous", "print the logs of the previous process")
    .option("--tail <lines>", "number of lines to show from the end");
  addServerOptions(command).action((name: string, options: LogsOptions) =>
    logs(name, options, terminal),
  );
}

export async function logs(
  name: string,
  options: LogsOptions,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { tail, follow, previous } = options;
  const tailLines = tail === undefined ? undefined : String(readWholeNumber("--tail", tail));
  const client = connect(options);
  const target = await locate(client, parseReference([`replica/${name}`], options.namespace));
  const path = `${objectPath(target)}/log`;
  const print = async (stream: string, say: (text: string) => void): Promise<void> => {
    const query = {
      stream,
      tailLines,
      follow: follow === true ? "true" : undefined,
      previous: previous === true ? "true" : undefined,
    };
    for await (const text of client.text(path, { query, accept: "text/plain" }, signal)) say(text);
  };
  const out = (text: string): void => terminal.out(asWritten(text));
  const err = (text: string): void => terminal.err(asWritten(text));
  if (follow === true) {
    // Both at once, because neither ends before the process does.
    await Promise.all([print("Stdout", out), print("Stderr", err)]);
    return;
  }
  await print("Stdout", out);
  await print("Stderr", err);
}

/**
 * `berth logs`: what a replica's process has written. Logs stay where the process runs, so they are read from
 * the folder of an agent of this machine; those of another machine are read there.
 */
import { existsSync, readdirSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { findProcessLogs, type ProcessLogs } from "../agent/process-logs.ts";
import { keyOf } from "../core/model/ids.ts";
import { type ShownObject, textOf } from "./client/api-object.ts";
import { connect } from "./client/connect.ts";
import { locate, parseReference } from "./client/locate.ts";
import { type Located, objectPath } from "./client/resources.ts";
import { addServerOptions, dataFolder, type ServerOptions } from "./client/server-options.ts";
import { UserError } from "./errors.ts";
import type { Terminal } from "./main.ts";
import { readWholeNumber } from "./simulation-plan.ts";

export interface LogsOptions extends ServerOptions {
  readonly namespace?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly tail?: string;
}

export function registerLogs(program: Command, terminal: Terminal): void {
  const command = program
    .command("logs <replica>")
    .description("print what a replica of this machine has written")
    .option("-n, --namespace <tenant>", "the tenant that owns it")
    .option("-f, --follow", "go on with what it writes, until you stop it")
    .option("-p, --previous", "of the process before the present one")
    .option("--tail <lines>", "only the last lines");
  addServerOptions(command).action((name: string, options: LogsOptions) =>
    logs(name, options, terminal),
  );
}

/** Soon enough to look alive. */
const LOOK_MS = 200;

export async function logs(
  name: string,
  options: LogsOptions,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const tail = options.tail === undefined ? undefined : readWholeNumber("--tail", options.tail);
  const client = connect(options);
  const target = await locate(client, parseReference([`replica/${name}`], options.namespace));
  const { status } = await client.get<ShownObject>(objectPath(target));
  const node = textOf(status?.["node"]);
  const found = findLogs(dataFolder(options), node, target);
  const at = options.previous === true ? 1 : 0;
  const chosen = found[at];
  if (chosen === undefined) throw noLogs(options, { name, node, stage: textOf(status?.["stage"]) });
  const streams = [
    { file: chosen.stdout, say: (text: string) => terminal.out(text), from: 0 },
    { file: chosen.stderr, say: (text: string) => terminal.err(text), from: 0 },
  ];
  for (const stream of streams) {
    const { text, end } = await readFrom(stream.file, 0);
    stream.from = end;
    stream.say(lastLines(text, tail));
  }
  while (options.follow === true && !signal.aborted) {
    for (const stream of streams) {
      const { text, end } = await readFrom(stream.file, stream.from);
      stream.from = end;
      if (text !== "") stream.say(text);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Newest process first, whichever agent of this machine ran it: a replica moves between nodes. */
function findLogs(data: string, node: string, target: Located): readonly ProcessLogs[] {
  const agents = join(data, "agents");
  if (!existsSync(agents) || (node !== "" && !existsSync(join(agents, node)))) return [];
  const key = keyOf({ kind: "Replica", namespace: target.namespace, name: target.name });
  return readdirSync(agents)
    .flatMap((name) => findProcessLogs(join(agents, name), key))
    .toSorted((a, b) => b.life - a.life);
}

function noLogs(
  { previous }: LogsOptions,
  { name, node, stage }: { readonly name: string; readonly node: string; readonly stage: string },
): UserError {
  if (previous === true) {
    return new UserError("not-found", `${name} has had no process before the present one here.`);
  }
  if (node === "") {
    return new UserError(
      "not-found",
      `${name} is ${stage} and has no process; \`berth describe replica ${name}\` says why.`,
    );
  }
  return new UserError(
    "logs-elsewhere",
    `${name} runs on ${node}, which keeps no logs in this folder. Read them there: \`berth logs ${name} --data DIR\`, where DIR/agents/${node} is its agent's --data.`,
  );
}

async function readFrom(
  file: string,
  from: number,
): Promise<{ readonly text: string; readonly end: number }> {
  let size: number;
  try {
    ({ size } = await stat(file));
  } catch {
    return { text: "", end: 0 };
  }
  // A file that shrank was rotated: what follows begins anew.
  const start = size < from ? 0 : from;
  if (size === start) return { text: "", end: size };
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return { text: buffer.toString("utf8", 0, bytesRead), end: start + bytesRead };
  } finally {
    await handle.close();
  }
}

function lastLines(text: string, tail: number | undefined): string {
  if (tail === undefined) return text;
  const lines = text.replace(/\n$/, "").split("\n");
  return tail === 0 || text === "" ? "" : `${lines.slice(-tail).join("\n")}\n`;
}

/**
 * `berth logs`: what the process of a replica has written, wherever it runs, or those of all
 * replicas of a workload. The plane fetches it from the node.
 */
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import { locate, parseReference, type Reference } from "../client/locate.ts";
import { objectPath } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { DURATION_FORM, parseDuration, secondsMeant } from "../../quantity/duration.ts";
import { UserError } from "../../shell/errors.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { workloadLogs } from "../logs/workload-logs.ts";
import { asWritten } from "../text/terminal-text.ts";

export interface LogsOptions extends ServerOptions {
  readonly namespace?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly tail?: string;
  readonly since?: string;
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
}

export function registerLogs(program: Command, terminal: Terminal): void {
  const command = program
    .command("logs <name>")
    .description("print the logs of a replica, or of all replicas of workload/NAME")
    .option("-n, --namespace <tenant>", "tenant of the object")
    .option("-f, --follow", "stream the logs until the replica ends, or of a workload until Ctrl-C")
    .option("-p, --previous", "print the logs of the previous process")
    .option("--tail <lines>", "number of lines to show from the end")
    .option("--since <duration>", "show only lines newer than this, such as 10m")
    .option("--since-time <time>", "show only lines since a time such as 2030-01-31T12:00:00Z")
    .option("--timestamps", "show the time of each line, by the clock of its node")
    .addHelpText(
      "after",
      "\nA replica that is gone needs its tenant: TENANT/NAME. Its node keeps the logs of its last 20 ended processes.",
    );
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
  const { tail, follow, previous, since, sinceTime, timestamps } = options;
  const tailLines = tail === undefined ? undefined : String(readWholeNumber("--tail", tail));
  const client = connect(options);
  const target = await locate(client, referenceOf(name, options.namespace));
  const flags = {
    tailLines,
    sinceSeconds: since === undefined ? undefined : secondsOf(since),
    sinceTime,
    timestamps: timestamps === true ? "true" : undefined,
    follow: follow === true ? "true" : undefined,
    previous: previous === true ? "true" : undefined,
  };
  const warn = warnOnce(terminal);
  if (target.resource.kind === "Workload") {
    await workloadLogs(client, { workload: target, query: flags, warn, signal }, terminal);
    return;
  }
  const path = `${objectPath(target)}/log`;
  const print = async (stream: string, say: (text: string) => void): Promise<void> => {
    const ask = { query: { stream, ...flags }, accept: "text/plain", warn };
    for await (const text of client.text(path, ask, signal)) say(text);
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

/** Several streams and replicas are read at once, and the planes warn of each. */
function warnOnce(terminal: Terminal): (warning: string) => void {
  const said = new Set<string>();
  return (warning) => {
    if (!said.has(warning)) terminal.err(`Warning: ${warning}\n`);
    said.add(warning);
  };
}

/** Whole seconds, rounded up as kubectl does. */
function secondsOf(since: string): string {
  const ms = parseDuration(since);
  if (ms !== undefined && ms > 0) return String(Math.ceil(ms / 1_000));
  const expected = `expected ${DURATION_FORM}, more than 0.${secondsMeant(since)}`;
  throw new UserError("bad-usage", `--since: found "${since}", ${expected}`);
}

const WORKLOAD = /^(?:workloads?|wl)\//i;
const REPLICA = /^replicas?\//i;

/** `workload/NAME` and `replica/NAME` say their kind; a bare name, or TENANT/NAME, is a replica. */
const referenceOf = (name: string, namespace: string | undefined): Reference =>
  parseReference([WORKLOAD.test(name) || REPLICA.test(name) ? name : `replica/${name}`], namespace);

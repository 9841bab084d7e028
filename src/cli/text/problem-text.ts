/**
 * What is wrong with a workload or a replica, said before all else: the problem in a sentence, when
 * it restarts, and the last lines that its process wrote.
 */
import type { ApiClient } from "../client/api-client.ts";
import { Refusal } from "../client/refusal.ts";
import type { Located } from "../client/resources.ts";
import { recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { printable } from "../../text/printable.ts";

export interface ProblemOf {
  readonly object: ShownObject;
  /** Of a workload, as the plane lists them. */
  readonly problems: readonly Readonly<Record<string, unknown>>[];
  readonly why: { readonly restarts: readonly string[] };
}

/** Enough for the message of an error; `berth logs` prints the rest. */
const LOG_LINES = 5;

/** All wait alike; a few stand for the others. */
const RESTARTS = 3;

/** Of replicas: the reasons that are problems; the plane names those of workloads. */
const REPLICA_PROBLEMS: ReadonlySet<string> = new Set([
  "CrashLoop",
  "Failed",
  "Unready",
  "ProbeFailing",
  "NodeSilent",
]);

/** Empty while nothing is wrong. */
export async function problemText(
  client: ApiClient,
  target: Located,
  { object, problems, why }: ProblemOf,
): Promise<string> {
  const own = target.resource.kind === "Replica" ? ofReplica(object) : problems;
  if (own.length === 0) return "";
  const replica = own.map((each) => textOf(each["replica"])).find((name) => name !== "");
  const lines = [
    ...own.map(({ reason, message }) => `  ${textOf(reason)}: ${textOf(message)}`),
    ...why.restarts.slice(0, RESTARTS),
    ...(replica === undefined ? [] : await lastLines(client, target, replica)),
  ];
  return `Problem:\n${lines.join("\n")}\n`;
}

function ofReplica({ metadata, status }: ShownObject): ProblemOf["problems"] {
  const { reason, message } = recordOf(status);
  if (!REPLICA_PROBLEMS.has(textOf(reason))) return [];
  return [{ reason, message, replica: metadata.name }];
}

/** Nothing where the plane or its node has no log of it. */
async function lastLines(
  client: ApiClient,
  { namespace }: Located,
  replica: string,
): Promise<readonly string[]> {
  const path = `/apis/berth.dev/v1/namespaces/${namespace}/replicas/${encodeURIComponent(replica)}/log`;
  const read = async (stream: string): Promise<readonly string[]> => {
    const query = { stream, tailLines: String(LOG_LINES) };
    let said = "";
    const signal = AbortSignal.timeout(LOG_PATIENCE_MS);
    for await (const part of client.text(path, { query, accept: "text/plain" }, signal))
      said += part;
    return said.split("\n").filter((line) => line.trim() !== "");
  };
  try {
    const lines = [...(await read("Stdout")), ...(await read("Stderr"))];
    if (lines.length === 0) return [];
    return [`  Last lines of ${replica}:`, ...lines.map((line) => `    ${printable(line)}`)];
  } catch (error) {
    // The node may be silent, and people ask about that, too.
    if (error instanceof Refusal || (error as Error).name === "TimeoutError") return [];
    throw error;
  }
}

/** A node that does not answer must not keep the rest of the description. */
const LOG_PATIENCE_MS = 3_000;

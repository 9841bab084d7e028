/**
 * `berth logs workload/NAME`: the logs of all replicas of a workload. Followed, it also reads the
 * processes that start later, and goes on when a replica ends or moves to another node.
 */
import { ownCommand } from "../text/own-command.ts";
import { AGENT_STAGES } from "../../core/model/stage.ts";
import type { ShownList } from "../../steering/api-object.ts";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "../client/api-client.ts";
import { mirror, type Mirrored } from "../client/mirror.ts";
import { Refusal } from "../client/refusal.ts";
import { type Located, objectPath } from "../client/resources.ts";
import type { Terminal } from "../main.ts";
import { LogFollower, readLog } from "./log-follower.ts";
import { PrefixedLines } from "./prefixed-lines.ts";

export interface WorkloadLogsOf {
  readonly workload: Located;
  /** Of each replica: which lines of which process, and whether with times. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly warn: (warning: string) => void;
  readonly signal: AbortSignal;
}

const WITH_PROCESS: ReadonlySet<string> = new Set(AGENT_STAGES);

export async function workloadLogs(
  client: ApiClient,
  of: WorkloadLogsOf,
  terminal: Terminal,
): Promise<void> {
  const lines = new PrefixedLines((text) => terminal.out(text), {
    hasColour: terminal.hasColour === true,
  });
  const { namespace, name } = of.workload;
  // Says so where there is none: a watch would wait for it.
  await client.get(objectPath(of.workload));
  const path = `/apis/berth.dev/v1/namespaces/${encodeURIComponent(namespace)}/replicas`;
  const query = { fieldSelector: `spec.workload=${name}` };
  const complain = (replica: string, message: string): void =>
    terminal.err(`${replica}: ${message}\n`);
  const { warn, signal } = of;
  const source = { path, query: of.query, warn, signal, open: lines.open.bind(lines) };
  if (of.query["follow"] === "true") {
    const following = new LogFollower(client, { ...source, stages: WITH_PROCESS, complain });
    const onChange = (replicas: Mirrored): void => following.look(replicas);
    await mirror(client, { path, query, signal: of.signal, onChange });
    return;
  }
  const { items } = await client.get<ShownList>(path, { query });
  if (items.length === 0) throw new UserError("not-found", noReplicas(namespace, name));
  for (const replica of items) {
    try {
      await readLog(client, source, replica);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      complain(replica.metadata.name, error.message);
    }
  }
}

const noReplicas = (namespace: string, name: string): string =>
  `workload/${namespace}/${name} has no replicas; \`${ownCommand()} explain workload/${namespace}/${name}\` says why.`;

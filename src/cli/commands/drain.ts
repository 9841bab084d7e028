/**
 * `berth drain` and `berth undrain`: move all work away from a node, and let it come again.
 * Workloads keep what they cannot spare until the deadline, if there is one; `--dry-run` says
 * beforehand who goes where.
 */
import { ownCommand } from "../text/own-command.ts";
import { countText } from "../../core/model/text/count-text.ts";
import { type Command, Option } from "commander";
import { AT_DEADLINE, type AtDeadline } from "../../core/model/node/drain.ts";
import { DURATION_FORM, formatDuration, parseDuration } from "../../quantity/duration.ts";
import { type ActingOptions, actingAs, addActingOptions } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import {
  listOf,
  recordOf,
  type ShownList,
  type ShownObject,
  textOf,
} from "../../steering/api-object.ts";
import { changeNode } from "../client/change-node.ts";
import { connect } from "../client/connect.ts";
import { mirror } from "../client/mirror.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { drainPlanText, type ShownPlan } from "../text/drain-plan-text.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { readTimeout } from "./wait.ts";

export interface DrainOptions extends ServerOptions, ActingOptions {
  readonly reason?: string;
  readonly deadline?: string;
  readonly atDeadline?: AtDeadline;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout?: string;
}

const REPLICAS = "/apis/berth.dev/v1/replicas";
const NODES = "/apis/berth.dev/v1/nodes";

export function registerDrain(program: Command, terminal: Terminal): void {
  const command = program
    .command("drain <node>")
    .description("evict all replicas from a node and cordon it")
    .option("--reason <text>", "why")
    .option("--deadline <duration>", "how long to respect disruption budgets, such as 10m")
    .addOption(
      new Option("--at-deadline <what>", "what to do with replicas that remain at the deadline")
        .choices(AT_DEADLINE)
        .default("stop"),
    )
    .option("--dry-run", "print which replicas would move, when and where; change nothing")
    .option("--wait", "wait until the node is empty or the deadline passes")
    .option("--timeout <duration>", "maximum time to wait (default: 2m after the deadline)");
  addServerOptions(addActingOptions(command)).action((node: string, options: DrainOptions) =>
    drain(node, options, terminal),
  );
}

export function registerUndrain(program: Command, terminal: Terminal): void {
  const command = program
    .command("undrain <node>")
    .description("cancel a drain and make the node schedulable");
  addServerOptions(addActingOptions(command)).action((node: string, options: DrainOptions) =>
    undrain(node, options, terminal),
  );
}

export async function drain(
  node: string,
  options: DrainOptions,
  terminal: Terminal,
): Promise<void> {
  const deadlineMs = readDeadline(options);
  const timeoutMs = readTimeout(options.timeout) + (options.timeout ? 0 : (deadlineMs ?? 0));
  const client = connect(options);
  if (options.dryRun === true) {
    const plan = await client.get<ShownPlan>("/drain-plan", { query: { node } });
    terminal.out(drainPlanText(plan));
    return;
  }
  const acting = await actingAs(client, options);
  const { reason, atDeadline } = options;
  const terms = {
    holder: acting.name,
    // A merge patch keeps what it does not name; terms of an earlier drain must not stay.
    reason: reason ?? null,
    deadline: deadlineMs === undefined ? null : formatDuration(deadlineMs),
    atDeadline: deadlineMs === undefined || atDeadline !== "force" ? null : "force",
  };
  const change = (live: ShownObject) => {
    checkNotOver(node, live, terms);
    return { draining: true, drain: terms };
  };
  await changeNode(client, node, { acting, change });
  const query = { fieldSelector: `status.node=${node}` };
  const { items } = await client.get<ShownList>(REPLICAS, { query });
  terminal.out(
    `node/${node} is draining, ${countText(items.length, "replica")} to move; cancel with \`${ownCommand()} undrain ${node}\`\n`,
  );
  if (options.wait !== true) return;
  await untilEmpty(client, node, { timeoutMs, terminal });
  terminal.out(`node/${node} is empty\n`);
}

/**
 * Written again as they are, terms change nothing, and a drain that has stopped would not go on.
 */
function checkNotOver(
  node: string,
  live: ShownObject,
  terms: Readonly<Record<string, string | null>>,
): void {
  const held = recordOf(live.spec?.["drain"]);
  const isSame = Object.entries(terms).every(
    ([field, value]) => textOf(held[field]) === (value ?? ""),
  );
  if (!isSame || !hasStopped(live)) return;
  throw new UserError(
    "request-refused",
    `The drain of node/${node} already stopped at this deadline. Pass another --deadline, or --at-deadline force.`,
  );
}

function readDeadline({ deadline, atDeadline }: DrainOptions): number | undefined {
  if (deadline === undefined) {
    if (atDeadline !== "force") return undefined;
    throw new UserError(
      "bad-usage",
      "--at-deadline force requires --deadline, such as --deadline 10m.",
    );
  }
  const ms = parseDuration(deadline);
  if (ms !== undefined && ms > 0) return ms;
  throw new UserError("bad-usage", `--deadline: found "${deadline}", expected ${DURATION_FORM}.`);
}

interface Left {
  readonly names: readonly string[];
  readonly stopping: number;
}

async function untilEmpty(
  client: ApiClient,
  node: string,
  { timeoutMs, terminal }: { readonly timeoutMs: number; readonly terminal: Terminal },
): Promise<void> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(timeoutMs)]);
  let left: Left | undefined;
  let shown = "";
  let isOver = false;
  const replicas = mirror(client, {
    path: REPLICAS,
    query: { fieldSelector: `status.node=${node}` },
    signal,
    onChange: (objects) => {
      left = leftOf([...objects.values()]);
      const line = leftText(left);
      if (line !== shown && left.names.length > 0) terminal.out(`${line}\n`);
      shown = line;
      if (left.names.length === 0 || isOver) done.abort();
    },
  });
  const drained = mirror(client, {
    path: NODES,
    query: { fieldSelector: `metadata.name=${node}` },
    signal,
    onChange: (objects) => {
      const [object] = objects.values();
      isOver = hasStopped(object);
      // Who is left must be known before it is said that they stay.
      if (isOver && left !== undefined) done.abort();
    },
  });
  await Promise.all([replicas, drained]);
  if (left?.names.length === 0) return;
  throw await notEmpty(client, node, { left, isOver });
}

const leftOf = (replicas: readonly ShownObject[]): Left => ({
  names: replicas.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted(),
  stopping: replicas.filter(({ status }) => status?.["stopping"] !== undefined).length,
});

const leftText = ({ names, stopping }: Left): string =>
  `${countText(names.length, "replica")} left: ${stopping} stopping, ${names.length - stopping} not evicted yet`;

/**
 * Whether its drain has given up: with force, all are asked at the deadline, and waiting goes on.
 */
function hasStopped(node: ShownObject | undefined): boolean {
  const isForced = recordOf(node?.spec?.["drain"])["atDeadline"] === "force";
  return !isForced && recordOf(node?.status?.["drain"])["over"] !== undefined;
}

async function notEmpty(
  client: ApiClient,
  node: string,
  { left, isOver }: { readonly left: Left | undefined; readonly isOver: boolean },
): Promise<UserError> {
  const object = await client.get<ShownObject>(`${NODES}/${encodeURIComponent(node)}`);
  const remaining = listOf(recordOf(object.status?.["drain"])["remaining"]).map(recordOf);
  const why = remaining.map((each) => `\n  ${textOf(each["replica"])}: ${textOf(each["reason"])}`);
  const code = isOver ? "drain-incomplete" : "timed-out";
  const advice = isOver
    ? `The node stays unschedulable: drain it again with more time or --at-deadline force, or cancel with \`${ownCommand()} undrain ${node}\`.`
    : `A replica moves once another node has room for it: see \`${ownCommand()} describe replica ${left?.names[0] ?? "NAME"}\`.`;
  return new UserError(
    code,
    `node/${node} still has ${left?.names.join(", ") ?? "replicas"}. ${advice}${why.join("")}`,
  );
}

export async function undrain(
  node: string,
  options: DrainOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const acting = await actingAs(client, options);
  await changeNode(client, node, { acting, change: () => ({ draining: false, drain: null }) });
  terminal.out(`node/${node} is schedulable again\n`);
}

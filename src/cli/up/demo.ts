/**
 * What `berth up` shows to a new user: work that serves, work that waits for a good reason, and,
 * once, a node that dies under what it runs. It touches nothing but the examples that come with
 * Berth.
 */
import { ownCommand } from "../text/own-command.ts";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseDuration, DURATION_FORM } from "../../quantity/duration.ts";
import type { ApiClient } from "../client/api-client.ts";
import { type ShownObject, textOf } from "../../steering/api-object.ts";
import { mirror } from "../client/mirror.ts";
import { UserError } from "../../shell/errors.ts";
import type { UpOptions } from "../commands/up.ts";
import type { FleetNode } from "./fleet.ts";

const BASE = "/apis/berth.dev/v1";
const SERVICE = { tenant: "payments", name: "risk-api" } as const;
const WAITING = { tenant: "research", name: "risk-model" } as const;
/** All that the examples bring; a user with other work wants no demonstration. */
const OWN: ReadonlySet<string> = new Set([
  "payments/risk-api",
  "fraud/fraud-batch",
  "research/risk-model",
]);

/** Long enough to open the dashboard and look around, short enough to be waited for. */
const BY_DEFAULT_MS = 30_000;
/** With fewer nodes what is lost has nowhere to go. */
const FEWEST_NODES = 3;

export interface Demo {
  readonly client: ApiClient;
  /** Where the dashboard is. */
  readonly url: string;
  /** Behind each of its addresses: logs the browser in, or nothing. */
  readonly login: string;
  readonly folder: string;
  readonly fleet: readonly FleetNode[];
  /** How long after everything serves a node is killed; undefined: none is. */
  readonly incidentAfterMs: number | undefined;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
  /**
   * Whether a replica runs on the node: a plane that was started anew tells what was before until
   * it hears otherwise.
   */
  readonly runs: (node: string) => boolean;
  /** Ends a node with all it runs; returns how many replicas that were. */
  readonly kill: (node: string) => number;
}

/** Reads --incident and --no-incident; undefined: nothing is killed. */
export function readIncident({ incident, apply }: UpOptions): number | undefined {
  if (typeof incident !== "string") {
    return incident === false || apply !== undefined ? undefined : BY_DEFAULT_MS;
  }
  const afterMs = parseDuration(incident);
  if (afterMs === undefined || afterMs < 0) {
    throw new UserError("bad-usage", `--incident: found "${incident}", expected ${DURATION_FORM}.`);
  }
  if (apply === undefined) return afterMs;
  throw new UserError(
    "bad-usage",
    "--incident needs the examples; remove --apply and --no-apply, or --incident.",
  );
}

/** Resolves when there is nothing more to show. */
export async function runDemo(demo: Demo): Promise<void> {
  const { signal, tell, folder, fleet, incidentAfterMs } = demo;
  const replicas = await seen(
    demo,
    "replicas",
    (all) => isSettled(all) && all.every((each) => !isOf(each, SERVICE) || demo.runs(nodeOf(each))),
  );
  const victim = replicas && victimOf(replicas, fleet);
  const wasShown = existsSync(markIn(folder));
  const isShown =
    incidentAfterMs !== undefined && !wasShown && fleet.length >= FEWEST_NODES && victim;
  if (replicas === undefined || signal.aborted) return;
  tell(tour(demo, isShown ? victim : undefined));
  if (!isShown) return;
  await sleep(incidentAfterMs, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted && (await isAlone(demo))) await showIncident(demo, victim);
}

interface Victim {
  readonly replica: string;
  readonly node: string;
}

async function showIncident(demo: Demo, { node }: Victim): Promise<void> {
  const { tell, folder, signal } = demo;
  const lost = ((await seen(demo, "replicas", () => true)) ?? []).filter(
    (each) => nodeOf(each) === node,
  );
  // Once for each folder: a second start does not repeat it.
  writeFileSync(markIn(folder), "", { mode: 0o600 });
  const killedMs = performance.now();
  const killed = demo.kill(node);
  const processes = killed === 1 ? "the replica" : `all ${killed} replicas`;
  tell(
    `Killed node ${node} with ${processes} on it. Its replicas move to other nodes once the node's lease proves that they have stopped.`,
  );
  await seen(
    demo,
    "replicas",
    (all) => isSettled(all) && all.every((each) => nodeOf(each) !== node),
  );
  if (signal.aborted) return;
  const seconds = Math.round((performance.now() - killedMs) / 1_000);
  const now = ((await seen(demo, "replicas", () => true)) ?? []).filter((each) =>
    lost.some(({ metadata }) => metadata.name === each.metadata.name),
  );
  const where = now.map((each) => `${each.metadata.name} serves on ${nodeOf(each)}`).join(", ");
  tell(
    `Recovered: all replicas serve again ${seconds} s after ${node} was killed: ${where}. ${node} stays down until the next \`${ownCommand()} up\`.`,
  );
}

const markIn = (folder: string): string => join(folder, "incident-shown");

/** Whatever the signal says meanwhile, this resolves; with undefined when it said so first. */
async function seen(
  { client, signal }: Demo,
  kind: "replicas" | "workloads",
  isThere: (objects: readonly ShownObject[]) => boolean,
): Promise<readonly ShownObject[] | undefined> {
  const enough = new AbortController();
  let found: readonly ShownObject[] | undefined;
  await mirror(client, {
    path: `${BASE}/${kind}`,
    signal: AbortSignal.any([signal, enough.signal]),
    onChange: (objects) => {
      const all = [...objects.values()];
      if (!isThere(all)) return;
      found ??= all;
      enough.abort();
    },
  });
  return found;
}

const nodeOf = ({ status }: ShownObject): string => textOf(status?.["node"]);
const stageOf = ({ status }: ShownObject): string => textOf(status?.["stage"]);
const isOf = ({ metadata, spec }: ShownObject, { tenant, name }: typeof SERVICE): boolean =>
  metadata.namespace === tenant && spec?.["workload"] === name;

/**
 * The service serves with all it wants. One that was released is still wanted: it is about to be
 * given its next incarnation.
 */
function isSettled(replicas: readonly ShownObject[]): boolean {
  const own = replicas.filter((each) => isOf(each, SERVICE));
  return own.length > 0 && own.every((each) => stageOf(each) === "serving");
}

/** One that serves, on a node without the device that the batch needs. */
function victimOf(
  replicas: readonly ShownObject[],
  fleet: readonly FleetNode[],
): Victim | undefined {
  const spared = new Set(fleet.filter(({ hasGpu }) => hasGpu).map(({ name }) => name));
  const found = replicas
    .filter((each) => isOf(each, SERVICE) && nodeOf(each) !== "" && !spared.has(nodeOf(each)))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .at(-1);
  return found && { replica: found.metadata.name, node: nodeOf(found) };
}

async function isAlone(demo: Demo): Promise<boolean> {
  const workloads = (await seen(demo, "workloads", () => true)) ?? [];
  return workloads.every(({ metadata }) => OWN.has(`${metadata.namespace}/${metadata.name}`));
}

function tour({ url, login, incidentAfterMs = 0 }: Demo, victim: Victim | undefined): string {
  const ui = `${url}/ui`;
  const pending = `  ${ui}/workloads/${WAITING.tenant}/${WAITING.name}${login}`;
  const why = `why ${WAITING.name} is pending, and what would help`;
  if (victim === undefined)
    return `Open the dashboard, ${url}/${login}, for example\n${pending}\n    ${why}`;
  const { node, replica } = victim;
  return [
    `Three pages to open in the dashboard, ${url}/${login}`,
    pending,
    `    ${why}`,
    `  ${ui}/fleet?node=${node}${login}`,
    `    a node that will be killed in ${Math.round(incidentAfterMs / 1_000)} s to show a recovery (disable with --no-incident)`,
    `  ${ui}/timeline/replica/${SERVICE.tenant}/${replica}${login}`,
    `    the recovery of one of its replicas, step by step`,
  ].join("\n");
}

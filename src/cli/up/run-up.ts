/** Starts a whole Berth on this machine, applies the examples, and shows how far they have come. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { closedText, closeToOthers } from "../../shell/close-to-others.ts";
import { ApiClient } from "../client/api-client.ts";
import { dashboardLine, loginUrl } from "../client/dashboard-line.ts";
import { findServer } from "../client/find-server.ts";
import { mirror } from "../client/mirror.ts";
import { ensureAgentToken, ensureOwnTokens, type OwnTokens } from "../client/own-tokens.ts";
import { removePlaneNote, writePlaneNote } from "../client/plane-file.ts";
import { loopbackCertificateIn } from "../../serve/loopback-certificate.ts";
import { ensureSecretKeyFile } from "../../serve/plane-secret-keys.ts";
import { DEFAULT_DATA, dataFolder } from "../client/server-options.ts";
import { describeUserError, UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import type { UpOptions } from "../commands/up.ts";
import { applyExamples, applyObjects, ownExamples } from "./apply-examples.ts";
import { Crew, PlaneEnded } from "./crew.ts";
import { type Demo, readIncident, runDemo } from "./demo.ts";
import {
  type FleetNode,
  fleetOf,
  MOST_AGENTS,
  MOST_REGIONS,
  plannedFor,
  defaultTenant,
  regionObjects,
} from "./fleet.ts";
import { followProgress } from "./follow-progress.ts";
import { followLead, leadText } from "./follow-lead.ts";
import { clearLeftovers } from "./leftovers.ts";
import {
  listensFor,
  readSharedPlan,
  severalPlanes,
  type SharedPlan,
  singlePlane,
} from "./plane-plan.ts";
import { type RegionalFleet, runRegionalUp } from "./run-regional-up.ts";
import { provisionerFlags, provisionerWords } from "./provisioner-words.ts";
import { shellWord } from "../../steering/shell-word.ts";
import { ownCommand } from "../text/own-command.ts";
import { ProgressView, type Screen } from "./show-progress.ts";

export interface Around {
  /** Resolves when somebody asks for the end. */
  readonly stopped: Promise<string>;
  /** Told how to end everything the hard way. */
  readonly onCrew: (kill: () => void) => void;
  readonly screen: Screen;
}

export async function runUp(options: UpOptions, terminal: Terminal, around: Around): Promise<void> {
  const size = readSize(options);
  if (options.regional === true) return runRegionalUp(options, terminal, around, size);
  const { regions, agents } = size;
  const folder = dataFolder(options);
  const shared = readSharedPlan(options, folder);
  const incidentAfterMs = readIncident(options);
  const listens = await listensFor(options.listen, shared?.planes ?? 1);
  const keyFile = resolve(folder, "secret.key");
  const more = [...provisionerWords(options, { folder, listens }), "--secret-key-file", keyFile];
  const view = new ProgressView(around.screen);
  const left = await clearLeftovers(folder);
  if (left > 0) view.news(`Stopped ${left} processes left over from an earlier berth up.`);
  // Before the folder is closed: a token that others could read until now is replaced, not kept.
  const tokens = ensureOwnTokens(folder);
  ensureSecretKeyFile(keyFile);
  const closed = closedText(folder, closeToOthers(folder));
  if (closed !== undefined) view.news(closed);
  const crew = new Crew(folder, (text) => view.news(text));
  around.onCrew(() => crew.kill());
  const following = new AbortController();
  const { signal } = following;
  const run = async (): Promise<void> => {
    // Those that there will be are known to the planes from the start: no agent waits until its
    // token is.
    const fleet = fleetOf({ regions, agents });
    for (const node of fleet) knowAgent(tokens, node);
    const { isTerminal } = around.screen;
    const of = { crew, view, folder, shared, listens, more, tokens, signal, isTerminal };
    const urls = await startPlanes(of);
    const server = findServer({ server: urls.join(","), tokenFile: tokens.admin });
    const patient = new ApiClient(server, { patienceMs: RESTART_MS });
    await applyObjects(patient, [...regionObjects(regions), ...defaultTenant(agents)]);
    if (signal.aborted) return;
    for (const node of fleet) crew.startAgent(node, urls);
    const client = new ApiClient(server);
    await untilReady(client, agents, signal);
    if (!signal.aborted) await applyAll(patient, options, view);
    const [url = ""] = urls;
    const login = loginFor(tokens, isTerminal);
    const demo = {
      client,
      url,
      login,
      folder,
      fleet,
      incidentAfterMs,
      signal,
      ...demoHands(crew, view),
    };
    const showing = options.apply === undefined ? runDemo(demo) : undefined;
    await Promise.all([followProgress(client, signal, (table) => view.show(table)), showing]);
  };
  try {
    await Promise.race([run(), around.stopped]);
  } catch (error) {
    if (!(error instanceof PlaneEnded)) throw error;
    terminal.err(`${error.message}\n`);
    terminal.exitCode = error.exitCode;
  } finally {
    following.abort();
    view.end();
    const hasRun = terminal.exitCode === 0;
    if (hasRun) view.news(goodbye(shared));
    await crew.stop();
    removePlaneNote(folder, process.pid);
    if (hasRun)
      view.news(
        `Stopped. \`${ownCommand()} up${flagsFor(folder, shared, options)}\` resumes from here.`,
      );
  }
}

function readSize({ regions, agents, term, regional }: UpOptions): RegionalFleet {
  if (term !== undefined && regional !== true) {
    throw new UserError("bad-usage", "--term needs --regional: one plane has no term.");
  }
  return {
    regions: readCount("--regions", regions, { byDefault: 3, most: MOST_REGIONS }),
    agents: readCount("--agents", agents, { byDefault: 6, most: MOST_AGENTS }),
  };
}

/** What the demonstration does to others. */
const demoHands = (crew: Crew, view: ProgressView): Pick<Demo, "runs" | "kill" | "tell"> => ({
  runs: (node) => crew.hasRunning(node),
  kill: (node) => crew.killNode(node),
  tell: (text) => view.news(text),
});

interface Starting {
  readonly crew: Crew;
  readonly view: ProgressView;
  readonly folder: string;
  readonly shared: SharedPlan | undefined;
  readonly listens: readonly string[];
  /** What every plane is told besides. */
  readonly more: readonly string[];
  readonly tokens: OwnTokens;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

const knowAgent = ({ list }: OwnTokens, node: FleetNode): void =>
  void ensureAgentToken(list, { node: node.name, approved: plannedFor(node) });

/** Resolves with their addresses once all of them serve. */
async function startPlanes(of: Starting): Promise<readonly string[]> {
  const { crew, view, folder, shared, listens, more, tokens } = of;
  if (shared === undefined) {
    const urls = await crew.startPlanes([singlePlane(folder, listens[0] ?? "", more)]);
    view.news(greeting(urls, of));
    return urls;
  }
  const store = shared.address ?? (await crew.startEtcd());
  const plans = severalPlanes(folder, { store, listens, more, tokens: tokens.list });
  const urls = await crew.startPlanes(plans);
  // Each has left a note in its own folder; a look into ours finds all of them.
  const caFiles = plans.map((plan) => loopbackCertificateIn(plan.folder));
  const own = { pid: process.pid, urls, tokenFile: tokens.admin, caFiles };
  writePlaneNote(folder, { url: urls[0] ?? "", ...own });
  view.news(greeting(urls, of));
  if (shared.address === undefined) view.news(`The log is stored in ${store}.`);
  await showLead(of, { store, names: plans.map(({ name }) => name) });
  return urls;
}

async function showLead(
  { crew, view, signal }: Starting,
  { store, names }: { readonly store: string; readonly names: readonly string[] },
): Promise<void> {
  const lead = await followLead(store, (leader) => {
    if (leader !== undefined && crew.leading !== undefined && crew.leading !== leader.name) {
      view.news(`${leader.name} is the new leader; it was ${crew.leading}.`);
    }
    crew.leading = leader?.name ?? crew.leading;
    if (!signal.aborted) view.showLead(leadText(leader, names));
  });
  signal.addEventListener("abort", () => lead.stop());
  if (signal.aborted) lead.stop();
}

/** A plane that was killed while the examples are applied is back by then. */
const RESTART_MS = 10_000;

/**
 * No longer than somebody would watch nothing happen: on a slow machine nodes join one after the
 * other.
 */
const NEXT_NODE_MS = 15_000;

/** Work that is placed while nodes are still joining cannot be spread over those that come last. */
async function untilReady(client: ApiClient, nodes: number, stop: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), NEXT_NODE_MS);
  let most = 0;
  await mirror(client, {
    path: "/apis/berth.dev/v1/nodes",
    query: { fieldSelector: "status.health=ready" },
    signal: AbortSignal.any([stop, enough.signal]),
    onChange: ({ size }) => {
      if (size >= nodes) enough.abort();
      else if (size > most) timer.refresh();
      most = Math.max(most, size);
    },
  });
  clearTimeout(timer);
}

/** A mistake in a file is told, and the rest goes on: it can be corrected and applied again. */
async function applyAll(client: ApiClient, options: UpOptions, view: ProgressView): Promise<void> {
  if (options.apply === false) return;
  const paths = Array.isArray(options.apply) ? options.apply : [ownExamples()];
  try {
    await applyExamples(client, paths, (text) => view.news(text));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    view.news(describeUserError(error));
  }
}

const goodbye = (shared: SharedPlan | undefined): string =>
  shared === undefined
    ? "Stopping the agents and their replicas, then the plane."
    : "Stopping the agents and their replicas, then the planes, the leader last.";

/** A token goes to a terminal and nowhere else: what is written to a file may be kept. */
const loginFor = ({ admin }: OwnTokens, isTerminal: boolean): string =>
  isTerminal ? loginUrl("", readFileSync(admin, "utf8").trim()).slice(1) : "";

const dataFlag = (folder: string): string =>
  folder === DEFAULT_DATA ? "" : ` --data ${shellWord(folder)}`;

/** An address may hold a password. */
function flagsFor(folder: string, shared: SharedPlan | undefined, options: UpOptions): string {
  const { listen, agents, regions } = options;
  const given = Object.entries({ listen, agents, regions })
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(value)}`))
    .join("");
  const makers = `${given}${dataFlag(folder)}${provisionerFlags(options)}`;
  if (shared === undefined) return makers;
  const etcd = shared.address === undefined ? "--etcd" : "--etcd ADDRESS";
  return ` --planes ${shared.planes} ${etcd}${makers}`;
}

function greeting(
  urls: readonly string[],
  { folder, tokens, isTerminal }: Pick<Starting, "folder" | "tokens" | "isTerminal">,
): string {
  const flag = dataFlag(folder);
  const berth = ownCommand();
  const [first = "", ...others] = urls;
  const who =
    others.length === 0 ? `Plane ready at ${first}` : `Planes ready at ${urls.join(", ")}`;
  return [
    `${who}; data and logs are in ${folder}.`,
    `  ${dashboardLine(first, tokens.admin, isTerminal).replace(/^D/, "d")}`,
    `  ${berth} top${flag}          ${berth} audit --watch${flag}`,
    `  ${berth} get workloads${flag}          ${berth} get replicas -o wide${flag}`,
    `  ${berth} kubeconfig${flag} > kubeconfig; kubectl --kubeconfig kubeconfig get workloads -A`,
    "Press Ctrl-C to stop. Kill any of its processes to see it restart.",
  ].join("\n");
}

function readCount(
  option: string,
  text: string | undefined,
  { byDefault, most }: { readonly byDefault: number; readonly most: number },
): number {
  const count = text === undefined ? byDefault : readWholeNumber(option, text);
  if (count >= 1 && count <= most) return count;
  throw new UserError("bad-usage", `${option}: found ${count}, expected 1 to ${most}.`);
}

/**
 * Starts a whole Berth of several planes on this machine: a global one, and one for each region
 * with agents of its own. Every process can be killed without the others and is started again.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { newToken, storedForm } from "../../api/identity/token-digest.ts";
import { UserError } from "../../shell/errors.ts";
import { writeDurably } from "../../shell/write-durably.ts";
import { ApiClient } from "../client/api-client.ts";
import { findServer } from "../client/find-server.ts";
import { ensureAgentToken, ensureOwnTokens, type OwnTokens } from "../client/own-tokens.ts";
import { dataFolder } from "../client/server-options.ts";
import type { UpOptions } from "../commands/up.ts";
import { addTokenLines } from "../identity/token-list-file.ts";
import type { Terminal } from "../main.ts";
import { ownCommand } from "../text/own-command.ts";
import { applyObjects } from "./apply-examples.ts";
import { Crew, PlaneEnded } from "./crew.ts";
import { defaultTenant, type FleetNode, fleetOf, plannedFor, regionObjects } from "./fleet.ts";
import { clearLeftovers } from "./leftovers.ts";
import { listensFor, singlePlane } from "./plane-plan.ts";
import type { Around } from "./run-up.ts";
import { ProgressView } from "./show-progress.ts";

export interface RegionalFleet {
  readonly regions: number;
  readonly agents: number;
}

/** Short enough that a person who cuts a region off sees the end of its term. */
const TERM = "2m";
/** A plane that was killed while objects are applied is back by then. */
const RESTART_MS = 10_000;

/** One plane with its processes, in a folder of its own. */
interface Site {
  readonly name: string;
  readonly folder: string;
  readonly crew: Crew;
  readonly tokens: OwnTokens;
  readonly listen: string;
}

export async function runRegionalUp(
  options: UpOptions,
  terminal: Terminal,
  around: Around,
  { regions, agents }: RegionalFleet,
): Promise<void> {
  if (options.etcd !== undefined || options.planes !== undefined) {
    throw new UserError(
      "bad-usage",
      "--regional cannot be used with --planes or --etcd: each region has one plane with a log of its own.",
    );
  }
  const folder = dataFolder(options);
  const view = new ProgressView(around.screen);
  const fleet = fleetOf({ regions, agents });
  const names = [...new Set(fleet.map(({ region }) => region))];
  const listens = await listensFor(options.listen, names.length + 1);
  const sites = await Promise.all(
    ["global", ...names].map((name, at) => prepareSite({ folder, name, view }, listens[at] ?? "")),
  );
  const [global, ...regional] = sites as [Site, ...Site[]];
  around.onCrew(() => sites.forEach(({ crew }) => crew.kill()));
  const run = async (): Promise<void> => {
    const term = options.term ?? TERM;
    const url = await startGlobal(global, { regions, agents, names, term });
    view.news(`Global plane ready at ${url}; its data is in ${global.folder}.`);
    await Promise.all(
      regional.map(async (site) => {
        const own = fleet.filter(({ region }) => region === site.name);
        const at = await startRegion(site, { global, url, fleet: own });
        view.news(`Plane of ${site.name} ready at ${at}, with ${own.length} agents.`);
      }),
    );
    view.news(nextSteps(folder, names[0] ?? "", term));
    await around.stopped;
  };
  try {
    await Promise.race([run(), around.stopped]);
  } catch (error) {
    if (!(error instanceof PlaneEnded)) throw error;
    terminal.err(`${error.message}\n`);
    terminal.exitCode = error.exitCode;
  } finally {
    view.end();
    if (terminal.exitCode === 0) view.news("Stopping the agents, then the planes.");
    await Promise.all(regional.map(({ crew }) => crew.stop()));
    await global.crew.stop();
  }
}

async function prepareSite(
  of: { readonly folder: string; readonly name: string; readonly view: ProgressView },
  listen: string,
): Promise<Site> {
  const { name, view } = of;
  const folder = join(of.folder, name === "global" ? name : join("regions", name));
  await clearLeftovers(folder);
  const crew = new Crew(folder, (text) => view.news(`${name}: ${text}`));
  return { name, folder, crew, tokens: ensureOwnTokens(folder), listen };
}

const patientClient = (url: string, { admin }: OwnTokens): ApiClient =>
  new ApiClient(findServer({ server: url, tokenFile: admin }), { patienceMs: RESTART_MS });

async function startGlobal(
  site: Site,
  of: RegionalFleet & { readonly names: readonly string[]; readonly term: string },
): Promise<string> {
  const { crew, folder, listen, tokens } = site;
  const [url = ""] = await crew.startPlanes([singlePlane(folder, listen)]);
  const regions = regionObjects(of.regions).map((region) => {
    const spec = region["spec"] as Readonly<Record<string, unknown>>;
    return { ...region, spec: { ...spec, plane: { term: of.term } } };
  });
  await applyObjects(patientClient(url, tokens), [
    ...regions,
    ...of.names.flatMap(reporterOf),
    ...defaultTenant(of.agents),
  ]);
  return url;
}

/** What the plane of a region may do at the global plane: report for that region, and no more. */
function reporterOf(region: string): readonly Readonly<Record<string, unknown>>[] {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const name = reporterName(region);
  const rule = { apiGroups: ["berth.dev"], resources: ["regions"], resourceNames: [region] };
  return [
    {
      apiVersion,
      kind: "ClusterRole",
      metadata: { name },
      rules: [{ ...rule, verbs: ["report"] }],
    },
    {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
    },
  ];
}

const reporterName = (region: string): string => `region-${region}`;

async function startRegion(
  site: Site,
  of: { readonly global: Site; readonly url: string; readonly fleet: readonly FleetNode[] },
): Promise<string> {
  const { crew, folder, listen, name, tokens } = site;
  const tokenFile = resolve(folder, "global.token");
  ensureReporterToken(of.global.tokens.list, tokenFile, name);
  for (const node of of.fleet) {
    ensureAgentToken(tokens.list, { node: node.name, approved: plannedFor(node) });
  }
  const link = ["--region", name, "--global", of.url, "--global-token-file", tokenFile];
  const urls = await crew.startPlanes([singlePlane(folder, listen, link)]);
  for (const node of of.fleet) crew.startAgent(node, urls);
  return urls[0] ?? "";
}

/** The token of the region's plane at the global plane: the one that its file has, or a new one. */
function ensureReporterToken(list: string, file: string, region: string): void {
  if (readOwnToken(file) !== undefined) return;
  const token = newToken();
  addTokenLines(list, [`user ${reporterName(region)} ${storedForm(token)}`]);
  writeDurably(file, `${token}\n`);
}

function readOwnToken(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

function nextSteps(folder: string, region: string, term: string): string {
  const berth = ownCommand();
  const global = join(folder, "global");
  const own = join(folder, "regions", region);
  return [
    `  ${berth} regions --data ${global}`,
    `  ${berth} get grants -A --data ${global}`,
    `  ${berth} apply -f examples/risk-api.yaml --data ${own}     # no call to the global plane`,
    `  ${berth} get replicas -A --data ${own}`,
    `Stop the global plane: for ${term} regions go on with what they were lent, then they only repair.`,
    "Press Ctrl-C to stop.",
  ].join("\n");
}

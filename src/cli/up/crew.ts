/**
 * The processes of a Berth on one machine: planes, agents and perhaps an etcd, each of which can be
 * killed without the others and is started again.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { killNode, runningOn } from "../../agent/process/kill-node.ts";
import { ownTokensIn, writeAgentToken } from "../client/own-tokens.ts";
import { readPlaneNote } from "../client/plane-file.ts";
import { agentArguments, agentFolderIn, type FleetNode, plannedFor } from "./fleet.ts";
import { KeptEtcd } from "./kept-etcd.ts";
import { KeptProcess } from "./kept-process.ts";
import { noteRunning, removeNote } from "./leftovers.ts";
import type { PlanePlan } from "./plane-plan.ts";

/**
 * Longer than any example takes to stop, and than a plane needs for its last batch or for the
 * agents beside it.
 */
const AGENT_GRACE_MS = 15_000;
const PLANE_GRACE_MS = 20_000;
const LOOK_MS = 50;
/** As much as an error with its place and what to do takes. */
const LAST_WORDS = 5;

/** A plane ended before it was ever there: what it said on the way out is all there is to know. */
export class PlaneEnded extends Error {
  override readonly name = "PlaneEnded";
  readonly exitCode: number;

  constructor(lastWords: string, exitCode: number) {
    super(lastWords);
    this.exitCode = exitCode;
  }
}

export class Crew {
  private readonly folder: string;
  private readonly onNews: (text: string) => void;
  private etcd: KeptEtcd | undefined;
  private readonly planes: KeptProcess[] = [];
  private readonly agents: KeptProcess[] = [];
  /** The name of the plane that leads, where one of several does. */
  leading: string | undefined;
  /** Ends whatever still waits for a plane to come up. */
  private readonly over = new AbortController();

  constructor(folder: string, onNews: (text: string) => void) {
    this.folder = folder;
    this.onNews = onNews;
  }

  /** Resolves with its address once it serves. */
  async startEtcd(): Promise<string> {
    const onStart = (): void => this.noteAll();
    this.etcd = new KeptEtcd({ folder: join(this.folder, "etcd"), onNews: this.onNews, onStart });
    return this.etcd.start();
  }

  /** Resolves with their addresses once they serve; rejects with PlaneEnded. */
  startPlanes(plans: readonly PlanePlan[]): Promise<readonly string[]> {
    return Promise.all(plans.map((plan) => this.startPlane(plan)));
  }

  private async startPlane({ name, folder, args }: PlanePlan): Promise<string> {
    // A plane that never came up is a mistake to show; one that goes down later is started again.
    let isUp = false;
    const logFile = join(folder, "plane.log");
    const plane = this.keep({ name, args, logFile, isWorthIt: () => isUp });
    this.planes.push(plane);
    plane.start();
    const ended = plane.gaveUp.then(({ code }) => {
      this.over.abort();
      throw new PlaneEnded(plane.lastWords(LAST_WORDS), code ?? 1);
    });
    const url = await Promise.race([this.planeAddress(plane, folder), ended]);
    isUp = true;
    return url;
  }

  /** With a token of its own, which opens what its node needs and nothing else. */
  startAgent(node: FleetNode, urls: readonly string[]): void {
    const { folder } = this;
    const own = agentFolderIn(folder, node.name);
    const of = { node: node.name, approved: plannedFor(node) };
    const tokenFile = writeAgentToken(ownTokensIn(folder).list, own, of);
    const agent = this.keep({
      name: `agent ${node.name}`,
      args: agentArguments(node, { urls, folder, tokenFile }),
      logFile: join(own, "agent.log"),
      isWorthIt: () => true,
    });
    this.agents.push(agent);
    agent.start();
  }

  /**
   * Whether replicas run on a node now, whatever a plane that was just started remembers of them.
   */
  hasRunning(name: string): boolean {
    return runningOn(join(this.folder, "agents", name)).length > 0;
  }

  /**
   * As if its power were gone: it is not started again. Returns how many processes of replicas it
   * ran.
   */
  killNode(name: string): number {
    const agent = this.agents.find(({ options }) => options.name === `agent ${name}`);
    agent?.kill();
    return killNode(join(this.folder, "agents", name));
  }

  /**
   * The agents first, so that what they stop can still be told; then the planes, the one that leads
   * last, so that none takes over only to stop; then the log they share.
   */
  async stop(): Promise<void> {
    this.over.abort();
    await Promise.all(this.agents.map((agent) => agent.stop(AGENT_GRACE_MS)));
    const isLast = ({ options: { name } }: KeptProcess): boolean => name === this.leading;
    const following = this.planes.filter((plane) => !isLast(plane));
    await Promise.all(following.map((plane) => plane.stop(PLANE_GRACE_MS)));
    await Promise.all(this.planes.filter(isLast).map((plane) => plane.stop(PLANE_GRACE_MS)));
    await this.etcd?.stop();
    removeNote(this.folder);
  }

  /** After a second Ctrl-C: replicas end with their leash, and etcd with this process. */
  kill(): void {
    for (const child of this.children) child.kill();
  }

  private get children(): readonly KeptProcess[] {
    return [...this.planes, ...this.agents];
  }

  private keep(of: {
    readonly name: string;
    readonly args: readonly string[];
    readonly logFile: string;
    readonly isWorthIt: () => boolean;
  }): KeptProcess {
    return new KeptProcess({ ...of, onNews: this.onNews, onStart: () => this.noteAll() });
  }

  private noteAll(): void {
    const own = this.children.flatMap(({ identity }) => identity ?? []);
    noteRunning(this.folder, [...own, ...(this.etcd?.identities ?? [])]);
  }

  /** The note it leaves says where it is, and it leaves it once it serves. */
  private async planeAddress(plane: KeptProcess, folder: string): Promise<string> {
    while (!this.over.signal.aborted) {
      const note = readPlaneNote(folder);
      if (note !== undefined && note.pid === plane.pid) return note.url;
      await sleep(LOOK_MS);
    }
    throw new PlaneEnded("The plane was stopped before it was ready.", 1);
  }
}

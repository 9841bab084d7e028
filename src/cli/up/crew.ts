/**
 * The processes of a Berth on one machine: a plane and agents, each of which can be killed without the others
 * and is started again.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPlaneNote } from "../client/plane-file.ts";
import { agentArguments, type FleetNode } from "./fleet.ts";
import { KeptProcess } from "./kept-process.ts";
import { noteRunning, removeNote } from "./leftovers.ts";

/** Longer than any example takes to stop, and than a plane needs for its last batch. */
const AGENT_GRACE_MS = 15_000;
const PLANE_GRACE_MS = 10_000;
const LOOK_MS = 50;
/** As much as an error with its place and what to do takes. */
const LAST_WORDS = 5;

/** The plane ended before it was ever there: what it said on the way out is all there is to know. */
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
  private plane: KeptProcess | undefined;
  private readonly agents: KeptProcess[] = [];
  /** Ends whatever still waits for the plane to come up. */
  private readonly over = new AbortController();

  constructor(folder: string, onNews: (text: string) => void) {
    this.folder = folder;
    this.onNews = onNews;
  }

  /** Resolves with its address once it serves; rejects with PlaneEnded. */
  async startPlane(listen: string): Promise<string> {
    // A plane that never came up is a mistake to show; one that goes down later is started again.
    let isUp = false;
    const plane = this.keep({
      name: "the plane",
      args: ["plane", "--data", this.folder, "--listen", listen],
      logFile: join(this.folder, "plane.log"),
      isWorthIt: () => isUp,
    });
    this.plane = plane;
    plane.start();
    const ended = plane.gaveUp.then(({ code }) => {
      this.over.abort();
      throw new PlaneEnded(plane.lastWords(LAST_WORDS), code ?? 1);
    });
    const url = await Promise.race([this.planeAddress(plane), ended]);
    isUp = true;
    return url;
  }

  startAgent(node: FleetNode, url: string): void {
    const agent = this.keep({
      name: `agent ${node.name}`,
      args: agentArguments(node, { url, folder: this.folder }),
      logFile: join(this.folder, "agents", node.name, "agent.log"),
      isWorthIt: () => true,
    });
    this.agents.push(agent);
    agent.start();
  }

  /** The agents first, so that what they stop can still be told; then the plane. */
  async stop(): Promise<void> {
    this.over.abort();
    await Promise.all(this.agents.map((agent) => agent.stop(AGENT_GRACE_MS)));
    await this.plane?.stop(PLANE_GRACE_MS);
    removeNote(this.folder);
  }

  /** For whoever has lost patience; replicas end with their leash. */
  kill(): void {
    for (const child of this.children) child.kill();
  }

  private get children(): readonly KeptProcess[] {
    return this.plane === undefined ? this.agents : [this.plane, ...this.agents];
  }

  private keep(of: {
    readonly name: string;
    readonly args: readonly string[];
    readonly logFile: string;
    readonly isWorthIt: () => boolean;
  }): KeptProcess {
    return new KeptProcess({
      ...of,
      onNews: this.onNews,
      onStart: () =>
        noteRunning(
          this.folder,
          this.children.flatMap(({ identity }) => identity ?? []),
        ),
    });
  }

  /** The note it leaves says where it is, and it leaves it once it serves. */
  private async planeAddress(plane: KeptProcess): Promise<string> {
    while (!this.over.signal.aborted) {
      const note = readPlaneNote(this.folder);
      if (note !== undefined && note.pid === plane.pid) return note.url;
      await sleep(LOOK_MS);
    }
    throw new PlaneEnded("The plane was stopped before it served.", 1);
  }
}

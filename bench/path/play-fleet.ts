/**
 * Role `fleet`: one light process that speaks for all nodes. It registers them, renews their leases
 * as agents do, and where there is something to stop it says that it has stopped. It runs nothing.
 */
import { nodeManifest } from "../measure/manifests.ts";
import { answerParent } from "../part/answer-parent.ts";
import { AGENT_PROTOCOL, PROTOCOL_HEADER } from "../../src/shell/agent-protocol.ts";
import type { Progress } from "../measure/progress.ts";
import { RenewalRound } from "../measure/renewal-round.ts";
import { ApiPool } from "./api-pool.ts";
import type { FleetTask } from "./path-task.ts";
import { ReplicaWatch } from "./replica-watch.ts";
import { sendAsAgent } from "./send-as-agent.ts";

/**
 * To register nodes and to say what has stopped: enough that the plane always has the next one to
 * do.
 */
const CONNECTIONS = 32;

export interface FleetStanding {
  readonly renewals: number;
  /** Why leases were not renewed, the first few of them. */
  readonly failures: number;
  readonly firstFailure: string;
  readonly stopped: number;
  readonly longestGapMs: number;
  /** From when a renewal was due until its answer, or until now. */
  readonly longestWaitMs: number;
}

class Fleet {
  private readonly pool: ApiPool;
  /** Agents have a connection each: no renewal waits until another was answered, or a report. */
  private readonly leases: ApiPool;
  private readonly epoch: number;
  private readonly round: RenewalRound;
  private readonly stopped = new Set<string>();
  private watch: ReplicaWatch | undefined;
  private failures = 0;
  private firstFailure = "";

  constructor(pool: ApiPool, leases: ApiPool, epoch: number) {
    this.pool = pool;
    this.leases = leases;
    this.epoch = epoch;
    this.round = new RenewalRound(
      (node, seq) => this.renew(node, seq),
      (error) => this.failed(error),
    );
  }

  async join(task: FleetTask, url: string, progress: Progress): Promise<void> {
    let next = 0;
    let ready = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < task.nodes; at = next++) {
        const name = `node-${at}`;
        const zone = task.zones[at % task.zones.length] ?? "";
        await this.pool.create(nodeManifest(name, zone, task.size));
        await this.leases.grow();
        await this.round.add(name);
        ready += 1;
        progress(ready, task.nodes, "nodes ready");
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    if (!task.answersStops) return;
    this.watch = await ReplicaWatch.open({
      url,
      onLine: (line) => {
        if (!line.includes('"stopping":{')) return;
        this.release(line).catch((error: unknown) => this.failed(error));
      },
      onLost: (message) => this.failed(message),
    });
  }

  standing(): FleetStanding {
    const { failures, firstFailure, stopped, round } = this;
    const { renewals, longestGapMs, longestWaitMs } = round;
    return { renewals, longestGapMs, longestWaitMs, failures, firstFailure, stopped: stopped.size };
  }

  forgetGaps(): void {
    this.round.forget();
  }

  close(): void {
    this.round.stop();
    this.watch?.close();
    this.pool.close();
    this.leases.close();
  }

  private renew(node: string, seq: number): Promise<void> {
    const operation = `lease/${node}/1.${seq}`;
    const intent = { kind: "lease", operation, node, session: 1, seq, kept: [] } as const;
    return sendAsAgent(postTo(this.leases), this.epoch, intent);
  }

  /** Nothing runs here, so what is asked to stop has stopped. */
  private async release(line: string): Promise<void> {
    const { object } = JSON.parse(line) as { readonly object: StoppingReplica };
    const { metadata, status } = object;
    const replica = `Replica/${metadata.namespace}/${metadata.name}`;
    const incarnation = `${replica}/${status.incarnation}`;
    if (this.stopped.has(incarnation)) return;
    this.stopped.add(incarnation);
    await sendAsAgent(postTo(this.pool), this.epoch, {
      kind: "report",
      operation: `report/${incarnation}/released`,
      replica,
      incarnation: status.incarnation,
      node: status.node,
      session: status.session,
      stage: "released",
    });
  }

  private failed(error: unknown): void {
    this.failures += 1;
    if (this.failures === 1) this.firstFailure = String(error);
  }
}

interface StoppingReplica {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly status: {
    readonly incarnation: number;
    readonly node: string;
    readonly session: number;
  };
}

/** Without it the plane reads every command in the words of earlier agents. */
const OF_TODAY = `${PROTOCOL_HEADER}: ${AGENT_PROTOCOL}\r\n`;

const postTo =
  (pool: ApiPool) =>
  async (path: string, body: string): Promise<string> =>
    (await pool.post(path, body, OF_TODAY)).body.toString();

export async function playFleet(): Promise<void> {
  let fleet: Fleet | undefined;
  await answerParent(
    {
      join: async (
        of: { url: string; task: FleetTask; token?: string },
        progress: Progress,
      ): Promise<void> => {
        const pool = await ApiPool.open(of.url, CONNECTIONS, of.token);
        const leases = await ApiPool.open(of.url, 0, of.token);
        const { epoch } = (await pool.get("/stream/list?node=node-0")) as { epoch: number };
        fleet = new Fleet(pool, leases, epoch);
        await fleet.join(of.task, of.url, progress);
      },
      standing: (): FleetStanding | undefined => fleet?.standing(),
      forget: (): void => fleet?.forgetGaps(),
    },
    () => fleet?.close(),
  );
}

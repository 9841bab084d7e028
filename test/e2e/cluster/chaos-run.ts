/**
 * Clients at work on a real cluster while faults are caused one after the other, and afterwards the history of it all held
 * against what must be true. The seed decides what is done to whom and what clients ask for; when it happens does not repeat.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";
import { Cluster, type ClusterOptions, PLANES } from "./cluster.ts";
import { type FaultName, FAULTS } from "./faults.ts";
import { type Call, isWrite } from "./history/call.ts";
import { checkHistory, type History } from "./history/check-history.ts";
import type { Finding } from "./history/finding.ts";
import { type FaultTime, type MeasuredFault, measureFault } from "./measure-fault.ts";
import { PlaneWatcher } from "./plane-watcher.ts";
import { type ClientOf, RegisterClient } from "./register-client.ts";

export interface ChaosOptions extends ClusterOptions {
  readonly seed: number;
  /** Which comes next; undefined ends the run. */
  readonly next: (index: number) => FaultName | undefined;
  readonly onFault?: (index: number, name: FaultName) => void;
}

export interface ChaosReport {
  readonly seed: number;
  readonly faults: readonly MeasuredFault[];
  readonly findings: readonly Finding[];
  readonly calls: number;
  readonly acknowledged: number;
  readonly sentAgain: number;
  readonly revisions: number;
  /** What each plane's watcher was told, and how often it had to list. */
  readonly watches: readonly {
    readonly plane: string;
    readonly events: number;
    readonly connections: number;
    readonly lists: number;
  }[];
  /** By plane: "the same", or where its recording comes out differently. */
  readonly replayed: Readonly<Record<string, string>>;
  /** All of it, when something in it must not be. */
  readonly history?: History;
}

/** Few, so that clients meet. */
const KEYS = ["r0", "r1", "r2", "r3", "r4"];
/** Whose plane is lost waits; the others show whether anybody is served. */
const AT_HOME = 2;
const ROAMING = 3;
/** Undisturbed work before the first fault, and between two of them: so long, and so much, however slow the machine is. */
const CALM_MS = 700;
const CALM_CALLS = 25;
const CALM_WRITES = 6;

const isAcknowledged = ({ answer: { kind } }: Call): boolean =>
  kind === "shown" || kind === "deleted";

export class ChaosRun {
  private readonly options: ChaosOptions;
  private readonly cluster: Cluster;
  private readonly calls: Call[] = [];
  private readonly times: FaultTime[] = [];
  private watchers: readonly PlaneWatcher[] = [];

  constructor(options: ChaosOptions) {
    this.options = options;
    this.cluster = new Cluster(options);
  }

  async run(): Promise<ChaosReport> {
    try {
      await this.cluster.start();
      await this.disturb();
      await this.settle();
      const replayed = await this.cluster.stopAndReplay();
      return this.report(Object.fromEntries(replayed));
    } finally {
      await Promise.all(this.watchers.map((watcher) => watcher.stop()));
      await this.cluster.remove();
    }
  }

  private async disturb(): Promise<void> {
    const over = new AbortController();
    this.watchers = this.cluster.planes.map((plane) => new PlaneWatcher(plane));
    for (const watcher of this.watchers) watcher.start();
    const clients = [
      ...PLANES.flatMap((_, home) => [
        ...Array.from({ length: AT_HOME }, (__, at) => this.client(`h${home}${at}`, { home })),
        this.client(`r${home}`, { home, onlyReads: true }),
      ]),
      ...Array.from({ length: ROAMING }, (_, at) => this.client(`c${at}`)),
    ];
    const working = Promise.all(clients.map((client) => client.run(over.signal)));
    // Said when it is waited for.
    working.catch(() => {});
    try {
      await this.calm();
      for (let index = 0; ; index += 1) {
        const name = this.options.next(index);
        if (name === undefined) break;
        await this.cause(name, index);
        await this.calm();
      }
    } finally {
      over.abort();
    }
    await working;
  }

  private async calm(): Promise<void> {
    const before = this.calls.length;
    await sleep(CALM_MS);
    await this.cluster.until("clients to be served", () => {
      const served = this.calls.slice(before).filter(isAcknowledged);
      const writes = served.filter(({ asked }) => isWrite(asked));
      return served.length >= CALM_CALLS && writes.length >= CALM_WRITES ? true : undefined;
    });
  }

  private async cause(name: FaultName, index: number): Promise<void> {
    const { seed, onFault } = this.options;
    onFault?.(index, name);
    const random = new KeyedRandom(seed, "faults");
    const beganMs = performance.now();
    await FAULTS[name]({ cluster: this.cluster, random, index });
    const healedMs = performance.now();
    await this.cluster.served();
    this.times.push({ name, beganMs, healedMs, settledMs: performance.now() });
  }

  /** Every plane is read once more, and everybody who watches is told of one last change. */
  private async settle(): Promise<void> {
    const last = this.client("last");
    await this.cluster.until("a last write", async () => {
      const answer = await last.ask({
        op: "create",
        key: "end",
        value: `end.${this.calls.length}`,
      });
      return answer.kind === "shown" ? true : undefined;
    });
    for (const [at, plane] of this.cluster.planes.entries()) {
      const reader = this.client(`reader-${at}`, { planes: [plane] });
      for (const key of KEYS) await reader.ask({ op: "get", key });
      await reader.ask({ op: "list" });
    }
    const { witness } = this.cluster;
    const end = await witness.end();
    await this.cluster.until("the log to be followed", () =>
      witness.upTo >= end ? true : undefined,
    );
    const marker = witness.watched().connections.at(-1)?.lines.at(-1)?.revision ?? 0;
    await this.cluster.until("every watcher to be told of the last write", () =>
      this.watchers.every(({ upTo }) => upTo >= marker) ? true : undefined,
    );
  }

  private client(name: string, of: Partial<ClientOf> = {}): RegisterClient {
    const { seed } = this.options;
    const { planes } = this.cluster;
    return new RegisterClient({ name, seed, planes, keys: KEYS, calls: this.calls, ...of });
  }

  private report(replayed: Readonly<Record<string, string>>): ChaosReport {
    const { calls } = this;
    const { witness } = this.cluster;
    if (witness.damage !== undefined) throw witness.damage;
    const watched = [...this.watchers.map((watcher) => watcher.watched()), witness.watched()];
    const findings = checkHistory({ calls, watched });
    const { leads } = witness;
    return {
      seed: this.options.seed,
      faults: this.times.map((time) => measureFault(time, { calls, leads, findings })),
      findings,
      calls: calls.length,
      acknowledged: calls.filter(isAcknowledged).length,
      sentAgain: calls.filter(({ again, planes }) => again !== undefined || planes.length > 1)
        .length,
      revisions: witness.upTo,
      watches: this.watchers.map((watcher, at) => {
        const { connections } = watcher.watched();
        const events = connections.reduce((sum, { lines }) => sum + lines.length, 0);
        const plane = PLANES[at] ?? "";
        return { plane, events, connections: connections.length, lists: watcher.lists };
      }),
      replayed,
      ...(findings.length === 0 ? {} : { history: { calls, watched } }),
    };
  }
}

/** A real cluster on this machine: three members of etcd and three planes, all of them processes that end with this one. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EtcdClient } from "../../../src/host/etcd/etcd-client.ts";
import { LocalEtcd } from "../../../src/host/etcd/local-etcd.ts";
import { BuiltBerth } from "../../bench/a-built-berth.ts";
import { ClusterPlane } from "./cluster-plane.ts";
import { LogWitness } from "./log-witness.ts";
import { removeFolder } from "../../builders/remove-folder.ts";

export interface ClusterOptions {
  readonly leaseSeconds: number;
  /** Etcd is full at this; left out: at its own 2 GiB. */
  readonly quotaBytes?: number;
  /** Snapshots after this many changes, and as many revisions kept behind them; left out: as users have it. */
  readonly snapshotEvery?: number;
}

export const PLANES = ["one", "two", "three"] as const;
export const MEMBERS = 3;
/** Below the ports that the kernel gives away, on an address that nobody else uses. */
const PORT = 7101;
/** Longer than any wait here takes on a busy machine; it only bounds a hang. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 25;

export class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), "berth-cluster-"));
  readonly options: ClusterOptions;
  readonly etcd: LocalEtcd;
  planes: readonly ClusterPlane[] = [];
  private readonly built = new BuiltBerth();
  private opened: { readonly direct: EtcdClient; readonly witness: LogWitness } | undefined;

  constructor(options: ClusterOptions) {
    this.options = options;
    const { quotaBytes } = options;
    const quota = quotaBytes === undefined ? {} : { quotaBytes };
    this.etcd = new LocalEtcd({ folder: join(this.folder, "etcd"), members: MEMBERS, ...quota });
  }

  async start(): Promise<void> {
    const { leaseSeconds, snapshotEvery } = this.options;
    await Promise.all([this.built.build(), this.etcd.start()]);
    if (snapshotEvery !== undefined) shrinkLog(this.built.folder, snapshotEvery);
    const { endpoints } = this.etcd;
    const direct = new EtcdClient({ endpoints });
    this.opened = { direct, witness: await LogWitness.begin(new EtcdClient({ endpoints })) };
    const host = endpoints[0]?.split(":")[0];
    const script = join(this.built.folder, "berth.mjs");
    this.planes = await Promise.all(
      PLANES.map((name, at) =>
        ClusterPlane.start({
          name,
          address: `${host}:${PORT + at}`,
          folder: this.folder,
          script,
          leaseSeconds,
          endpoints,
        }),
      ),
    );
    await this.served();
  }

  /** Etcd itself, without a proxy between. */
  get direct(): EtcdClient {
    return this.running.direct;
  }

  get witness(): LogWitness {
    return this.running.witness;
  }

  /** The plane that leads, once one does. */
  leader(): Promise<ClusterPlane> {
    return this.until("a plane to lead", () => {
      const name = this.witness.leader;
      return this.planes.find((plane) => plane.name === name);
    });
  }

  async followers(): Promise<readonly ClusterPlane[]> {
    const leader = await this.leader();
    return this.planes.filter((plane) => plane !== leader);
  }

  /** Every plane shows the present, and writes are taken. */
  async served(): Promise<void> {
    for (const { name, url } of this.planes) {
      await this.until(`plane ${name} to serve`, async () => {
        if (!(await isOk(`${url}/readyz`))) return undefined;
        return (await isOk(`${url}/apis/berth.dev/v1/tenants`)) ? true : undefined;
      });
    }
  }

  async until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (performance.now() > endMs) {
        throw new Error(`Waited in vain for ${what}.\n${this.lastWords()}`);
      }
      await sleep(LOOK_MS);
    }
  }

  /** In order, so that recordings are whole; says of each plane that has led how its recording replays. */
  async stopAndReplay(): Promise<ReadonlyMap<string, string>> {
    for (const plane of this.planes) await plane.stop();
    const replayed = new Map<string, string>();
    for (const { name, folder, hasLed } of this.planes) {
      // Only who leads records: who wins an election is up to etcd, and one of them may never have.
      if (!hasLed) continue;
      const { code, out, err } = await this.built.run("replay", folder);
      replayed.set(name, code === 0 ? "the same" : `${out}${err}`.trim());
    }
    return replayed;
  }

  async remove(): Promise<void> {
    this.opened?.witness.stop();
    this.opened?.direct.close();
    await Promise.all(this.planes.map((plane) => plane.kill()));
    await this.etcd.kill();
    this.built.remove();
    await removeFolder(this.folder);
  }

  /** Of every plane, for the sentence that says what was waited for in vain. */
  lastWords(): string {
    return this.planes
      .map(({ name, logFile }) => {
        const lines = readFileSync(logFile, "utf8").trimEnd().split("\n");
        return `${name}:\n${lines.slice(-5).join("\n")}`;
      })
      .join("\n");
  }

  private get running(): { readonly direct: EtcdClient; readonly witness: LogWitness } {
    if (this.opened === undefined) throw new Error("The cluster was not started.");
    return this.opened;
  }
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/**
 * The two numbers that decide when a log is shortened, made small in what was built: otherwise a run of minutes would never
 * come to a snapshot.
 */
function shrinkLog(folder: string, every: number): void {
  const wanted = new Set(["CHANGES_PER_SNAPSHOT", "KEPT_REVISIONS"]);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const shrunk = text.replaceAll(
      /\bvar (CHANGES_PER_SNAPSHOT|KEPT_REVISIONS) = 5e4;/g,
      (_, name: string) => {
        wanted.delete(name);
        return `var ${name} = ${every};`;
      },
    );
    if (shrunk !== text) writeFileSync(path, shrunk);
  }
  if (wanted.size > 0) throw new Error(`The bundle has no ${[...wanted].join(" and no ")}.`);
}

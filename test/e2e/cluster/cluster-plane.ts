/**
 * One plane of a cluster as a real process. It reaches every member of etcd through a proxy of its own, so that it can be cut
 * off from some or all of them while the others are not.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalMember } from "../../../src/host/etcd/local-member.ts";
import { TcpProxy } from "../../etcd/tcp-proxy.ts";

export interface PlaneOf {
  readonly name: string;
  /** `host:port` where it listens. */
  readonly address: string;
  readonly folder: string;
  /** The command line, bundled. */
  readonly script: string;
  readonly leaseSeconds: number;
  readonly endpoints: readonly string[];
}

/** What its command begins with, such as one that sets its clocks and then becomes it. */
export type Entering = readonly string[];

export class ClusterPlane {
  readonly name: string;
  readonly url: string;
  readonly folder: string;
  readonly logFile: string;
  private readonly of: PlaneOf;
  private readonly proxies: readonly TcpProxy[];
  private process: LocalMember;

  private constructor(of: PlaneOf, proxies: readonly TcpProxy[]) {
    this.of = of;
    this.name = of.name;
    this.url = `http://${of.address}`;
    this.folder = join(of.folder, of.name);
    this.logFile = join(of.folder, `${of.name}.log`);
    this.proxies = proxies;
    this.process = this.entering([]);
  }

  static async start(of: PlaneOf): Promise<ClusterPlane> {
    const proxies = await Promise.all(of.endpoints.map((endpoint) => TcpProxy.open(endpoint)));
    const plane = new ClusterPlane(of, proxies);
    mkdirSync(plane.folder, { recursive: true });
    await plane.start();
    return plane;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get isRunning(): boolean {
    return this.process.isRunning;
  }

  /** By its own word, in any of its incarnations. */
  get hasLed(): boolean {
    return readFileSync(this.logFile, "utf8").includes("The plane is the leader.");
  }

  start(): Promise<void> {
    return this.process.start();
  }

  kill(): Promise<void> {
    return this.process.kill();
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
  }

  pause(): void {
    this.process.pause();
  }

  resume(): void {
    this.process.resume();
  }

  /** As an upgrade does it: told to stop, waited for, and started again. */
  async replace(): Promise<void> {
    await this.process.stop();
    await this.start();
  }

  /** Killed, and started again in other surroundings. */
  async restartIn(entering: Entering): Promise<void> {
    await this.kill();
    this.process = this.entering(entering);
    await this.start();
  }

  /** On its way to these members, by number; to all of them when none is named. */
  onTheWay(disturb: (proxy: TcpProxy) => void, members?: readonly number[]): void {
    for (const [at, proxy] of this.proxies.entries()) {
      if (members === undefined || members.includes(at)) disturb(proxy);
    }
  }

  heal(): void {
    this.onTheWay((proxy) => proxy.heal());
  }

  private entering(words: Entering): LocalMember {
    const { script, address, name, leaseSeconds } = this.of;
    const store = `etcd://${this.proxies.map(({ endpoint }) => endpoint).join(",")}`;
    const where = ["--store", store, "--name", name, "--listen", address, "--data", this.folder];
    // Nobody is to be kept out: the faults here are others.
    const how = ["--lease", String(leaseSeconds), "--insecure-local"];
    return new LocalMember({
      command: [...words, process.execPath, script, "plane", ...where, ...how],
      endpoint: address,
      logFile: this.logFile,
    });
  }
}

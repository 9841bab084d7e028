/**
 * An etcd cluster on this machine, in one folder: for tests, benches and trying Berth out. Started
 * again on the same folder it goes on with what it has. Its processes end with this one, however
 * that ends.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from "../../shell/private-folder.ts";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EtcdClient } from "./etcd-client.ts";
import type { EtcdTls } from "./etcd-address.ts";
import { EtcdRefused } from "./etcd-refused.ts";
import { findEtcd } from "./find-etcd.ts";
import { findLocalAddresses, type MemberAddresses } from "./local-addresses.ts";
import { LocalMember } from "./local-member.ts";

export interface LocalEtcdOptions {
  readonly folder: string;
  /**
   * How many members a new cluster gets; one that is in the folder already keeps its own number.
   */
  readonly members: number;
  /** Etcd refuses writes when its database has grown to this; left out: etcd's own 2 GiB. */
  readonly quotaBytes?: number;
  readonly tls?: LocalEtcdTls;
  /** A member that hears nothing of the leader for this long asks for an election. */
  readonly electionMs?: number;
  /** Called when a member has ended, for any reason. */
  readonly onEnded?: (at: number) => void;
}

/** Files; with `ca` only clients are let in that show a certificate of it. */
export interface LocalEtcdTls {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  /** What clients of ours use while waiting for the cluster to come up. */
  readonly client: EtcdTls;
}

/**
 * Etcd's own numbers: on a machine that is busy with tests, shorter ones depose leaders that are
 * merely slow.
 */
const ELECTION_MS = 1_000;
/** Etcd wants an election to take at least five heartbeats. */
const HEARTBEATS_PER_ELECTION = 10;
/** A cold start takes one second; a machine under load takes many. */
const HEALTHY_MS = 60_000;
const LOOK_MS = 50;
/**
 * Then it is looked again whether the member still runs: a question to one that has ended is waited
 * for in vain.
 */
const ASK_MS = 1_000;

export class LocalEtcd {
  private readonly options: LocalEtcdOptions;
  private members: readonly LocalMember[] = [];

  constructor(options: LocalEtcdOptions) {
    this.options = options;
  }

  /** `host:port` of every member, once it is started. */
  get endpoints(): readonly string[] {
    return this.members.map(({ endpoint }) => endpoint);
  }

  member(at: number): LocalMember {
    const member = this.members[at];
    if (member === undefined) {
      throw new Error(`There is no member ${at}: the local etcd has ${this.members.length}.`);
    }
    return member;
  }

  /** Resolves when every member answers linearizable reads. */
  async start(): Promise<this> {
    const { folder } = this.options;
    const program = findEtcd();
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const addresses = await this.addresses();
    this.members = addresses.map((own, at) => {
      const name = nameOf(at);
      return new LocalMember({
        command: [program, ...this.flags(name, own, addresses)],
        endpoint: own.client,
        logFile: join(folder, `${name}.log`),
        onEnded: () => this.options.onEnded?.(at),
      });
    });
    try {
      await Promise.all(this.members.map((member) => member.start()));
      await this.healthy();
    } catch (error) {
      await this.kill();
      throw error;
    }
    return this;
  }

  /**
   * Resolves when every member that runs answers linearizable reads; rejects when one has ended.
   */
  async healthy(): Promise<void> {
    const { signal } = this.waiting();
    await Promise.all(this.members.map((member) => this.answers(member, signal)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
  }

  async kill(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
  }

  private waiting(): AbortController {
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), HEALTHY_MS).unref();
    return waiting;
  }

  private async answers(member: LocalMember, signal: AbortSignal): Promise<void> {
    const { tls } = this.options;
    const secure = tls === undefined ? {} : { tls: tls.client };
    const client = new EtcdClient({ endpoints: [member.endpoint], deadlineMs: ASK_MS, ...secure });
    try {
      while (!(await isAnswering(client))) {
        if (!member.isRunning || signal.aborted) throw this.didNotStart(member);
        await sleep(LOOK_MS);
      }
    } finally {
      client.close();
    }
  }

  private didNotStart(member: LocalMember): Error {
    const how = member.isRunning ? `does not answer after ${HEALTHY_MS / 1_000} s` : "has ended";
    return new Error(
      `The local etcd at ${member.endpoint} ${how}. The end of ${member.logFile}:\n${member.lastWords()}`,
    );
  }

  /** The same for the incarnation of the folder: members know each other by them. */
  private async addresses(): Promise<readonly MemberAddresses[]> {
    const file = join(this.options.folder, "addresses.json");
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as MemberAddresses[];
    const found = await findLocalAddresses(this.options.members);
    writeFileSync(file, `${JSON.stringify(found)}\n`, { mode: OWNER_ONLY_FILE });
    return found;
  }

  private flags(
    name: string,
    own: MemberAddresses,
    all: readonly MemberAddresses[],
  ): readonly string[] {
    const { folder, quotaBytes, tls, electionMs = ELECTION_MS } = this.options;
    const client = `${tls === undefined ? "http" : "https"}://${own.client}`;
    const peers = all.map(({ peer }, at) => `${nameOf(at)}=http://${peer}`).join(",");
    return [
      `--name=${name}`,
      `--data-dir=${join(folder, name)}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=http://${own.peer}`,
      `--initial-advertise-peer-urls=http://${own.peer}`,
      `--initial-cluster=${peers}`,
      // Two clusters that follow each other on one address must never take each other's members for
      // their own.
      `--initial-cluster-token=${folder}`,
      `--heartbeat-interval=${Math.ceil(electionMs / HEARTBEATS_PER_ELECTION)}`,
      `--election-timeout=${electionMs}`,
      // A member that was paused and comes back must not depose the leader that the others have
      // found.
      "--pre-vote",
      "--logger=zap",
      "--log-outputs=stderr",
      "--log-level=warn",
      ...(quotaBytes === undefined ? [] : [`--quota-backend-bytes=${quotaBytes}`]),
      ...(tls === undefined ? [] : [`--cert-file=${tls.cert}`, `--key-file=${tls.key}`]),
      ...(tls?.ca === undefined ? [] : [`--trusted-ca-file=${tls.ca}`, "--client-cert-auth"]),
    ];
  }
}

const nameOf = (at: number): string => `member-${at}`;

/** Any key will do: what counts is that the members agree on an answer. */
async function isAnswering(client: EtcdClient): Promise<boolean> {
  try {
    await client.range({ key: Buffer.from("\0"), keysOnly: true });
    return true;
  } catch (error) {
    // A member that wants a password has an opinion, and so is up.
    return error instanceof EtcdRefused;
  }
}

/**
 * The etcd of a Berth on one machine: a few members, each of which is started again when it ends.
 */
import { type ProcessIdentity, startTicksOf } from "../../shell/process-identity.ts";
import { LocalEtcd } from "../../host/etcd/local-etcd.ts";
import { UserError } from "../../shell/errors.ts";
import { RestartPause } from "./restart-pause.ts";

/** As many as go on when one of them is lost. */
export const MEMBERS = 3;

export interface KeptEtcdOptions {
  readonly folder: string;
  readonly onNews: (text: string) => void;
  /** After every start, so that a later `berth up` can find what this one left behind. */
  readonly onStart: () => void;
}

export class KeptEtcd {
  private readonly options: KeptEtcdOptions;
  private readonly etcd: LocalEtcd;
  private readonly pauses = Array.from({ length: MEMBERS }, () => new RestartPause());
  private readonly restarts = new Map<number, NodeJS.Timeout>();
  private isUp = false;

  constructor(options: KeptEtcdOptions) {
    this.options = options;
    const { folder } = options;
    this.etcd = new LocalEtcd({ folder, members: MEMBERS, onEnded: (at) => this.ended(at) });
  }

  /** Of those that run. */
  get identities(): readonly ProcessIdentity[] {
    return this.etcd.endpoints.flatMap((_, at) => {
      const { pid } = this.etcd.member(at);
      const startTicks = pid === undefined ? undefined : startTicksOf(pid);
      return pid === undefined || startTicks === undefined ? [] : [{ pid, startTicks }];
    });
  }

  /** Resolves with its address once it serves. */
  async start(): Promise<string> {
    try {
      await this.etcd.start();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError("log-unavailable", reason);
    }
    this.isUp = true;
    for (const pause of this.pauses) pause.started();
    this.options.onStart();
    return `etcd://${this.etcd.endpoints.join(",")}`;
  }

  async stop(): Promise<void> {
    this.isUp = false;
    for (const restart of this.restarts.values()) clearTimeout(restart);
    await this.etcd.stop();
  }

  private ended(at: number): void {
    if (!this.isUp) return;
    this.options.onNews(`etcd member-${at} exited; restarting it`);
    const pauseMs = this.pauses[at]?.nextMs();
    this.restarts.set(
      at,
      setTimeout(() => void this.startAgain(at), pauseMs),
    );
  }

  private async startAgain(at: number): Promise<void> {
    this.pauses[at]?.started();
    await this.etcd.member(at).start();
    this.options.onStart();
  }
}

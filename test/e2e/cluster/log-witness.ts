/** Follows the log in etcd itself, past every plane: what is in it happened, and who led when. */
import { parseKey } from "../../../src/core/model/ids.ts";
import type { EtcdApi } from "../../../src/host/etcd/etcd-api.ts";
import { EtcdLog } from "../../../src/host/store/etcd/etcd-log.ts";
import type { StoredCommit } from "../../../src/host/store/log-store.ts";
import type { Leader, LogNews } from "../../../src/host/store/shared-log.ts";
import { LOG } from "./history/check-watches.ts";
import type { Watched, WatchedLine } from "./history/watched.ts";

/** Somebody was heard to lead, or nobody to lead any more. */
export interface LeadChange {
  readonly atMs: number;
  readonly name: string | undefined;
  readonly epoch: number | undefined;
}

interface Span {
  readonly from: number;
  upTo: number;
  readonly lines: WatchedLine[];
}

export class LogWitness {
  readonly leads: LeadChange[] = [];
  private readonly log: EtcdLog;
  private readonly spans: Span[] = [{ from: 0, upTo: 0, lines: [] }];
  private readonly present = new Map<string, { readonly value: string; readonly uid: string }>();
  /** What it was told that it cannot go on from. */
  damage: Error | undefined;

  private constructor(log: EtcdLog) {
    this.log = log;
    this.heardOf(log.leader);
    log.onLeader((leader) => this.heardOf(leader));
    log.follow(undefined, (news) => this.heard(news));
  }

  static async begin(api: EtcdApi): Promise<LogWitness> {
    return new LogWitness(await EtcdLog.open(api));
  }

  get leader(): string | undefined {
    return this.log.leader?.name;
  }

  get upTo(): number {
    return this.last.upTo;
  }

  end(): Promise<number> {
    return this.log.end();
  }

  watched(): Watched {
    return { watcher: LOG, connections: this.spans };
  }

  stop(): void {
    void this.log.close();
  }

  private get last(): Span {
    return this.spans.at(-1) as Span;
  }

  private heardOf(leader: Leader | undefined): void {
    this.leads.push({ atMs: performance.now(), name: leader?.name, epoch: leader?.epoch });
  }

  private heard(news: LogNews): void {
    switch (news.kind) {
      case "snapshot": {
        const { revision, objects } = news.snapshot;
        this.spans.push({ from: revision, upTo: revision, lines: [] });
        this.present.clear();
        for (const { key, ...object } of objects) {
          if (object.kind !== "Tenant") continue;
          this.present.set(key, { value: object.spec.displayName, uid: object.meta.uid });
        }
        return;
      }
      case "commits":
        for (const commit of news.commits) this.note(commit);
        return;
      case "damaged":
        this.damage = news.error;
    }
  }

  private note({ revision, changes }: StoredCommit): void {
    for (const { key: name, after } of changes) {
      const { kind, name: key } = parseKey(name);
      if (kind !== "Tenant") continue;
      const before = this.present.get(name);
      if (after?.kind === "Tenant") {
        const object = { value: after.spec.displayName, uid: after.meta.uid };
        this.present.set(name, object);
        this.last.lines.push({ type: "put", key, revision, ...object });
      } else if (before !== undefined) {
        this.present.delete(name);
        this.last.lines.push({ type: "deleted", key, revision, ...before });
      }
    }
    this.last.upTo = revision;
  }
}

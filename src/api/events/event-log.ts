/**
 * The events a plane can tell of, counted and bounded: the same thing event again to the same
 * object is one event that happened more often. They are read off the published log and the
 * decisions, and begun anew after a restart from what the log retains; so they have versions of
 * their own, which nothing else is compared with.
 */
import { createHash } from "node:crypto";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { type EventDraft } from "./event-draft.ts";
import { EVENT_BOUNDS } from "./event-limits.ts";
import { endingsOf, eventsOf, eventsOfDecision } from "./events-of.ts";

export interface EventRecord extends Omit<EventDraft, "atMs"> {
  readonly meta: { readonly namespace: string; readonly name: string };
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** When the record came to be, and when it last changed, in changes of the whole log. */
  readonly born: number;
  readonly version: number;
  /** A client wrote it, under a name of its own. */
  readonly isWritten?: true;
}

/** An event as a client wrote it. */
export type WrittenEvent = Omit<EventRecord, "born" | "version" | "isWritten">;

export type EventChange = (type: "ADDED" | "MODIFIED" | "DELETED", record: EventRecord) => void;

export interface EventLimits {
  /**
   * A replica that fails over and over has about ten kinds of events; this keeps them and some
   * waits.
   */
  readonly perObject: number;
  /** Of all objects together: at about half a kilobyte each, some five megabytes. */
  readonly overall: number;
}

const DEFAULT_LIMITS: EventLimits = { perObject: 32, overall: 10_000 };

/**
 * So many times what is kept may wait to be made events of, at the few hundred bytes that a change
 * has of its own.
 */
const WAITING_TIMES = 4;

/** Something that happened and was not made events of yet. */
interface Unread {
  /** At least so many events come of it, or none. */
  readonly changes: number;
  events(): readonly EventDraft[];
}

/** What a cluster-wide object's events are listed under, as in Kubernetes. */
const NO_NAMESPACE = "default";

export class EventLog {
  private readonly limits: EventLimits;
  /** By identity; the one that changed longest ago comes first. */
  private readonly records = new Map<string, EventRecord>();
  /**
   * One walk for good: what it has passed is gone, and a new one would step over every gap that was
   * left.
   */
  private readonly oldest = this.records.keys();
  private readonly byObject = new Map<string, Set<string>>();
  /** Ids of those that clients wrote, by namespace; the one that changed longest ago is first. */
  private readonly written = new Map<string, Set<string>>();
  private readonly listeners = new Set<EventChange>();
  private readonly stops: readonly (() => void)[];
  /**
   * Most events are never requested, and making events of it is a good part of what a bind costs.
   */
  private unread: Unread[] = [];
  private unreadChanges = 0;
  private at: number;
  /** Up to here something was pushed out: who has seen no more than this must list again. */
  private forgottenAt: number;

  constructor(plane: PlanePort, startMs: number, limits: EventLimits = DEFAULT_LIMITS) {
    this.limits = limits;
    // Later than every version of the server before this one, so that none of those is taken for
    // ours.
    this.at = startMs * 1_000;
    this.forgottenAt = this.at;
    this.unread = (plane.since() ?? []).map(unreadCommit);
    this.read();
    this.stops = [
      plane.onPublish((commits) => {
        for (const commit of commits) {
          this.note(unreadCommit(commit));
          for (const end of endingsOf(commit, plane.objects)) {
            this.note({ changes: 1, events: () => [end] });
          }
        }
      }),
      plane.decisions.onAdd((decided) => {
        if (decided.decision.kind !== "wait") return;
        // Told of those who wait when somebody asks: a wide workload that waits is decided on very
        // often.
        this.note({ changes: 1, events: () => eventsOfDecision(decided, plane.objects) });
      }),
    ];
  }

  /** How far the log has come. */
  get version(): number {
    this.read();
    return this.at;
  }

  /** In the order in which they last changed. */
  all(): Iterable<EventRecord> {
    this.read();
    return this.records.values();
  }

  /** What changed after a version, oldest first; undefined when that can no longer be told. */
  since(version: number): readonly EventRecord[] | undefined {
    this.read();
    if (version < this.forgottenAt || version > this.at) return undefined;
    return [...this.records.values()].filter((record) => record.version > version);
  }

  onChange(listener: EventChange): () => void {
    this.read();
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  close(): void {
    for (const stop of this.stops) stop();
  }

  /** What neither the log nor a decision tells of. */
  tell(event: EventDraft): void {
    this.note({ changes: 1, events: () => [event] });
  }

  private note(unread: Unread): void {
    if (unread.changes === 0) return;
    this.unread.push(unread);
    this.unreadChanges += unread.changes;
    if (this.listeners.size > 0) this.read();
    else if (this.unreadChanges > WAITING_TIMES * this.limits.overall) this.skip();
  }

  /**
   * There was no request for a long time: the older half of what happened is passed over, and with
   * it all that was made before it and would be pushed out by it. Making events of it now would
   * hold up everything else for half a second.
   */
  private skip(): void {
    const kept = (WAITING_TIMES / 2) * this.limits.overall;
    let from = 0;
    while (this.unreadChanges > kept) {
      this.unreadChanges -= this.unread[from]?.changes ?? 0;
      from += 1;
    }
    this.unread = this.unread.slice(from);
    this.records.clear();
    this.byObject.clear();
    this.written.clear();
    this.at += 1;
    this.forgottenAt = this.at;
  }

  /**
   * Makes events of what has happened since. Of more than is kept only the newest: making events
   * only to push them out again would hold up a start, and everything else while much happens.
   */
  private read(): void {
    if (this.unread.length === 0) return;
    const newest: (readonly EventDraft[])[] = [];
    let found = 0;
    while (this.unread.length > 0 && found < this.limits.overall) {
      const events = (this.unread.pop() as Unread).events();
      newest.push(events);
      found += events.length;
    }
    if (this.unread.length > 0) this.forgottenAt = this.at += 1;
    this.unread = [];
    this.unreadChanges = 0;
    for (const events of newest.toReversed()) for (const each of events) this.add(each);
  }

  private add(event: EventDraft): void {
    const { about, atMs, ...told } = event;
    const id = `${objectOf(about)} ${told.type} ${told.reason} ${told.source} ${told.message}`;
    const before = this.records.get(id);
    const { type, reason, message, source } = told;
    this.keep(id, {
      meta: before?.meta ?? { namespace: about.namespace || NO_NAMESPACE, name: nameOf(about, id) },
      about,
      type,
      reason,
      message,
      source,
      count: (before?.count ?? 0) + 1,
      firstMs: before?.firstMs ?? atMs,
      lastMs: atMs,
    });
  }

  /** Under the bounds of all events, and those of what clients write. */
  write(event: WrittenEvent): EventRecord {
    this.read();
    const id = writtenId(event.meta);
    const record = this.keep(id, { ...event, isWritten: true });
    const { namespace } = event.meta;
    const ofTenant = this.written.get(namespace) ?? new Set();
    this.written.set(namespace, ofTenant);
    ofTenant.delete(id);
    ofTenant.add(id);
    if (ofTenant.size > EVENT_BOUNDS.writtenPerTenant) this.forgetOldest(ofTenant.values());
    return record;
  }

  /** Clients' events that have not changed for their time to live go. */
  expire(nowMs: number): void {
    for (const ofTenant of this.written.values()) {
      for (const id of ofTenant) {
        const record = this.records.get(id);
        if (record !== undefined && nowMs - record.lastMs <= EVENT_BOUNDS.writtenMs) break;
        this.forget(id);
      }
    }
  }

  /** False if no client wrote such an event. */
  remove(meta: EventRecord["meta"]): boolean {
    this.read();
    const id = writtenId(meta);
    const isThere = this.records.has(id);
    this.forget(id);
    return isThere;
  }

  private keep(id: string, of: Omit<EventRecord, "born" | "version">): EventRecord {
    const object = objectOf(of.about);
    const before = this.records.get(id);
    // A client may give its event another object.
    if (before !== undefined) this.byObject.get(objectOf(before.about))?.delete(id);
    this.at += 1;
    const record: EventRecord = { ...of, born: before?.born ?? this.at, version: this.at };
    // Taken out and put back, so that the maps' order is that of the last change.
    this.records.delete(id);
    this.records.set(id, record);
    const ofObject = this.byObject.get(object) ?? new Set();
    this.byObject.set(object, ofObject);
    ofObject.delete(id);
    ofObject.add(id);
    this.changed(before === undefined ? "ADDED" : "MODIFIED", record);
    if (ofObject.size > this.limits.perObject) this.forgetOldest(ofObject.values());
    if (this.records.size > this.limits.overall) this.forgetOldest(this.oldest);
    return record;
  }

  private forgetOldest(ids: Iterator<string, undefined>): void {
    const oldest = ids.next().value;
    if (oldest !== undefined) this.forget(oldest);
  }

  private forget(id: string): void {
    const record = this.records.get(id);
    if (record === undefined) return;
    const object = objectOf(record.about);
    const ofObject = this.byObject.get(object);
    ofObject?.delete(id);
    if (ofObject?.size === 0) this.byObject.delete(object);
    if (record.isWritten === true) this.forgetWritten(record.meta.namespace, id);
    this.records.delete(id);
    this.at += 1;
    this.forgottenAt = this.at;
    this.changed("DELETED", { ...record, version: this.at });
  }

  private forgetWritten(namespace: string, id: string): void {
    const ofTenant = this.written.get(namespace);
    ofTenant?.delete(id);
    if (ofTenant?.size === 0) this.written.delete(namespace);
  }

  private changed(type: Parameters<EventChange>[0], record: EventRecord): void {
    for (const listener of this.listeners) listener(type, record);
  }
}

const objectOf = ({ kind, namespace, name, uid }: EventDraft["about"]): string =>
  `${kind}/${namespace}/${name}/${uid}`;

const writtenId = ({ namespace, name }: EventRecord["meta"]): string =>
  `written ${namespace}/${name}`;

/** Renewals of leases are most of all commits, and no event tells of them. */
const unreadCommit = (commit: Commit): Unread => ({
  changes: commit.changes.filter(({ after }) => after?.kind !== "Lease").length,
  events: () => eventsOf(commit),
});

/** `api.1.0.16c3f0a1b2d4`: the object's name and something that tells its events apart. */
const nameOf = ({ name }: EventDraft["about"], id: string): string =>
  `${name}.${createHash("sha256").update(id).digest("hex").slice(0, 12)}`;

/**
 * The events a plane can tell of, counted and bounded: the same thing happening again to the same object is one
 * event that happened more often. They are read off the published log and the decisions, and begun anew after
 * a restart from what the log retains; so they have versions of their own, which nothing else is compared with.
 */
import { createHash } from "node:crypto";
import type { PlanePort } from "../../host/plane-port.ts";
import { type Happening } from "./happening.ts";
import { happeningsOf, happeningsOfDecision } from "./happenings-of.ts";

export interface EventRecord extends Omit<Happening, "atMs"> {
  readonly meta: { readonly namespace: string; readonly name: string };
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** When the record came to be, and when it last changed, in changes of the whole log. */
  readonly born: number;
  readonly version: number;
}

export type EventChange = (type: "ADDED" | "MODIFIED" | "DELETED", record: EventRecord) => void;

export interface EventLimits {
  /** A replica that fails over and over has about ten kinds of events; this keeps them and some waits. */
  readonly perObject: number;
  /** Of all objects together: at about half a kilobyte each, some five megabytes. */
  readonly overall: number;
}

const DEFAULT_LIMITS: EventLimits = { perObject: 32, overall: 10_000 };

/** What a cluster-wide object's events are listed under, as in Kubernetes. */
const NO_NAMESPACE = "default";

export class EventLog {
  private readonly limits: EventLimits;
  /** By identity; the one that changed longest ago comes first. */
  private readonly records = new Map<string, EventRecord>();
  private readonly byObject = new Map<string, Set<string>>();
  private readonly listeners = new Set<EventChange>();
  private readonly stops: readonly (() => void)[];
  private at: number;
  /** Up to here something was pushed out: who has seen no more than this must list again. */
  private forgottenAt: number;

  constructor(plane: PlanePort, startMs: number, limits: EventLimits = DEFAULT_LIMITS) {
    this.limits = limits;
    // Later than every version of the server before this one, so that none of those is taken for ours.
    this.at = startMs * 1_000;
    this.forgottenAt = this.at;
    for (const commit of plane.since() ?? []) happeningsOf(commit).forEach(this.add);
    this.stops = [
      plane.onPublish((commits) => {
        for (const commit of commits) happeningsOf(commit).forEach(this.add);
      }),
      plane.decisions.onAdd((decided) => {
        happeningsOfDecision(decided, plane.objects).forEach(this.add);
      }),
    ];
  }

  /** How far the log has come. */
  get version(): number {
    return this.at;
  }

  /** In the order in which they last changed. */
  all(): Iterable<EventRecord> {
    return this.records.values();
  }

  /** What changed after a version, oldest first; undefined when that can no longer be told. */
  since(version: number): readonly EventRecord[] | undefined {
    if (version < this.forgottenAt || version > this.at) return undefined;
    return [...this.records.values()].filter((record) => record.version > version);
  }

  onChange(listener: EventChange): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  close(): void {
    for (const stop of this.stops) stop();
  }

  private readonly add = (happening: Happening): void => {
    const { about, type, reason, message, atMs, source } = happening;
    const object = `${about.kind}/${about.namespace}/${about.name}/${about.uid}`;
    const id = `${object} ${type} ${reason} ${source} ${message}`;
    const before = this.records.get(id);
    this.at += 1;
    const record: EventRecord = {
      meta: before?.meta ?? { namespace: about.namespace || NO_NAMESPACE, name: nameOf(about, id) },
      about,
      type,
      reason,
      message,
      source,
      count: (before?.count ?? 0) + 1,
      firstMs: before?.firstMs ?? atMs,
      lastMs: atMs,
      born: before?.born ?? this.at,
      version: this.at,
    };
    // Taken out and put back, so that the maps' order is that of the last change.
    this.records.delete(id);
    this.records.set(id, record);
    const ofObject = this.byObject.get(object) ?? new Set();
    this.byObject.set(object, ofObject);
    ofObject.delete(id);
    ofObject.add(id);
    this.tell(before === undefined ? "ADDED" : "MODIFIED", record);
    if (ofObject.size > this.limits.perObject) this.forgetOldest(ofObject);
    if (this.records.size > this.limits.overall) this.forgetOldest(this.records.keys());
  };

  private forgetOldest(ids: Iterable<string>): void {
    const [oldest] = ids;
    const record = oldest === undefined ? undefined : this.records.get(oldest);
    if (oldest === undefined || record === undefined) return;
    const { kind, namespace, name, uid } = record.about;
    const object = `${kind}/${namespace}/${name}/${uid}`;
    const ofObject = this.byObject.get(object);
    ofObject?.delete(oldest);
    if (ofObject?.size === 0) this.byObject.delete(object);
    this.records.delete(oldest);
    this.at += 1;
    this.forgottenAt = this.at;
    this.tell("DELETED", { ...record, version: this.at });
  }

  private tell(type: Parameters<EventChange>[0], record: EventRecord): void {
    for (const listener of this.listeners) listener(type, record);
  }
}

/** `api.1.0.16c3f0a1b2d4`: the object's name and something that tells its events apart. */
const nameOf = ({ name }: Happening["about"], id: string): string =>
  `${name}.${createHash("sha256").update(id).digest("hex").slice(0, 12)}`;

/**
 * Finds incidents while it is shown commits. It goes backwards from where it began, and forwards
 * over what was committed since, so that the end of an incident is known however long it took.
 */
import {
  CRASH_LOOP_FAILURES,
  type IncidentKind,
  type IncidentSign,
  incidentSigns,
  incidentSubject,
  incidentText,
} from "../../core/explain/incident-sign.ts";
import { type ObjectKey, parseKey, type Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";

export interface Moment {
  readonly revision: Revision;
  readonly atMs: number;
}

export interface FoundIncident {
  readonly kind: IncidentKind;
  /** The node or the workload; of a crash loop, the workload of the replica. */
  readonly subject: ObjectKey;
  /** The object that showed it. */
  readonly key: ObjectKey;
  /** Of its newest sign. */
  text: string;
  /** The commit that made it one. */
  began: Moment;
  /** Undefined while it lasts. */
  ended: Moment | undefined;
}

/** `before` is known of commits in memory only. */
export interface ScannedCommit {
  readonly revision: Revision;
  readonly atMs: number;
  readonly changes: readonly {
    readonly key: ObjectKey;
    readonly before?: AnyObject | undefined;
    readonly after: AnyObject | undefined;
  }[];
}

/** What is known of one object and one kind, at the oldest commit that was looked at. */
interface Slot {
  /** When it was last seen well, going backwards. */
  wellAt: Moment | undefined;
  /** Still to be followed back to its beginning. */
  under: FoundIncident | undefined;
}

export class IncidentScan {
  /** Newest first. */
  readonly found: FoundIncident[] = [];
  private readonly slots = new Map<string, Slot>();
  /** By object and kind: the newest of each. */
  private readonly newest = new Map<string, FoundIncident>();

  /** Objects that are remembered, for a bound on memory. */
  get size(): number {
    return this.slots.size;
  }

  /** The commit before all that were shown. */
  older({ revision, atMs, changes }: ScannedCommit): void {
    const at = { revision, atMs };
    for (const { key, before, after } of changes) {
      if (after === undefined) this.gone(key, at);
      else this.olderSigns(after, at);
      if (before !== undefined) this.olderSigns(before, undefined);
    }
  }

  /** The commit after all that were shown. */
  newer({ revision, atMs, changes }: ScannedCommit): void {
    const at = { revision, atMs };
    for (const { key, after } of changes) {
      if (after === undefined) this.endAll(key, at);
      else this.newerSigns(after, at);
    }
  }

  private gone(key: ObjectKey, at: Moment): void {
    for (const kind of kindsOf(key)) this.well(key, kind, at);
  }

  /** Without a moment: what the commit replaced, which says only that nothing older continues. */
  private olderSigns(object: AnyObject, at: Moment | undefined): void {
    for (const sign of incidentSigns(object)) {
      const { kind, state } = sign;
      const slot = this.slotOf(object.key, kind);
      if (state === "bad" && at !== undefined) this.bad(object, sign, at);
      else if (state === "good") this.well(object.key, kind, at);
      else if (state === "relief" && slot.under === undefined) slot.wellAt = at ?? slot.wellAt;
    }
  }

  private bad(object: AnyObject, { kind, sinceMs }: IncidentSign, at: Moment): void {
    const slot = this.slotOf(object.key, kind);
    if (slot.under !== undefined) slot.under.began = at;
    else {
      slot.under = incidentOf(object, kind, { began: at, ended: slot.wellAt });
      this.add(slot.under);
    }
    if (sinceMs === at.atMs) slot.under = undefined;
  }

  private well(key: ObjectKey, kind: IncidentKind, at: Moment | undefined): void {
    const slot = this.slotOf(key, kind);
    slot.under = undefined;
    slot.wellAt = at ?? slot.wellAt;
  }

  private newerSigns(object: AnyObject, at: Moment): void {
    for (const { kind, state } of incidentSigns(object)) {
      const last = this.newest.get(idOf(object.key, kind));
      if (state !== "bad") {
        if (last !== undefined) last.ended ??= at;
      } else if (last !== undefined && (last.ended === undefined || continues(object))) {
        last.ended = undefined;
        last.text = incidentText(kind, object);
      } else {
        this.add(incidentOf(object, kind, { began: at, ended: undefined }));
      }
    }
  }

  private endAll(key: ObjectKey, at: Moment): void {
    for (const kind of kindsOf(key)) {
      const last = this.newest.get(idOf(key, kind));
      if (last !== undefined) last.ended ??= at;
    }
  }

  private add(incident: FoundIncident): void {
    const id = idOf(incident.key, incident.kind);
    const newest = this.newest.get(id);
    if (newest === undefined || newest.began.revision < incident.began.revision) {
      this.newest.set(id, incident);
    }
    this.found.push(incident);
  }

  private slotOf(key: ObjectKey, kind: IncidentKind): Slot {
    const id = idOf(key, kind);
    const known = this.slots.get(id);
    if (known !== undefined) return known;
    const slot: Slot = { wellAt: undefined, under: undefined };
    this.slots.set(id, slot);
    return slot;
  }
}

const incidentOf = (
  object: AnyObject,
  kind: IncidentKind,
  lasted: Pick<FoundIncident, "began" | "ended">,
): FoundIncident => ({
  kind,
  subject: incidentSubject(object),
  key: object.key,
  text: incidentText(kind, object),
  ...lasted,
});

const idOf = (key: ObjectKey, kind: IncidentKind): string => `${kind} ${key}`;

/** A failure after the one that made it a loop is no other loop, however well it ran between. */
const continues = (object: AnyObject): boolean =>
  object.kind === "Replica" && object.status.failures > CRASH_LOOP_FAILURES;

function kindsOf(key: ObjectKey): readonly IncidentKind[] {
  switch (parseKey(key).kind) {
    case "Node":
      return ["NodeFenced"];
    case "Workload":
      return ["RolloutFailed", "ObjectiveMissed"];
    case "Replica":
      return ["CrashLoop"];
    default:
      return [];
  }
}

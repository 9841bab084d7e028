/**
 * The changes of every key in the order of their revisions, put together from all that anybody was shown. Two that
 * contradict each other are found here; everything else is held against it.
 */
import { type Call, isPut, type Shown } from "./call.ts";
import type { Finding } from "./finding.ts";
import type { Watched } from "./watched.ts";

export interface EventDraft {
  readonly key: string;
  readonly revision: number;
  /** Undefined: it was deleted. */
  readonly value: string | undefined;
  readonly uid: string;
}

const NONE: readonly EventDraft[] = [];

export class Order {
  readonly findings: Finding[] = [];
  private readonly byKey = new Map<string, EventDraft[]>();
  private readonly byRevision = new Map<string, EventDraft>();
  private readonly byValue = new Map<string, EventDraft[]>();
  private readonly deletions = new Map<string, EventDraft>();
  private readonly asked = new Map<string, number>();

  constructor(calls: readonly Call[], watched: readonly Watched[]) {
    for (const { connections } of watched) {
      for (const { lines } of connections) {
        for (const { type, value, ...line } of lines) {
          this.add({ ...line, value: type === "put" ? value : undefined });
        }
      }
    }
    for (const call of calls) {
      for (const object of shownTo(call)) this.add(object);
      const { asked, answer, invokedMs } = call;
      if (isPut(asked)) this.asked.set(`${asked.key}=${asked.value}`, invokedMs);
      if (answer.kind === "deleted") this.asked.set(answer.uid, invokedMs);
    }
    for (const events of this.byKey.values()) {
      events.sort((a, b) => a.revision - b.revision);
    }
  }

  get keys(): readonly string[] {
    return [...this.byKey.keys()];
  }

  of(key: string): readonly EventDraft[] {
    return this.byKey.get(key) ?? NONE;
  }

  /** All that had this value; one, unless something is wrong. */
  having(key: string, value: string): readonly EventDraft[] {
    return this.byValue.get(`${key}=${value}`) ?? NONE;
  }

  deletionOf(uid: string): EventDraft | undefined {
    return this.deletions.get(uid);
  }

  /** When somebody began to ask for it; long ago when nobody knows who did. */
  askedAtMs({ key, value, uid }: EventDraft): number {
    return this.asked.get(value === undefined ? uid : `${key}=${value}`) ?? -Infinity;
  }

  /** What was there as of a revision, or what was deleted last. */
  at(key: string, revision: number): EventDraft | undefined {
    return this.of(key)[this.indexAt(key, revision)];
  }

  /** The first revision, not before another, as of which a key was as asked; undefined when it never was again. */
  firstAt(
    key: string,
    from: number,
    isSo: (event: EventDraft | undefined) => boolean,
  ): number | undefined {
    const events = this.of(key);
    for (let index = this.indexAt(key, from); index < events.length; index += 1) {
      const event = events[index];
      if (isSo(event)) return Math.max(from, event?.revision ?? 0);
    }
    return undefined;
  }

  /** -1 while there was nothing yet. */
  private indexAt(key: string, revision: number): number {
    const events = this.of(key);
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.revision ?? Infinity) <= revision) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private add({ key, revision, value, uid }: EventDraft): void {
    const name = `${key}@${revision}`;
    const known = this.byRevision.get(name);
    if (known !== undefined) {
      if (known.value === value) return;
      const both = `${known.value ?? "a deletion"} and ${value ?? "a deletion"}`;
      this.findings.push({ kind: "two-values", text: `${name} was shown as ${both}.` });
      return;
    }
    const event = { key, revision, value, uid };
    this.byRevision.set(name, event);
    listIn(this.byKey, key).push(event);
    if (value === undefined) this.deletions.set(uid, event);
    else listIn(this.byValue, `${key}=${value}`).push(event);
  }
}

/** An answer to a repeated write may show what came after it; either way it was there. */
function shownTo({ answer, again, asked }: Call): readonly Shown[] {
  const objects: Shown[] = [];
  for (const one of [answer, ...(again === undefined ? [] : [again])]) {
    if (one.kind === "shown") objects.push(one.object);
    if (one.kind === "listed") objects.push(...one.objects);
  }
  // What an acknowledgement says of itself is a promise; the watches tell whether it was kept.
  return isPut(asked) ? objects.filter(({ value }) => value !== asked.value) : objects;
}

function listIn<V>(map: Map<string, V[]>, key: string): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

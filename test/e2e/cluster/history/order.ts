/**
 * The changes of every key in the order of their revisions, put together from all that anybody was shown. Two that
 * contradict each other are found here; everything else is held against it.
 */
import { type Call, isPut, type Shown } from "./call.ts";
import type { Finding } from "./finding.ts";
import type { Watched } from "./watched.ts";

export interface Happening {
  readonly key: string;
  readonly revision: number;
  /** Undefined: it was deleted. */
  readonly value: string | undefined;
  readonly uid: string;
}

const NONE: readonly Happening[] = [];

export class Order {
  readonly findings: Finding[] = [];
  private readonly byKey = new Map<string, Happening[]>();
  private readonly byRevision = new Map<string, Happening>();
  private readonly byValue = new Map<string, Happening[]>();
  private readonly deletions = new Map<string, Happening>();
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
    for (const happenings of this.byKey.values()) {
      happenings.sort((a, b) => a.revision - b.revision);
    }
  }

  get keys(): readonly string[] {
    return [...this.byKey.keys()];
  }

  of(key: string): readonly Happening[] {
    return this.byKey.get(key) ?? NONE;
  }

  /** All that had this value; one, unless something is wrong. */
  having(key: string, value: string): readonly Happening[] {
    return this.byValue.get(`${key}=${value}`) ?? NONE;
  }

  deletionOf(uid: string): Happening | undefined {
    return this.deletions.get(uid);
  }

  /** When somebody began to ask for it; long ago when nobody knows who did. */
  askedAtMs({ key, value, uid }: Happening): number {
    return this.asked.get(value === undefined ? uid : `${key}=${value}`) ?? -Infinity;
  }

  /** What was there as of a revision, or what was deleted last. */
  at(key: string, revision: number): Happening | undefined {
    return this.of(key)[this.indexAt(key, revision)];
  }

  /** The first revision, not before another, as of which a key was as asked; undefined when it never was again. */
  firstAt(
    key: string,
    from: number,
    isSo: (happening: Happening | undefined) => boolean,
  ): number | undefined {
    const happenings = this.of(key);
    for (let index = this.indexAt(key, from); index < happenings.length; index += 1) {
      const happening = happenings[index];
      if (isSo(happening)) return Math.max(from, happening?.revision ?? 0);
    }
    return undefined;
  }

  /** -1 while there was nothing yet. */
  private indexAt(key: string, revision: number): number {
    const happenings = this.of(key);
    let low = 0;
    let high = happenings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((happenings[middle]?.revision ?? Infinity) <= revision) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private add({ key, revision, value, uid }: Happening): void {
    const name = `${key}@${revision}`;
    const known = this.byRevision.get(name);
    if (known !== undefined) {
      if (known.value === value) return;
      const both = `${known.value ?? "a deletion"} and ${value ?? "a deletion"}`;
      this.findings.push({ kind: "two-values", text: `${name} was shown as ${both}.` });
      return;
    }
    const happening = { key, revision, value, uid };
    this.byRevision.set(name, happening);
    listIn(this.byKey, key).push(happening);
    if (value === undefined) this.deletions.set(uid, happening);
    else listIn(this.byValue, `${key}=${value}`).push(happening);
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

/**
 * The objects under one path of the API, such as the replicas of a workload, listed and then
 * watched.
 */
import { computed, signal } from "@preact/signals";
import { getJson } from "./api.ts";
import { ApiFailure } from "./api-failure.ts";
import { type Link, LiveLoop } from "./live-loop.ts";
import { ObjectFold } from "./object-fold.ts";
import type { LiveObject, ObjectEvent, ObjectList } from "./object-message.ts";
import { readLines } from "./read-lines.ts";
import { RowStore } from "./row-store.ts";

/**
 * What a page keeps of each object: a hundred thousand whole ones would fill the memory of a
 * browser.
 */
export interface Kept<T extends LiveObject> {
  /** Tells streams apart that keep different things of the same objects. */
  readonly name: string;
  readonly of: (object: LiveObject) => T;
}

export interface ObjectQuery<T extends LiveObject = LiveObject> {
  /** Of the list: `/apis/berth.dev/v1/namespaces/payments/replicas`. */
  readonly path: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Left out: all of it. */
  readonly keep?: Kept<T>;
}

/** As kubectl asks for: a page is some hundred kilobytes. */
const PAGE = 500;
/**
 * The server keeps the history that the resourceVersion would need no longer; or it has not come
 * that far, which a plane that was restored from a backup never will.
 */
const LIST_AGAIN: ReadonlySet<number> = new Set([410, 504]);

export class ObjectWatch<T extends LiveObject> {
  readonly rows = new RowStore<T>();
  readonly loop: LiveLoop;
  private readonly fold = new ObjectFold<T>(this.rows);
  private readonly query: ObjectQuery<T>;
  private readonly read = signal(0);
  /** Of its own, so that who only asks whether is not drawn again with every object. */
  private readonly hasRows = computed(() => this.rows.version.value > 0);

  constructor(query: ObjectQuery<T>) {
    this.query = query;
    this.loop = new LiveLoop((link) => this.attempt(link));
  }

  /** Something can be shown: the whole list was here once. */
  get isThere(): boolean {
    return this.hasRows.value;
  }

  /** Objects of the list so far, for a long one that is on its way. */
  get loaded(): number {
    return this.read.value;
  }

  private async attempt(link: Link): Promise<void> {
    try {
      if (this.fold.resourceVersion === undefined) await this.list(link);
      await this.watch(link);
    } catch (error) {
      if (error instanceof ApiFailure && LIST_AGAIN.has(error.status)) this.fold.beginAnew();
      if (!(error instanceof ApiFailure) || error.status !== 410) throw error;
    }
  }

  private async list({ signal: stop, heard, arrived }: Link): Promise<void> {
    let next: string | undefined;
    this.fold.beginAnew();
    this.read.value = 0;
    do {
      const page = { limit: String(PAGE), ...(next === undefined ? {} : { continue: next }) };
      const { metadata, items } = await getJson<ObjectList<T>>(this.address(page), {
        signal: stop,
      });
      next = this.fold.takePage({ metadata, items: items.map((item) => this.kept(item)) });
      this.read.value += items.length;
      heard();
    } while (next !== undefined);
    arrived();
  }

  private watch(link: Link): Promise<void> {
    const { resourceVersion = "" } = this.fold;
    const path = this.address({ watch: "true", allowWatchBookmarks: "true", resourceVersion });
    return readLines(path, {
      signal: link.signal,
      onMessages: (messages) => {
        for (const message of messages) this.fold.takeEvent(this.told(message as ObjectEvent<T>));
        link.arrived();
      },
    });
  }

  private kept(object: T): T {
    return this.query.keep?.of(object) ?? object;
  }

  private told(event: ObjectEvent<T>): ObjectEvent<T> {
    if (event.type === "ERROR" || event.type === "BOOKMARK") return event;
    return { type: event.type, object: this.kept(event.object) };
  }

  private address(parameters: Readonly<Record<string, string>>): string {
    const { path, labelSelector, fieldSelector } = this.query;
    const query = new URLSearchParams({
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...parameters,
    });
    return `${path}?${query.toString()}`;
  }
}

/** Histories made by hand, for tests of the checker: calls one after the other unless a time is given. */
import type { Answer, Asked, Call, Shown } from "./call.ts";
import type { History } from "./check-history.ts";
import { LOG } from "./check-watches.ts";
import type { Connection, Watched, WatchedLine } from "./watched.ts";

export const shown = (value: string, revision: number, of: Partial<Shown> = {}): Shown => ({
  key: "k",
  value,
  revision,
  uid: "u1",
  ...of,
});

export const ok = (value: string, revision: number, of: Partial<Shown> = {}): Answer => ({
  kind: "shown",
  object: shown(value, revision, of),
});

export const put = (
  value: string,
  revision: number,
  of: Partial<WatchedLine> = {},
): WatchedLine => ({ type: "put", key: "k", value, revision, uid: "u1", ...of });

export const gone = (revision: number, of: Partial<WatchedLine> = {}): WatchedLine =>
  put("", revision, { type: "deleted", ...of });

export const watchOf = (watcher: string, ...connections: readonly Connection[]): Watched => ({
  watcher,
  connections,
});

export class AHistory implements History {
  readonly calls: Call[] = [];
  readonly watched: Watched[] = [];

  /** The log, from its beginning to far behind its last change. */
  static of(...lines: readonly WatchedLine[]): AHistory {
    const history = new AHistory();
    history.watched.push(watchOf(LOG, { from: 0, upTo: 100, lines }));
    return history;
  }

  call(asked: Asked, answer: Answer, of: Partial<Call> = {}): this {
    const atMs = 10 * this.calls.length;
    const planes = ["one"];
    const times = { invokedMs: atMs, returnedMs: atMs + 5 };
    this.calls.push({ client: "c1", planes, ...times, asked, answer, ...of });
    return this;
  }

  create(value: string, answer: Answer, of: Partial<Call> = {}): this {
    return this.call({ op: "create", key: "k", value }, answer, of);
  }

  replace(value: string, answer: Answer, of: Partial<Call> = {}): this {
    return this.call({ op: "replace", key: "k", value }, answer, of);
  }

  compareAndSet(value: string, expected: number, answer: Answer, of: Partial<Call> = {}): this {
    return this.call({ op: "replace", key: "k", value, expected }, answer, of);
  }

  delete(answer: Answer, of: Partial<Call> = {}): this {
    return this.call({ op: "delete", key: "k" }, answer, of);
  }

  get(answer: Answer, of: Partial<Call> = {}): this {
    return this.call({ op: "get", key: "k" }, answer, of);
  }

  watch(watcher: string, ...connections: readonly Connection[]): this {
    this.watched.push(watchOf(watcher, ...connections));
    return this;
  }
}

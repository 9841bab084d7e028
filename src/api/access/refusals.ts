/**
 * What roles refused, for the audit: one entry for each caller and minute, with the first request
 * and how many there were. A caller that is refused all the time fills a line a minute and pushes
 * out nothing of others but what is oldest. The plane's log has the same lines for good.
 */
import type { AccessRequest } from "../../core/model/access.ts";
import type { ApiLog } from "../http/api-context.ts";
import type { Caller } from "../http/caller.ts";
import { echoed } from "../http/echoed.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { REFUSAL_LIMITS } from "./refusal-limits.ts";
import { subjectOf } from "./subject-of.ts";

const MINUTE_MS = 60_000;

export interface ShownRefusal {
  /** Of the first. */
  readonly time: string;
  readonly user: string;
  readonly credential?: string;
  readonly address?: string;
  /** What was asked first: `create workloads.berth.dev in payments`. */
  readonly first: string;
  readonly by: "default";
  readonly count: number;
}

interface Entry {
  readonly key: string;
  readonly first: Omit<ShownRefusal, "count">;
  count: number;
}

export class Refusals {
  readonly #nowMs: () => number;
  readonly #log: Pick<ApiLog, "warn">;
  /** By caller and minute; the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #ofCaller = new Map<string, string[]>();

  constructor({
    nowMs,
    log,
  }: {
    readonly nowMs: () => number;
    readonly log: Pick<ApiLog, "warn">;
  }) {
    this.#nowMs = nowMs;
    this.#log = log;
  }

  note(caller: Caller, request: AccessRequest): void {
    const { user } = subjectOf(caller);
    const nowMs = this.#nowMs();
    const key = JSON.stringify([user, caller.credentialId]);
    const at = `${Math.floor(nowMs / MINUTE_MS)} ${key}`;
    const known = this.#entries.get(at);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const { credentialId, address } = caller;
    const first: Entry["first"] = {
      time: rfc3339Millis(nowMs),
      user: echoed(user),
      ...(credentialId === undefined ? {} : { credential: credentialId }),
      ...(address === undefined ? {} : { address }),
      first: textOf(request),
      by: "default",
    };
    this.#keep(at, { key, first, count: 1 });
    this.#log.warn(first, "Refused a request: no role binding allows it.");
  }

  /** The newest first. */
  all(): readonly ShownRefusal[] {
    return [...this.#entries.values()]
      .toReversed()
      .map(({ first, count }) => ({ ...first, count }));
  }

  #keep(at: string, entry: Entry): void {
    this.#entries.set(at, entry);
    const own = this.#ofCaller.get(entry.key) ?? [];
    this.#ofCaller.set(entry.key, own);
    own.push(at);
    if (own.length > REFUSAL_LIMITS.refusalsPerCaller.value) this.#drop(own[0]);
    if (this.#entries.size > REFUSAL_LIMITS.refusalsKept.value) {
      this.#drop(this.#entries.keys().next().value);
    }
  }

  #drop(at: string | undefined): void {
    const entry = at === undefined ? undefined : this.#entries.get(at);
    if (at === undefined || entry === undefined) return;
    this.#entries.delete(at);
    const left = (this.#ofCaller.get(entry.key) ?? []).filter((each) => each !== at);
    if (left.length === 0) this.#ofCaller.delete(entry.key);
    else this.#ofCaller.set(entry.key, left);
  }
}

function textOf(request: AccessRequest): string {
  if ("path" in request) return `${request.verb} ${echoed(request.path)}`;
  const { verb, group, resource, subresource, namespace, name } = request;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const of = group === "" ? full : `${full}.${group}`;
  const one = name === undefined ? "" : ` ${echoed(name)}`;
  return `${verb} ${of}${one}${namespace === undefined ? "" : ` in ${echoed(namespace)}`}`;
}

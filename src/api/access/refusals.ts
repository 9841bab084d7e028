/**
 * Refused requests, for the audit: one entry for each credential and minute, with the first request
 * and how many there were. A caller that is refused all the time fills a line a minute and pushes
 * out nothing of others. Entries go to the audit folder when they begin, and again with their whole
 * count when their minute is over.
 */
import type { AccessRequest } from "../../core/model/access.ts";
import {
  type KeptRefusal,
  pageOf,
  type RefusalArchive,
  type RefusalPage,
  type RefusalsVerified,
} from "../audit/refusal-archive.ts";
import type { ApiLog } from "../http/api-context.ts";
import type { Caller } from "../http/caller.ts";
import { echoed } from "../http/echoed.ts";
import { withoutTokens } from "../../text/without-tokens.ts";
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
  /**
   * By what it was refused: `default` where no role allows it, or the rule of SPEC.md by which the
   * authority or the server refused it.
   */
  readonly by: string;
  readonly count: number;
}

interface Entry {
  readonly id: string;
  readonly minute: number;
  /** Whose share it takes. */
  readonly user: string;
  readonly first: Omit<ShownRefusal, "count">;
  count: number;
  /** As many as the archive knows of. */
  told: number;
}

interface Asked {
  readonly limit: number;
  readonly user?: string;
  readonly before?: string;
}

export class Refusals {
  readonly #nowMs: () => number;
  readonly #log: Pick<ApiLog, "warn">;
  readonly #archive: RefusalArchive | undefined;
  readonly #timer: NodeJS.Timeout;
  /** By credential and minute; the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #ofCaller = new Map<string, string[]>();

  constructor({
    nowMs,
    log,
    archive,
  }: {
    readonly nowMs: () => number;
    readonly log: Pick<ApiLog, "warn">;
    /** Left out: they end with the process. */
    readonly archive?: RefusalArchive | undefined;
  }) {
    this.#nowMs = nowMs;
    this.#log = log;
    this.#archive = archive;
    this.#timer = setInterval(() => this.#tellOver(), MINUTE_MS).unref();
  }

  /** No role allows the request. */
  note(caller: Caller, request: AccessRequest): void {
    this.#note(caller, () => textOf(request), "default");
  }

  /** A rule of the authority or of the server refused it, whatever roles say. */
  noteRule(caller: Caller, what: string, rule: string): void {
    this.#note(caller, () => echoed(what), rule);
  }

  /** The newest first. */
  async newest(asked: Asked): Promise<RefusalPage<ShownRefusal>> {
    this.#tellAll();
    if (this.#archive !== undefined) {
      const page = await this.#archive.newest(asked);
      return { ...page, entries: page.entries.map(shown) };
    }
    const { limit, user, before } = asked;
    const own = this.all()
      .filter((each) => user === undefined || each.user === user)
      .filter(({ time }) => before === undefined || time < before);
    return pageOf(own, limit);
  }

  /** Undefined: nothing is kept beside the log. */
  verify(): Promise<RefusalsVerified> | undefined {
    this.#tellAll();
    return this.#archive?.verify();
  }

  /** In memory; the newest first. */
  all(): readonly ShownRefusal[] {
    return [...this.#entries.values()]
      .toReversed()
      .map(({ first, count }) => ({ ...first, count }));
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#tellAll();
    return this.#archive?.close() ?? Promise.resolve();
  }

  #note(caller: Caller, what: () => string, by: string): void {
    const { user } = subjectOf(caller);
    const { credentialId, address } = caller;
    const nowMs = this.#nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    const id = JSON.stringify([minute, user, credentialId ?? "", by]);
    const known = this.#entries.get(id);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const first: Entry["first"] = {
      time: rfc3339Millis(nowMs),
      user: echoed(user),
      ...(credentialId === undefined ? {} : { credential: credentialId }),
      ...(address === undefined ? {} : { address }),
      first: withoutTokens(what()),
      by,
    };
    const entry = { id, minute, user, first, count: 1, told: 1 };
    this.#archive?.add([keptOf(entry)]);
    this.#keep(entry);
    this.#log.warn(first, "Refused a request.");
  }

  #keep(entry: Entry): void {
    const { id, user } = entry;
    this.#entries.set(id, entry);
    const own = this.#ofCaller.get(user) ?? [];
    this.#ofCaller.set(user, own);
    own.push(id);
    if (own.length > REFUSAL_LIMITS.refusalsPerCaller.value) this.#drop(own[0]);
    if (this.#entries.size > REFUSAL_LIMITS.refusalsKept.value) {
      this.#drop(this.#entries.keys().next().value);
    }
  }

  #drop(id: string | undefined): void {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id === undefined || entry === undefined) return;
    this.#tell([entry]);
    this.#entries.delete(id);
    const left = (this.#ofCaller.get(entry.user) ?? []).filter((each) => each !== id);
    if (left.length === 0) this.#ofCaller.delete(entry.user);
    else this.#ofCaller.set(entry.user, left);
  }

  /** Their minute is over: nothing is added to them. */
  #tellOver(): void {
    const now = Math.floor(this.#nowMs() / MINUTE_MS);
    this.#tell([...this.#entries.values()].filter(({ minute }) => minute < now));
  }

  #tellAll(): void {
    this.#tell([...this.#entries.values()]);
  }

  #tell(entries: readonly Entry[]): void {
    const grown = entries.filter(({ count, told }) => count > told);
    for (const entry of grown) entry.told = entry.count;
    if (grown.length > 0) this.#archive?.add(grown.map(keptOf));
  }
}

const keptOf = ({ id, first, count }: Entry): KeptRefusal => ({ id, ...first, count });

function shown(kept: KeptRefusal): ShownRefusal {
  const { id: _, ...refusal } = kept;
  return refusal;
}

function textOf(request: AccessRequest): string {
  if ("path" in request) return `${request.verb} ${echoed(request.path)}`;
  const { verb, group, resource, subresource, namespace, name } = request;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const of = group === "" ? full : `${full}.${group}`;
  const one = name === undefined ? "" : ` ${echoed(name)}`;
  return `${verb} ${of}${one}${namespace === undefined ? "" : ` in ${echoed(namespace)}`}`;
}

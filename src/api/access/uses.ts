/**
 * Which rights callers use: who asked for which verb on which resource of which namespace, by day,
 * for the preview of a change of roles (AZ54). Reads are in no audit, and their number is that of
 * all requests, so they are counted in memory and written to a file of each day beside the log.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AccessRequest, MASTERS_GROUP, type Subject } from "../../core/model/access.ts";
import type { Caller } from "../http/caller.ts";
import { withoutTokens } from "../../text/without-tokens.ts";
import { echoed } from "../http/echoed.ts";
import { rfc3339 } from "../rfc3339.ts";
import { subjectOf } from "./subject-of.ts";
import { USE_LIMITS } from "./use-limits.ts";

export interface ShownUse {
  /** In UTC: 2026-01-31. */
  readonly day: string;
  readonly user: string;
  readonly groups: readonly string[];
  /** Without a name: `names` has some of those that were asked for. */
  readonly request: AccessRequest;
  readonly names: readonly string[];
  readonly count: number;
  readonly last: string;
}

interface Use {
  readonly user: string;
  readonly groups: readonly string[];
  readonly request: AccessRequest;
  readonly names: string[];
  count: number;
  lastMs: number;
}

interface Day {
  readonly day: string;
  /** By user and groups, and then by request; the oldest first. */
  readonly callers: Map<string, Map<string, Use>>;
  size: number;
  isChanged: boolean;
}

const DAY_MS = 86_400_000;
const SAVE_MS = 60_000;
const FILE = /^(\d{4}-\d\d-\d\d)\.json$/;
/** They say who reads what: for the user that the plane runs as only. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export class Uses {
  readonly #folder: string | undefined;
  readonly #nowMs: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #work: Promise<void>;
  #today: Day;
  #dayNumber: number;

  constructor(of: {
    /** Left out: they end with the process. */
    readonly folder?: string | undefined;
    readonly nowMs: () => number;
    readonly onTrouble: (error: unknown) => void;
  }) {
    this.#folder = of.folder;
    this.#nowMs = of.nowMs;
    this.#onTrouble = of.onTrouble;
    const nowMs = of.nowMs();
    this.#today = emptyDay(dayOf(nowMs));
    this.#dayNumber = Math.floor(nowMs / DAY_MS);
    this.#work = this.#open().catch(of.onTrouble);
    this.#timer = setInterval(() => void this.#save(), SAVE_MS).unref();
  }

  /** Asked at every request that roles have allowed, so it does little. */
  note(caller: Caller, request: AccessRequest): void {
    // What agents, controllers and administrators may do follows from no role that can be changed.
    if (caller.kind !== "user") return;
    const subject = subjectOf(caller);
    if (subject.groups.includes(MASTERS_GROUP)) return;
    const nowMs = this.#nowMs();
    if (Math.floor(nowMs / DAY_MS) !== this.#dayNumber) this.#begin(nowMs);
    noteIn(this.#today, { subject, request, nowMs });
  }

  /** From this day on, in the order of days. */
  async since(day: string): Promise<readonly ShownUse[]> {
    await this.#save();
    const kept: ShownUse[] = [];
    for (const each of await this.#keptDays()) {
      if (each >= day && each !== this.#today.day) kept.push(...(await this.#read(each)));
    }
    return [...kept, ...(this.#today.day >= day ? shownOf(this.#today) : [])];
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#save();
  }

  #begin(nowMs: number): void {
    void this.#save();
    this.#today = emptyDay(dayOf(nowMs));
    this.#dayNumber = Math.floor(nowMs / DAY_MS);
  }

  async #open(): Promise<void> {
    if (this.#folder === undefined) return;
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    const { day } = this.#today;
    for (const use of await this.#read(day)) addTo(this.#today, use);
  }

  /** One after the other; a crash at any moment leaves the earlier file or the new one. */
  #save(): Promise<void> {
    const today = this.#today;
    this.#work = this.#work.then(() => this.#write(today)).catch(this.#onTrouble);
    return this.#work;
  }

  async #write(today: Day): Promise<void> {
    if (this.#folder === undefined || !today.isChanged) return;
    today.isChanged = false;
    const file = this.#fileOf(today.day);
    await writeFile(`${file}.new`, JSON.stringify(shownOf(today)), { mode: FILE_MODE });
    await rename(`${file}.new`, file);
    const over = (await this.#keptDays()).slice(0, -USE_LIMITS.useDays.value);
    for (const day of over) await rm(this.#fileOf(day), { force: true });
  }

  async #keptDays(): Promise<readonly string[]> {
    if (this.#folder === undefined) return [];
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted();
  }

  async #read(day: string): Promise<readonly ShownUse[]> {
    try {
      return JSON.parse(await readFile(this.#fileOf(day), "utf8")) as readonly ShownUse[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#onTrouble(error);
      return [];
    }
  }

  #fileOf(day: string): string {
    return join(this.#folder ?? "", `${day}.json`);
  }
}

const dayOf = (ms: number): string => rfc3339(ms).slice(0, "2026-01-31".length);

const emptyDay = (day: string): Day => ({ day, callers: new Map(), size: 0, isChanged: false });

interface Noted {
  readonly subject: Subject;
  readonly request: AccessRequest;
  readonly nowMs: number;
}

function noteIn(day: Day, { subject, request, nowMs }: Noted): void {
  const { name, ...rest } = bounded(request);
  const { user, groups } = subject;
  const use = useOf(day, { user, groups, request: rest });
  if (use === undefined) return;
  use.count += 1;
  use.lastMs = nowMs;
  day.isChanged = true;
  if (name === undefined || use.names.length >= USE_LIMITS.useNames.value) return;
  if (!use.names.includes(name)) use.names.push(name);
}

/** A request may name anything, also what is not there. */
function bounded(request: AccessRequest): AccessRequest & { readonly name?: string } {
  if ("path" in request) return { ...request, path: shortened(request.path) };
  const { namespace, name, ...rest } = request;
  return {
    ...rest,
    ...(namespace === undefined ? {} : { namespace: shortened(namespace) }),
    ...(name === undefined ? {} : { name: shortened(name) }),
  };
}

const shortened = (text: string): string => withoutTokens(echoed(text));

/** Undefined: the caller has its share for today. */
function useOf(day: Day, of: Pick<Use, "user" | "groups" | "request">): Use | undefined {
  const caller = [of.user, ...of.groups].join("\n");
  let uses = day.callers.get(caller);
  if (uses === undefined) day.callers.set(caller, (uses = new Map<string, Use>()));
  const key = keyOf(of.request);
  const known = uses.get(key);
  if (known !== undefined) return known;
  if (uses.size >= USE_LIMITS.usesPerCaller.value) return undefined;
  const use: Use = { ...of, names: [], count: 0, lastMs: 0 };
  uses.set(key, use);
  day.size += 1;
  if (day.size > USE_LIMITS.usesPerDay.value) dropOne(day);
  return use;
}

/** The oldest of the caller with the most. */
function dropOne(day: Day): void {
  let most: Map<string, Use> | undefined;
  for (const uses of day.callers.values()) if (uses.size > (most?.size ?? 0)) most = uses;
  const [oldest] = most?.keys() ?? [];
  if (most === undefined || oldest === undefined) return;
  most.delete(oldest);
  day.size -= 1;
}

const keyOf = (request: AccessRequest): string =>
  "path" in request
    ? `${request.verb} ${request.path}`
    : `${request.verb} ${request.group}/${request.resource}/${request.subresource ?? ""} ${request.namespace ?? ""}`;

function addTo(day: Day, { user, groups, request, names, count, last }: ShownUse): void {
  const use = useOf(day, { user, groups, request });
  if (use === undefined) return;
  use.count += count;
  use.lastMs = Math.max(use.lastMs, Date.parse(last));
  for (const name of names) {
    if (use.names.length < USE_LIMITS.useNames.value && !use.names.includes(name)) {
      use.names.push(name);
    }
  }
}

const shownOf = ({ day, callers }: Day): readonly ShownUse[] =>
  [...callers.values()].flatMap((uses) =>
    [...uses.values()].map(({ lastMs, ...use }) => ({ day, ...use, last: rfc3339(lastMs) })),
  );

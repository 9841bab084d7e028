/**
 * The audit trail, newest first: what was there when the page opened, what comes, and older ones on
 * demand.
 */
import { signal } from "@preact/signals";
import type { AuditEntry } from "../../../src/api/audit/audit-entry.ts";
import { getJson } from "../live/api.ts";
import { type Link, LiveLoop } from "../live/live-loop.ts";
import { readLines } from "../live/read-lines.ts";
import { joinEntries } from "./join-entries.ts";

export interface AuditFilter {
  readonly kind: string;
  readonly actor: string;
  readonly key: string;
  readonly tenant: string;
}

interface AuditPage {
  readonly revision: number;
  readonly entries: readonly AuditEntry[];
  readonly next?: number;
  readonly says: string;
}

type AuditLine =
  | ({ readonly type: "entry" } & AuditEntry)
  | { readonly type: "bookmark"; readonly revision: number };

/** Two screens; older ones are asked for. */
const PAGE = 50;

export class AuditStream {
  readonly loop: LiveLoop;
  readonly entries = signal<readonly AuditEntry[] | undefined>(undefined);
  /** What the plane says of how far back it knows; undefined before it did. */
  readonly says = signal<string | undefined>(undefined);
  /** Older ones begin before this revision; undefined: there are none. */
  readonly next = signal<number | undefined>(undefined);
  private readonly query: string;
  private revision: number | undefined;

  constructor(filter: AuditFilter) {
    this.query = queryOf(filter);
    this.loop = new LiveLoop((link) => this.attempt(link));
  }

  get isThere(): boolean {
    return this.entries.value !== undefined;
  }

  async loadOlder(): Promise<void> {
    const before = this.next.peek();
    if (before === undefined) return;
    const page = await getJson<AuditPage>(`/audit?limit=${PAGE}&before=${before}${this.query}`);
    this.take(page.entries);
    this.next.value = page.next;
    this.says.value = page.says;
  }

  private async attempt(link: Link): Promise<void> {
    if (this.revision === undefined) await this.list(link);
    link.arrived();
    const path = `/audit?watch=true&after=${this.revision}${this.query}`;
    try {
      await readLines(path, {
        signal: link.signal,
        onMessages: (messages) => {
          link.heard();
          this.follow(messages as readonly AuditLine[]);
        },
      });
    } catch (error) {
      // Whatever was missed cannot be had by going on: the newest page is read again.
      this.revision = undefined;
      throw error;
    }
  }

  private async list(link: Link): Promise<void> {
    const path = `/audit?limit=${PAGE}${this.query}`;
    const page = await getJson<AuditPage>(path, { signal: link.signal });
    link.heard();
    this.entries.value = page.entries;
    this.next.value = page.next;
    this.says.value = page.says;
    this.revision = page.revision;
  }

  private follow(lines: readonly AuditLine[]): void {
    const newer = lines.flatMap((line) => (line.type === "entry" ? [line] : []));
    this.revision = lines.at(-1)?.revision ?? this.revision;
    if (newer.length > 0) this.take(newer);
  }

  private take(more: readonly AuditEntry[]): void {
    this.entries.value = joinEntries(this.entries.peek() ?? [], more);
  }
}

function queryOf({ kind, actor, key, tenant }: AuditFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ kind, actor, key, tenant })) {
    if (value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `&${text}`;
}

/**
 * One row of the view `queue` by the names of its columns, and how rows are ordered and grouped.
 */
import type { QueueRow } from "../../../src/api/views/view-rows.ts";
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import type { ViewRow } from "../live/view-message.ts";
import { causeText } from "../parts/cause-text.ts";
import { counted } from "../parts/counted.ts";

export interface WaitRow {
  readonly wait: QueueRow[0];
  readonly standing: QueueRow[1];
  readonly subject: QueueRow[2];
  readonly tenant: QueueRow[3];
  readonly priority: QueueRow[4];
  readonly position: QueueRow[5];
  readonly of: QueueRow[6];
  readonly ahead: QueueRow[7];
  readonly count: QueueRow[8];
  readonly since: QueueRow[9];
  readonly reason: QueueRow[10];
  readonly text: QueueRow[11];
  readonly wakes: QueueRow[12];
  readonly deadline: QueueRow[13];
  readonly owner: QueueRow[14];
  readonly estimateMs: QueueRow[15];
  readonly basis: QueueRow[16];
  readonly upToMs: QueueRow[17];
}

export function readWait(cells: ViewRow): WaitRow {
  const row = cells as unknown as QueueRow;
  const [wait, standing, subject, tenant, priority, position, of, ahead, count, since] = row;
  const [, , , , , , , , , , reason, text, wakes, deadline, owner, estimateMs, basis, upToMs] = row;
  return {
    wait,
    standing,
    subject,
    tenant,
    priority,
    position,
    of,
    ahead,
    count,
    since,
    reason,
    text,
    wakes,
    deadline,
    owner,
    estimateMs,
    basis,
    upToMs: upToMs ?? null,
  };
}

/** As the scheduler takes them; who has no position comes by rank, then by how long it waits. */
export function inOrder(rows: readonly WaitRow[]): readonly WaitRow[] {
  const last = Number.MAX_SAFE_INTEGER;
  return rows.toSorted(
    (a, b) =>
      (a.position ?? last) - (b.position ?? last) ||
      (b.priority?.value ?? 0) - (a.priority?.value ?? 0) ||
      (a.since ?? last) - (b.since ?? last) ||
      (a.wait < b.wait ? -1 : 1),
  );
}

export const byDeadline = (rows: readonly WaitRow[]): readonly WaitRow[] =>
  rows.toSorted((a, b) => a.deadline - b.deadline || (a.wait < b.wait ? -1 : 1));

export interface ReasonGroup {
  readonly reason: string;
  readonly waits: number;
  /** Replicas; 0 where waits are for other things. */
  readonly replicas: number;
}

/** The most first. */
export function groupReasons(rows: readonly WaitRow[]): readonly ReasonGroup[] {
  const groups = new Map<string, { waits: number; replicas: number }>();
  for (const { reason, count } of rows) {
    const group = groups.get(reason) ?? { waits: 0, replicas: 0 };
    group.waits += 1;
    group.replicas += count ?? 0;
    groups.set(reason, group);
  }
  return [...groups]
    .map(([reason, group]) => ({ reason, ...group }))
    .toSorted(
      (a, b) => b.replicas - a.replicas || b.waits - a.waits || (a.reason < b.reason ? -1 : 1),
    );
}

/** "Workload/payments/api" → "payments/api"; a node's name is its own. */
export const subjectName = (subject: string): string => {
  const [, tenant = "", ...name] = subject.split("/");
  return tenant === "" ? name.join("/") : `${tenant}/${name.join("/")}`;
};

/** Who waits for what, and what wakes it; since when stands beside it and grows. */
export function waitSentence({ count, text, reason, wakes }: WaitRow): string {
  const who =
    count === null ? "It waits" : count === 1 ? "1 replica waits" : `${count} replicas wait`;
  const why = causeText(text === "" ? reasonWords(reason) : text).replace(/\.$/, "");
  const wake = wakes.length === 0 ? "" : ` It is tried again when ${wakes.join(", or ")}.`;
  return `${who}: ${why}.${wake}`;
}

/** Undefined for a wait that is of no replicas. */
export function placeText({ position, of, ahead, count }: WaitRow): string | undefined {
  if (count === null) return undefined;
  const many = counted(count, "replica");
  if (position === null) return many;
  return `${position} of ${of}, with ${many}; ${counted(ahead ?? 0, "replica")} ahead`;
}

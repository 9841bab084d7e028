/** Short news at the edge of the page: what an action came to. */
import { signal } from "@preact/signals";

export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad" | "plain";
  readonly text: string;
}

/** Time to read two sentences. What went wrong stays until it is closed. */
const SHOWN_MS = 8_000;

let lastId = 0;

export const notices = signal<readonly Notice[]>([]);

export function notify(text: string, tone: Notice["tone"] = "plain"): void {
  lastId += 1;
  const id = lastId;
  notices.value = [...notices.value, { id, tone, text }];
  if (tone !== "bad") setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

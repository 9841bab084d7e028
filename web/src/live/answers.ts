/**
 * When the plane last answered a page that asks for one thing at a time, and since when it does not
 * answer: what a page without a stream knows of its connection.
 */
import { signal } from "@preact/signals";

export interface Answers {
  readonly answeredAtMs?: number;
  /** Since the last answer. */
  readonly silent?: { readonly sinceMs: number; readonly why: string };
}

export const answers = signal<Answers>({});

export function answered(): void {
  answers.value = { answeredAtMs: Date.now() };
}

export function unanswered(why: string): void {
  const { answeredAtMs, silent } = answers.peek();
  const sinceMs = silent?.sinceMs ?? Date.now();
  answers.value = {
    ...(answeredAtMs === undefined ? {} : { answeredAtMs }),
    silent: { sinceMs, why },
  };
}

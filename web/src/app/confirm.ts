/**
 * Asks before something changes. The dialog stays open until the server has answered, and shows its
 * no word for word.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export interface Question {
  /** "Cordon node a-1?" */
  readonly title: string;
  /** What will happen, and what will not. */
  readonly body: ComponentChildren;
  /** The word on the button: "Cordon". */
  readonly action: string;
  /** It takes something away from somebody. */
  readonly isDanger?: boolean;
  /** While it is false the action cannot be chosen. Left out: it always can. */
  readonly isAllowed?: ReadonlySignal<boolean>;
  /** Rejects with what the server said; the dialog shows it and stays. */
  readonly run: () => Promise<unknown>;
}

export interface Asked extends Question {
  readonly answer: (isDone: boolean) => void;
}

export const asked = signal<Asked | undefined>(undefined);

/** True when it was done, false when the reader thought better of it. */
export function confirm(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  return new Promise((resolve) => {
    const answer = (isDone: boolean): void => {
      asked.value = undefined;
      resolve(isDone);
    };
    asked.value = { ...question, answer };
  });
}

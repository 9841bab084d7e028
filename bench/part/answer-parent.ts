/**
 * The child's side of a `PartProcess`: answers questions until the parent disconnects, then cleans
 * up and ends.
 */
import type { Progress } from "../measure/progress.ts";
import type { Message, Question } from "./part-process.ts";

/** The questions of a role; every answer is plain values. */
export type Answers = Readonly<Record<string, (of: never, progress: Progress) => unknown>>;

/** Readers see no faster updates, and every message disturbs the measurement. */
const TELL_EVERY_MS = 200;

/** Resolves when the parent is gone and all resources are closed. */
export function answerParent(
  answers: Answers,
  tidyUp: () => Promise<void> | void = () => {},
): Promise<void> {
  let toldMs = Number.NEGATIVE_INFINITY;
  const progress: Progress = (...of) => {
    const now = performance.now();
    if (now - toldMs < TELL_EVERY_MS) return;
    toldMs = now;
    tell({ kind: "progress", of });
  };
  const answerOne = async ({ question, of }: Question): Promise<void> => {
    try {
      const answer = answers[question];
      if (answer === undefined) throw new Error(`Unknown question: ${question}.`);
      tell({ kind: "answer", answer: await answer(of as never, progress) });
    } catch (error) {
      tell({ kind: "failure", message: error instanceof Error ? error.message : String(error) });
    }
  };
  process.on("message", (question: Question) => void answerOne(question));
  return new Promise((resolve) => {
    process.once("disconnect", () => {
      void Promise.resolve(tidyUp()).then(resolve, resolve);
    });
  });
}

function tell(message: Message): void {
  if (process.connected) process.send?.(message);
}

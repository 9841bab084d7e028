/**
 * Makes the document of a chapter on a thread of its own: a plane that replays an hour of its
 * incarnation must go on leading meanwhile. The thread has bounded memory, and the caller ends it
 * when it takes too long.
 */
import { isMainThread, parentPort, type Worker, workerData } from "node:worker_threads";
import { startThread } from "../host/start-thread.ts";
import { fitIncident } from "../incident/fit-incident.ts";
import { findInChapter } from "../incident/find-in-chapter.ts";
import { incidentOfChapter, type OfChapter } from "./incident-of-chapter.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";

export interface IncidentAsked extends OfChapter {
  /** How long the JSON may be. */
  readonly maxBytes: number;
  /** Words to find in all turns of the chapter; left out: the document itself is asked for. */
  readonly find?: string;
}

type Answer =
  | { readonly kind: "made"; readonly json: string }
  | { readonly kind: "unreadable"; readonly text: string };

/** Marks a thread as ours: tests run on threads too. */
const CHAPTER_OF_THREAD = "berth-incident-of-chapter";
/** A chapter is 64 MiB of text and the state it began with; beside that a plane has its own. */
const MEMORY_MIB = 1_024;

export interface IncidentThread {
  /** Rejects with RecordingUnreadable, or with what the thread died of. */
  readonly json: Promise<string>;
  end(): Promise<unknown>;
}

export function startIncidentThread(asked: IncidentAsked): IncidentThread {
  const own = new URL(import.meta.url);
  const limits = { maxOldGenerationSizeMb: MEMORY_MIB };
  const worker = startThread(own, { [CHAPTER_OF_THREAD]: asked }, limits);
  return { json: answerOf(worker), end: () => worker.terminate() };
}

function answerOf(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: Answer) => {
      if (answer.kind === "made") resolve(answer.json);
      else reject(new RecordingUnreadable(answer.text));
    });
    worker.once("error", reject);
    // After an answer this says nothing new.
    worker.once("exit", (code) => reject(new Error(`The thread ended with the code ${code}.`)));
  });
}

function answerTo({ maxBytes, find, ...of }: IncidentAsked): Answer {
  try {
    const { document } = incidentOfChapter(of);
    if (find !== undefined)
      return { kind: "made", json: JSON.stringify(findInChapter(document, find)) };
    const fitted = fitIncident(document, {
      maxSize: maxBytes,
      sizeOf: (tried) => JSON.stringify(tried).length,
      what: "The document",
    });
    return { kind: "made", json: JSON.stringify(fitted) };
  } catch (error) {
    if (!(error instanceof RecordingUnreadable)) throw error;
    return { kind: "unreadable", text: error.message };
  }
}

function askedOfThisThread(): IncidentAsked | undefined {
  if (isMainThread || typeof workerData !== "object" || workerData === null) return undefined;
  return (workerData as { readonly [CHAPTER_OF_THREAD]?: IncidentAsked })[CHAPTER_OF_THREAD];
}

const asked = askedOfThisThread();
if (asked) parentPort?.postMessage(answerTo(asked), []);

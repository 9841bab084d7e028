/**
 * Events of a collection from a revision on, through lost connections and restarts of the plane.
 * When the plane no longer has the events in between, the reader is told to list again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient, Ask } from "./api-client.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import { Refusal } from "./refusal.ts";

export type WatchEvent =
  | {
      readonly kind: "changed";
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly object: unknown;
    }
  /** Some events are lost for good. */
  | { readonly kind: "list-again" }
  | { readonly kind: "disconnected"; readonly message: string };

export interface WatchOf {
  readonly path: string;
  readonly from: string;
  readonly ask?: Ask;
  readonly signal: AbortSignal;
}

/** Soon enough to hide a restart of the plane, seldom enough that it is not flooded. */
const RECONNECT_MS = 300;

/** Ends only when it is told to, or after `list-again`. */
export async function* watchEvents(client: ApiClient, of: WatchOf): AsyncGenerator<WatchEvent> {
  const { path, ask, signal } = of;
  let from = of.from;
  while (!signal.aborted) {
    const query = {
      ...ask?.query,
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: from,
    };
    try {
      for await (const line of client.lines(path, { ...ask, query }, signal)) {
        const { type, object } = recordOf(line);
        if (type === "ERROR") {
          yield { kind: "list-again" };
          return;
        }
        from = revisionOf(object) ?? from;
        if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") {
          yield { kind: "changed", type, object };
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.status.code === 410) {
        yield { kind: "list-again" };
        return;
      }
      // A no that stays a no is the reader's to hear; a plane that is away comes back.
      if (!(error instanceof UserError) || !isPassing(error)) throw error;
      yield { kind: "disconnected", message: error.message };
    }
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

export const isPassing = ({ code }: UserError): boolean =>
  code === "plane-unreachable" || code === "plane-failed";

/** A table has it in its row. */
function revisionOf(object: unknown): string | undefined {
  const { metadata, rows } = recordOf(object);
  const own = textOf(recordOf(metadata)["resourceVersion"]);
  if (own !== "") return own;
  const [row] = Array.isArray(rows) ? (rows as readonly unknown[]) : [];
  const inRow = textOf(recordOf(recordOf(recordOf(row)["object"])["metadata"])["resourceVersion"]);
  return inRow === "" ? undefined : inRow;
}

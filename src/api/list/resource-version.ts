/**
 * What a read asks about time: `resourceVersion` and `resourceVersionMatch`. Unset is the newest,
 * "0" is whatever there is, N is not older than N, and `Exact` is N itself.
 */
import type { Revision } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { ApiError } from "../errors.ts";

export interface VersionQuery {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly limit?: string | undefined;
  readonly continue?: string | undefined;
}

export type ListTime =
  /** Without `notBefore`: as new as anything that was acknowledged before. */
  | { readonly kind: "present"; readonly notBefore: Revision | undefined }
  | { readonly kind: "exact"; readonly revision: Revision };

/** Undefined when it is not set. */
export function parseResourceVersion(text: string | undefined): Revision | undefined {
  if (text === undefined || text === "") return undefined;
  const revision = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(revision)) return revision;
  throw new ApiError(
    "bad-resource-version",
    `"${text}" is not from this server: resource versions are whole numbers.`,
  );
}

export function listTime(query: VersionQuery): ListTime {
  const revision = parseResourceVersion(query.resourceVersion);
  const match = query.resourceVersionMatch ?? "";
  if (match !== "" && match !== "Exact" && match !== "NotOlderThan") {
    throw wrong(`resourceVersionMatch is "${match}"; it can be Exact or NotOlderThan.`);
  }
  const isNextPage = (query.continue ?? "") !== "";
  if (isNextPage && (match !== "" || (revision !== undefined && revision !== 0))) {
    throw wrong("The continue token includes one: omit resourceVersion.");
  }
  if (match !== "" && revision === undefined) {
    throw wrong("resourceVersionMatch needs a resourceVersion.");
  }
  if (match === "Exact") {
    if (revision === 0) throw wrong('resourceVersionMatch=Exact does not go with "0".');
    return { kind: "exact", revision: revision ?? 0 };
  }
  // Without a match, a limited list from N has always meant exactly N to Kubernetes clients.
  const isLimited = Number(query.limit ?? "0") > 0;
  if (match === "" && isLimited && revision !== undefined && revision !== 0) {
    return { kind: "exact", revision };
  }
  return { kind: "present", notBefore: revision };
}

/**
 * Waits until a read can be answered as it was asked: not before a revision that the client has
 * seen elsewhere, or, when it names none, not before anything that any plane has acknowledged or
 * shown.
 */
export async function waitUntilFresh(
  plane: PlanePort,
  asked: Revision | undefined,
  patienceMs: number,
): Promise<void> {
  const needed = asked ?? (plane.isShared ? await newestOf(plane) : 0);
  if (needed > plane.revision) await waitForRevision(plane, needed, patienceMs);
}

async function newestOf(plane: PlanePort): Promise<Revision> {
  try {
    return await plane.newest();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError(
      "log-unreachable",
      `Try another plane, or accept possibly stale data with resourceVersion=0. ${reason}`,
      { retryAfterSeconds: 1 },
    );
  }
}

/** Waits for a revision that a client has seen elsewhere and this server has not. */
async function waitForRevision(
  plane: PlanePort,
  revision: Revision,
  patienceMs: number,
): Promise<void> {
  const isThere = await new Promise<boolean>((answer) => {
    const timer = setTimeout(() => settle(false), patienceMs);
    const stop = plane.onPublish((_, to) => {
      if (to >= revision) settle(true);
    });
    const settle = (outcome: boolean): void => {
      clearTimeout(timer);
      stop();
      answer(outcome);
    };
  });
  if (isThere) return;
  throw new ApiError("revision-not-reached", `${revision}, current: ${plane.revision}.`, {
    retryAfterSeconds: 1,
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
  });
}

const wrong = (detail: string): ApiError => new ApiError("bad-resource-version", detail);

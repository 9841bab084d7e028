/**
 * What a read asks about time: `resourceVersion` and `resourceVersionMatch`. Unset is the newest, "0" is
 * whatever there is, N is not older than N, and `Exact` is N itself.
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
  | { readonly kind: "present"; readonly notBefore: Revision }
  | { readonly kind: "exact"; readonly revision: Revision };

/** Undefined when it is not set. */
export function parseResourceVersion(text: string | undefined): Revision | undefined {
  if (text === undefined || text === "") return undefined;
  const revision = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(revision)) return revision;
  throw new ApiError(
    "bad-resource-version",
    `"${text}" is not one that this server gave out: they are whole numbers.`,
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
    throw wrong("The continue token has one already: leave resourceVersion out.");
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
  return { kind: "present", notBefore: revision ?? 0 };
}

/** Waits for a revision that a client has seen elsewhere and this server has not. */
export async function waitForRevision(
  plane: PlanePort,
  revision: Revision,
  patienceMs: number,
): Promise<void> {
  if (revision <= plane.revision) return;
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

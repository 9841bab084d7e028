/** One request about a register over HTTP, and what its answer means: done, not done, or nobody knows. */
import type { Answer, Asked, Shown } from "./history/call.ts";

export interface ShownTenant {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly spec?: { readonly displayName?: string };
}

interface StatusText {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly uid?: string };
}

/** Longer than a take-over after a lease of two seconds, shorter than anybody's patience. */
const ANSWER_MS = 5_000;

export async function registerCall(
  url: string,
  asked: Asked,
  idempotencyKey?: string,
): Promise<Answer> {
  const { method, path, body } = requestOf(asked);
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  try {
    const answer = await fetch(`${url}/apis/berth.dev/v1/tenants${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    // An answer counts when all of it was heard.
    return meaningOf(asked, answer.status, await answer.text());
  } catch (error) {
    const { code = "", message } = causeOf(error);
    const why = `${code} ${message}`.trim();
    // Nobody listens there, so nobody has heard it.
    return code === "ECONNREFUSED" ? { kind: "refused", why } : { kind: "unknown", why };
  }
}

function requestOf(asked: Asked): {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
} {
  switch (asked.op) {
    case "create":
      return { method: "POST", path: "", body: tenant(asked.key, asked.value) };
    case "replace": {
      const body = tenant(asked.key, asked.value, asked.expected);
      return { method: "PUT", path: `/${asked.key}`, body };
    }
    case "delete":
      return { method: "DELETE", path: `/${asked.key}` };
    case "get": {
      const { key, notBefore } = asked;
      const query = notBefore === undefined ? "" : `?resourceVersion=${notBefore}`;
      return { method: "GET", path: `/${key}${query}` };
    }
    case "list":
      return { method: "GET", path: "" };
  }
}

const tenant = (name: string, displayName: string, expected?: number): unknown => ({
  apiVersion: "berth.dev/v1",
  kind: "Tenant",
  metadata: { name, ...(expected === undefined ? {} : { resourceVersion: String(expected) }) },
  spec: { displayName },
});

function meaningOf(asked: Asked, status: number, text: string): Answer {
  if (status === 200 || status === 201) return done(asked, JSON.parse(text));
  const { reason = "", message = text } = readStatus(text);
  const why = `${status} ${message}`;
  if (status === 404) return { kind: "absent" };
  if (status === 409 && reason === "AlreadyExists") return { kind: "exists" };
  // It says that it happened, and not what came of it.
  if (status === 409 && message.includes("it was written and")) return { kind: "unknown", why };
  if (status === 409) return { kind: "conflict" };
  const saysNothingChanged = message.includes("nothing was changed");
  if (status === 429 || (status === 503 && saysNothingChanged)) return { kind: "refused", why };
  if (status >= 500) return { kind: "unknown", why };
  throw new Error(`${JSON.stringify(asked)} was answered ${why}`);
}

function done(asked: Asked, body: unknown): Answer {
  if (asked.op === "list") {
    const { metadata, items } = body as {
      readonly metadata: { readonly resourceVersion: string };
      readonly items: readonly ShownTenant[];
    };
    const revision = Number(metadata.resourceVersion);
    return { kind: "listed", revision, objects: items.map(shownAs) };
  }
  if (asked.op !== "delete") return { kind: "shown", object: shownAs(body as ShownTenant) };
  const { uid } = (body as StatusText).details ?? {};
  return uid === undefined
    ? { kind: "unknown", why: "it is on its way" }
    : { kind: "deleted", uid };
}

const shownAs = ({ metadata, spec }: ShownTenant): Shown => ({
  key: metadata.name,
  value: spec?.displayName ?? "",
  revision: Number(metadata.resourceVersion),
  uid: metadata.uid,
});

function readStatus(text: string): StatusText {
  try {
    return JSON.parse(text) as StatusText;
  } catch {
    return {};
  }
}

function causeOf(error: unknown): { readonly code?: string; readonly message: string } {
  const { cause } = error as { readonly cause?: unknown };
  return (cause ?? error) as { readonly code?: string; readonly message: string };
}

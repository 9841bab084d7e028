/**
 * Commits a session before it begins, as a change of the workload by the caller of the session. A
 * caller who may not change the workload is refused by the authority, and a plane that lost the
 * lead cannot begin one.
 */
import type { FastifyRequest } from "fastify";
import type { Replica } from "../../core/model/objects.ts";
import { parseKey } from "../../core/model/ids.ts";
import { SESSION_ANNOTATION } from "../../core/model/session-note.ts";
import { assert } from "../../core/model/assert.ts";
import type { ApiContext } from "../http/api-context.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { OBJECT_KINDS } from "../list/served-kinds.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { modify } from "../write/modify.ts";
import { parseWrite } from "../write/write-request.ts";
import type { SessionRequest } from "./session-relay.ts";

/** Enough to see what was run; a longer command is cut, and says so. */
const SHOWN_BYTES = 512;

export async function recordSession(
  context: ApiContext,
  request: FastifyRequest,
  { replica, asked }: { readonly replica: Replica; readonly asked: SessionRequest },
): Promise<void> {
  const kind = OBJECT_KINDS.find(({ api, group }) => api.kind === "Workload" && group !== "");
  assert(kind !== undefined, "Workloads are not served.");
  const { namespace, name } = parseKey(replica.key);
  const target = { kind, namespace, name: replica.spec.workload };
  const note = `${rfc3339Millis(context.clock.nowMs())} ${name}: ${whatOf(asked)}`;
  await modify(context, target, {
    write: {
      ...parseWrite(request),
      fieldManager: "berth-sessions",
      isDryRun: false,
      force: false,
    },
    duplicates: [],
    change: (live) => ({ object: withNote(live, note), expected: undefined }),
  });
}

function whatOf(asked: SessionRequest): string {
  if (asked.kind === "forward") return `port-forward ${asked.port}`;
  const text = `exec ${JSON.stringify(asked.command)}`;
  return text.length <= SHOWN_BYTES ? text : `${text.slice(0, SHOWN_BYTES)}… (cut)`;
}

function withNote(live: JsonObject, note: string): JsonObject {
  const metadata = (fieldOf(live, "metadata") ?? {}) as JsonObject;
  const annotations = (fieldOf(metadata, "annotations") ?? {}) as JsonObject;
  return {
    ...live,
    metadata: { ...metadata, annotations: { ...annotations, [SESSION_ANNOTATION]: note } },
  };
}

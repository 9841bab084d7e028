/**
 * The head of the log's chain, for people to keep elsewhere, and the chain computed anew from the
 * store while the plane goes on. Reading everything is for people, as a backup is, and one at a
 * time.
 */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { KeptParts } from "../../host/backup/kept-log.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { type ChainHead, headText, readHeadText } from "../../host/store/chain-link.ts";
import { verifyChain, type VerifyLine } from "../audit/verify-chain.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { asks, PATH } from "../access/route-rule.ts";

export const VERIFY_PATH = "/audit/verify";

const headless = ({ past }: PlanePort): string =>
  past.copy() === undefined
    ? IN_MEMORY
    : "The log has no chain yet; it begins with the next commit.";

const IN_MEMORY = "This plane keeps its log in memory: there is no chain.";

export function addAuditChainRoutes(app: FastifyInstance, { plane, log }: ApiContext): void {
  let verifying: object | undefined;
  app.get("/audit/head", asks(PATH), async () => {
    const head = await plane.past.chainHead();
    if (head === undefined) throw new ApiError("bad-request", headless(plane));
    return { ...head, head: headText(head) };
  });
  app.get(VERIFY_PATH, asks(PATH), (request, reply) => {
    const wanted = askedOf(request);
    // Nothing is read before somebody asks for its parts.
    if (plane.past.copy() === undefined) throw new ApiError("bad-request", IN_MEMORY);
    if (verifying !== undefined) {
      throw new ApiError("too-many-requests", "A verification of the log is already running.", {
        retryAfterSeconds: 1,
      });
    }
    const own = {};
    verifying = own;
    const over = (): void => {
      if (verifying === own) verifying = undefined;
    };
    const { name, kind } = callerOf(request);
    log.info({ name, kind }, "Verified the chain of the log.");
    const parts = (): KeptParts => plane.past.copy() ?? [];
    const lines = Readable.from(textsOf(verifyChain(parts, wanted), over));
    // The client may have left before anything was read.
    lines.once("close", over);
    return reply
      .header("Content-Type", "application/json; charset=utf-8")
      .header("Cache-Control", "no-store")
      .send(lines);
  });
}

/** `over` is called before the answer ends: who asks again after it is not to be turned away. */
async function* textsOf(
  lines: AsyncIterable<VerifyLine>,
  over: () => void,
): AsyncGenerator<string> {
  try {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  } finally {
    over();
  }
}

function askedOf(request: FastifyRequest): ChainHead | undefined {
  const { kind, name } = callerOf(request);
  if (kind !== "user" && kind !== "local") {
    throw new ApiError(
      "not-allowed",
      `Only users may verify the log; ${name} is of the kind ${kind}.`,
    );
  }
  const { head } = request.query as { readonly head?: string };
  if (head === undefined || head === "") return undefined;
  const read = readHeadText(head);
  if (read !== undefined) return read;
  throw new ApiError(
    "bad-request",
    `head is "${head.slice(0, 100)}"; expected REVISION:HASH, as /audit/head returns it.`,
  );
}

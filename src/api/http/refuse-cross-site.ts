/**
 * Keeps pages of other sites from using the plane through the browser of somebody who may. A
 * browser says with each request where it comes from, and a page cannot change that; programs that
 * are no browsers say nothing and are not concerned.
 */
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { isForDashboard } from "../routes/routes-web.ts";

/** `same-site` is a neighbour: another port of this machine, or another host of the same domain. */
const ELSEWHERE: ReadonlySet<string> = new Set(["cross-site", "same-site"]);

/**
 * Throws for what a page of another site has sent. The dashboard's own files may be linked to from
 * anywhere.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  const { "sec-fetch-site": site, origin, host = "" } = request.headers;
  const isElsewhere =
    (typeof site === "string" && ELSEWHERE.has(site)) ||
    (origin !== undefined && !isOrigin(origin, host));
  if (!isElsewhere || isForDashboard(request)) return;
  throw new ApiError(
    "cross-site",
    `The request comes from ${origin ?? "another site"} and was sent to ${host}: use this plane's own dashboard or the command line.`,
  );
}

/** Whether an origin is the host that was asked; a port that goes without saying may be said. */
function isOrigin(origin: string, host: string): boolean {
  try {
    const from = new URL(origin);
    return from.host === new URL(`${from.protocol}//${host}`).host;
  } catch {
    // A sandboxed page sends "null", which matches no origin.
    return false;
  }
}

/**
 * Whether a request leaves the honest tenant alone as far as its caller's own rights go. A user's or a controller's token opens
 * everything today, so a user may rightly delete another's workload: that would be no finding, and is not sent. What an
 * agent sends, and what only names another's objects in a body, is always sent.
 */
import type { HostileRequest } from "./hostile-case.ts";
import { HONEST } from "./nasty-values.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
const ITS_OWN = new RegExp(
  `/(?:tenants|namespaces)/(?:${HONEST.tenant}|kept-)|/nodes/${HONEST.node}|/regions/${HONEST.region}|/policies/default`,
);
/** These rule over everybody's work by design; they are sent to be checked, and not to be kept. */
const OVER_ALL =
  /\/(?:overrides|quotas|nodes|nodepools|priorityclasses|regions|policies)(?:[/?]|$)/;
const WHOLE_COLLECTION = /^\/apis\/berth\.dev\/v1\/[a-z]+(?:\?|$)/;

export function sparesTheHonest(request: HostileRequest): boolean {
  const { caller, method, path } = request;
  if (READS.has(method) || method === "RAW") return true;
  if (caller === "n2" || caller === "n3" || caller === "stranger") return true;
  if (path.startsWith("/commands")) return caller !== "robot" || !namesHonest(request);
  const clean = decoded(path.split("?")[0] ?? "");
  if (ITS_OWN.test(clean)) return isDry(path);
  if (method === "DELETE" && WHOLE_COLLECTION.test(path)) return false;
  return true;
}

/** A path that no server can decode names nobody: it is looked at as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The same request, only checked and not kept, where it would rule over everybody's work. */
export function withoutPower(request: HostileRequest): HostileRequest {
  const { caller, method, path } = request;
  const isUsers = caller === "mallory" || caller === "bob" || caller === "robot";
  if (!isUsers || READS.has(method) || !OVER_ALL.test(path) || isDry(path)) return request;
  return { ...request, path: `${path}${path.includes("?") ? "&" : "?"}dryRun=All` };
}

const isDry = (path: string): boolean => /[?&]dryRun=All(?:&|$)/.test(path);

const namesHonest = ({ body }: HostileRequest): boolean => {
  const text = JSON.stringify(body ?? []);
  return Object.values(HONEST).some((name) => text.includes(name));
};

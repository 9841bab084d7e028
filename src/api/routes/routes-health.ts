/**
 * What tools ask before anything else: which version, is it alive, is it ready, how is it doing.
 */
import type { FastifyInstance } from "fastify";
import { VERSION } from "../../shell/version.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import type { ApiMetrics } from "../http/metrics.ts";
import { metricsSeen } from "../access/metrics-seen.ts";
import { asks, DISCOVERY, type RouteRule } from "../access/route-rule.ts";
import { callerOf } from "../http/caller.ts";

/**
 * The release of Kubernetes whose conventions the API keeps; kubectl warns when it is far from its
 * own.
 */
const KUBERNETES = { major: "1", minor: "32" } as const;

/** Probes and scripts that only look at the status. */
const WITH_HEAD = { exposeHeadRoute: true } as const;
const HEALTH = {
  ...WITH_HEAD,
  ...asks({ kind: "open", why: "Probes have no credential, and learn only that it is there." }),
} as const;

const OWN_SERIES: RouteRule = { kind: "filtered", by: "the tenants that a series is about" };

export function addHealthRoutes(
  app: FastifyInstance,
  { plane, authorizer }: ApiContext,
  metrics: ApiMetrics,
): void {
  app.get("/version", { ...WITH_HEAD, ...asks(DISCOVERY) }, () => ({
    ...KUBERNETES,
    gitVersion: `v${KUBERNETES.major}.${KUBERNETES.minor}.0+berth-${VERSION}`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "node",
    platform: `${process.platform}/${process.arch}`,
  }));
  app.get("/healthz", HEALTH, () => "ok");
  app.get("/livez", HEALTH, () => "ok");
  app.get("/readyz", HEALTH, () => {
    // One that follows answers reads itself and sends the rest on, as long as there is somebody to
    // send it to.
    if (plane.isLeading || plane.leader !== undefined) return "ok";
    throw new ApiError("not-leading", "", { retryAfterSeconds: 1 });
  });
  app.get("/metrics", asks(OWN_SERIES), async (request, reply) => {
    const own = metricsSeen(authorizer, callerOf(request), metrics.telemetry);
    const text = own ?? (await metrics.text());
    await reply.header("Content-Type", metrics.contentType).send(text);
  });
}

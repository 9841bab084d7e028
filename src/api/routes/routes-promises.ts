/**
 * How all promises stand, and what the loss of each zone and region would leave without a place
 * now. The dashboard reads it.
 */
import type { FastifyInstance } from "fastify";
import { parseKey } from "../../core/model/ids.ts";
import type { Commitment } from "../../core/model/objects.ts";
import { promiseText, workloadText } from "../../manifest/promise-text.ts";
import type { ShownPromise, ShownPromises } from "../views/shown-promises.ts";
import type { PromiseWatch } from "../../promises/promise-watch.ts";
import { writeCommitmentStatus } from "../kinds/status/commitment-status.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { callerOf } from "../http/caller.ts";
import type { ApiContext } from "../http/api-context.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_PROMISES: RouteRule = { kind: "filtered", by: "commitments and workloads" };

export function addPromiseRoutes(
  app: FastifyInstance,
  { plane, authorizer }: ApiContext,
  promises: PromiseWatch,
): void {
  app.get("/promises", asks(OWN_PROMISES), (request): ShownPromises => {
    const sight = authorizer.sightOf(callerOf(request));
    const { round } = promises;
    const all = [...plane.objects.all("Commitment").values()].filter(({ key }) =>
      sight.seesKey(key),
    );
    return {
      revision: plane.revision,
      isCurrent: promises.isCurrent,
      ...(round && {
        checked: rfc3339Millis(round.atMs),
        checkedRevision: round.revision,
        ...(sight.seesAll("Node") ? { fleet: round.fleet } : {}),
      }),
      promises: all.map((commitment) => shownPromise(commitment, promises)),
      losses: (sight.seesAll("Node") ? (round?.losses ?? []) : []).map(({ homeless, ...loss }) => ({
        ...loss,
        homeless: homeless
          .filter(({ workload }) => sight.seesKey(workload))
          .map(({ workload, count }) => {
            const { namespace, name } = parseKey(workload);
            return { namespace, name, count };
          }),
      })),
    };
  });
}

function shownPromise(commitment: Commitment, promises: PromiseWatch): ShownPromise {
  const { meta, spec } = commitment;
  const standing = promises.standingOf(commitment);
  const named = (spec.recover ?? spec.keepServing ?? spec.headroom)?.workload;
  return {
    namespace: meta.namespace,
    name: meta.name,
    promise: promiseText(spec, meta.namespace),
    ...(named === undefined ? {} : { workload: workloadText(named, meta.namespace) }),
    verdict: "unchecked",
    ...writeCommitmentStatus(standing),
  };
}

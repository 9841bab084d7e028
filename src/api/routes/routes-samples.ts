/**
 * `POST /metrics-samples`: what agents and others have measured. It is kept for half a minute, and
 * never in the log.
 */
import type { FastifyInstance } from "fastify";
import { keyOf, type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { SUM_MOST_MILLIS } from "../../core/model/autoscaler.ts";
import type { Sample, SampleWindow } from "../../host/scale/sample-window.ts";
import { ApiError } from "../errors.ts";
import { GROUP } from "../group-version.ts";
import type { ApiContext } from "../http/api-context.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { COMMAND } from "../http/command-limits.ts";
import { decodeObject, OF_COMMANDS } from "../http/decode-body.ts";
import { SamplePushers } from "./sample-pushers.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_SAMPLES: RouteRule = { kind: "filtered", by: "the object of each sample" };

export const SAMPLES_PATH = "/metrics-samples";

/** More replicas than a node can have, or a workload in one piece. */
const SAMPLES_PER_REQUEST = 10_000;
/** As long as names of metrics get. */
const METRIC_MAX = 253;
/** A sentence: half of what an observation has room for, whose replica is named there as well. */
const REASON_MAX = 256;

/** People read it on a terminal: nothing that moves a cursor. */
const REASON = new RegExp(`^[^\\p{Cc}]{1,${REASON_MAX}}$`, "u");

export function addSampleRoutes(
  app: FastifyInstance,
  { plane, clock, log, authorizer }: ApiContext,
  window: SampleWindow,
): void {
  const pushers = new SamplePushers((said) => log.info(said, "Received samples for autoscaling."));
  app.post(SAMPLES_PATH, asks(OWN_SAMPLES), (request) => {
    const { value } = decodeObject(request, ["application/json"], OF_COMMANDS);
    const caller = callerOf(request);
    const samples = readSamples(value["samples"]);
    for (const { of } of samples) checkOwn(caller, of, plane);
    for (const namespace of namespacesOf(caller, samples)) {
      const resource = "samples";
      authorizer.require(caller, { verb: "create", group: GROUP, resource, namespace });
    }
    const nowMs = clock.nowMs();
    const taken = window.take(plane.objects, samples, nowMs, ({ of, metric }) =>
      pushers.note(caller, of, metric, nowMs),
    );
    return { taken, ignored: samples.length - taken };
  });
}

/** What an agent measured is checked one by one, against its node. */
function namespacesOf({ kind }: Caller, samples: readonly Sample[]): ReadonlySet<string> {
  if (kind === "agent") return new Set();
  return new Set(samples.map(({ of }) => parseKey(of).namespace));
}

/** An agent measures what runs on its own node. */
function checkOwn(caller: Caller, of: ObjectKey, { objects }: ApiContext["plane"]): void {
  if (caller.kind !== "agent") return;
  const node = objects.replica(of)?.status.node;
  // One that has left meanwhile has no owner, and is ignored.
  if (objects.workload(of) === undefined && (node === undefined || node === caller.name)) return;
  const whose = `The agent of node ${caller.name} measures what runs there; this is ${of}.`;
  throw new ApiError("not-allowed", whose);
}

function readSamples(value: unknown): readonly Sample[] {
  if (!Array.isArray(value) || value.length > SAMPLES_PER_REQUEST) {
    const found = Array.isArray(value) ? `${value.length} of them` : typeof value;
    const wanted = `a list of at most ${SAMPLES_PER_REQUEST}`;
    throw new ApiError("bad-request", `samples: found ${found}; expected ${wanted}.`);
  }
  return value.map(readSample);
}

function readSample(value: unknown, at: number): Sample {
  const wrong = (what: string): ApiError => new ApiError("bad-request", `samples[${at}]: ${what}.`);
  if (typeof value !== "object" || value === null) throw wrong("expected an object");
  const { namespace, replica, workload, metric, ...said } = value as Record<string, unknown>;
  const name = replica ?? workload;
  const isNamed = typeof namespace === "string" && typeof name === "string";
  if (!isNamed || (replica === undefined) === (workload === undefined)) {
    throw wrong("expected a namespace, and the name of a replica or of a workload");
  }
  // Names are remembered and logged: a name of megabytes would be, too.
  if (Math.max(namespace.length, name.length) > COMMAND.nameBytes) {
    throw wrong(`expected names of at most ${COMMAND.nameBytes} characters`);
  }
  if (typeof metric !== "string" || metric === "" || metric.length > METRIC_MAX) {
    throw wrong(`expected the name of a metric, of at most ${METRIC_MAX} characters`);
  }
  const kind = replica === undefined ? "Workload" : "Replica";
  return { of: keyOf({ kind, namespace, name }), metric, ...readSaid(said, wrong) };
}

/** What was measured, or why nothing was. */
function readSaid(
  { value, missing }: Readonly<Record<string, unknown>>,
  wrong: (what: string) => ApiError,
): { readonly valueMillis: number } | { readonly missing: string } {
  if (missing !== undefined) {
    if (value !== undefined) throw wrong("expected a value, or why it is missing, and found both");
    if (typeof missing === "string" && REASON.test(missing)) return { missing };
    throw wrong(`missing: expected a line of at most ${REASON_MAX} characters`);
  }
  const valueMillis = typeof value === "number" ? Math.round(value * 1_000) : Number.NaN;
  if (valueMillis >= 0 && valueMillis <= SUM_MOST_MILLIS) return { valueMillis };
  throw wrong(`value: expected a number from 0 to ${SUM_MOST_MILLIS / 1_000}`);
}

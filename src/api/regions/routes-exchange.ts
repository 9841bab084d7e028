/** Where planes of regions report and are told what they may do, and how they stand. */
import type { FastifyInstance } from "fastify";
import { operationId, regionKey } from "../../core/model/ids.ts";
import { answerReport } from "../../host/regional/global-side.ts";
import { asks, power, type RouteRule } from "../access/route-rule.ts";
import { ApiError } from "../errors.ts";
import { GROUP } from "../group-version.ts";
import { credentialOf, personOf } from "../http/acting-caller.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { decodeObject, OF_COMMANDS } from "../http/decode-body.ts";
import { echoed } from "../http/echoed.ts";
import { fieldOf } from "../http/json-value.ts";
import { notLeading } from "../http/status-error.ts";
import { regionStandings } from "./region-standing.ts";
import { reportCheck } from "./exchange-schema.ts";

/** The power is about one region: the plane of another cannot speak for it. */
const REPORTS: RouteRule = { kind: "objects", group: GROUP, resource: "regions", verb: "report" };

/** As for a node: a person's word that it is gone. */
const FENCES: RouteRule = { kind: "objects", group: GROUP, resource: "regions", verb: "fence" };
/** As the reason of an override. */
const REASON_MOST = 500;

export const EXCHANGE_PATH = "/regions/:name/exchange";

export function addExchangeRoutes(app: FastifyInstance, { plane, clock }: ApiContext): void {
  app.get("/regions", asks(power("list", "regions")), () => ({
    revision: plane.revision,
    ...regionStandings(plane.objects, { epoch: plane.epoch, nowMs: clock.nowMs() }),
  }));

  app.post(EXCHANGE_PATH, asks(REPORTS), async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const { value } = decodeObject(request, ["application/json"], OF_COMMANDS);
    const isReport = reportCheck();
    if (!isReport(value)) {
      const [first] = isReport.errors ?? [];
      const where = echoed(first?.instancePath ?? "");
      throw new ApiError("bad-request", `The report is invalid: ${where} ${first?.message ?? ""}.`);
    }
    if (value.region !== name) {
      throw new ApiError(
        "bad-request",
        `The report is of region "${echoed(value.region)}", and the path names "${echoed(name)}".`,
      );
    }
    const region = plane.objects.all("Region").get(regionKey(name));
    if (region?.spec.plane === undefined) {
      throw ApiError.worded(
        "not-found",
        region === undefined
          ? `regions.berth.dev "${echoed(name)}" not found: create the Region with spec.plane, then start its plane.`
          : `Region "${name}" has no spec.plane: this plane serves it. Add spec.plane to give it a plane of its own.`,
        { name, kind: "regions" },
      );
    }
    const answer = await answerReport(plane, value, credentialOf(callerOf(request)));
    if (answer.kind === "unreachable") throw notLeading();
    await reply.send(answer);
  });

  app.post("/regions/:name/gone", asks(FENCES), async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const { value } = decodeObject(request, ["application/json"]);
    const statement = fieldOf(value, "reason");
    if (
      typeof statement !== "string" ||
      statement.trim() === "" ||
      statement.length > REASON_MOST
    ) {
      throw new ApiError(
        "bad-request",
        `The body wants a "reason" of 1 to ${REASON_MOST} characters: how you verified that the region is gone.`,
      );
    }
    const heard = plane.objects.all("Region").get(regionKey(name))?.status.heard;
    if (heard === undefined) {
      throw ApiError.worded(
        "not-found",
        `Region "${name}" has no plane of its own that was ever heard.`,
        { name, kind: "regions" },
      );
    }
    const { incarnation } = heard;
    const person = personOf(callerOf(request));
    const operation = operationId(`region-gone/${name}/${incarnation}/${person.name}`);
    const evidence = { kind: "person", name: person.name, statement: statement.trim() } as const;
    const intent = { kind: "region-gone", operation, region: name, incarnation, evidence } as const;
    await reply.send(await plane.submit(intent, person));
  });
}

/**
 * Berth's own endpoints for agents and remote controllers: commands as the core knows them, and
 * outcomes.
 */
import type { FastifyInstance } from "fastify";
import { operationId } from "../../core/model/ids.ts";
import { inTodaysWords } from "../../host/earlier-words.ts";
import { powerFor } from "../access/power-for.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { signed } from "../http/acting-caller.ts";
import { callerOf } from "../http/caller.ts";
import { checkSender } from "../http/check-sender.ts";
import { commandsCheck } from "../http/commands-check.ts";
import { decodeObject, OF_COMMANDS } from "../http/decode-body.ts";
import { isOfEarlierAgent } from "../request/earlier-agent.ts";
import { echoed } from "../http/echoed.ts";
import { notLeading } from "../http/status-error.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const SIGNED: RouteRule = { kind: "filtered", by: "the kind of the sender and its command" };
const OWN_OPERATIONS: RouteRule = { kind: "authenticated", why: "It finds the caller's own only." };

export function addCommandRoutes(app: FastifyInstance, { plane, authorizer }: ApiContext): void {
  app.post("/commands", asks(SIGNED), async (request, reply) => {
    const { value: sent } = decodeObject(request, ["application/json"], OF_COMMANDS);
    const value = isOfEarlierAgent(request) ? inTodaysWords(sent) : sent;
    const validate = commandsCheck(value);
    if (!validate(value)) {
      const [first] = validate.errors ?? [];
      const where = first?.instancePath ?? "";
      throw new ApiError(
        "bad-request",
        `The command is invalid: ${echoed(where)} ${first?.message ?? ""}.`,
      );
    }
    const caller = callerOf(request);
    const asked = signed(caller, value.request);
    if (asked.kind === "command") {
      checkSender(caller, asked.command);
      const power = powerFor(caller, asked.command);
      if (power !== undefined) authorizer.require(caller, power);
    }
    // What it says of itself is for people who read a recording; with a token its name is known.
    const from = caller.kind === "local" ? value.from : caller.name;
    await reply.send(await plane.request(from, asked));
  });

  app.get("/operations/*", asks(OWN_OPERATIONS), async (request, reply) => {
    const operation = operationId((request.params as { readonly "*": string })["*"]);
    const asked = { kind: "lookup", operation, attempt: 1 } as const;
    const answer = await plane.request("(api)", signed(callerOf(request), asked));
    if (answer.kind === "found") {
      await reply.send({ kind: "found", revision: answer.first.revision });
    } else if (answer.kind === "not-found") {
      await reply.send({ kind: "not-found", revision: plane.revision });
    } else {
      throw notLeading();
    }
  });
}

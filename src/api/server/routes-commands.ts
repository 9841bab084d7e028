/** Berth's own endpoints for agents and remote controllers: commands as the core knows them, and outcomes. */
import { Ajv, type ValidateFunction } from "ajv";
import type { FastifyInstance } from "fastify";
import type { Request } from "../../core/kernel/component.ts";
import { operationId } from "../../core/model/ids.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "./api-context.ts";
import { callerOf } from "./caller.ts";
import { checkSender } from "./check-sender.ts";
import { decodeObject } from "./decode-body.ts";
import { commandsSchema } from "./request-schema.ts";
import { notLeading } from "./status-error.ts";

interface CommandsBody {
  readonly from: string;
  readonly request: Request;
}

let compiled: ValidateFunction<CommandsBody> | undefined;

/** Compiled on first use, which takes a while: a plane without remote agents never needs it. */
function commandsCheck(): ValidateFunction<CommandsBody> {
  compiled ??= new Ajv({ strict: false }).compile<CommandsBody>(commandsSchema);
  return compiled;
}

export function addCommandRoutes(app: FastifyInstance, { plane }: ApiContext): void {
  app.post("/commands", async (request, reply) => {
    const { value } = decodeObject(request, ["application/json"]);
    const validate = commandsCheck();
    if (!validate(value)) {
      const [first] = validate.errors ?? [];
      const where = first?.instancePath ?? "";
      throw new ApiError("bad-request", `It is no command: ${where} ${first?.message ?? ""}.`);
    }
    const { from, request: asked } = value;
    if (asked.kind === "command") checkSender(callerOf(request), asked.command);
    await reply.send(await plane.request(from, asked));
  });

  app.get("/operations/*", async (request, reply) => {
    const operation = operationId((request.params as { readonly "*": string })["*"]);
    const answer = await plane.request("(api)", { kind: "lookup", operation, attempt: 1 });
    if (answer.kind === "found") {
      await reply.send({ kind: "found", revision: answer.first.revision });
    } else if (answer.kind === "not-found") {
      await reply.send({ kind: "not-found", revision: plane.revision });
    } else {
      throw notLeading();
    }
  });
}

/** Commands for /commands and samples for /metrics-samples, as agents and controllers send them, drawn from their own schema. */
import { COMMAND_SCHEMAS, OTHER_BODY } from "../../src/api/http/request-schema.ts";
import type { Draw } from "./draw.ts";
import { generateFromSchema } from "./generate-from-schema.ts";
import type { CallerName } from "./hostile-case.ts";
import { HONEST, type Json, type JsonObject, predictedOperation } from "./nasty-values.ts";
import { mutateValue } from "./mutate-value.ts";

export function generateCommand(draw: Draw, caller: CallerName, revision: number): Json {
  const schema = draw.chance(50) ? OTHER_BODY : draw.pick([...COMMAND_SCHEMAS.values()]);
  const drawn = generateFromSchema(draw, schema, {}) as JsonObject;
  const command = draw.chance(70) ? ownCommand(draw, caller, revision) : undefined;
  const operation = predictedOperation(draw, revision);
  const body: JsonObject =
    command === undefined
      ? withOperation(drawn, operation, draw)
      : {
          from: draw.pick([`agent:${caller}`, `agent:${HONEST.node}`, "scheduler-1", caller]),
          request: {
            kind: "command",
            attempt: 1,
            command: withIntentOperation(command, operation),
          },
        };
  return mutateValue(draw, body, draw.chance(40) ? 0 : draw.size(5));
}

/** What the caller may send at all, so that the authority and not the door is asked. */
function ownCommand(draw: Draw, caller: CallerName, revision: number): JsonObject {
  const isAgent = caller === "n2" || caller === "n3";
  const node = draw.chance(90) ? caller : HONEST.node;
  const actor = isAgent
    ? { role: "agent", name: `agent:${node}` }
    : { role: draw.pick(["user", "scheduler", "controller", "agent"]), name: caller };
  const replica = `Replica/${draw.pick([HONEST.tenant, "mal"])}/${draw.pick([HONEST.workload, "x1"])}.1.0`;
  const [session, incarnation] = [draw.below(4), draw.below(3)];
  const reports = ["starting", "ready", "serving", "running", "succeeded", "failed", "released"];
  const reading = { sumMillis: draw.below(1_000), covered: 1, of: 1, windowMs: 15_000 };
  const evidence = { kind: "person", name: caller, statement: "gone" };
  const intents: readonly JsonObject[] = isAgent
    ? [
        { kind: "lease", node, session, seq: draw.below(100), kept: [replica] },
        { kind: "report", node, session, replica, incarnation, stage: draw.pick(reports) },
      ]
    : [
        { kind: "activate", policy: "x0", from: "x0", to: "x0", reason: "x" },
        { kind: "transition", key: "Node//n3", session, from: "ready", to: "fenced", evidence },
        { kind: "observe", autoscaler: "Autoscaler/mal/x0", reading },
      ];
  return {
    actor,
    epoch: draw.pick([1, 1, 2, 0]),
    basis: Math.max(0, revision - draw.below(5)),
    intent: draw.pick(intents),
  };
}

const withIntentOperation = (command: JsonObject, operation: string): JsonObject => ({
  ...command,
  intent: { operation, ...(command["intent"] as JsonObject) },
});

/** The drawn body with an operation that another caller is about to use. */
function withOperation(body: JsonObject, operation: string, draw: Draw): JsonObject {
  if (!draw.chance(50)) return body;
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (name === "operation" ? operation : value)),
  ) as JsonObject;
}

export function generateSamples(draw: Draw, caller: CallerName): Json {
  const sample = (): Json => ({
    namespace: draw.pick(["mal", HONEST.tenant]),
    [draw.pick(["replica", "workload"])]: `x${draw.below(5)}`,
    metric: draw.pick(["cpu", "requests", caller]),
    value: draw.below(10_000),
  });
  const right = { samples: Array.from({ length: draw.size(3_000) }, sample) };
  return mutateValue(draw, right, draw.size(5));
}

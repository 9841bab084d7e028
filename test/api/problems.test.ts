import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import { bind, replica } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const report = (of: Pick<IntentOf<"report">, "stage" | "reason" | "probe">): Promise<void> =>
  api.send({ kind: "report", replica, incarnation: 1, node: "a-1", session: 1, ...of }, "agent");

const problems = async (): Promise<unknown> => {
  const { json } = await api.get("/problems");
  const { revision: _, ...told } = json as Record<string, unknown>;
  return told;
};

describe("GET /problems", () => {
  it("[AP239] names workloads with failing probes and failed replicas, each in a sentence", async () => {
    await bind(api);
    await report({ stage: "starting" });
    expect(await problems()).toEqual({ problems: [], count: 0 });
    await report({ stage: "starting", probe: { said: "GET / is 503", times: 9 } });
    const workload = { of: "workload", namespace: "payments", name: "api" };
    expect(await problems()).toMatchObject({
      problems: [
        {
          ...workload,
          reason: "ProbeFailing",
          message: expect.stringContaining("GET / is 503 (9"),
        },
      ],
      count: 1,
    });
    await report({ stage: "failed", reason: "its process ended with exit code 3" });
    expect(await problems()).toEqual({
      problems: [
        {
          ...workload,
          reason: "Failed",
          message:
            "api.1.0 has failed and restarts after a delay: its process ended with exit code 3.",
        },
      ],
      count: 1,
    });
  });
});

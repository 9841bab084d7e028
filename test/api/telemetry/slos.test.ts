import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bind } from "../a-bound-replica.ts";
import { type Api, anApiWithTenant, BERTH } from "../an-api.ts";
import { readExposed } from "./exposed-metrics.ts";

const SLOS = `${BERTH}/slos`;
const aSlo = (name: string, spec: Readonly<Record<string, string>>) => ({
  apiVersion: "berth.dev/v1",
  kind: "Slo",
  metadata: { name },
  spec: { indicator: "bind-latency", threshold: "1h", objective: "99.9%", ...spec },
});

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

describe("an objective for the control plane", () => {
  it("is measured from the commits that follow it, shown in its status and told to Prometheus", async () => {
    expect((await api.post(SLOS, aSlo("binds", {}))).status).toBe(201);
    await api.post(SLOS, aSlo("critical", { priorityClass: "critical" }));
    expect((await api.get(`${SLOS}/binds`)).json["status"]).toMatchObject({ measured: 0 });
    await bind(api);
    const { json } = await api.get(`${SLOS}/binds`);
    expect(json["spec"]).toEqual({
      indicator: "bind-latency",
      threshold: "1h",
      objective: "99.9%",
      window: "1h",
    });
    expect(json["status"]).toMatchObject({
      measured: 1,
      good: "100%",
      errorBudgetLeft: "100%",
      burnRate5m: "0.00",
    });
    expect((await api.get(`${SLOS}/critical`)).json["status"]).toMatchObject({ measured: 0 });
    const { samples } = readExposed((await api.get("/metrics")).text);
    expect(samples.get('berth_slo_measured{slo="binds"}')).toBe(1);
    expect(samples.get('berth_slo_error_budget_ratio{slo="binds"}')).toBe(1);
    expect(samples.get('berth_slo_burn_rate{slo="critical",window="5m"}')).toBe(0);
  });

  it("is one row of a table with how it goes, and is gone when it is deleted", async () => {
    await api.post(SLOS, aSlo("fair", { indicator: "fairness", threshold: "10%" }));
    const accept = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const row = (await api.get(SLOS, accept)).json["rows"]?.[0]?.["cells"] as unknown as string[];
    expect(row.slice(0, 6)).toEqual([
      "fair",
      "fairness",
      "99.9% within 10%",
      "100%",
      "100%",
      "0.00/0.00",
    ]);
    await api.delete(`${SLOS}/fair`);
    expect((await api.get("/metrics")).text).not.toContain('slo="fair"');
  });

  it.each([
    [{ objective: "100%" }, "spec.objective"],
    [{ threshold: "10%" }, "spec.threshold"],
    [{ indicator: "fairness", threshold: "2s" }, "spec.threshold"],
    [{ window: "10s" }, "spec.window"],
    [{ indicator: "recovery", priorityClass: "critical" }, "spec.priorityClass"],
  ])("that says %j is refused with the field", async (spec, field) => {
    const { status, text } = await api.post(SLOS, aSlo("wrong", spec));
    expect(status).toBe(422);
    expect(text).toContain(field);
  });
});

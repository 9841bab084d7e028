/** The alert rules, checked by Prometheus' own tool and against a real scrape. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { clientFolder } from "../../../scripts/client-tools.mjs";
import { bind, serve } from "../a-bound-replica.ts";
import { anApiWithTenant, BERTH } from "../an-api.ts";
import { readExposed } from "./exposed-metrics.ts";

const RULES = fileURLToPath(
  new URL("../../../deploy/prometheus/berth-alerts.yaml", import.meta.url),
);
const TESTS = fileURLToPath(new URL("berth-alerts-test.yaml", import.meta.url));

const PROMTOOL = join(clientFolder("prometheus"), "usr/bin/promtool");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const rules = (
  parse(readFileSync(RULES, "utf8")) as { readonly groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

it("[AP354] the alert rules are valid", () => {
  expect(promtool("check", "rules", "--lint=all", "--lint-fatal", RULES)).toBe("");
});

it("[AP354] each alert fires in its own world, and none on a healthy plane", () => {
  expect(promtool("test", "rules", TESTS)).toBe("");
  const { tests } = parse(readFileSync(TESTS, "utf8")) as { tests: readonly { name: string }[] };
  const tested = tests.map(({ name }) => name).filter((name) => name !== "healthy");
  expect(tested).toEqual(rules.map(({ alert }) => alert));
});

it("[AP354] the alert rules ask only for metrics and values of labels that a plane has", async () => {
  const api = await anApiWithTenant();
  await bind(api);
  await serve(api);
  await api.post(`${BERTH}/slos`, {
    apiVersion: "berth.dev/v1",
    kind: "Slo",
    metadata: { name: "binds" },
    spec: { indicator: "bind-latency", threshold: "2s", objective: "99%" },
  });
  const { names, samples } = readExposed((await api.get("/metrics")).text);
  await api.close();
  for (const { alert, expr, annotations } of rules) {
    const asked = [...expr.matchAll(/\bberth_[a-z_]+?(?=(?:_bucket)?\b(?!_))/g)].map(
      ([name]) => name,
    );
    const unknown = asked.filter((name) => !names.has(name));
    const words = [...expr.matchAll(/\b(berth_[a-z_]+)\{(\w+)="([a-z-]+)"\}/g)];
    // A counter has a series only once it counts; a gauge lists all of its words.
    const unheard = words
      .filter(([, name = ""]) => !name.endsWith("_total"))
      .filter(([, name, label, word]) => !samples.has(`${name}{${label}="${word}"}`))
      .map(([text]) => text);
    const isAbout = asked.length > 0 || expr.startsWith("up{");
    expect({ alert, unknown, unheard, isAbout }).toEqual({
      alert,
      unknown: [],
      unheard: [],
      isAbout: true,
    });
    expect(annotations.summary).not.toBe("");
    expect(annotations.description).toMatch(/\.$/);
  }
});

it("[AP354] the metrics count nodes by health", async () => {
  const api = await anApiWithTenant();
  await bind(api);
  const { samples } = readExposed((await api.get("/metrics")).text);
  const healths = ["ready", "suspect", "unknown", "fenced"];
  const counts = healths.map((health) => samples.get(`berth_nodes{health="${health}"}`));
  const nodes = await api.get(`${BERTH}/nodes`);
  await api.close();
  const shown = nodes.json["items"] as unknown as readonly { status: { health: string } }[];
  expect(counts).toEqual(
    healths.map((health) => shown.filter(({ status }) => status.health === health).length),
  );
  expect(shown.length).toBeGreaterThan(0);
});

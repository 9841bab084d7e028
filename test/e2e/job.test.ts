/** A job with real processes: three of four indexes succeed, one is tried twice and given up, and the job says so. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalBerth } from "./local-berth.ts";

const berth = new LocalBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const EXAMPLE = fileURLToPath(new URL("../../examples/batch/failing-index.yaml", import.meta.url));

interface ShownReplica {
  readonly metadata: { readonly name: string };
  readonly status: { readonly stage: string; readonly incarnation: number };
}

it("berth wait --for=condition=Failed: a job of four indexes ends with 3/4 and the index that failed", async () => {
  berth.start();
  await berth.until("the plane and its tenants", async () =>
    // All of the examples, besides the tenant `default`.
    ((await berth.list("tenants"))?.length ?? 0) > 3 ? true : undefined,
  );
  const ask = (...words: string[]) => berth.berth(...words, "--data", berth.data);
  expect(ask("apply", "-f", EXAMPLE)).toMatchObject({ status: 0 });
  expect(
    ask("wait", "workload/audit", "-n", "fraud", "--for", "condition=Failed", "--timeout", "10m"),
  ).toMatchObject({ status: 0, out: "workload/fraud/audit Failed is True\n" });
  expect(ask("get", "workload", "audit", "-n", "fraud").out).toMatch(/audit\s+3\/4/);
  const described = ask("describe", "workload", "audit", "-n", "fraud").out;
  expect(described).toContain("FailedIndexes");
  expect(described).toMatch(/index: 2\n\s+failures: 2\n\s+givenUp: true\n\s+lastEnd: .*exit/);
  const replicas = (await berth.list<ShownReplica>("replicas")) ?? [];
  expect(
    replicas
      .filter(({ metadata }) => metadata.name.startsWith("audit."))
      .map(({ metadata, status }) => `${metadata.name} ${status.stage} ${status.incarnation}`)
      .toSorted(),
  ).toEqual([
    "audit.1.0 succeeded 1",
    "audit.1.1 succeeded 1",
    "audit.1.2 failed 2",
    "audit.1.3 succeeded 1",
  ]);
  expect(await berth.interrupt()).toBe(0);
}, 900_000);

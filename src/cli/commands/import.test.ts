import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aKubeApi } from "../../../test/builders/a-kube-api.ts";
import { kubeNodes, owned } from "../../../test/builders/a-kube-cluster.ts";
import { runBerth } from "../../../test/builders/run-berth.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-import-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const berth = runBerth;

const kubeconfigOf = (server: string): string => `
apiVersion: v1
kind: Config
current-context: other
contexts:
- { name: other, context: { cluster: gone, user: me } }
- { name: prod, context: { cluster: prod, user: me } }
clusters:
- { name: prod, cluster: { server: "${server}" } }
users:
- { name: me, user: { token: t0ken } }
`;

test("a running cluster is imported through a context of a kubeconfig", async () => {
  const objects = [...kubeNodes("a", 2), ...owned("web", ["a-0", "a-1"])];
  const api = await aKubeApi({ objects });
  const config = join(folder, "config");
  writeFileSync(config, kubeconfigOf(api.url));
  const fleet = join(folder, "fleet.jsonl");
  const from = ["import", "kubernetes", "--kubeconfig", config];
  const made = await berth(...from, "--context", "prod", "--out", fleet);
  await api.close();
  expect(made.err).toBe("");
  expect(made.out).toMatch(
    /^Context prod at http:\/\/127\.0\.0\.1:\d+: 5 objects in \d+ requests\./,
  );
  expect(made.out).toContain("2 nodes, 2 pods (2 on a node), 1 workload, 1 tenant.");
  expect(made.out).toContain("Skipped deployments: not served.");
  expect(readFileSync(fleet, "utf8")).not.toContain("t0ken");
  const review = await berth("review", "--fleet", fleet, "--lose", "node");
  expect(review.out).toContain("Holds:");
});

test.each([
  { title: "neither a dump nor a kubeconfig", args: [], why: "Nothing to import." },
  {
    title: "both a dump and a kubeconfig",
    args: ["dump", "--kubeconfig", "config"],
    why: "Two sources to import.",
  },
  {
    title: "a context for a dump",
    args: ["dump", "--context", "prod"],
    why: "--context belongs to --kubeconfig",
  },
  { title: "a missing kubeconfig", args: ["--kubeconfig", "gone"], why: "gone" },
])("$title is a clear error", async ({ args, why }) => {
  const { code, err } = await berth("import", "kubernetes", ...args);
  expect(err).toContain(why);
  expect(code).toBe(2);
});

test("a cluster that does not answer is named, and the exit code says that a retry may help", async () => {
  const gone = await aKubeApi({ objects: [] });
  await gone.close();
  const config = join(folder, "gone");
  writeFileSync(config, kubeconfigOf(gone.url));
  const from = ["import", "kubernetes", "--kubeconfig", config];
  const { code, err } = await berth(...from, "--context", "prod");
  expect(err).toContain("Cannot reach the API of the Kubernetes cluster.");
  expect(err).toContain(`${gone.url} (context prod)`);
  expect(code).toBe(1);
});

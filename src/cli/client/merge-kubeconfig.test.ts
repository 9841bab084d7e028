import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { mergeKubeconfig } from "./merge-kubeconfig.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ours = (server: string) => ({
  clusters: [{ name: "berth", cluster: { server } }],
  users: [{ name: "berth", user: { token: "secret" } }],
  contexts: [{ name: "berth", context: { cluster: "berth", user: "berth" } }],
  "current-context": "berth",
});

const OTHER = `apiVersion: v1
kind: Config
# the office
clusters:
  - name: office
    cluster: { server: https://office }
users: []
contexts: null
current-context: office
`;

test("a context is added beside others, and replaced the next time", () => {
  const file = join(folder, "config");
  writeFileSync(file, OTHER);
  mergeKubeconfig(file, ours("http://a"));
  mergeKubeconfig(file, ours("http://b"));
  const text = readFileSync(file, "utf8");
  expect(text).toContain("# the office");
  expect(parse(text)).toEqual({
    apiVersion: "v1",
    kind: "Config",
    ...ours("http://b"),
    clusters: [
      { name: "office", cluster: { server: "https://office" } },
      ...ours("http://b").clusters,
    ],
  });
  expect(statSync(file).mode & 0o077).toBe(0);
});

test("a file that is not there is made, and one that is no kubeconfig stays as it is", () => {
  const file = join(folder, "new", "config");
  mergeKubeconfig(file, ours("http://a"));
  expect(parse(readFileSync(file, "utf8"))).toMatchObject({ kind: "Config", ...ours("http://a") });
  const wrong = join(folder, "wrong");
  writeFileSync(wrong, "kind: Tenant\n");
  expect(() => mergeKubeconfig(wrong, ours("http://a"))).toThrow("It is not a kubeconfig");
  expect(readFileSync(wrong, "utf8")).toBe("kind: Tenant\n");
});

/** The tutorial as a reader follows it: its program, its cluster, and each of its commands in turn. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalBerth } from "./local-berth.ts";

const berth = new LocalBerth();
const folder = join(berth.data, "tutorial");
const page = readFileSync("docs/tutorial.md", "utf8");

const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => text,
  );

/** `berth` on the path, as an installed package puts it there. */
beforeAll(async () => {
  await berth.build();
  mkdirSync(join(folder, "bin"), { recursive: true });
  const start = `#!/bin/sh\nexec ${process.execPath} ${berth.script} "$@"\n`;
  writeFileSync(join(folder, "bin", "berth"), start, { mode: 0o755 });
});
afterAll(() => berth.remove());

function sh(text: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const env = {
    ...process.env,
    BERTH_DATA: berth.data,
    PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
  };
  const child = spawn("bash", ["-euo", "pipefail", "-c", text], { cwd: folder, env });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => (out += part.toString()));
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}

it("takes a reader from a program to serving, a rollout, a failure and an explanation", async () => {
  const [program = ""] = blocksOf("js");
  writeFileSync(join(folder, "server.js"), program);
  const [up = "", ...steps] = blocksOf("sh");
  berth.start(...up.trim().split(" ").slice(2), "--agents", "2", "--regions", "1");
  await berth.until("two nodes", async () => {
    const nodes = await berth.list<{ readonly status: { readonly health?: string } }>("nodes");
    return nodes?.filter(({ status }) => status.health === "ready").length === 2 || undefined;
  });
  let all = "";
  for (const step of steps) {
    const { code, out } = await sh(step);
    expect({ step, code, out }).toMatchObject({ step, code: 0 });
    all += out;
  }
  expect(all).toContain("workload/hello/hello created");
  expect(all).toMatch(/^\[hello\.1\.\d\] process \d+ listens on \d+$/m);
  expect(all).toMatch(/spec\.run\.env\.GREETING: \(none\) → good morning/);
  expect(all).toMatch(/is rolling back to generation 1/);
  expect(all).toMatch(/quota/i);
  expect(all).toContain("workload/hello/hello deleted");
});

/** What a real plane and a real agent leave on a disk is for their owner alone. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { closedText, closeToOthers } from "../../src/shell/close-to-others.ts";
import { type RunningAgent, runAgent } from "../../src/agent/run-agent.ts";
import { ensureAgentToken, ownTokensIn } from "../../src/cli/client/own-tokens.ts";
import { deferred } from "../../src/cli/deferred.ts";
import { runPlane } from "../../src/cli/plane/run-plane.ts";
import { eventually } from "../agent/a-driver.ts";
import { runCommand } from "./a-served-plane.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-modes-"));
// As the folders above a data folder are: a replica of another user passes through.
chmodSync(folder, 0o711);
afterAll(() => removeFolder(folder));

const isRoot = process.getuid?.() === 0;

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly mode: number;
  readonly kind: "folder" | "file" | "other";
}

/** Everything below a folder, but not what a replica keeps in its working directory. */
function everythingIn(top: string): readonly Entry[] {
  const walk = (path: string): readonly Entry[] => {
    const found = lstatSync(path);
    const kind = found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
    const name = relative(top, path);
    const own = [{ path, name, mode: found.mode & 0o777, kind } as const];
    if (kind !== "folder" || name.endsWith("/work")) return own;
    return [...own, ...readdirSync(path).flatMap((each) => walk(join(path, each)))];
  };
  return walk(top);
}

/** Others may pass through folders on the way to replicas that run as them, and do nothing else. */
const isOpen = ({ kind, mode }: Entry): boolean =>
  (mode & (kind === "folder" && isRoot ? 0o066 : 0o077)) !== 0;

const openIn = (top: string): readonly string[] =>
  everythingIn(top)
    .filter(isOpen)
    .map(({ name, mode }) => `${mode.toString(8)} ${name}`);

async function startPlane(
  data: string,
  more: { readonly record?: string } = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const stopped = deferred<string>();
  const said = deferred<string>();
  const terminal = { out: said.resolve, err: () => {}, exitCode: 0 };
  const options = { data, listen: "127.0.0.1:0", logLevel: "silent" } as const;
  const decisionLog = join(data, "decisions.jsonl");
  const running = runPlane({ ...options, decisionLog, ...more }, terminal, stopped.promise);
  const out = await Promise.race([said.promise, running.then(() => "it ended")]);
  const stop = async (): Promise<void> => {
    stopped.resolve("the test");
    await running;
  };
  return { url: /http\S+(?=,)/.exec(out)?.[0] ?? out, stop };
}

/** The plane made a list of tokens for its user, which the agent joins as `berth up` lets it. */
const agentToken = (data: string): string =>
  ensureAgentToken(ownTokensIn(data).list, {
    node: "a-1",
    approved: { cpuMillis: 4_000, memoryMiB: 1_024, region: "eu", zone: "eu-a" },
  });

const startAgent = (data: string, url: string): Promise<RunningAgent> =>
  runAgent({
    node: {
      name: "a-1",
      region: "eu",
      zone: "eu-a",
      cpuMillis: 4_000,
      memoryMiB: 1_024,
      deviceClass: "",
      deviceIds: [],
      labels: {},
    },
    servers: [new URL(url)],
    folder: join(data, "agents", "a-1"),
    credentials: { token: agentToken(data) },
    note: () => undefined,
    onBroken: (error) => {
      throw error;
    },
  });

const workload = (name: string, user: string): string =>
  JSON.stringify({
    apiVersion: "berth.dev/v1",
    kind: "Workload",
    metadata: { name, namespace: "payments" },
    spec: {
      resources: { cpu: "1", memory: "64Mi" },
      run: { command: ["/bin/sh", "-c", "echo ready; : > mine; exec sleep 600"], user },
    },
  });

const MANIFESTS = [
  '{"apiVersion":"berth.dev/v1","kind":"Tenant","metadata":{"name":"payments"}}',
  '{"apiVersion":"berth.dev/v1","kind":"Quota","metadata":{"name":"default","namespace":"payments"},"spec":{"limit":{"cpu":"8","memory":"8Gi"}}}',
  workload("own", ""),
  ...(isRoot ? [workload("other", "nobody")] : []),
];

describe("the files of a plane and an agent", () => {
  test(
    "are for their owner alone, also after an upgrade from open ones [DR7]",
    { timeout: 120_000 },
    async () => {
      const data = join(folder, "data");
      const plane = await startPlane(data);
      const agent = await startAgent(data, plane.url);
      const manifests = join(folder, "all.yaml");
      writeFileSync(manifests, MANIFESTS.join("\n---\n"));
      expect(await runCommand(["apply", "-f", manifests, "--data", data])).toMatchObject({
        code: 0,
      });
      const processes = join(data, "agents", "a-1", "processes");
      const marks = (): number =>
        readdirSync(processes).filter((name) => {
          const work = join(processes, name, "work");
          return lstatSync(join(work, "mine"), { throwIfNoEntry: false }) !== undefined;
        }).length;
      // Also that of another user: it can reach its own working directory.
      await eventually("the replicas", () => marks() === MANIFESTS.length - 2);
      await eventually("a line of a log", () =>
        everythingIn(processes).some(({ path }) => path.endsWith("stdout.log")),
      );
      const backup = join(data, "backup.berth");
      const made = await runCommand(["backup", "--data", data, "--out", backup]);
      expect(made).toMatchObject({ code: 0 });
      const names = everythingIn(data).map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining([
          "admin.token",
          "tokens",
          "log.db",
          "log.db-wal",
          "plane.json",
          "backup.berth",
          "decisions.jsonl",
        ]),
      );
      expect(openIn(data)).toEqual([]);
      await agent.stop({ stopProcesses: true });
      await plane.stop();
      rmSync(backup);
      rmSync(join(data, "decisions.jsonl"));

      for (const { path, kind } of everythingIn(data)) {
        if (kind !== "other" && !path.endsWith("/work"))
          chmodSync(path, kind === "folder" ? 0o755 : 0o644);
      }
      const again = await startPlane(data);
      const next = await startAgent(data, again.url);
      expect(openIn(data)).toEqual([]);
      await next.stop({ stopProcesses: true });
      await again.stop();
    },
  );

  test("of a recording that lies elsewhere are closed as well, and the next ones made so [DR7]", async () => {
    const record = join(folder, "recorded");
    mkdirSync(record);
    writeFileSync(join(record, "chapter-000001.jsonl"), "");
    chmodSync(join(record, "chapter-000001.jsonl"), 0o644);
    chmodSync(record, 0o755);
    const plane = await startPlane(join(folder, "recording-plane"), { record });
    expect(everythingIn(record).map(({ name }) => name)).toContain("chapter-000002.jsonl");
    expect(openIn(record)).toEqual([]);
    await plane.stop();
  });

  test("in a folder with other things are closed, and the others left alone [DR7]", () => {
    const mixed = join(folder, "mixed");
    mkdirSync(mixed, { mode: 0o755 });
    chmodSync(mixed, 0o755);
    for (const name of ["log.db", "thesis.txt"]) {
      writeFileSync(join(mixed, name), "");
      chmodSync(join(mixed, name), 0o644);
    }
    expect(closeToOthers(mixed)).toBe(1);
    expect(openIn(mixed)).toEqual(["755 ", "644 thesis.txt"]);
    expect(closedText(mixed, 1)).toMatch(
      /^Removed access of other users from 1 files and directories in .*\.$/,
    );
    expect(closedText(mixed, 0)).toBeUndefined();
    expect(closeToOthers(join(folder, "not-there"))).toBe(0);
  });
});

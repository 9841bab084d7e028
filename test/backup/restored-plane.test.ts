/** Real planes: one is backed up while it is written to, and others start on what was restored of it. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { deferred } from "../../src/cli/deferred.ts";
import { runPlane } from "../../src/cli/plane/run-plane.ts";
import type { PlaneCommandOptions } from "../../src/cli/commands/plane.ts";
import { REVISION_LEAP } from "../../src/host/backup/restored-log.ts";
import { loginName } from "../../src/shell/login-name.ts";
import { FURNITURE, runCommand, workloadText } from "../cli/a-served-plane.ts";
import { aLocalEtcd } from "../contract/a-local-etcd.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { until } from "../host/a-running-plane.ts";

const folder = scratchFolder();
const etcd = aLocalEtcd();
const BERTH = "/apis/berth.dev/v1";
const KINDS = ["tenants", "quotas", "nodes", "workloads", "replicas"] as const;
/** What is shown of them is worked out of others, too, so a plane that starts says when it started. */
const COMPUTED: ReadonlySet<string> = new Set(["quotas", "nodes", "workloads"]);

interface Shown {
  readonly metadata: { readonly resourceVersion: string };
}

class StartedPlane {
  readonly url: string;
  private readonly end: () => Promise<void>;
  private isStopped = false;

  private constructor(url: string, end: () => Promise<void>) {
    this.url = url;
    this.end = end;
  }

  static async start(options: PlaneCommandOptions): Promise<StartedPlane> {
    const stopped = deferred<string>();
    const said = deferred<string>();
    const terminal = { out: said.resolve, err: () => {}, exitCode: 0 };
    const quiet = { listen: "127.0.0.1:0", logLevel: "silent", record: false } as const;
    const open = { insecureLocal: true };
    const running = runPlane({ ...quiet, ...open, ...options }, terminal, stopped.promise);
    const out = await Promise.race([said.promise, running.then(() => "it ended")]);
    const plane = new StartedPlane(/http\S+(?=,)/.exec(out)?.[0] ?? out, async () => {
      stopped.resolve("the test");
      await running;
    });
    afterAll(() => plane.stop());
    return plane;
  }

  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    await this.end();
  }

  /** Every object that people and controllers made, as of a revision or of now. */
  async shown(revision?: number): Promise<Readonly<Record<string, unknown>>> {
    const query =
      revision === undefined ? "" : `?resourceVersion=${revision}&resourceVersionMatch=Exact`;
    const lists = KINDS.map(async (kind) => {
      const { items } = (await this.json(`${BERTH}/${kind}${query}`)) as { items: Shown[] };
      return [kind, COMPUTED.has(kind) ? items.map(withoutVersion) : items] as const;
    });
    return Object.fromEntries(await Promise.all(lists));
  }

  /** Writes something, once a leader takes it, and answers the revision of it. */
  async touch(mark: string): Promise<number> {
    const { metadata } = await this.json(`${BERTH}/tenants/bank`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ metadata: { labels: { mark } } }),
    });
    return Number((metadata as { readonly resourceVersion: string }).resourceVersion);
  }

  async watch(from: number): Promise<{ readonly status: number; readonly text: string }> {
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${from}`;
    const response = await fetch(`${this.url}${BERTH}/tenants?${query}`);
    return { status: response.status, text: await response.text() };
  }

  private async json(path: string, ask: RequestInit = {}): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}${path}`, ask);
    const body = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  }
}

const withoutVersion = (shown: Shown): unknown => ({
  ...shown,
  metadata: { ...shown.metadata, resourceVersion: "" },
});

async function must(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await runCommand(args);
  if (code !== 0) throw new Error(`berth ${args.join(" ")} left with ${code}: ${err}`);
  return args.includes("--json") ? (JSON.parse(out) as Record<string, unknown>) : {};
}

/** The audit says who restored what, of which backup [BK10]. */
async function expectRestores(plane: StartedPlane, files: readonly string[]): Promise<void> {
  const told = await runCommand(["audit", "--json", "--limit", "1000", "--server", plane.url]);
  const entries = told.out.split("\n").filter((line) => line.includes('"command":"restore"'));
  expect(entries).toHaveLength(files.length);
  for (const [at, file] of files.entries()) {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    expect(JSON.parse(entries[at] ?? "")).toMatchObject({
      actor: { kind: "human", name: loginName(), by: { kind: "local" } },
      summary: expect.stringMatching(/^restored the log as of revision \d+$/) as string,
      evidence: expect.stringContaining(`of ${basename(file)}, made at `) as string,
    });
    expect(entries[at]).toContain(`SHA-256 ${digest}`);
  }
}

test("a plane that starts on what was restored shows the same, and goes on, from SQLite to etcd and back [BK1] [BK5] [BK6] [BK10]", async () => {
  const first = join(folder, "first");
  const source = await StartedPlane.start({ data: first });
  const manifests = join(folder, "manifests.yaml");
  writeFileSync(manifests, `${FURNITURE}---${workloadText("api")}`);
  await must("apply", "-f", manifests, "--server", source.url);
  while (((await source.shown())["replicas"] as unknown[]).length < 2) await sleep(20);
  // Writes go on all the while: the backup is of one revision all the same.
  const load = { isOn: true, newest: 0 };
  const loading = (async () => {
    for (let at = 0; load.isOn; at += 1) load.newest = await source.touch(`load-${at}`);
  })();
  const file = join(folder, "backup");
  const backup = await must("backup", "--data", first, "--out", file, "--json");
  const revision = Number(backup["revision"]);
  await until("more writes", () => (load.newest > revision ? true : undefined));
  load.isOn = false;
  await loading;
  const expected = await source.shown(revision);
  await source.stop();

  const store = `etcd://${etcd.etcd.endpoints.join(",")}${etcd.newPrefix()}`;
  await must("restore", file, "--store", store);
  const second = await StartedPlane.start({ data: join(folder, "second"), store });
  expect(await second.shown()).toEqual(expected);
  // What the lost world had seen beyond the backup is not taken for something of this one.
  const { text, status } = await second.watch(load.newest);
  expect([status, text]).toEqual([410, expect.stringContaining("Expired")]);
  const written = await second.touch("restored");
  expect(written).toBeGreaterThan(revision + REVISION_LEAP);
  const after = await second.shown();

  const back = join(folder, "back");
  await must("backup", "--store", store, "--out", back);
  await second.stop();
  const third = join(folder, "third");
  await must("restore", back, "--data", third, "--move");
  const last = await StartedPlane.start({ data: third });
  expect(await last.shown()).toEqual(after);
  const resumed = await last.watch(written - 1);
  expect(resumed).toMatchObject({ status: 200, text: expect.stringContaining('"restored"') });
  await expectRestores(last, [file, back]);
  const next = await last.touch("again");
  expect(next - written).toBeLessThan(100);
  await last.stop();
  const checked = await must("store", "check", "--data", third, "--json");
  expect(checked).toMatchObject({ isGood: true });
});

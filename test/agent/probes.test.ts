import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProcessFolder } from "../../src/agent/process/process-folder.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import type { ProbeAction } from "../../src/core/model/run-options.ts";
import {
  anOrder,
  DriverHarness,
  eventually,
  isAlive,
  type OrderParts,
  pidSaidIn,
  sh,
} from "./a-driver.ts";

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness().begun();
});
afterEach(() => harness.end());

const { execPath: node } = process;

/** Of a probe that is answered: it only ends a hang. */
const PATIENT_MS = 60_000;

/** Answers 200 under /ready and 503 elsewhere; never under /slow. */
const SERVER = `require("node:http").createServer((request, response) => {
  if (request.url === "/slow") return;
  response.writeHead(request.url === "/ready" ? 200 : 503).end();
}).listen(process.env.PORT_HTTP, "127.0.0.1")`;

async function probed(order: ReturnType<typeof anOrder>): Promise<boolean> {
  harness.events.length = 0;
  harness.driver.probe(order);
  return (await harness.heard("probed", order)).ready;
}

const probing = (action: ProbeAction, of: OrderParts = {}, timeoutMs = PATIENT_MS) =>
  anOrder({ ...of, probe: { action, timeoutMs } });

const serving = { command: [node, "-e", SERVER], run: { ports: ["http"] } };

const folder = (replica = anOrder().replica): ProcessFolder =>
  findProcessLogs(harness.folder, replica)[0]!.folder;

const leftIn = (replica: ReturnType<typeof anOrder>["replica"]): readonly number[] => {
  const names = readdirSync(folder(replica).work).filter((name) => name.startsWith("left."));
  return names.map((name) => Number(name.slice("left.".length)));
};

const hasCgroups = (): boolean => !harness.notes.some((note) => note.includes("outlives"));

describe("a probe", () => {
  test("by http is a yes for an answer of 200, once there is one", async () => {
    const order = probing({ kind: "http", port: "http", path: "/ready" }, serving);
    await harness.run(order);
    expect(await eventually("the server to answer", () => probed(order))).toBe(true);
  });

  test.each([
    {
      title: "another answer",
      path: "/",
      timeoutMs: PATIENT_MS,
      said: /^GET \/ at 127\.0\.0\.1:\d+ is 503$/,
    },
    {
      title: "no answer in time",
      path: "/slow",
      timeoutMs: 200,
      said: /did not answer within 200 ms$/,
    },
  ])("by http is a no for $title, and says what it found", async ({ path, timeoutMs, said }) => {
    const order = probing({ kind: "http", port: "http", path }, serving, timeoutMs);
    await harness.run(order);
    const { address } = await harness.heard("alive");
    const url = `http://${address?.host}:${address?.ports["http"]}/ready`;
    await eventually("the server to answer", () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(await probed(order)).toBe(false);
    expect(harness.events.at(-1)).toMatchObject({ said: expect.stringMatching(said) });
  });

  test("by tcp is a yes once a process listens", async () => {
    const order = probing({ kind: "tcp", port: "http" }, serving);
    await harness.run(order);
    expect(await eventually("the port to open", () => probed(order))).toBe(true);
  });

  test("by tcp is a no while no process does, and for a port that was not asked for", async () => {
    const order = probing({ kind: "tcp", port: "http" }, { run: { ports: ["http"] } });
    await harness.run(order);
    expect(await probed(order)).toBe(false);
    const other = probing({ kind: "tcp", port: "other" }, { index: 1 });
    await harness.run(other);
    expect(await probed(other)).toBe(false);
  });

  test("by a command sees what the process sees", async () => {
    const command = sh('test "$BERTH_NODE" = a-1 && test -e ready');
    const order = probing(
      { kind: "exec", command },
      { command: sh("sleep 1; : > ready; sleep 600") },
    );
    await harness.run(order);
    expect(await eventually("the file to be there", () => probed(order))).toBe(true);
  });

  test("by a command is a no when it fails or takes too long", async () => {
    const failing = probing({ kind: "exec", command: sh("exit 1") });
    await harness.run(failing);
    expect(await probed(failing)).toBe(false);
    expect(harness.events.at(-1)).toMatchObject({ said: "its command ended with 1" });
    const slow = probing({ kind: "exec", command: ["sleep", "600"] }, { index: 1 }, 200);
    await harness.run(slow);
    expect(await probed(slow)).toBe(false);
  });

  test("by a command has the replica's environment and none of the agent's [DR6]", async () => {
    process.env["BERTH_TOKEN"] = "hidden";
    const command = sh(
      'env > probe.env; pwd > probe.pwd; umask > probe.umask; test "$GREETING" = hi',
    );
    const order = probing({ kind: "exec", command }, { run: { env: { GREETING: "hi" } } });
    await harness.run(order);
    expect(await probed(order)).toBe(true);
    delete process.env["BERTH_TOKEN"];
    const said = (name: string): string => readFileSync(join(folder().work, name), "utf8");
    expect(said("probe.env")).toContain("BERTH_REPLICA=payments/api.1.0\n");
    expect(said("probe.env")).not.toContain("hidden");
    expect(said("probe.pwd")).toBe(`${folder().work}\n`);
    expect(said("probe.umask")).toMatch(/^0*22\n$/);
  });

  test.runIf(process.getuid?.() === 0 || process.env["CI"] !== undefined)(
    "by a command runs as the replica's user [DR6]",
    async () => {
      const command = sh("id -un > probe.user; id -gn >> probe.user");
      const order = probing({ kind: "exec", command }, { run: { user: "nobody" } });
      await harness.run(order);
      expect(await probed(order)).toBe(true);
      const said = readFileSync(join(folder().work, "probe.user"), "utf8");
      expect(said).toBe("nobody\nnogroup\n");
    },
  );

  test("by a command leaves nothing behind, in time or late [DR6]", async () => {
    // Both leave the session of the probe as well; the second probe does not end by itself.
    const left = "setsid sh -c 'echo $$ > left.$$; exec sleep 600' > /dev/null 2>&1 &";
    const waits = "until ls left.* > /dev/null 2>&1; do sleep 0.01; done";
    const quick = probing({ kind: "exec", command: sh(`${left} ${waits}`) });
    await harness.run(quick);
    expect(await probed(quick)).toBe(true);
    const hangs = sh(`${left} ${waits}; sleep 600`);
    const late = probing({ kind: "exec", command: hangs }, { index: 1 }, 1_000);
    await harness.run(late);
    // On a slow machine its time may be over before it has left anything behind.
    await eventually("a late one that has", async () => {
      expect(await probed(late)).toBe(false);
      return leftIn(late.replica).length > 0;
    });
    const pids = [...leftIn(quick.replica), ...leftIn(late.replica)];
    expect(pids).toHaveLength(2);
    await eventually("all of them to go", () => !pids.some(isAlive) || !hasCgroups());
    if (!hasCgroups()) for (const pid of pids) process.kill(pid, "SIGKILL");
  });

  test("by a command runs in the replica's cgroups and ends with it [DR6]", async () => {
    const command = sh("cat /proc/self/cgroup > groups; echo $$ > asks; sleep 600");
    const order = probing({ kind: "exec", command }, {}, 60_000);
    await harness.run(order);
    harness.driver.probe(order);
    const pid = await eventually("the probe", () => pidSaidIn(join(folder().work, "asks")));
    const groups = readFileSync(join(folder().work, "groups"), "utf8");
    const own = (folder().readRecord()?.cgroups ?? []).map((path) => basename(path));
    expect(groups.match(/payments\+api\.1\.0\+1\+/g) ?? []).toHaveLength(own.length);
    harness.driver.stop(order);
    await harness.heard("exited", order);
    await eventually("the probe to go", () => !isAlive(pid));
  });

  test("without a description is a yes while the process runs, and a no after", async () => {
    const order = anOrder();
    await harness.run(order);
    expect(await probed(order)).toBe(true);
    harness.driver.stop(order);
    await harness.heard("exited", order);
    expect(await probed(order)).toBe(false);
    expect(await probed(anOrder({ index: 5 }))).toBe(false);
  });
});

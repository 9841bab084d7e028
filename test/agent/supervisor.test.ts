import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../../src/serve/free-port.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import { anOrder, DriverHarness, eventually, isAlive, type OrderParts, sh } from "./a-driver.ts";

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness().begun();
});
afterEach(() => harness.end());

const { replica } = anOrder();

/** Runs to its end and returns the exit code. */
async function codeOf(of: OrderParts): Promise<number> {
  harness.driver.start(anOrder(of));
  return (await harness.heard("exited")).code;
}

const logs = () => findProcessLogs(harness.folder, replica)[0]!;
/** Runs a script to its end; its logs are complete then. */
async function logged(script: string): Promise<ReturnType<typeof logs>> {
  expect(await codeOf({ command: sh(script) })).toBe(0);
  return logs();
}

const output = (): string => readFileSync(logs().stdout, "utf8");

/** Whole lines of a process that runs: another one writes them down, and makes the file, in its own time. */
const saidSoFar = (): readonly string[] =>
  existsSync(logs().stdout) ? output().split("\n").slice(0, -1) : [];

/** Waits for a process to say its own number. */
const saidPid = (at = 0): Promise<number> =>
  eventually("a process to say its pid", () => Number(saidSoFar().at(at)) || undefined);

describe("starting", () => {
  test("tells the process and the agent the same ports", async () => {
    const order = anOrder({
      run: { ports: ["http", "admin-ui"] },
      command: sh("echo $PORT_HTTP $PORT_ADMIN_UI; exec sleep 600"),
    });
    harness.driver.start(order);
    const { address } = await harness.heard("alive");
    expect(address?.host).toBe("127.0.0.1");
    const said = await eventually("the ports", () => saidSoFar()[0]);
    const [http, admin] = said.split(" ").map(Number);
    expect(address?.ports).toEqual({ http, "admin-ui": admin });
  });

  test("gives the process the ports that are fixed, and picks the others [BD91]", async () => {
    const http = await findFreePort("127.0.0.1");
    const order = anOrder({
      run: { ports: ["http", "admin"] },
      fixedPorts: { http },
      command: sh("exec sleep 600"),
    });
    harness.driver.start(order);
    const { address } = await harness.heard("alive");
    expect(address?.ports["http"]).toBe(http);
    expect(address?.ports["admin"]).not.toBe(http);
  });

  test("does not begin while something else listens on its fixed port, and says so [BD91]", async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    try {
      const { port } = other.address() as AddressInfo;
      harness.driver.start(anOrder({ run: { ports: ["http"] }, fixedPorts: { http: port } }));
      const { reason } = await harness.heard("exited");
      expect(reason).toBe(
        `The fixed port ${port} is not free on this node: another process listens on it. Stop that process, or change run.fixedPorts.`,
      );
    } finally {
      other.close();
    }
  });

  test("gives the process its surroundings, and none of the agent's", async () => {
    process.env["AGENT_SECRET"] = "hidden";
    const env = { GREETING: 'it\'s "so" $HOME', "app.mode": "test" };
    await codeOf({ command: ["env"], run: { env }, deviceIds: ["g-1", "g-2"] });
    const lines = output().split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'GREETING=it\'s "so" $HOME',
        "app.mode=test",
        "BERTH_REPLICA=payments/api.1.0",
        "BERTH_WORKLOAD=payments/api",
        "BERTH_NODE=a-1",
        "BERTH_DEVICES=g-1,g-2",
      ]),
    );
    expect(output()).not.toContain("hidden");
  });

  test("begins in a folder of the process's own, or in the one it names", async () => {
    await codeOf({ command: sh("pwd; echo kept > here") });
    expect(output()).toMatch(/processes\/.*\/work\n$/);
    harness.driver.forget(anOrder());
    harness.events.length = 0;
    await codeOf({ command: ["pwd"], run: { workingDir: "/usr" } });
    expect(output()).toBe("/usr\n");
  });

  test("an order given twice is one order", async () => {
    const order = anOrder({ command: sh("echo $$; exec sleep 600") });
    harness.driver.start(order);
    harness.driver.start(order);
    await harness.heard("alive");
    harness.driver.start(order);
    expect(findProcessLogs(harness.folder, replica)).toHaveLength(1);
  });

  test("does not happen when the leash is over [AG2]", async () => {
    harness.driver.leash(harness.clock.nowMs() - 1);
    harness.driver.start(anOrder());
    expect(await harness.heard("exited")).toMatchObject({ code: 137 });
    expect(findProcessLogs(harness.folder, replica)).toEqual([]);
  });

  test("leaves signals as they are: a process behind a shell still hears SIGINT", async () => {
    await codeOf({ command: sh("grep SigIgn /proc/self/status") });
    expect(output()).toMatch(/SigIgn:\s0+\n/);
  });

  test.runIf(process.getuid?.() === 0 || process.env["CI"] !== undefined)(
    "runs as the user it names",
    async () => {
      // The folder above is the test's, and closed to others.
      await codeOf({ command: sh("id -un; id -gn; pwd > mine"), run: { user: "nobody" } });
      expect(output()).toBe("nobody\nnogroup\n");
    },
  );

  test("a command that is not there ends at once, and its stderr says why", async () => {
    expect(await codeOf({ command: ["no-such-program"] })).toBe(127);
    expect(readFileSync(logs().stderr, "utf8")).toContain("no-such-program");
  });

  test.each([
    {
      title: "a folder that is not there",
      run: { workingDir: "/no/such" },
      reason: "The working directory /no/such does not exist on this node.",
    },
    {
      title: "a folder that is a file",
      run: { workingDir: "/proc/version" },
      reason: "The working directory /proc/version is not a folder on this node.",
    },
    {
      title: "a user that is not there",
      run: { user: "no-such-user" },
      reason: "There is no user no-such-user on this node.",
    },
  ])("does not happen with $title, and the reason is told [AG6]", async ({ run, reason }) => {
    harness.driver.start(anOrder({ run }));
    expect(await harness.heard("exited")).toMatchObject({ code: 126, reason });
    expect(existsSync(logs().stdout)).toBe(false);
    expect(harness.notes.join("\n")).toContain(reason);
  });

  test("does not happen when there is no port left, and takes none [AG6]", async () => {
    await harness.end();
    const port = await findFreePort("127.0.0.1");
    harness = new DriverHarness({ ports: { first: port, last: port } }).begun();
    harness.driver.start(anOrder({ run: { ports: ["http", "admin"] } }));
    expect(await harness.heard("exited")).toMatchObject({
      code: 126,
      reason: `No free port was found between ${port} and ${port}: 1 of them are in use.`,
    });
    const modest = anOrder({ index: 1, run: { ports: ["http"] } });
    harness.driver.start(modest);
    expect(await harness.heard("alive", modest)).toMatchObject({
      address: { ports: { http: port } },
    });
  });
});

describe("ending", () => {
  test.each([
    { title: "success", script: "exit 0", code: 0 },
    { title: "failure", script: "exit 3", code: 3 },
    { title: "a signal", script: "kill -SEGV $$", code: 139 },
  ])("of itself by $title is told with the code", async ({ script, code }) => {
    expect(await codeOf({ command: sh(script) })).toBe(code);
  });

  test("takes along what the process left behind", async () => {
    expect(await codeOf({ command: sh("sleep 600 & echo $!; exit 7") })).toBe(7);
    expect(isAlive(await saidPid())).toBe(false);
  });

  test("is told again to each caller that asks for it", async () => {
    await codeOf({ command: sh("exit 0") });
    harness.events.length = 0;
    harness.driver.stop(anOrder());
    expect(harness.events).toMatchObject([{ kind: "exited", replica }]);
  });

  test("is kept until it is settled, and only the logs stay", async () => {
    await codeOf({ command: sh("echo done; exit 0") });
    expect(harness.driver.ended).toMatchObject([{ replica, incarnation: 1, permittedAt: 7 }]);
    harness.driver.forget(anOrder());
    expect(harness.driver.ended).toEqual([]);
    expect(output()).toBe("done\n");
    expect(harness.again()).toEqual([]);
  });
});

describe("a machine that lacks a tool", () => {
  const path = process.env["PATH"];
  afterEach(() => {
    process.env["PATH"] = path;
  });

  test.each(["ln", "mkfifo", "setsid"])("fails the start and names %s", async (missing) => {
    const tools = join(harness.folder, "tools");
    mkdirSync(tools);
    for (const tool of ["ln", "mkfifo", "setsid", "dd", "wc", "mv", "rm", "sleep", "chown"]) {
      const found = (path ?? "").split(":").map((folder) => join(folder, tool));
      const at = found.find((file) => existsSync(file));
      if (tool !== missing && at !== undefined) symlinkSync(at, join(tools, tool));
    }
    process.env["PATH"] = tools;
    harness.driver.start(anOrder());
    const { reason } = await harness.heard("exited");
    expect(reason).toMatch(
      new RegExp(`^its node could not start its process: ${missing}: (?:command )?not found$`),
    );
  });
});

describe("stopping", () => {
  test("asks first: a process that listens ends in its own way", async () => {
    const script = 'trap "echo bye; exit 5" TERM; echo $$; while :; do sleep 0.05; done';
    await harness.run(anOrder({ command: sh(script) }));
    await saidPid();
    harness.driver.stop(anOrder());
    expect(await harness.heard("exited")).toMatchObject({ code: 5 });
    expect(output()).toContain("bye");
  });

  test("a process that does nothing about it ends with 143", async () => {
    await harness.run();
    harness.driver.stop(anOrder());
    expect(await harness.heard("exited")).toMatchObject({ code: 143 });
  });

  test("kills the whole group when the grace is over", async () => {
    const script =
      'trap "" TERM; sh -c "echo \\$\\$; sleep 600; sleep 600" & echo $$; wait; wait; sleep 600';
    const order = anOrder({ command: sh(script), run: { stopGraceMs: 200 } });
    await harness.run(order);
    const pids = [await saidPid(0), await saidPid(1)];
    harness.driver.stop(order);
    expect(await harness.heard("exited")).toMatchObject({
      code: 137,
      reason: "its process did not stop within 0.2 s of SIGTERM, killed",
    });
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test("before the process has begun leaves nothing behind", async () => {
    const order = anOrder();
    harness.driver.start(order);
    harness.driver.stop(order);
    expect((await harness.heard("exited")).code).toBe(143);
    expect(harness.events.map(({ kind }) => kind)).toEqual(["exited"]);
  });

  test("an unknown process is reported as ended", () => {
    harness.driver.stop(anOrder({ index: 9 }));
    expect(harness.events).toMatchObject([{ kind: "exited", incarnation: 1 }]);
  });

  test("reaches also who has left the group, where there are cgroups", async () => {
    await harness.run(
      anOrder({ command: sh("setsid sh -c 'echo $$; exec sleep 600'; sleep 600") }),
    );
    const pid = await saidPid();
    harness.driver.stop(anOrder());
    await harness.heard("exited");
    const hasCgroups = !harness.notes.some((note) => note.includes("outlives it"));
    expect(isAlive(pid)).toBe(!hasCgroups);
    if (!hasCgroups) process.kill(pid, "SIGKILL");
  });
});

describe("logs", () => {
  test("hold both streams apart", async () => {
    await codeOf({ command: sh("echo out; echo err >&2") });
    expect(readFileSync(logs().stdout, "utf8")).toBe("out\n");
    expect(readFileSync(logs().stderr, "utf8")).toBe("err\n");
  });

  test("are bounded: one file in use, and one before it [DR5]", async () => {
    await harness.end();
    harness = new DriverHarness({ logBytes: 20_000 }).begun();
    const script = "i=100000; while [ $i -lt 112000 ]; do i=$((i+1)); echo line $i; done";
    const { stdout } = await logged(script);
    for (const file of [stdout, `${stdout}.1`]) {
      expect(statSync(file).size).toBeLessThanOrEqual(20_000);
    }
    // Both together are the end of what was said, whole.
    const kept = readFileSync(`${stdout}.1`, "utf8") + readFileSync(stdout, "utf8");
    const all = Array.from({ length: 12_000 }, (_, at) => `line ${100_001 + at}\n`).join("");
    expect(all.endsWith(kept)).toBe(true);
    expect(kept.length).toBeGreaterThan(3_000);
  });

  test("are bounded while they are written, with no agent, and after the end [DR5]", async () => {
    await harness.end();
    harness = new DriverHarness({ logBytes: 100_000 }).begun();
    const order = anOrder({ command: ["cat", "/dev/zero"] });
    await harness.run(order);
    const { stdout, folder } = logs();
    harness.driver.close();
    const sizes = (): number[] =>
      readdirSync(folder.path)
        .filter((name) => name.startsWith("std") && !name.endsWith(".pipe"))
        .map((name) => statSync(join(folder.path, name), { throwIfNoEntry: false })?.size ?? 0);
    const seen = new Set<number>();
    await eventually("some rotations", () => {
      expect(Math.max(0, ...sizes())).toBeLessThanOrEqual(100_000);
      seen.add(statSync(`${stdout}.1`, { throwIfNoEntry: false })?.ino ?? 0);
      return seen.size > 3;
    });
    harness.again();
    harness.driver.leash(harness.clock.nowMs() + 600_000);
    harness.driver.stop(order);
    await harness.heard("exited");
    expect(sizes().reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
  });

  test("are written as they are said, a line at a time [DR5]", async () => {
    await harness.run(anOrder({ command: sh("echo first; exec sleep 600") }));
    const { folder } = logs();
    await eventually("the line", () => existsSync(logs().stdout) && output() === "first\n");
    expect(folder.state().kind).toBe("running");
  });

  test.runIf(process.getuid?.() === 0 || process.env["CI"] !== undefined)(
    "can be opened again by the user that a process runs as [DR5]",
    async () => {
      await codeOf({ command: sh("echo again > /dev/stdout"), run: { user: "nobody" } });
      expect(output()).toBe("again\n");
    },
  );

  test("of ended processes are kept in a small number", async () => {
    const run = async (of: OrderParts): Promise<void> => {
      const order = anOrder({ ...of, command: sh("exit 0") });
      harness.driver.start(order);
      await harness.heard("exited", order);
      harness.driver.forget(order);
    };
    // Others at once, which takes less time than one after the other; then incarnations of one.
    await Promise.all(Array.from({ length: 20 }, (_, at) => run({ index: at + 1 })));
    for (let incarnation = 1; incarnation <= 3; incarnation += 1) {
      harness.events.length = 0;
      await run({ incarnation });
    }
    const folder = join(harness.folder, "processes");
    await eventually("old folders to go", () => readdirSync(folder).length <= 20);
    expect(findProcessLogs(harness.folder, replica)[0]?.incarnation).toBe(3);
  });
});

/** What a replica in a sandbox can see and touch of its machine: tried out from inside. */
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findOwnAddress } from "../../../src/agent/own-address.ts";
import { FIRST_UID, LAST_UID } from "../../../src/agent/drivers/sandbox/replica-uids.ts";
import { seccompFilter } from "../../../src/agent/drivers/sandbox/seccomp-filter.ts";
import { findProcessLogs } from "../../../src/agent/logs/process-logs.ts";
import { closeInherited } from "../../../src/shell/close-inherited.ts";
import { sh } from "../a-driver.ts";
import { DriverOnTrial } from "./driver-contract.ts";
import { isRoot } from "./drivers-of.ts";

const trial = new DriverOnTrial({ driver: "sandbox" });
let plane: Server;
let planePort: number;
/** What a script says, line by line. */
async function said(script: string): Promise<readonly string[]> {
  await trial.ended(script);
  return trial.output.trimEnd().split("\n");
}

const status = "grep -E '^(Uid|Cap...|NoNewPrivs|Seccomp):' /proc/self/status | tr '\\t' ' '";
const NO_RIGHTS = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map(
  (name) => `${name}: 0000000000000000`,
);

const reach = (host: string, port: number): string =>
  `bash -c ': < /dev/tcp/${host}/${port}' 2>&1 | tail -1 | grep -m1 -o 'Connection refused' || echo open`;

describe.runIf(isRoot)("a sandboxed replica", () => {
  beforeEach(async () => {
    plane = createServer((socket) => socket.end());
    await new Promise<void>((listening) => plane.listen(0, listening));
    planePort = (plane.address() as AddressInfo).port;
    await trial.begin([new URL(`https://127.0.0.1:${planePort}`)]);
  });
  afterEach(async () => {
    await trial.harness.end();
    plane.close();
  });

  test("is a user of its own, without rights, behind a filter [DR11]", async () => {
    const [uids = "", ...rest] = await said(status);
    const uid = Number(uids.split(" ")[1]);
    expect(uids).toBe(`Uid: ${[uid, uid, uid, uid].join(" ")}`);
    expect(uid).toBeGreaterThanOrEqual(FIRST_UID);
    expect(uid).toBeLessThanOrEqual(LAST_UID);
    expect(rest).toEqual([...NO_RIGHTS, "NoNewPrivs: 1", "Seccomp: 2"]);
  });

  test("has another user than the replica beside it [DR11]", async () => {
    const orders = [0, 1].map((index) => trial.start({ index }));
    await Promise.all(orders.map((order) => trial.harness.heard("alive", order)));
    const users = orders.map(({ replica }) => {
      const [found] = findProcessLogs(trial.harness.folder, replica);
      return found!.folder.readRecord()!.runAs!.uid;
    });
    expect(new Set(users).size).toBe(2);
  });

  test("is probed as the same user, without rights, behind the same filter [DR6] [DR11]", async () => {
    const command = sh(`${status} > /tmp/probed; cmp /tmp/own /tmp/probed`);
    const order = trial.start({
      command: sh(`${status} > /tmp/own; echo ready; exec sleep 600`),
      probe: { action: { kind: "exec", command }, timeoutMs: 60_000 },
    });
    await trial.said("ready");
    await trial.harness.heard("alive");
    trial.harness.driver.probe(order);
    expect(await trial.harness.heard("probed")).toMatchObject({ ready: true });
  });

  test("sees neither its agent's files nor other people's [DR12]", async () => {
    const { folder } = trial.harness;
    const paths = [
      folder,
      "/root",
      "/home",
      "/srv",
      "/etc/shadow",
      "/etc/berth",
      "/var/lib",
      "/sys",
    ];
    expect(
      await said(`for p in ${paths.join(" ")}; do test -e $p && echo $p; done; echo end`),
    ).toEqual(["end"]);
  });

  test("writes nothing of the system [DR12]", async () => {
    const paths = [
      "/usr/x",
      "/etc/x",
      "/x",
      "/run/berth/environment.sh",
      "/run/x",
      "/proc/sys/kernel/hostname",
    ];
    const script = `for p in ${paths.join(" ")}; do (: > $p) 2> /dev/null && echo $p; done; echo end`;
    expect(await said(script)).toEqual(["end"]);
  });

  test("sees and signals no process but its own [DR12]", async () => {
    const script = `ls /proc | grep -c '^[0-9]'; kill -9 ${process.pid} 2> /dev/null || echo none`;
    const [seen, killed] = await said(script);
    // Its init, its shell, and the two of the pipe.
    expect(Number(seen)).toBeLessThanOrEqual(5);
    expect(killed).toBe("none");
  });

  test("has no file open but its input and output, and no path of its agent in sight [DR12]", async () => {
    // As the agent does when it begins.
    closeInherited();
    const script = "ls /proc/self/fd | wc -l; cat /proc/1/cmdline | tr '\\0' ' '";
    const [open, words = ""] = await said(script);
    // The fourth is the folder that ls itself reads.
    expect(open).toBe("4");
    expect(words).not.toContain(trial.harness.folder);
  });

  test.each([
    ["unshare --user true", "a namespace in which it is root"],
    ["mount -t tmpfs none /work", "a mount"],
    ["perl -e 'exit(syscall(250, 0, -3, 1) < 0 && $! == 1 ? 1 : 0)'", "the machine's keys"],
    ["perl -e 'exit(syscall(425, 8, 0) < 0 && $! == 1 ? 1 : 0)'", "io_uring"],
    ["perl -MSocket -e 'socket(S, 17, SOCK_RAW, 0) or exit 1'", "raw packets"],
  ])("may not make the system call of %j: %s [DR11]", async (command) => {
    expect((await trial.ended(`${command} 2> /dev/null`)).code).not.toBe(0);
  });

  test("starts processes and threads as ever", async () => {
    const script = `const { Worker } = require("node:worker_threads");
      new Worker("process.stdout.write(String(6 * 7))", { eval: true })`;
    trial.start({ command: [process.execPath, "-e", script] });
    expect((await trial.harness.heard("exited")).code).toBe(0);
    expect(trial.output).toBe("42");
  });

  test("reaches no plane, by any address of the machine, and no credentials of a cloud [DR13]", async () => {
    const own = await findOwnAddress([]);
    const other = createServer((socket) => socket.end());
    await new Promise<void>((listening) => other.listen(0, listening));
    try {
      const { port } = other.address() as AddressInfo;
      const script = [
        reach("127.0.0.1", planePort),
        reach(own, planePort),
        reach("169.254.169.254", 80),
        reach("127.0.0.1", port),
      ].join("; ");
      const refused = "Connection refused";
      expect(await said(script)).toEqual([refused, refused, refused, "open"]);
    } finally {
      other.close();
    }
  });

  test("cannot be another user of the machine [DR11]", async () => {
    trial.start({ run: { user: "root" } });
    const { code, reason } = await trial.harness.heard("exited");
    expect(code).toBe(126);
    expect(reason).toMatch(/^A sandbox runs as a user of its own/);
  });

  test.each(["/root", "/work/../root", "/usr/../etc"])(
    "does not begin in %s, a folder that it does not show [DR12]",
    async (workingDir) => {
      trial.start({ run: { workingDir } });
      expect((await trial.harness.heard("exited")).reason).toMatch(/is not in the sandbox/);
    },
  );

  test("finds its private files, which another user cannot read [DR8] [DR12]", async () => {
    const files = new Map([["token", new TextEncoder().encode("secret")]]);
    await trial.harness.end();
    await trial.beginWith(files);
    expect(await said('cat "$BERTH_FILES/token"; echo; stat -c %a "$BERTH_FILES/token"')).toEqual([
      "secret",
      "400",
    ]);
  });
});

test("the filter is a whole program, on each machine that it knows", () => {
  for (const architecture of ["x64", "arm64"]) {
    const program = seccompFilter(architecture)!;
    expect(program.length % 8).toBe(0);
    expect(program.length / 8).toBeLessThan(4_096);
  }
  expect(seccompFilter("mips")).toBeUndefined();
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { aProvisionRequest } from "../../../test/builders/a-provision-request.ts";
import { ExecProvisioner } from "./exec-provisioner.ts";
import { isThere, until } from "../../../test/builders/until-there.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-exec-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let scripts = 0;
function aProgram(text: string): readonly string[] {
  scripts += 1;
  const file = join(folder, `program-${scripts}`);
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return [file];
}

const never = new AbortController().signal;
/** Far longer than a shell takes; only the programs that hang are given less. */
const PATIENT_MS = 60_000;

const ask = (text: string, of: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  new ExecProvisioner({ command: aProgram(text), timeoutMs: of.timeoutMs ?? PATIENT_MS }).ask(
    aProvisionRequest({ joinToken: "0123456789abcdef" }),
    of.signal ?? never,
  );

const pidIn = (file: string): number => Number(readFileSync(file, "utf8"));

describe("a program that makes machines", () => {
  test("[AP219] is given the request on its standard input, and nothing of it in its arguments or surroundings", async () => {
    const seen = join(folder, "seen");
    const text = `cat > ${seen}.in; echo "$@" > ${seen}.args; env > ${seen}.env; echo '{"accepted":true}'`;
    process.env["BERTH_STORE"] = "etcd://root:secret@127.0.0.1:1";
    try {
      expect(await ask(text)).toEqual({ kind: "accepted" });
    } finally {
      delete process.env["BERTH_STORE"];
    }
    const request = JSON.parse(readFileSync(`${seen}.in`, "utf8"));
    expect(request).toEqual(aProvisionRequest({ joinToken: "0123456789abcdef" }));
    expect(readFileSync(`${seen}.args`, "utf8")).toBe("\n");
    expect(readFileSync(`${seen}.env`, "utf8")).not.toMatch(/BERTH_|0123456789abcdef/);
  });

  test.each([
    {
      title: "a no in words is a no, whatever the exit code",
      text: `echo '{"error":"no quota left in eu-a"}'; exit 3`,
      answer: { kind: "refused", reason: "no quota left in eu-a" },
    },
    {
      title: "an exit code without an answer leaves it open, with its last words",
      text: `echo first >&2; echo 'the cloud is on fire' >&2; exit 3`,
      answer: { kind: "doubtful", reason: "it exited with code 3: the cloud is on fire" },
    },
    {
      title: "a yes with a bad exit code is none",
      text: `echo '{"accepted":true}'; exit 1`,
      answer: { kind: "doubtful", reason: "it exited with code 1" },
    },
    {
      title: "text that is no JSON leaves it open",
      text: `printf 'ok\\033[31m\\n'`,
      answer: { kind: "doubtful", reason: "its answer is not a JSON object: ok [31m" },
    },
    {
      title: "nothing at all leaves it open",
      text: "true",
      answer: { kind: "doubtful", reason: "its answer is not a JSON object: it is empty" },
    },
    {
      title: "both a yes and a no is a no",
      text: `echo '{"accepted":true,"error":"no"}'`,
      answer: { kind: "refused", reason: "no" },
    },
    {
      title: "a signal leaves it open",
      text: "kill -TERM $$",
      answer: { kind: "doubtful", reason: expect.stringContaining("code 143") },
    },
  ])("$title", async ({ text, answer }) => {
    expect(await ask(text)).toEqual(answer);
  });

  test("one that does not exist is a no: it was never asked", async () => {
    const missing = new ExecProvisioner({ command: ["/nowhere/at-all"], timeoutMs: PATIENT_MS });
    const answer = await missing.ask(aProvisionRequest(), never);
    expect(answer).toMatchObject({ kind: "refused" });
    expect(answer).toMatchObject({ reason: expect.stringMatching(/could not be run.*not found/) });
  });

  test("one that hangs is ended with all that it has started, and leaves it open", async () => {
    const own = join(folder, "own");
    const child = join(folder, "child");
    const text = `echo $$ > ${own}; sleep 600 & echo $! > ${child}; wait`;
    // On a slow machine its time may be over before it has started anything.
    while (!existsSync(child) || pidIn(child) === 0) {
      const answer = await ask(text, { timeoutMs: 1_000 });
      expect(answer).toEqual({ kind: "doubtful", reason: "no answer after 1 s" });
    }
    await until("both to be gone", () => !isThere(pidIn(own)) && !isThere(pidIn(child)));
  });

  test("one that writes without an end is ended, and leaves it open", async () => {
    const answer = await ask("yes");
    expect(answer).toEqual({ kind: "doubtful", reason: "it wrote more than 65536 bytes" });
  });

  test("what it leaves running does not hold up its answer, and goes on", async () => {
    const file = join(folder, "machine");
    const text = `sleep 60 & echo $! > ${file}; echo '{"accepted":true}'`;
    try {
      expect(await ask(text)).toEqual({ kind: "accepted" });
      expect(isThere(pidIn(file))).toBe(true);
    } finally {
      process.kill(pidIn(file), "SIGKILL");
    }
  });

  test("is ended when its plane leads no more", async () => {
    const file = join(folder, "led");
    const lead = new AbortController();
    const asked = ask(`echo $$ > ${file}; sleep 600`, { signal: lead.signal });
    await until("it to run", () => existsSync(file) && readFileSync(file, "utf8") !== "");
    lead.abort();
    expect(await asked).toMatchObject({ kind: "doubtful" });
    await until("it to be gone", () => !isThere(pidIn(file)));
  });

  test("is gone with its plane, also when that is killed", async () => {
    const file = join(folder, "killed");
    const url = pathToFileURL(join(import.meta.dirname, "exec-provisioner.ts")).href;
    const plane = join(folder, "plane.mjs");
    writeFileSync(
      plane,
      `import { ExecProvisioner } from ${JSON.stringify(url)};
       const command = ${JSON.stringify(aProgram(`echo $$ > ${file}; sleep 600`))};
       await new ExecProvisioner({ command, timeoutMs: 60000 }).ask({}, new AbortController().signal);`,
    );
    // Types are taken out on the way, as for the benchmarks' scripts.
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const child = spawn(process.execPath, ["--import", tsx, plane], { stdio: "ignore" });
    const gone = once(child, "exit");
    try {
      await until("it to run", () => existsSync(file) && readFileSync(file, "utf8") !== "");
    } finally {
      child.kill("SIGKILL");
      await gone;
    }
    const pid = pidIn(file);
    await until("it to be gone", () => !isThere(pid));
    expect(isThere(pid)).toBe(false);
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { aProvisionRequest } from "../../../test/builders/a-provision-request.ts";
import { LocalProvisioner } from "./local-provisioner.ts";
import { isThere, until } from "../../../test/builders/until-there.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-local-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * In place of berth: leaves a line with its process and its arguments for every start, and does
 * nothing.
 */
const fake = join(folder, "berth");
const starts = join(folder, "starts");
writeFileSync(fake, `#!/bin/sh\necho "$$ $*" >> ${starts}\nexec sleep 60\n`, { mode: 0o755 });

let notes: string[] = [];
let local: LocalProvisioner;
beforeEach(() => {
  rmSync(starts, { force: true });
  notes = [];
  local = aLocal();
});
afterEach(() => local.close());

const onNote = (sentence: string): void => void notes.push(sentence);

function aLocal(): LocalProvisioner {
  return new LocalProvisioner({ folder: join(folder, "agents"), berth: [fake], onNote });
}

const started = (): readonly string[] =>
  existsSync(starts) ? readFileSync(starts, "utf8").trim().split("\n") : [];
const pidOf = (at: number): number => Number(started()[at]?.split(" ")[0]);
const removal = aProvisionRequest({ action: "delete" });
const own = join(folder, "agents", "burst-1");

describe("agents beside the plane", () => {
  test("are started as the node is to be, with their token in a file that others cannot read", async () => {
    const joinToken = "0123456789abcdef";
    const request = aProvisionRequest({ joinToken });
    const devices = [{ class: "gpu", model: "", ids: ["gpu-0", "gpu-1"] }];
    const gpus = { ...request, node: { ...request.node, devices } };
    expect(await local.ask(gpus)).toEqual({ kind: "accepted" });
    await until("it to start", () => started().length === 1);
    const [, ...words] = started()[0]!.split(" ");
    const at = (name: string): string | undefined => words[words.indexOf(name) + 1];
    expect(words[0]).toBe("agent");
    expect(at("--name")).toBe("burst-1");
    expect(at("--cpu")).toBe("2000m");
    expect(at("--memory")).toBe("1024Mi");
    expect([at("--device-class"), at("--device-ids")]).toEqual(["gpu", "gpu-0,gpu-1"]);
    expect(at("--data")).toBe(own);
    expect(words.join(" ")).not.toContain(joinToken);
    expect(readFileSync(at("--token-file")!, "utf8").trim()).toBe(joinToken);
    expect(statSync(at("--token-file")!).mode & 0o077).toBe(0);
  });

  test("are one for each node, however often it is asked for", async () => {
    await local.ask(aProvisionRequest());
    await local.ask(aProvisionRequest());
    local.goOn([aProvisionRequest()]);
    await until("it to start", () => started().length > 0);
    const other = aProvisionRequest();
    const answer = await local.ask({ ...other, node: { ...other.node, uid: "u8" } });
    expect(answer).toMatchObject({ kind: "refused" });
    expect(started()).toHaveLength(1);
  });

  test("are started again when they end by themselves, until they are taken away with all they had", async () => {
    await local.ask(aProvisionRequest());
    await until("it to start", () => started().length === 1);
    process.kill(pidOf(0), "SIGKILL");
    await until("it to start again", () => started().length === 2);
    expect(notes).toEqual(["The agent of burst-1 exited; restarting it."]);
    expect(await local.ask(removal)).toEqual({ kind: "accepted" });
    expect(isThere(pidOf(1))).toBe(false);
    expect(existsSync(own)).toBe(false);
    // Also when nobody knows of it any more.
    expect(await local.ask(removal)).toEqual({ kind: "accepted" });
  });

  test("pass to the next leader, and end with the plane", async () => {
    await local.ask(aProvisionRequest());
    await until("it to start", () => started().length === 1);
    local.letGo();
    await until("it to be gone", () => !isThere(pidOf(0)));
    expect(existsSync(own)).toBe(true);
    const next = aLocal();
    next.goOn([aProvisionRequest()]);
    await until("it to go on", () => started().length === 2);
    await next.close();
    expect(isThere(pidOf(1))).toBe(false);
    expect(started()).toHaveLength(2);
  });
});

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockFolder } from "../../src/shell/folder-lock.ts";
import { NodeMemory } from "../../src/agent/node-memory.ts";
import { removeFolder } from "../builders/remove-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-memory-"));
});
afterEach(() => removeFolder(folder));

const memory = (bootId = "boot-1", node = "a-1") => new NodeMemory({ folder, node, bootId });

describe("a node's memory", () => {
  test("begins with the first session, and is durable before the agent speaks in it", () => {
    expect(memory()).toMatchObject({ session: 1, epoch: 0, isNewBoot: true });
    expect(memory()).toMatchObject({ session: 1, epoch: 0, isNewBoot: false });
  });

  test("keeps session and epoch across agents [AG3]", () => {
    memory().remember(4, 9);
    expect(JSON.parse(readFileSync(join(folder, "node.json"), "utf8"))).toMatchObject({
      session: 4,
      epoch: 9,
    });
    expect(memory()).toMatchObject({ session: 4, epoch: 9, isNewBoot: false });
  });

  test("begins a new session with every boot, and keeps the epoch [AG3]", () => {
    memory().remember(4, 9);
    expect(memory("boot-2")).toMatchObject({ session: 5, epoch: 9, isNewBoot: true });
    expect(memory("boot-2")).toMatchObject({ session: 5, isNewBoot: false });
  });

  test("of another node is refused, and a damaged one too: neither is guessed", () => {
    memory();
    expect(() => memory("boot-1", "b-1")).toThrow(/belongs to the node a-1/);
    writeFileSync(join(folder, "node.json"), '{"node":"a-1"}');
    expect(() => memory()).toThrow(/damaged/);
  });

  test("is one agent's at a time", async () => {
    const lock = await lockFolder(folder, "agent");
    await expect(lockFolder(folder, "agent")).rejects.toThrow(/Another agent/);
    await new Promise((resolve) => lock.close(resolve));
    (await lockFolder(folder, "agent")).close();
  });
});

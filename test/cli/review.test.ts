import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main, type Terminal } from "../../src/cli/main.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import { fleetText } from "../../src/fleet/fleet-file.ts";
import { aNode } from "../builders/a-node.ts";
import { aReplica } from "../builders/a-replica.ts";
import { aWorkload } from "../builders/a-workload.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-review-"));
afterAll(() => removeFolder(folder));

function aFleetFile(name: string, objects: readonly AnyObject[]): string {
  const file = join(folder, name);
  writeFileSync(file, fleetText({ source: "three nodes", objects }));
  return file;
}

async function review(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const write = (part: string): void => void (text += part);
  const terminal: Terminal = { out: write, err: write, exitCode: 0 };
  const code = await main(["review", ...args], terminal);
  return { code, text };
}

const on = (node: string, index: number) =>
  aReplica({ node, index, stage: "serving", cpuMillis: 600, memoryMiB: 10 });

const three = (cpuMillis: number): readonly AnyObject[] => [
  aNode({ name: "a-1", zone: "a", cpuMillis }),
  aNode({ name: "b-1", zone: "b", cpuMillis }),
  aNode({ name: "c-1", zone: "c", cpuMillis }),
  aWorkload({ replicas: 3, cpuMillis: 600, memoryMiB: 10 }),
  on("a-1", 0),
  on("b-1", 1),
  on("c-1", 2),
];

test("a fleet that holds says so, with its headroom and what binds first", async () => {
  const file = aFleetFile("wide.jsonl", three(2_000));
  const { code, text } = await review("--fleet", file, "--lose", "zone");
  expect(code).toBe(0);
  expect(text).toContain("Losses of zone: proved for all 3 zones.");
  expect(text).toContain("Holds: after any such loss of zone");
  expect(text).toContain("Headroom: room for 3 more payments/api after the loss of a.");
});

test("any two zones at once are searched, and the smallest change is found", async () => {
  const file = aFleetFile("narrow.jsonl", three(1_500));
  expect((await review("--fleet", file, "--lose", "zone")).code).toBe(0);
  const any = ["--fleet", file, "--lose", "zone", "--any", "2"];
  const { code, text } = await review(...any, "--fix");
  expect(code).toBe(1);
  expect(text).toContain("proved for all 3 sets of 2 zones");
  expect(text).toMatch(/Smallest change found: add \d nodes? like/);
  const { text: json } = await review(...any, "-o", "json");
  expect(JSON.parse(json)).toMatchObject({ argument: { broken: 3, isProved: true } });
});

test("a number of places that the fleet does not have is a mistake of the caller", async () => {
  const file = aFleetFile("few.jsonl", three(2_000));
  const { code, text } = await review("--fleet", file, "--lose", "zone", "--any", "4");
  expect(code).toBe(2);
  expect(text).toContain("--any is 4, and the fleet has 3 of zone: say a number from 1 to that.");
});

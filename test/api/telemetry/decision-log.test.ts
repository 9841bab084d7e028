import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createControllers } from "../../../src/host/controllers.ts";
import { Plane } from "../../../src/host/plane.ts";
import { MemoryLog } from "../../../src/host/store/memory-log.ts";
import { type DecisionLine, DecisionLines } from "../../../src/host/telemetry/decision-lines.ts";
import { LineFile } from "../../../src/host/telemetry/line-file.ts";
import { PlaneUser, until } from "../../host/a-running-plane.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-decisions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a decision is told in one line with what it was made under and what became of it", async () => {
  const plane = await Plane.open({
    store: new MemoryLog(),
    createControllers: () => createControllers({ schedulers: 1 }),
  });
  const lines: DecisionLine[] = [];
  const telling = new DecisionLines({ plane, write: (line) => lines.push(line) });
  try {
    const user = new PlaneUser(plane);
    await user.furnish();
    await user.lease("n1", 1);
    await user.putDesired(1);
    await user.bound(0);
    const placed = await until("the line of the bind", () =>
      lines.find(({ command }) => command === "bind" || command === "bind-all"),
    );
    const commit = (plane.since(0) ?? []).find(({ operation }) => operation === placed.operation);
    expect(placed).toMatchObject({
      controller: expect.stringMatching(/^place/),
      tenant: "shop",
      workload: "api",
      generation: 1,
      policy: "default",
      policyRevision: 0,
      quota: "within-limit",
      basisRevision: commit?.basis,
      epoch: 1,
      outcome: "committed",
      revision: commit?.revision,
      because: expect.stringMatching(/./),
    });
    await user.putDesired(100);
    const waiting = await until("a line of a wait", () =>
      lines.find(({ outcome, workload }) => outcome === "wait" && workload === "api"),
    );
    expect(waiting).toMatchObject({ tenant: "shop", reason: expect.stringMatching(/./) });
    expect(lines.filter(({ outcome }) => outcome === "unanswered")).toEqual([]);
  } finally {
    telling.close();
    await plane.close();
  }
});

it("the file of decisions is turned over when it is full, and only a few are kept", async () => {
  const path = join(folder, "decisions");
  const counts = { written: 0, dropped: 0 };
  const file = new LineFile({ path, counts, bytes: 200, onTrouble: () => {} });
  for (let at = 0; at < 40; at += 1) {
    file.write({ at, text: "some words that fill the line up" });
    await file.close();
  }
  expect(counts).toEqual({ written: 40, dropped: 0 });
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(["decisions", ...[1, 2, 3, 4, 5].map((at) => `decisions.${at}`)]);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(200);
  const last = readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ at: 39 });
});

it("lines that a disk does not take are counted, and said once", async () => {
  const counts = { written: 0, dropped: 0 };
  const troubles: string[] = [];
  const path = join(folder, "no-such-folder", "decisions");
  const file = new LineFile({ path, counts, onTrouble: (sentence) => troubles.push(sentence) });
  for (let at = 0; at < 9_000; at += 1) file.write({ at });
  await file.close();
  file.write({ at: "last" });
  await file.close();
  expect(counts).toEqual({ written: 0, dropped: 9_001 });
  expect(troubles).toHaveLength(1);
});

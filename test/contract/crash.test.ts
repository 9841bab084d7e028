/**
 * Kills a writing plane at random moments, again and again, and looks at what it left. The moments come from
 * a fixed seed; how much an incarnation gets done depends on the machine, and nothing here depends on that.
 */
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATION_LIMITS } from "../../src/core/commit/operation-limits.ts";
import { operationId } from "../../src/core/model/ids.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { KeyedRandom } from "../../src/sim/faults/keyed-random.ts";
import { ledgerOf } from "./a-history.ts";
import { buildWriter } from "./build-writer.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Several logs at a time, because most of an incarnation is waiting. */
const LANES = 4;
const INCARNATIONS = 27;

const random = new KeyedRandom(20_260_701, "crash");
const folder = mkdtempSync(join(tmpdir(), "berth-crash-"));
let program = "";

beforeAll(async () => {
  program = await buildWriter("crash-writer");
});
afterAll(() => removeFolder(folder));

/** From when on the moment of the kill counts: a machine may be too slow to write anything soon after its first word. */
type Since = "birth" | "first word" | "first write";
const sinceOf = (incarnation: number): Since =>
  incarnation % 6 === 5 ? "birth" : incarnation % 3 === 0 ? "first write" : "first word";

/** Everything an incarnation said before it was killed; a line cut short was never said. */
async function live(file: string, of: { killAfterMs: number; since: Since }): Promise<string[]> {
  const child = spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "close");
  let said = "";
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const isHeard = { birth: /^/, "first word": /\n/, "first write": /^\d+\/\d+ \d+\n/m }[of.since];
  const heard = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (isHeard.test(said)) resolve();
    });
  });
  if (of.since !== "birth") await Promise.race([heard, exited]);
  await sleep(of.killAfterMs);
  child.kill("SIGKILL");
  const [, signal] = (await exited) as [number | null, string | null];
  // A writer that ended by itself met something it should not have met.
  assert.deepEqual({ signal, complaint }, { signal: "SIGKILL", complaint: "" });
  return said.split("\n").slice(0, -1);
}

class Lane {
  readonly acknowledged = new Map<string, number>();
  private readonly file: string;
  private epoch = 0;
  private checks = 0;

  constructor(lane: number) {
    this.file = join(folder, `log-${lane}`);
  }

  hear(lines: readonly string[]): void {
    for (const line of lines) {
      const [what, number] = line.split(" ") as [string, string];
      if (what === "leading") this.newEpoch(Number(number));
      else {
        assert.ok(!this.acknowledged.has(what), `${what} was acknowledged twice.`);
        this.acknowledged.set(what, Number(number));
      }
    }
  }

  async live(incarnation: number, killAfterMs: number): Promise<void> {
    this.hear(await live(this.file, { killAfterMs, since: sinceOf(incarnation) }));
    await this.check();
  }

  /** Looks at a copy, so that every incarnation meets what the crash before it left: nothing is tidied up between. */
  private async check(): Promise<void> {
    // A new name each time: a copy that was closed lingers until it is collected.
    const copy = `${this.file}-copy-${(this.checks += 1)}`;
    if (!existsSync(this.file)) return;
    for (const suffix of ["", "-wal"]) {
      if (existsSync(this.file + suffix)) copyFileSync(this.file + suffix, copy + suffix);
    }
    const log = await SqliteLog.open(copy, { thread: false });
    const claimed = await log.claim();
    assert.ok(claimed.epoch > this.epoch, "An epoch was forgotten.");
    const ledger = ledgerOf(claimed);
    for (const [operation, revision] of this.acknowledged) {
      if (revision <= ledger.revision - OPERATION_LIMITS.callerOperationsAfterCut.value) continue;
      const known = ledger.operations.ofAnybody(operationId(operation));
      assert.equal(known?.revision, revision, `${operation} was acknowledged and is not there.`);
    }
    await log.close();
    for (const suffix of ["", "-wal", "-shm", "-lock"]) rmSync(copy + suffix, { force: true });
  }

  private newEpoch(epoch: number): void {
    assert.ok(epoch > this.epoch, `Epoch ${epoch} came after ${this.epoch}.`);
    this.epoch = epoch;
  }
}

test("[LG2] a plane that is killed over a hundred times loses nothing it acknowledged", async () => {
  const lanes = Array.from({ length: LANES }, (_, at) => new Lane(at));
  await Promise.all(
    lanes.map(async (lane, at) => {
      for (let incarnation = 0; incarnation < INCARNATIONS; incarnation += 1) {
        await lane.live(
          incarnation,
          random.between("kill", at * INCARNATIONS + incarnation, 30, 150),
        );
      }
    }),
  );
  expect(LANES * INCARNATIONS).toBeGreaterThan(100);
  for (const { acknowledged } of lanes) expect(acknowledged.size).toBeGreaterThan(0);
}, 900_000);

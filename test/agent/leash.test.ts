import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { anOrder, DriverBench, eventually, isAlive, sh } from "./a-driver.ts";
import { killedAgent } from "./killed-agent.ts";

let bench: DriverBench;
afterEach(() => bench.end());

const leashed = anOrder({ slot: 0, leashed: true });
const kept = anOrder({ slot: 1, leashed: false });

/** The numbers of the processes that lead each group, by the replica's name. */
function leaders(folder: string): ReadonlyMap<string, number> {
  const shelf = join(folder, "processes");
  return new Map(
    readdirSync(shelf).map((name) => {
      const said = readFileSync(join(shelf, name, "running"), "utf8");
      return [name.split("+")[1]!, Number(said.split(" ")[0])];
    }),
  );
}

describe("the leash", () => {
  test("kills leashed processes when the agent is dead, and no others [AG2]", async () => {
    const start = [leashed, kept];
    const folder = await killedAgent({ leashMs: 1_500, start });
    const pids = leaders(folder);
    bench = new DriverBench({ folder });
    bench.driver.close();
    await eventually("the leash to end", () => !isAlive(pids.get("api.1.0")!));
    expect(isAlive(pids.get("api.1.1")!)).toBe(true);
    expect(bench.again().map(({ replica }) => replica)).toEqual(
      expect.arrayContaining([leashed.replica, kept.replica]),
    );
    // Told at once: an end by the leash needs no lease to be understood.
    expect(await bench.heard("exited", leashed)).toMatchObject({ code: 137 });
  });

  test("kills the whole group, also what does not listen to SIGTERM [AG2]", async () => {
    const script = 'trap "" TERM; sleep 600 & echo $! > child; while :; do sleep 600; done';
    const folder = await killedAgent({
      leashMs: 1_500,
      start: [anOrder({ command: sh(script) })],
    });
    bench = new DriverBench({ folder });
    bench.driver.close();
    const [name] = readdirSync(join(folder, "processes"));
    const said = join(folder, "processes", name!, "work", "child");
    const child = await eventually(
      "the child",
      () => existsSync(said) && Number(readFileSync(said, "utf8")),
    );
    await eventually("the child to go", () => !isAlive(child));
    expect(isAlive(leaders(folder).get("api.1.0")!)).toBe(false);
  });

  test("that is moved in time keeps the process [AG2]", async () => {
    bench = new DriverBench().begun();
    await bench.run(leashed);
    const firstMs = bench.clock.nowMs() + 1_500;
    bench.driver.leash(firstMs);
    bench.driver.leash(firstMs + 600_000);
    bench.driver.close();
    await eventually("the first leash to be over", () => bench.clock.nowMs() > firstMs + 2_000);
    expect(isAlive(leaders(bench.folder).get("api.1.0")!)).toBe(true);
  });

  test("that cannot be read is over [AG2]", async () => {
    const folder = await killedAgent({ leashMs: 600_000, start: [leashed, kept] });
    bench = new DriverBench({ folder });
    bench.driver.close();
    const pids = leaders(folder);
    writeFileSync(join(folder, "leash"), "garbage\n");
    await eventually("the leashed process to go", () => !isAlive(pids.get("api.1.0")!));
    expect(isAlive(pids.get("api.1.1")!)).toBe(true);
  });

  test("kills while the agent lives, too, and says why [AG2]", async () => {
    bench = new DriverBench().begun();
    await bench.run(leashed);
    await bench.run(kept);
    bench.driver.leash(bench.clock.nowMs() + 1);
    expect(await bench.heard("exited", leashed)).toMatchObject({ code: 137 });
    expect(
      bench.events.some(({ kind, replica }) => kind === "exited" && replica === kept.replica),
    ).toBe(false);
  });
});

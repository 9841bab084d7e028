/** `berth bench twin`, tiny: that it measures what it promises, not how fast it is. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { BuiltBerth } from "./a-built-berth.ts";

const berth = new BuiltBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const TINY = ["--nodes", "15", "--replicas", "60", "--minutes", "2"];
const aNumber = expect.any(Number) as unknown;

it("berth bench twin tells what the simulated loss of a zone costs", async () => {
  const { code, out, err } = await berth.run("bench", "twin", ...TINY, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({
    benchmark: "twin",
    seconds: aNumber,
    cpuSeconds: aNumber,
    events: aNumber,
    peakRssMiB: aNumber,
    lost: 1,
    recovered: 1,
    slowestMs: aNumber,
    violations: [],
    options: { nodes: 15, replicas: 60, minutes: 2 },
  });
});

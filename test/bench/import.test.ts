/** `berth bench twin`, tiny: that it measures what it promises, not how fast it is. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { BuiltBerth } from "./a-built-berth.ts";

const berth = new BuiltBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const aNumber = expect.any(Number) as unknown;

it("berth bench import tells what the import of a made cluster costs", async () => {
  const { code, out, err } = await berth.run("bench", "import", "--pods", "110", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({
    benchmark: "import",
    nodes: 3,
    pods: 110,
    seconds: aNumber,
    cpuSeconds: aNumber,
    peakRssMiB: aNumber,
    differing: 0,
    options: { pods: 110, podsPerNode: 40 },
  });
});

/** `berth bench explain`, tiny: that it asks what it promises. How fast it is, is nobody's business here. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { BuiltBerth } from "./a-built-berth.ts";

const berth = new BuiltBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const TINY = ["--nodes", "5", "--replicas", "50", "--questions", "3"];
const aNumber = expect.any(Number) as unknown;

it("berth bench explain tells how long each kind of explanation took", async () => {
  const { code, out, err } = await berth.run("bench", "explain", ...TINY, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const figure = { p50Ms: aNumber, p99Ms: aNumber, maxMs: aNumber, questions: 3 };
  expect(JSON.parse(out)).toMatchObject({
    benchmark: "explain",
    replica: figure,
    node: figure,
    workload: figure,
    pending: figure,
    "why not": figure,
    "what if": figure,
    options: { nodes: 5, replicas: 50, questions: 3 },
  });
});

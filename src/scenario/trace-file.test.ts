import { describe, expect, it } from "vitest";
import { UserError } from "../shell/errors.ts";
import type { RunOptions, RunResult } from "../sim/report/run-result.ts";
import { standardWorld } from "../sim/world/standard-world.ts";
import { formatTrace, formatTraceLine, parseTrace } from "./trace-file.ts";

const options: RunOptions = {
  world: standardWorld(),
  seed: 3,
  faults: { explicit: [{ fault: "second-leader", atMs: 5 }], rates: { crash: 2 } },
};
const result: RunResult = {
  seed: 3,
  events: 2,
  hash: "ab",
  violation: undefined,
  fired: [],
  trace: [
    { turn: 1, atMs: 0, component: "admit", text: "started" },
    { turn: 2, atMs: 5, component: "plane-2", text: "claimed" },
  ],
  endedMs: 5,
};

describe("trace files", () => {
  it("hold the whole input of the run and every line of its trace", () => {
    const trace = parseTrace(formatTrace(options, result), "t.jsonl");
    expect(trace?.header).toMatchObject({ scenario: options, hash: "ab", events: 2 });
    expect(trace?.lines).toEqual(result.trace.map(formatTraceLine));
  });

  it("are told from scenarios by how they begin", () => {
    expect(parseTrace("scenario: x\nworld: standard\n", "s.yaml")).toBeUndefined();
  });

  it.each([
    { title: "a header of another form", text: '{"berthTrace":9}\n', line: 1 },
    { title: "a line cut short", text: `${formatTrace(options, result)}{"turn":3,"te`, line: 4 },
    {
      title: "a line of something else",
      text: `${formatTrace(options, result)}{"x":1}\n`,
      line: 4,
    },
  ])("point at $title", ({ text, line }) => {
    let mistake: unknown;
    try {
      parseTrace(text, "t.jsonl");
    } catch (error) {
      mistake = error;
    }
    expect(mistake).toBeInstanceOf(UserError);
    expect((mistake as UserError).place).toEqual({ file: "t.jsonl", line, column: 1 });
  });
});

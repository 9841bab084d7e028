import { describe, expect, it } from "vitest";
import { UserError } from "../shell/errors.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

const world = (quota: string, timeline = "[]"): string => `
name: shares
regions: [{ name: eu, zones: [a] }]
priorityClasses:
  - { name: low, value: -5, preempts: never, band: base, preemptible: false }
  - { name: high, value: 100 }
nodes: [{ name: n1, region: eu, zone: a, capacity: { cpu: 8, memory: 8Gi } }]
tenants:
  - { name: shop, quota: ${quota} }
timeline: ${timeline}
`;

const FULL =
  "{ cpu: 4, memory: 2Gi, group: retail, borrow: { cpu: 500m, memory: 1Gi, devices: 500m }, regions: { eu: { cpu: 3, memory: 1Gi } }, classes: { low: { cpu: 1, memory: 1Gi } }, weight: 3, shrink: drain }";

const mistake = (text: string): string => {
  try {
    parseWorld(text, "w.yaml");
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return "";
};

describe("a quota in a world file", () => {
  it("says with whom it is shared and what bounds its parts [QT5] [QT6] [QT7]", () => {
    const { tenants } = parseWorld(world(FULL), "w.yaml");
    expect(tenants).toEqual([
      {
        name: "shop",
        quota: { cpuMillis: 4_000, memoryMiB: 2_048, deviceMillis: 0 },
        sharing: {
          group: "retail",
          borrow: { cpuMillis: 500, memoryMiB: 1_024, deviceMillis: 500 },
          regions: { eu: { cpuMillis: 3_000, memoryMiB: 1_024, deviceMillis: 0 } },
          classes: { low: { cpuMillis: 1_000, memoryMiB: 1_024, deviceMillis: 0 } },
          weight: 3,
          shrink: "drain",
        },
      },
    ]);
  });

  it("is a limit and nothing else when nothing else is said", () => {
    const { tenants } = parseWorld(world("{ cpu: 4, memory: 2Gi }"), "w.yaml");
    expect(tenants[0]).not.toHaveProperty("sharing");
  });

  it("is written as it is read, in the timeline, too", () => {
    const timeline = `[{ at: 5s, set-quota: { tenant: shop, cpu: 1, memory: 1Gi, shrink: wait } }]`;
    const read = parseWorld(world(FULL, timeline), "w.yaml");
    expect(read.timeline[0]?.action).toMatchObject({ sharing: { shrink: "wait" } });
    expect(parseWorld(formatWorld(read), "again.yaml")).toEqual(read);
  });

  it.each([
    ["{ cpu: 4, memory: 2Gi, regions: { us: { cpu: 1, memory: 1Gi } } }", /unknown region "us"/],
    [
      "{ cpu: 4, memory: 2Gi, shrink: soon }",
      /quota\.shrink: found "soon", expected one of wait, drain/,
    ],
    [
      "{ cpu: 4, memory: 2Gi, weight: 0 }",
      /quota\.weight: found 0, expected a whole number of at least 1/,
    ],
    [
      "{ cpu: 4, memory: 2Gi, weight: 1000001 }",
      /quota\.weight: found 1000001, expected a whole number of at most 1000000/,
    ],
    [
      "{ cpu: 4, memory: 2Gi, borrow: { cpu: 1, memory: 1Gi } }",
      /quota\.borrow: found without spec\.group; name the group to borrow from/,
    ],
    ["{ cpu: 4, memory: 2Gi, borow: {} }", /unknown field "borow".*Did you mean "borrow"/],
    ["{ cpu: 4, memory: 2Gi, classes: { low: { cpu: 1 } } }", /"memory" is missing/],
  ])("points at what is wrong with %s", (quota, expected) => {
    expect(mistake(world(quota))).toMatch(expected);
  });
});

it("a priority class says its value and whom it gives way to", () => {
  expect(parseWorld(world(FULL), "w.yaml").priorityClasses).toEqual([
    { name: "low", spec: { value: -5, preempts: "never", band: "base", preemptible: false } },
    { name: "high", spec: { value: 100 } },
  ]);
});

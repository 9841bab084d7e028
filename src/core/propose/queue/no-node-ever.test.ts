import { describe, expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../../test/builders/a-node.ts";
import { aTemplate, type TemplateParts } from "../../../../test/builders/a-template.ts";
import { aView } from "../../../../test/builders/a-view.ts";
import { NoNodeEver } from "./no-node-ever.ts";

const interest = { kinds: new Set(["Node"] as const), node: undefined };

function why(of: TemplateParts, ...nodes: readonly NodeParts[]): string | undefined {
  const named = nodes.map((node, at) => aNode({ name: `a-${at + 1}`, ...node }));
  return new NoNodeEver().why(aTemplate(of).ask, aView({ interest }, named));
}

const SIZE = "no matching node is large enough, even when empty: waiting will not help";
const DEVICES = "no large enough node has the devices it requests: waiting will not help";
const PLACE = "no node matches its constraints: waiting will not help";

describe("that waiting will not help is said of what", () => {
  test.each([
    {
      title: "no node is large enough for [QU4]",
      ask: { cpuMillis: 1_001 },
      nodes: [{}],
      is: SIZE,
    },
    { title: "no node has a device for [QU4]", ask: { devices: 1 }, nodes: [{}], is: DEVICES },
    {
      title: "no node has enough devices of one class for, though it has as many of others [QU4]",
      ask: { devices: 2 },
      nodes: [{ deviceIds: ["g0"] }, { deviceIds: ["f0", "f1"], deviceClass: "fpga" }],
      is: DEVICES,
    },
    {
      title: "may run on small nodes only, whatever others there are [QU4]",
      ask: { cpuMillis: 2_000, zones: ["eu-a"] },
      nodes: [{}, { zone: "eu-b", cpuMillis: 9_000 }],
      is: SIZE,
    },
    { title: "may run nowhere [QU4]", ask: { regions: ["us"] }, nodes: [{}, {}], is: PLACE },
    { title: "no cap of replicas lets in [QU4]", ask: {}, nodes: [{ maxReplicas: 0 }], is: SIZE },
  ] satisfies readonly { title: string; ask: TemplateParts; nodes: NodeParts[]; is: string }[])(
    "$title",
    ({ ask, nodes, is }) => {
      expect(why(ask, ...nodes)).toBe(is);
    },
  );

  test("no node could take, and not where a node may come back or is only provisioning [QU4]", () => {
    const cordons = [{ holder: "ana", reason: "", sinceMs: 0 }];
    for (const held of [{ health: "fenced" }, { cordons }, { supply: "soft" }] as const) {
      expect(why({ cpuMillis: 1_000 }, { cpuMillis: 1 }, held)).toBeUndefined();
    }
    expect(why({})).toBe("there is no node yet");
  });
});

describe("the answer", () => {
  test("is kept until a node changes, and is asked of all when the taker is gone [QU4]", () => {
    const small = aNode({ name: "a-1", cpuMillis: 500 });
    const view = aView({ interest }, [small]);
    const never = new NoNodeEver();
    const { ask } = aTemplate({ cpuMillis: 800 });
    const move = (before: typeof small | undefined, after: typeof small | undefined): void => {
      view.objects.fold({ key: (after ?? before)!.key, before, after });
      never.nodeMoved();
    };
    expect(never.why(ask, view)).toBe(SIZE);
    const large = aNode({ name: "a-2", cpuMillis: 900 });
    move(undefined, large);
    expect(never.why(ask, view)).toBeUndefined();
    const grown = aNode({ name: "a-1", cpuMillis: 800 });
    move(small, grown);
    expect(never.why(ask, view)).toBeUndefined();
    move(large, undefined);
    expect(never.why(ask, view)).toBeUndefined();
    move(grown, small);
    expect(never.why(ask, view)).toBe(SIZE);
  });
});

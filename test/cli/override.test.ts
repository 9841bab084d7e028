import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { overrideKey } from "../../src/core/model/override.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start(createHostClock());
  await cli.furnish();
  await cli.speakFor("n1");
});
afterAll(() => cli.stop());

const create = (...words: string[]) => cli.berth("override", "create", ...words);
const AVOID = [
  "avoid-zone",
  "--zone",
  "eu-a",
  "--reason",
  "shaky power",
  "--ttl",
  "30m",
  "--as",
  "ana",
];
const NAME = "avoid-zone-eu-a";

describe("berth override", () => {
  it("says that none holds", async () => {
    expect(await cli.must("override", "list")).toBe("No active overrides.\n");
  });

  it("makes one in a person's name, and work waits for it by name [OV11]", async () => {
    const { out } = await create(...AVOID, "--postcondition", "web/api>=2");
    expect(out).toMatch(
      /^override\/avoid-zone-eu-a created by ana; it ends .+Z, or with `berth override release avoid-zone-eu-a`\n$/,
    );
    await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
    await cli.until("the scheduler to wait", () =>
      cli.plane
        .owed()
        .some(({ reason, controller }) => reason === "override" && controller === "place-1")
        ? true
        : undefined,
    );
    const listed = await cli.must("override", "list");
    expect(listed).toMatch(/^NAME +ACTION +TARGET +OWNER +UNTIL +BLOCKS +REASON\n/);
    expect(listed).toMatch(
      /avoid-zone-eu-a +avoid-zone +zone eu-a +ana +\S+Z +\S+\/api +shaky power/,
    );
    const table = await cli.must("get", "overrides");
    expect(table).toMatch(/avoid-zone-eu-a +avoid-zone +zone eu-a +ana/);
    const described = await cli.must("describe", "override", NAME);
    expect(described).toMatch(/PostconditionHolds/);
    const [replica] = [...cli.plane.objects.all("Replica").values()];
    const told = await cli.must(
      "explain",
      "--what-if",
      `replica/${replica!.meta.name}`,
      "-n",
      replica!.meta.namespace,
    );
    expect(told).toMatch(/release override avoid-zone-eu-a \(owner ana\), or wait until /);
  });

  it("lets only its owner extend or release it [OV2]", async () => {
    const extended = await cli.berth("override", "extend", NAME, "--ttl", "1h", "--as", "bob");
    expect(extended.err).toMatch(
      /Another user owns the override; only its owner can extend or release it/,
    );
    const released = await cli.berth("override", "release", NAME, "--as", "bob");
    expect(released.code).toBe(2);
    const before = cli.plane.objects.get(overrideKey(NAME));
    expect(await cli.must("override", "extend", NAME, "--ttl", "1h", "--as", "ana")).toMatch(
      /^override\/avoid-zone-eu-a now ends .+Z\n$/,
    );
    const after = cli.plane.objects.get(overrideKey(NAME));
    expect(after).toMatchObject({ status: { owner: "ana", extensions: 1 } });
    expect(before).toMatchObject({ status: { extensions: 0 } });
  });

  it("goes with its owner's word, and work goes on [OV12]", async () => {
    const said = await cli.must("override", "release", NAME, "--as", "ana");
    expect(said).toMatch(
      /^override\/avoid-zone-eu-a released; blocked work resumes within seconds\n/,
    );
    expect(said).toMatch(
      /its postcondition does not hold: 0 of web\/api serve; 2 should when it ends\./,
    );
    const events = await cli.must("get", "events");
    expect(events).toMatch(/OverrideReleased/);
    const isBound = (): boolean =>
      [...cli.plane.objects.all("Replica").values()].some(
        ({ status }) => status.node !== undefined,
      );
    await cli.until("a bind", () => isBound() || undefined);
  });
});

describe("a partitioned region", () => {
  const REGION =
    "apiVersion: berth.dev/v1\nkind: Region\nmetadata: { name: eu }\nspec: { zones: [eu-a] }\n";

  it("is marked by an override, and what must stay there waits and says so [DG3]", async () => {
    await cli.must("apply", "-f", cli.write("eu.yaml", REGION));
    const made = await create(
      "mark-partitioned",
      "--region",
      "eu",
      "--reason",
      "outage",
      "--ttl",
      "1h",
    );
    expect(made.out).toMatch(/^override\/mark-partitioned-eu created by /);
    expect(await cli.must("get", "regions")).toMatch(/eu +eu-a +1 +mark-partitioned-eu until \S+Z/);
    expect(await cli.must("describe", "region", "eu")).toMatch(/Partitioned.*Marked/s);
    const there = workloadText("ledger", "  placement: { regions: [eu] }\n");
    await cli.must("apply", "-f", cli.write("ledger.yaml", there));
    await cli.until("the scheduler to wait", () =>
      cli.plane.owed().some(({ reason }) => reason === "region-partitioned") ? true : undefined,
    );
    expect(await cli.must("override", "list")).toMatch(
      /mark-partitioned-eu +mark-partitioned +region eu .*shop\/ledger/,
    );
    const told = await cli.must("explain", "replica/ledger.1.0", "-n", "shop", "--what-if");
    expect(told).toMatch(
      /override mark-partitioned-eu \(mark-partitioned by .+\): residency, its placement names/,
    );
    expect(told).toMatch(/release override mark-partitioned-eu \(owner \S+\), or wait until /);
    await cli.must("override", "release", "mark-partitioned-eu");
  });
});

describe("mistakes", () => {
  const cases: readonly [words: readonly string[], text: RegExp][] = [
    [["pin", "--reason", "x", "--ttl", "1m"], /No target given/],
    [
      ["pin", "--workload", "api", "--reason", "x", "--ttl", "1m"],
      /--workload: found "api", expected tenant\/name/,
    ],
    [
      ["avoid-node", "--zone", "a", "--reason", "x", "--ttl", "1m"],
      /found zone; avoid-node needs node/,
    ],
    [["avoid-zone", "--zone", "a", "--reason", "x", "--ttl", "9d"], /spec.ttl: found "9d"/],
    [
      ["pause-repair", "--all", "--node", "a", "--reason", "x", "--ttl", "1m"],
      /--all and --node cannot be used together/,
    ],
    [
      ["raise-budget", "--workload", "a/b", "--reason", "x", "--ttl", "1m"],
      /spec.amount: found nothing/,
    ],
    [["avoid-zone", "--zone", "a", "--ttl", "1m"], /--reason/],
    [["explode", "--all", "--reason", "x", "--ttl", "1m"], /avoid-zone/],
    [
      ["pause-repair", "--all", "--reason", "x", "--ttl", "1m", "--postcondition", "soon"],
      /--postcondition: found "soon"/,
    ],
  ];
  it.each(cases)("%j is told what is wrong", async (words, text) => {
    const { code, err } = await create(...words);
    expect(err).toMatch(text);
    expect(code).toBe(2);
  });
});

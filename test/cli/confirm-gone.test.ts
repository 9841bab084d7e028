import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeKey } from "../../src/core/model/ids.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  const keep = workloadText(
    "api",
    "  onDisconnect: keep\n  replaceAfter: 10m\n  reconcile: best\n",
  );
  await cli.must("apply", "-f", cli.write("api.yaml", keep));
  await cli.report(2, "serving");
});
afterAll(() => cli.stop());

const replica = () => [...cli.plane.objects.all("Replica").values()][0]!;

describe("berth describe", () => {
  it("shows the latest evidence about a node: its lease, whose word it is and what it permits [EV8]", async () => {
    const shown = await cli.must("describe", "node", "n1");
    expect(shown).toMatch(/^EVIDENCE +OF +AGE +SOURCE +PERMITS +MESSAGE/m);
    expect(shown).toMatch(
      /^lease +node\/n1 +\S+ +agent:n1 +placing replicas +Renewal 1 of session 1\./m,
    );
  });

  it("shows that of a replica together with its node's [EV8]", async () => {
    const { name } = replica().meta;
    const shown = await cli.must("describe", "replica", name, "-n", "shop");
    expect(shown).toMatch(new RegExp(`^report +replica/${name} .* reported it serving`, "m"));
    expect(shown).toMatch(/^lease +node\/n1 /m);
    expect(shown).toMatch(/replaceAfter: 10m/);
  });
});

describe("berth describe, of a probe and of a stream", () => {
  it("shows what took a replica out of ready, and that its agent's stream broke [EV9]", async () => {
    const { name } = replica().meta;
    await cli.reportOne(replica(), "starting", { reason: "GET / is 503" });
    const gone = new AbortController();
    const path = `${cli.url}/stream/watch?node=n1&from=${cli.plane.revision}`;
    await (await fetch(path, { signal: gone.signal })).body?.getReader().read();
    const revision = cli.plane.revision;
    expect(await cli.must("describe", "node", "n1")).toMatch(/^stream +node\/n1 .* watch is open/m);
    gone.abort();
    await expect
      .poll(() => cli.must("describe", "replica", name, "-n", "shop"), { timeout: 120_000 })
      .toMatch(
        new RegExp(
          `^watch-gap +node/n1 +\\S+ +the plane +nothing.* broke at revision ${revision};`,
          "m",
        ),
      );
    const shown = await cli.must("describe", "replica", name, "-n", "shop");
    expect(shown).toMatch(
      new RegExp(
        `^probe +replica/${name} +\\S+ +agent:n1 +sending it no requests.*GET / is 503\\.`,
        "m",
      ),
    );
    expect(shown).toMatch(/Unready .*No longer ready on n1: GET \/ is 503\./);
    await cli.reportOne(replica(), "serving");
  });
});

describe("berth confirm-gone", () => {
  it.each([
    [["confirm-gone", "n1"], /--reason/],
    [["confirm-gone", "n1", "--reason", " "], /--reason: found an empty value/],
    [["confirm-gone", "n9", "--reason", "gone"], /not found/],
  ])("refuses %j", async (args, expected) => {
    const { code, err } = await cli.berth(...args);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });

  it("fences a node on a person's word, and everything on it is released, kept or not [EV1] [EV5]", async () => {
    const said = ["confirm-gone", "n1", "--name", "ana", "--reason", "scrapped"];
    expect(await cli.must(...said)).toMatch(/^node\/n1 declared dead by ana; /);
    expect(cli.plane.objects.node(nodeKey("n1"))!.status).toMatchObject({
      health: "fenced",
      evidence: { kind: "person", name: "ana", statement: "scrapped" },
    });
    const { name } = await cli.until("a release", () => {
      const isGone = replica().status.lastEnd?.startsWith("node-fenced") === true;
      return isGone ? replica().meta : undefined;
    });
    const shown = await cli.must("describe", "replica", name, "-n", "shop");
    expect(shown).toContain("node-fenced: n1 session 1, on the word of ana: scrapped");
    // The same word again changes nothing, and is no mistake.
    expect(await cli.must(...said)).toMatch(/^node\/n1 declared dead by/);
  });

  it("says why it is not heard when another has vouched before", async () => {
    const { code, err } = await cli.berth(
      "confirm-gone",
      "n1",
      "--name",
      "bob",
      "--reason",
      "me too",
    );
    expect(code).toBe(2);
    expect(err).toMatch(/node\/n1 cannot be declared dead: .*wrong-stage/);
  });
});

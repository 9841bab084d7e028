import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeKey, workloadKey } from "../../src/core/model/ids.ts";
import { loginName } from "../../src/shell/login-name.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
});
afterAll(() => cli.stop());

const tenant = (name: string): string =>
  `---\napiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: ${name} }\n`;

const cordons = () => cli.plane.objects.node(nodeKey("n1"))!.spec.cordons;

describe("berth scale", () => {
  it("sets the number of replicas and says what it was", async () => {
    expect(await cli.must("scale", "workload/api", "--replicas", "3")).toBe(
      "workload/shop/api scaled from 2 to 3\n",
    );
    expect(await cli.must("scale", "wl", "api", "--replicas", "3")).toBe(
      "workload/shop/api already has 3 replicas\n",
    );
    expect(cli.plane.objects.workload(workloadKey("shop", "api"))!.spec.replicas).toBe(3);
  });

  it("is recorded under the login name, as the commands that hold nodes are", async () => {
    await cli.must("scale", "workload/api", "--replicas", "2");
    await cli.must("scale", "workload/api", "--replicas", "3");
    expect(await cli.must("audit")).toMatch(new RegExp(`human ${loginName()} .*scaled .*shop/api`));
  });

  it.each([
    [["scale", "node/n1", "--replicas", "1"], /A node cannot be scaled/],
    [["scale", "wl/api", "--replicas", "-1"], /--replicas: found "-1"/],
    [["scale", "wl/api", "--replicas", "200000"], /request-refused|invalid/],
    [["scale", "wl/nothing", "--replicas", "1"], /not-found/],
  ])("refuses %j", async (args, expected) => {
    const { code, err } = await cli.berth(...args);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });
});

describe("berth cordon and uncordon", () => {
  it("let several hold a node, and each lift only their own", async () => {
    const cordoned = await cli.must("cordon", "n1", "--holder", "ann", "--reason", "disk swap");
    expect(cordoned).toBe("node/n1 cordoned by ann; undo with `berth uncordon n1 --holder ann`\n");
    await cli.must("cordon", "n1", "--holder", "bob");
    await cli.must("cordon", "n1", "--holder", "bob", "--reason", "again");
    expect(cordons()).toEqual([
      { holder: "ann", reason: "disk swap" },
      { holder: "bob", reason: "again" },
    ]);
    const other = await cli.berth("uncordon", "n1", "--holder", "eve");
    expect(other.code).toBe(2);
    expect(other.err).toMatch(
      /eve does not hold node\/n1: it is held by ann, bob\..* --holder NAME --force/,
    );
    expect(await cli.must("uncordon", "n1", "--holder", "ann")).toBe(
      "node/n1 is no longer held by ann, but still by bob\n",
    );
    expect(await cli.must("uncordon", "n1", "--holder", "bob")).toBe(
      "node/n1 is schedulable again\n",
    );
    expect(cordons()).toEqual([]);
  });

  it("do not lose a hold when two come at the same moment", async () => {
    const holders = ["a", "b", "c", "d"];
    await Promise.all(holders.map((holder) => cli.must("cordon", "n1", "--holder", holder)));
    expect(
      cordons()
        .map(({ holder }) => holder)
        .toSorted(),
    ).toEqual(holders);
    for (const holder of holders) await cli.must("uncordon", "n1", "--holder", holder);
  });

  it("let a person lift in the browser or with kubectl what they hold by a command", async () => {
    const name = loginName();
    expect(await cli.must("cordon", "n1")).toContain(`cordoned by ${name};`);
    const whoami = await fetch(`${cli.url}/whoami`);
    expect(await whoami.json()).toMatchObject({ kind: "local", name });
    const lifted = await fetch(`${cli.url}/apis/berth.dev/v1/nodes/n1`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ spec: { cordons: [] } }),
    });
    expect(lifted.status).toBe(200);
    expect(cordons()).toEqual([]);
  });

  it("name the node that is not there", async () => {
    const { code, err } = await cli.berth("cordon", "n9");
    expect(code).toBe(2);
    expect(err).toMatch(/nodes\.berth\.dev "n9" not found.*`berth get nodes`.*\[not-found\]/);
  });
});

describe("berth drain and undrain", () => {
  it("move work away until told otherwise, and say what is left", async () => {
    await cli.until("the replicas to be bound", () =>
      cli.plane.objects.useOf("n1").replicas === 3 ? true : undefined,
    );
    const drained = await cli.berth("drain", "n1", "--wait", "--timeout", "1s");
    expect(drained).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^node\/n1 is draining, 3 replicas to move/),
      err: expect.stringMatching(/node\/n1 still has shop\/api\.1\.0, .*\[timed-out\]/),
    });
    expect(cli.plane.objects.node(nodeKey("n1"))!.spec.draining).toBe(true);
    expect(await cli.must("undrain", "n1")).toBe("node/n1 is schedulable again\n");
    expect(cli.plane.objects.node(nodeKey("n1"))!.spec.draining).toBe(false);
  });
});

describe("berth delete", () => {
  it("deletes by name, several at once, and forgives what is gone if asked to", async () => {
    const file = cli.write("tenants.yaml", tenant("one") + tenant("two"));
    await cli.must("apply", "-f", file);
    expect(await cli.must("delete", "tenant", "one", "two", "--wait")).toBe(
      "tenant/one deleted\ntenant/two deleted\n",
    );
    const again = await cli.berth("delete", "tenant/one");
    expect(again.code).toBe(2);
    expect(again.err).toMatch(/\[not-found\]/);
    expect(await cli.must("delete", "-f", file, "--ignore-not-found")).toBe("");
  });

  it("deletes what files describe, the last made first", async () => {
    const text = `apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: gone }\n---${workloadText("w", "", "gone")}`;
    const file = cli.write("gone.yaml", text);
    await cli.must("apply", "-f", file);
    expect(await cli.must("delete", "-f", file)).toBe(
      "workload/gone/w deleted\ntenant/gone deleted\n",
    );
  });
});

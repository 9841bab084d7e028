import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
});
afterAll(() => cli.stop());

describe("berth wait", () => {
  it("returns when every wanted replica is there", async () => {
    await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
    const waiting = cli.berth("wait", "workload/api", "--for", "serving");
    await cli.report(2, "serving");
    expect(await waiting).toEqual({
      code: 0,
      out: "workload/shop/api 2 of 2 serving\n",
      err: "",
    });
    expect(await cli.must("wait", "replica/api.1.0", "--for", "serving")).toBe(
      "replica/shop/api.1.0 serving\n",
    );
    expect(await cli.must("wait", "node/n1", "--for", "ready")).toBe("node/n1 ready\n");
    expect(await cli.must("wait", "wl/api", "--for", "condition=available")).toBe(
      "workload/shop/api Available is True\n",
    );
  });

  it("says how far it came when time is up, and exits with 1", async () => {
    await cli.must("apply", "-f", cli.write("slow.yaml", workloadText("slow")));
    await cli.until("both replicas", () => {
      const all = [...cli.plane.objects.all("Replica").values()];
      return all.filter(({ spec }) => spec.workload === "slow").length === 2 ? true : undefined;
    });
    const { code, err } = await cli.berth("wait", "wl/slow", "--for", "serving", "--timeout", "3s");
    expect(code).toBe(1);
    expect(err).toMatch(
      /workload\/shop\/slow after 3s: 0 of 2 serving; 2 \w+ for \d+s.*\. \[timed-out\]/,
    );
    const condition = await cli.berth(
      "wait",
      "wl/slow",
      "--for",
      "condition=Nice",
      "--timeout",
      "2s",
    );
    expect(condition.err).toMatch(/no condition Nice; it has Available, Progressing/);
  });

  it("returns when the object is gone", async () => {
    const tenant = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: brief }\n";
    await cli.must("apply", "-f", cli.write("brief.yaml", tenant));
    const waiting = cli.berth("wait", "tenant/brief", "--for", "deleted");
    await cli.must("delete", "tenant", "brief");
    expect(await waiting).toMatchObject({ code: 0, out: "tenant/brief deleted\n" });
  });

  it.each([
    [["wait", "wl/none", "--for", "serving"], 2, /\[not-found\]/],
    [
      ["wait", "tenant/none", "--for", "condition=Ready"],
      2,
      /tenant\/none does not exist\. \[not-found\]/,
    ],
    [["wait", "wl/api", "--for", "servin"], 2, /Did you mean "serving"\?/],
    [["wait", "wl/api", "--for", "serving", "--timeout", "soon"], 2, /--timeout: found "soon"/],
  ])("answers %j with %i", async (args, expected, message) => {
    const { code, err } = await cli.berth(...args);
    expect(code).toBe(expected);
    expect(err).toMatch(message);
  });
});

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { get } from "../../src/cli/commands/get.ts";
import { CommandLine, runCommand, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  const labelled = workloadText("api").replace("name: api", "name: api, labels: { app: web }");
  const both = `${labelled}---${workloadText("worker")}---${workloadText("api", "", "bank")}`;
  await cli.must("apply", "-f", cli.write("all.yaml", both));
  await cli.report(4, "serving");
});
afterAll(() => cli.stop());

const rowsOf = (out: string): string[][] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {3,}/));

describe("berth get", () => {
  it("lists what every tenant has, with the tenant in front", async () => {
    const rows = rowsOf(await cli.must("get", "workloads"));
    expect(rows[0]).toEqual([
      "NAMESPACE",
      "NAME",
      "READY",
      "PROGRESS",
      "STAGES",
      "REASON",
      "GENERATION",
      "AGE",
    ]);
    expect(rows.slice(1).map((row) => row.slice(0, 4))).toEqual([
      ["bank", "api", "0/2", "[aa]"],
      ["shop", "api", "2/2", "[SS]"],
      ["shop", "worker", "2/2", "[SS]"],
    ]);
  });

  it.each([["wl"], ["workload"], ["Workload"], ["workloads"]])(
    "knows a kind as %s",
    async (word) => {
      expect(await cli.must("get", word, "-n", "shop", "-o", "name")).toBe(
        "workload/shop/api\nworkload/shop/worker\n",
      );
    },
  );

  it("selects by label and by field", async () => {
    expect(await cli.must("get", "wl", "-l", "app=web", "-o", "name")).toBe("workload/shop/api\n");
    const out = await cli.must(
      "get",
      "replicas",
      "--field-selector",
      "spec.workload=worker",
      "-o",
      "name",
    );
    expect(out).toBe("replica/shop/worker.1.0\nreplica/shop/worker.1.1\n");
  });

  it("prints objects as JSON and YAML, without who owns which field", async () => {
    const json = JSON.parse(await cli.must("get", "wl", "worker", "-o", "json"));
    expect(json).toMatchObject({
      kind: "Workload",
      metadata: { name: "worker", namespace: "shop" },
    });
    expect(json.metadata.managedFields).toBeUndefined();
    expect(parse(await cli.must("get", "wl/worker", "-o", "yaml"))).toEqual(json);
  });

  it("lists several kinds together", async () => {
    const out = await cli.must("get", "all", "-n", "shop");
    expect(out).toMatch(/workload\/api[^]*\n\nNAME[^]*replica\/api\.1\.0/);
  });

  it("says on standard error that there is nothing", async () => {
    expect(await cli.berth("get", "wl", "-l", "app=none")).toEqual({
      code: 0,
      out: "",
      err: "No workloads found with app=none.\n",
    });
  });

  it.each([
    [
      ["get", "workload", "api"],
      /Tenants bank, shop each have a workload "api"\. Choose one with -n bank\. \[ambiguous-name\]/,
    ],
    [
      ["get", "workload", "workr"],
      /No tenant has a workload "workr"\. Did you mean "worker"\?.*\[not-found\]/,
    ],
    [
      ["get", "workload", "api", "-n", "nobody"],
      /workloads\.berth\.dev "api" not found.*`berth get workloads`.*\[not-found\]/,
    ],
    [["get", "wrkloads"], /Found "wrkloads"\. Did you mean "workloads"\?.*\[unknown-kind\]/],
    [["get", "wl", "-l", "a=b=c"], /selector.*\[request-refused\]/],
    [["get", "wl", "-n", "a", "-A"], /-n and -A cannot be used together.*\[bad-usage\]/],
  ])("answers %j with what to do next", async (args, expected) => {
    const { code, out, err } = await cli.berth(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(expected);
  });

  it("names one of several with its tenant in front", async () => {
    expect(await cli.must("get", "workload/bank/api", "-o", "name")).toBe("workload/bank/api\n");
  });

  it("says where it looked for a plane that is not there", async () => {
    const { code, err } = await runCommand(["get", "nodes", "--server", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(err).toBe(
      "berth: Cannot reach the plane. http://127.0.0.1:9 (from --server): connection refused. Start a plane with `berth plane` or `berth up`, or pass its address with --server. [plane-unreachable]\n",
    );
  });

  it("goes on with a row for every change", async () => {
    let out = "";
    const terminal = { out: (text: string) => void (out += text), err: () => {}, exitCode: 0 };
    const ending = new AbortController();
    const options = { server: cli.url, namespace: "shop", watch: true };
    const watching = get(["tenants"], options, terminal, ending.signal);
    await cli.until("the first list", () => (out.includes("shop") ? true : undefined));
    const tenant = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: seen }\n";
    await cli.must("apply", "-f", cli.write("seen.yaml", tenant));
    await cli.must("delete", "tenant", "seen");
    await cli.until("the deletion", () => (out.includes("(deleted)") ? true : undefined));
    ending.abort();
    await watching;
    expect(out).toMatch(/\nseen +\S+\nseen .*\(deleted\)\n$/);
  });
});

async function passOn(
  { url = "", headers: { accept = "" } }: IncomingMessage,
  response: ServerResponse,
  after: Promise<void> | undefined,
): Promise<void> {
  await after;
  const answer = await fetch(`${cli.url}${url}`, { headers: { accept } });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(await answer.text());
}

describe("berth describe", () => {
  it("shows what is wanted, how far it is, and its replicas", async () => {
    const out = await cli.must("describe", "workload/shop/api");
    expect(out).toMatch(/^Name: +api\nTenant: +shop\n/);
    expect(out).toMatch(
      /\nSpec:\n[^]*\nStatus:\n[^]*\nConditions:\n[^]*EnoughReady[^]*\nReplicas:\n/,
    );
    expect(await cli.must("describe", "node", "n1")).toMatch(/Replicas:\n[^]*api\.1\.0/);
  });

  it("shows one state of the plane, though a replica fails while it reads", async () => {
    const [replica] = [...cli.plane.objects.all("Replica").values()].filter(
      ({ spec, status }) => spec.workload === "api" && status.stage === "serving",
    );
    let failing: Promise<void> | undefined;
    const between = createServer((request, response) => {
      // The workload was read: before the list of its replicas is, one of them fails.
      if (request.url?.includes("/replicas?") === true && replica !== undefined) {
        failing ??= cli.reportOne(replica, "failed");
      }
      void passOn(request, response, failing);
    });
    await once(between.listen(0, "127.0.0.1"), "listening");
    const { port } = between.address() as AddressInfo;
    const args = ["describe", "workload/shop/api", "--server", `http://127.0.0.1:${port}`];
    const { out, err } = await runCommand(args);
    between.close();
    expect({ err, failed: failing !== undefined }).toEqual({ err: "", failed: true });
    const [, serving] = /\n  stages:\n    serving: (\d+)\n/.exec(out) ?? [];
    const [, table = ""] = out.split("\nReplicas:\n");
    expect(table.match(/^api\S+ .*\bserving\b/gm)?.length).toBe(Number(serving));
  });
});

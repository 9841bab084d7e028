/** The page Workloads in a real browser: why something stands still, a rollout and its undoing, scaling, logs. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { HttpPlaneLink } from "../../src/agent/plane/plane-link.ts";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import type { ApiObject } from "../../src/api/api-kind.ts";
import { autoscalerKey } from "../../src/core/model/autoscaler.ts";
import { operationId, workloadKey } from "../../src/core/model/ids.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
  screenshot,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { aNode, aWorkload, furnish, serving } from "./a-scene.ts";

const browser = aBrowser();
const dashboard = aDashboard();
beforeAll(() => furnish(dashboard));

const LIST = "/ui/workloads";
const at = (tenant: string, name: string): string => `${dashboard.url}${LIST}/${tenant}/${name}`;
const held = (tenant: string, name: string) =>
  dashboard.plane.objects.workload(workloadKey(tenant, name));

describe("the list of workloads", () => {
  it("leads from what stands still to why, in the timeline of one that does", async () => {
    const page = await browser.open(`${dashboard.url}${LIST}`);
    await page.getByRole("link", { name: "no node fits 1" }).click();
    const rows = page.locator("tr[data-row]");
    await expect.poll(() => rows.count(), PATIENCE).toBe(1);
    await screenshot(page, "workloads-reason");
    await page.getByRole("link", { name: "research/training" }).click();
    await page.getByRole("heading", { name: "1 replica pending" }).waitFor();
    await page
      .getByText(/no node fits this replica/)
      .first()
      .waitFor();
    await screenshot(page, "workload-pending");
    await page.getByRole("link", { name: "Why? training.1.0" }).click();
    await page.getByRole("heading", { name: "replica research/training.1.0" }).waitFor();
    await page.getByRole("rowheader", { name: "capacity" }).first().waitFor();
  });

  it("shows two of four as numbers, only what is not fine on demand, and keeps both over a reload", async () => {
    const page = await browser.open(`${dashboard.url}${LIST}`, { theme: "dark" });
    await page.getByRole("row", { name: /payments\/web.*Starting: 0 of 3 ready/ }).waitFor();
    await page.getByRole("row", { name: /checkout.*Rolling out: 1 → 2, 1 of 3 updated/ }).waitFor();
    await page.getByRole("row", { name: /indexer.*Serving 2 of 2/ }).waitFor();
    await page.getByRole("row", { name: /training.*eligible node has 10 CPU, 4Gi free/ }).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "workloads-dark");
    await page.getByRole("button", { name: "Status" }).click();
    await page.waitForURL(/sort=status/);
    await page.getByRole("link", { name: /^Serving \d/ }).click();
    await page.getByRole("row", { name: /payments\/web/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Serving \d/ }).click();
    await page.getByRole("link", { name: /only unhealthy/ }).click();
    await page.getByLabel("Tenant").selectOption("research");
    const left = ["research/etl", "research/training"];
    const shown = async () => {
      const texts = await page.locator("tr[data-row] td:first-child a").allInnerTexts();
      return texts.map((text) => /\w+\/\w+/.exec(text)?.[0]);
    };
    await expect.poll(shown, PATIENCE).toEqual(left);
    await page.getByPlaceholder("Filter workloads").fill("quota");
    await expect.poll(shown, PATIENCE).toEqual(["research/etl"]);
    await page.reload();
    await expect.poll(shown, PATIENCE).toEqual(["research/etl"]);
    expect(await page.getByLabel("Tenant").inputValue()).toBe("research");
  });
});

describe("one workload", () => {
  it("shows a rollout by generation, is accessible, and is rolled back when a person says so", async () => {
    const page = await browser.open(at("payments", "checkout"));
    const rollout = page.locator("[data-rollout]");
    const generations = rollout.getByRole("list", { name: "Replicas by generation" });
    await generations.getByText(/Generation 2/).waitFor();
    await generations.getByText("3 serving").waitFor();
    await generations.getByText("1 starting").waitFor();
    await page.getByRole("row", { name: /checkout\.2\.\d starting/ }).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-dark");

    await rollout.getByRole("button", { name: "Pause…" }).click();
    await page.getByText("berth rollout pause workload/checkout -n payments").waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await rollout.getByText(/1 of 3 updated, paused/).waitFor();
    expect(held("payments", "checkout")?.spec.rollout?.paused).toBe(true);
    await rollout.getByRole("button", { name: "Resume…" }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await rollout.getByRole("button", { name: "Pause…" }).waitFor();

    await rollout.getByRole("button", { name: "Undo…" }).click();
    await page.getByText("--to 1").waitFor();
    await screenshot(page, "workload-undo-dark");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect
      .poll(() => held("payments", "checkout")?.spec.template.command, PATIENCE)
      .toEqual(["serve"]);
    await page
      .getByRole("row", { name: /checkout\.2\.\d starting/ })
      .waitFor({ state: "detached" });
    await page.getByText("3 of 3 replicas are ready.").waitFor();
  });

  it("is scaled after a question, and shows the plane's own words when it refuses", async () => {
    browser.allow(/422/);
    const page = await browser.open(at("payments", "api"));
    await page.getByRole("button", { name: "Scale…" }).click();
    const replicas = page.getByRole("spinbutton", { name: "Replicas" });
    await replicas.fill("-1");
    await page.getByRole("button", { name: "Scale", exact: true }).click();
    await page
      .locator("dialog .refusal")
      .getByText("spec.replicas is -1; it is a whole number, 0 or more.")
      .waitFor();
    await screenshot(page, "workload-refused");
    expect(held("payments", "api")?.spec.replicas).toBe(4);
    await replicas.fill("6");
    await page.getByText("From 4 to 6: 2 more replicas will be admitted").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Scale", exact: true }).click();
    await page.getByText("6 of 6 replicas are ready.").waitFor();
    expect(held("payments", "api")?.spec.replicas).toBe(6);
    await page.getByRole("row", { name: /api\.1\.5 serving/ }).waitFor();
  });

  it("fits a phone, with what happened to it at an address of its own", async () => {
    const page = await browser.open(`${at("payments", "api")}?tab=events`, { viewport: "phone" });
    await page.getByRole("table", { name: "Events" }).waitFor();
    await screenshot(page, "workload-events-phone");
    await expectNoSidewaysScroll(page);
    await page.goto(at("payments", "web"));
    await page.getByRole("row", { name: /web\.1\.0 starting/ }).waitFor();
    await expectNoSeriousFindings(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, "workload-phone");
  });

  it("says what is promised after a loss, and how far a job is", async () => {
    const recovery = { within: "5m", replicas: 2, in: ["us"] };
    const batch = { completions: 3, parallelism: 1 };
    await dashboard.apply(
      aWorkload("payments/ledger", { replicas: 2, placement: { regions: ["us", "eu"] }, recovery }),
      aWorkload("payments/render", { type: "batch", batch, replicas: undefined }),
    );
    const page = await browser.open(at("payments", "ledger"), { theme: "dark" });
    await page
      .getByText("After a loss, 2 replicas must serve again within 5m, with headroom in us.")
      .waitFor();
    await page.getByText(/for \d of \d replica/).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-recovery-dark");
    const job = await browser.open(at("payments", "render"), { viewport: "phone" });
    await job.getByRole("region", { name: "Job" }).getByText("0 of 3 done, 1 running").waitFor();
    await expectNoSidewaysScroll(job);
    await screenshot(job, "workload-job-phone");
  });

  it("says what its autoscaler saw, needs and did, and whether machines are short", async () => {
    await dashboard.apply(
      aWorkload("payments/scaled", { resources: { cpu: "100m", memory: "64Mi" } }),
      anAutoscaler("payments/scaled"),
      // One node of the zone is cordoned, and the other has room for one of them at most.
      aWorkload("payments/huge", {
        replicas: 2,
        resources: { cpu: "3500m", memory: "64Mi" },
        placement: { zones: ["eu-b"] },
      }),
      anAutoscaler("payments/huge"),
    );
    const page = await browser.open(at("payments", "scaled"));
    const card = page.getByRole("region", { name: "Autoscaler scaled" });
    await card.waitFor();
    await serving(dashboard, "payments", "scaled", 1);
    const sample = { namespace: "payments", workload: "scaled", metric: "queue", value: 60 };
    const path = "/metrics-samples";
    await dashboard.write({ method: "POST", path, body: { samples: [sample] } });
    // The plane takes it into the log within ten seconds; here it is taken at once, unless it just was.
    const autoscaler = autoscalerKey("payments", "scaled");
    const reading = { sumMillis: 60_000, covered: 1, of: 1, windowMs: 30_000 };
    const operation = operationId("observe/by-test");
    const observe = { kind: "observe", operation, autoscaler, reading } as const;
    await dashboard.plane.submit(observe, { role: "gauge", name: "gauge" });
    // The page is told of the observation, and of what came of it.
    await card.getByText(/a load of (60|30) each, target 30 queue/).waitFor();
    await card.getByText("2 replicas for this load; bounds 1 to 4").waitFor();
    await card.getByText(/1 to 2 /).waitFor();
    await card.getByText(/stays at 2$/).waitFor();
    await screenshot(page, "workload-scaled");
    await page.goto(at("payments", "huge"));
    await page.getByText(/CapacityShort: .* fits on no node.*More nodes would help/).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-capacity-short");
    await page.getByRole("link", { name: "Timeline", exact: true }).first().click();
    await page.getByRole("heading", { name: "Autoscaler huge" }).waitFor();
  });

  it("shows its spec as a table and as YAML, the addresses of its replicas, and goes when its name is typed", async () => {
    const run = { command: ["serve", "--port", "80"], ports: ["http"] };
    // A zone of its own has room for the extra replica of its restart.
    await dashboard.apply(
      aNode("eu-s-1"),
      aWorkload("payments/shop", { run, placement: { zones: ["eu-s"] } }),
    );
    await serving(dashboard, "payments", "shop", 1);
    const page = await browser.open(at("payments", "shop"));
    const link = page.getByRole("link", { name: "127.0.0.1:20000" });
    expect(await link.getAttribute("href")).toBe("http://127.0.0.1:20000/");
    await page.getByRole("link", { name: "Spec", exact: true }).click();
    await page.getByRole("row", { name: "run.command serve --port 80" }).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-spec");
    await page.getByRole("link", { name: "View YAML" }).click();
    const manifest = parse(await page.getByRole("region", { name: "Manifest" }).innerText());
    expect(manifest).toMatchObject({ kind: "Workload", spec: { run, replicas: 1 } });
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-yaml");

    await page.getByRole("button", { name: "Restart…" }).click();
    await page.getByText("berth restart workload/shop -n payments").waitFor();
    await screenshot(page, "workload-restart");
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    await page.getByText("payments/shop restarts.").waitFor();
    await page.getByRole("link", { name: /^Replicas/ }).click();
    await page.getByRole("row", { name: /shop\.2\.0 serving/ }).waitFor();
    await page.getByRole("row", { name: /shop\.1\.0/ }).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Delete…" }).click();
    const yes = page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true });
    expect(await yes.isDisabled()).toBe(true);
    await page.getByLabel("Type shop to confirm").fill("shoo");
    expect(await yes.isDisabled()).toBe(true);
    await page.getByLabel("Type shop to confirm").fill("shop");
    await page.getByLabel("Your name, for the audit trail").fill("dora");
    await page.getByText("berth delete workload/shop -n payments --as dora").waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "workload-delete");
    // A change of its row can make the page ask for the workload in the moment in which it goes.
    browser.allow(/404 \(Not Found\) \(.*\/workloads\/shop\)/);
    await yes.click();
    await page.getByText("Workload payments/shop not found.").waitFor();
    expect(held("payments", "shop")).toBe(undefined);
  });

  it("says first of a crash loop how it ended, how often, when it restarts, and its last lines", async () => {
    dashboard.agents.letComeTo("payments/crasher", "failed");
    const folder = mkdtempSync(join(tmpdir(), "berth-web-"));
    await dashboard.apply(aNode("eu-c-1"));
    const agent = await connectAgent("eu-c-1", folder);
    try {
      for (let incarnation = 1; incarnation < 20; incarnation += 1) {
        const { file } = aProcess(folder, `payments+crasher.1.0+${incarnation}+0a`);
        writeFileSync(file, "connecting\nno database at db:5432\n");
      }
      await dashboard.apply(aWorkload("payments/crasher", { placement: { zones: ["eu-c"] } }));
      const page = await browser.open(at("payments", "crasher"));
      const problem = page.getByRole("region", { name: "Problem" });
      await problem.getByText(/Crash loop/).waitFor();
      await problem.getByText("exit code 1", { exact: true }).waitFor();
      await problem.getByText("Failures in a row").waitFor();
      await problem.getByText("Next restart").waitFor();
      await problem.getByText("no database at db:5432").waitFor();
      await expectNoSeriousFindings(page);
      await screenshot(page, "workload-crash");
      await page.goto(`${dashboard.url}${LIST}?tenant=payments`);
      const status = /crasher.*Crash loop: exit code 1, restarts (in \d+s|now)/;
      await page.getByRole("row", { name: status }).waitFor();
      await screenshot(page, "workloads-crash");
    } finally {
      agent.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("shows the log of a replica and goes on with it, or says why there is none", async () => {
    browser.allow(/504|404/);
    const replica = await dashboard.until("a replica that serves", () =>
      [...dashboard.plane.objects.all("Replica").values()].find(
        ({ spec, status }) => spec.workload === "indexer" && status.stage === "serving",
      ),
    );
    const { name } = replica.meta;
    const { node = "", incarnation } = replica.status;
    const page = await browser.open(at("research", "indexer"));
    await page.getByRole("link", { name: `Log of ${name}` }).click();
    await page
      .getByText(`The agent of node ${node}, which has the log, is not connected`)
      .waitFor();
    const folder = mkdtempSync(join(tmpdir(), "berth-web-"));
    const agent = await connectAgent(node, folder);
    try {
      const { file, end } = aProcess(folder, `research+${name}+${incarnation}+0a`);
      writeFileSync(file, "first line\n");
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByRole("log").getByText("first line").waitFor();
      await page.getByRole("link", { name: "Follow" }).click();
      await page.getByText("Following: new lines").waitFor();
      await page.getByRole("log").getByText("first line").waitFor();
      appendFileSync(file, "written while it was followed\n");
      await page.getByText("written while it was followed").waitFor();
      await expectNoSeriousFindings(page);
      const drawer = await page.getByRole("complementary").boundingBox();
      expect(drawer!.width, "pixels for lines, at 1280").toBeGreaterThan(1_000);
      await page.getByRole("link", { name, exact: true }).waitFor();
      appendFileSync(file, `${"a long line ".repeat(60)}its end\n`);
      await page.getByRole("log").getByText("its end").waitFor();
      const sideways = () =>
        page.getByRole("log").evaluate((pre) => pre.scrollWidth - pre.clientWidth);
      expect(await sideways()).toBe(0);
      await screenshot(page, "workload-log");
      await page.getByRole("link", { name: "Do not wrap lines" }).click();
      await page.getByRole("link", { name: "Wrap lines", exact: true }).waitFor();
      await expect.poll(sideways, PATIENCE).toBeGreaterThan(0);
      const phone = await browser.open(page.url(), { viewport: "phone", theme: "dark" });
      await phone.getByRole("log").getByText("its end").waitFor();
      const all = await phone.getByRole("complementary").boundingBox();
      expect(all).toEqual({ x: 0, y: 0, width: 390, height: 844 });
      await expectNoSeriousFindings(phone);
      await expectNoSidewaysScroll(phone);
      await screenshot(phone, "workload-log-phone-dark");
      end();
    } finally {
      agent.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it("says of a workload that is not there that it is not", async () => {
  const page = await browser.open(at("payments", "nobody"));
  await page.getByText("Workload payments/nobody not found.").waitFor();
});

/** `name` is `tenant/workload`. */
function anAutoscaler(name: string): ApiObject {
  const [namespace = "", workload = ""] = name.split("/");
  const target = { metric: { name: "queue", value: 30 } };
  return {
    apiVersion: "berth.dev/v1",
    kind: "Autoscaler",
    metadata: { name: workload, namespace },
    spec: { workload, min: 1, max: 4, target },
  };
}

/** The link of an agent without its processes: all that logs need of it. */
async function connectAgent(node: string, folder: string): Promise<HttpPlaneLink> {
  let isConnected = false;
  const link = new HttpPlaneLink({
    node,
    servers: [new URL(dashboard.url)],
    folder,
    credentials: {},
    give: ({ kind }) => {
      if (kind === "watch") isConnected = true;
    },
    note: () => undefined,
  });
  link.list();
  await dashboard.until("the agent to be connected", () => isConnected || undefined);
  return link;
}

/** As the process of a replica's incarnation would have left it. */
function aProcess(of: string, name: string): { readonly file: string; end: () => void } {
  const folder = join(of, "processes", name);
  mkdirSync(folder, { recursive: true });
  const self = `${process.pid} ${startTicksOf(process.pid)}\n`;
  writeFileSync(join(folder, "claim"), self);
  writeFileSync(join(folder, "running"), self);
  writeFileSync(join(folder, "stderr.log"), "");
  return {
    file: join(folder, "stdout.log"),
    end: () => writeFileSync(join(folder, "exit"), "0\n"),
  };
}

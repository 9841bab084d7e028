/** The pages Queue, Quota and Audit in a real browser: tables with a panel beside them, each of which leads on. */
import { beforeAll, describe, expect, it } from "vitest";
import { aBrowser, expectNoSeriousFindings, screenshot } from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { aNode, aWorkload, furnish } from "./a-scene.ts";

const browser = aBrowser();
const dashboard = aDashboard();
beforeAll(() => furnish(dashboard));

describe("the queue", () => {
  it("shows who waits and why, opens one by its address, and leads to its timeline", async () => {
    const page = await browser.open(`${dashboard.url}/ui/queue`);
    await page
      .getByRole("row", {
        name: /research\/training.*1 replica waits: no node fits.*tried again when/,
      })
      .waitFor();
    await page.getByRole("link", { name: "research/training" }).click();
    await page.getByRole("heading", { name: "Ends when" }).waitFor();
    await page.getByText("a node joins, recovers or gains room", { exact: true }).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "queue");
    await page.reload();
    await page.getByRole("heading", { name: "Ends when" }).waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("heading", { name: "workload research/training" }).waitFor();
  });

  it("narrows down to one reason, and shows what else is owed a look", async () => {
    const page = await browser.open(`${dashboard.url}/ui/queue`, { theme: "dark" });
    await page.getByRole("link", { name: /no quota left/ }).click();
    await page.getByRole("row", { name: /research\/etl/ }).waitFor();
    expect(await page.getByRole("row", { name: /research\/training/ }).count()).toBe(0);
    await page.goto(`${dashboard.url}/ui/queue`);
    const ledger = page.getByRole("table", { name: "Other waits" });
    expect(await ledger.count()).toBe(0);
    await page.getByText(/^Other waits of controllers, for debugging/).click();
    await ledger
      .getByRole("row", { name: /Node\/us-a-2.*node is not silent long enough/ })
      .waitFor();
    expect(page.url()).toContain("tab=owed");
    await expectNoSeriousFindings(page);
    await screenshot(page, "queue-owed-dark");
  });

  it("is live: who gets a node is gone from it", async () => {
    const page = await browser.open(`${dashboard.url}/ui/queue`);
    await page.getByRole("row", { name: /research\/training/ }).waitFor();
    await dashboard.apply(aNode("eu-a-9", { cpu: 16 }));
    await page.getByRole("row", { name: /research\/training/ }).waitFor({ state: "detached" });
  });
});

describe("quota and fairness", () => {
  it("shows what a tenant uses of its limit, and the ledger in full", async () => {
    const page = await browser.open(`${dashboard.url}/ui/quota`);
    await page.getByRole("row", { name: /payments.*of 16/ }).waitFor();
    await page
      .getByRole("table", { name: "Quotas" })
      .getByRole("link", { name: "research" })
      .click();
    await page.getByRole("rowheader", { name: "overdrawn" }).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "quota");
  });

  it("follows a quota that is raised while it is looked at", async () => {
    const page = await browser.open(`${dashboard.url}/ui/quota`, { viewport: "phone" });
    await page.getByRole("row", { name: /payments.*of 16/ }).waitFor();
    await dashboard.write({
      method: "PATCH",
      path: "/apis/berth.dev/v1/namespaces/payments/quotas/default",
      body: { spec: { limit: { cpu: 20, memory: "16Gi" } } },
      as: "carol",
    });
    await page.getByRole("row", { name: /payments.*of 20/ }).waitFor();
    await screenshot(page, "quota-phone");
  });
});

describe("the audit trail", () => {
  it("tells people from controllers, and what one person did", async () => {
    const page = await browser.open(`${dashboard.url}/ui/audit?kind=human`);
    await page.getByRole("row", { name: /alice.*eu-b-2/ }).waitFor();
    await page
      .getByRole("row", { name: /alice.*eu-b-2/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("heading", { name: "Changes" }).waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "audit");
    await page.getByRole("link", { name: /^alice/ }).click();
    await page.getByRole("link", { name: "by alice" }).waitFor();
    await page.getByRole("row", { name: /bob/ }).waitFor({ state: "detached" });
  });

  it("grows at the top while it is looked at, and goes back on demand", async () => {
    const page = await browser.open(`${dashboard.url}/ui/audit`);
    await page.getByRole("table", { name: "Audit trail" }).waitFor();
    await dashboard.apply(aWorkload("payments/brand-new"));
    await page
      .getByRole("row", { name: /payments\/brand-new/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Show older entries" }).click();
    await page.getByPlaceholder("Filter entries").fill("us-a-1 fenced");
    await page
      .getByRole("row", { name: /us-a-1/ })
      .first()
      .waitFor();
  });
});

/** The page of the fleet, in a real browser: what is wrong is said first, and a node is opened, cordoned and drained from it. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeKey } from "../../src/core/model/ids.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
  screenshot,
  untilShown,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { furnish } from "./a-scene.ts";

const browser = aBrowser();
const dashboard = aDashboard();
beforeAll(() => furnish(dashboard));

const specOf = (node: string) => dashboard.plane.objects.node(nodeKey(node))?.spec;
const panelOf = (page: Page, node: string) => page.getByRole("complementary", { name: node });
const rowOf = (page: Page, name: RegExp) => page.getByRole("row", { name });

describe("the fleet", () => {
  it("says first which node died, what the plane did about it, and leads to its story", async () => {
    const page = await browser.open(dashboard.url);
    const troubles = page.getByRole("region", { name: "Needs attention" });
    await troubles.getByText(/us-a-1 was fenced.*replicas were lost with us-a-1/).waitFor();
    await troubles.getByText(/eu-b-2 is cordoned by alice \(a disk is to be changed\)/).waitFor();
    await page.getByRole("link", { name: "1 fenced" }).waitFor();
    await page.getByRole("link", { name: "2 wait →" }).waitFor();
    // The plane takes its second sample some seconds after its start.
    const cpu = page.getByRole("img", { name: /^CPU .* used by replicas and .* reserved of/ });
    await cpu.waitFor({ timeout: PATIENCE.timeout });
    await page.getByRole("img", { name: /^Bind latency \d+ binds/ }).waitFor();
    await screenshot(page, "fleet");
    await page.getByText("Show the charts as a table").click();
    await page.getByRole("columnheader", { name: "p50, p95" }).waitFor();
    await expectNoSeriousFindings(page);
    await page.getByText("Show the charts as a table").click();
    const incidents = troubles.getByRole("link", { name: "Incidents of us-a-1" });
    expect(await incidents.getAttribute("href")).toBe("/ui/incidents?about=node%2Fus-a-1");
    await troubles.getByRole("link", { name: "Timeline of us-a-1" }).click();
    await page.waitForURL("**/ui/timeline/node/us-a-1");
  });

  it("opens a node from the map by mouse and by keys, and a reload keeps it open", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet`);
    const map = page.getByRole("listbox", { name: /Map of the fleet, 7 nodes/ });
    await map.waitFor();
    // Cells stand in the order of regions, zones and names; the keys begin at the first.
    await page.keyboard.press("Tab");
    await map.focus();
    await page.keyboard.press("ArrowRight");
    await map.getByRole("option", { name: /^eu-a-2, ready/ }).waitFor();
    await page.keyboard.press("Enter");
    await panelOf(page, "eu-a-2")
      .getByText(/used .* of 4$/)
      .waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".panel").count(), PATIENCE).toBe(0);
    const canvas = page.locator("main canvas");
    // The first cell begins some pixels inside of its zone and region.
    await canvas.click({ position: { x: 40, y: 60 } });
    await panelOf(page, "eu-a-1")
      .getByRole("link", { name: /payments\// })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get("node")).toBe("eu-a-1");
    await page.reload({ waitUntil: "domcontentloaded" });
    await panelOf(page, "eu-a-1")
      .getByRole("link", { name: /payments\// })
      .first()
      .waitFor();
  });

  it("cordons a node with a reason, and shows it once the plane has it", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet?show=table&node=eu-a-2`);
    await page.getByRole("button", { name: "Cordon…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your name, for the audit trail").fill("dana");
    await dialog.getByLabel("Reason").fill("new memory");
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Cordon" }).click();
    await panelOf(page, "eu-a-2").getByText("Cordoned by dana: new memory").waitFor();
    await rowOf(page, /eu-a-2.*ready.*cordoned/).waitFor();
    expect(specOf("eu-a-2")?.cordons).toEqual([{ holder: "dana", reason: "new memory" }]);
    await page.getByRole("button", { name: "Lift the cordon of dana" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift the cordon" }).click();
    await expect.poll(() => rowOf(page, /eu-a-2.*cordoned/).count(), PATIENCE).toBe(0);
    expect(specOf("eu-a-2")?.cordons).toEqual([]);
  });

  it("shows word for word why another's cordon is not lifted", async () => {
    browser.allow(/status of 4\d\d/);
    const page = await browser.open(`${dashboard.url}/ui/fleet?node=eu-b-2`);
    await page.getByRole("button", { name: "Lift the cordon of alice" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift the cordon" }).click();
    const refusal = page.getByRole("dialog").getByRole("alert");
    await refusal
      .getByText(/The cordon or drain belongs to another holder; only that holder can lift it/)
      .waitFor();
    await screenshot(page, "fleet-refused");
    expect(specOf("eu-b-2")?.cordons).toHaveLength(1);
  });

  it("says where every replica would go before a node is drained, drains it and ends it", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet?node=eu-a-1`, { theme: "dark" });
    await page.getByRole("button", { name: "Drain…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("row", { name: /payments\/.* (eu|us)-/ })
      .first()
      .waitFor();
    await screenshot(page, "fleet-drain-plan");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(specOf("eu-a-1")?.draining).toBe(false);
    await page.getByRole("button", { name: "Drain…" }).click();
    await dialog.getByLabel("Reason").fill("new kernel");
    await dialog.getByRole("button", { name: "Drain" }).click();
    await panelOf(page, "eu-a-1")
      .getByText(/Draining by .*: new kernel/)
      .waitFor();
    expect(specOf("eu-a-1")?.drain?.reason).toBe("new kernel");
    await page.getByRole("button", { name: "End the drain" }).click();
    await dialog.getByRole("button", { name: "End the drain" }).click();
    await page.getByRole("button", { name: "Drain…" }).waitFor();
    expect(specOf("eu-a-1")?.draining).toBe(false);
  });

  it("narrows map and table by the same words, and sorts the table by health", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet?sort=health`);
    await page.getByLabel("Filter nodes").fill("us-a");
    await page.getByText("3 of 7").waitFor();
    await page.getByRole("link", { name: "Table" }).click();
    await expect.poll(() => page.locator("tr[data-row]").count(), PATIENCE).toBe(3);
    expect(await page.locator('tr[data-row="0"]').innerText()).toMatch(/us-a-1[^]*fenced/);
    await page.goto(`${dashboard.url}/ui/fleet?show=table`);
    await rowOf(page, /eu-a-1.*\d+s ago.*eu, eu-a/).waitFor();
    await screenshot(page, "fleet-table");
  });

  it("is accessible with a node open, in both themes and on a phone", async () => {
    const address = `${dashboard.url}/ui/fleet?node=us-a-1`;
    const page = await browser.open(address);
    await untilShown(page);
    await panelOf(page, "us-a-1").getByText("No replica is bound to it.").waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "fleet-node");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoSeriousFindings(page);
    await screenshot(page, "fleet-node-dark");
    const phone = await browser.open(address, { viewport: "phone" });
    await panelOf(phone, "us-a-1").getByText("No replica is bound to it.").waitFor();
    await expectNoSidewaysScroll(phone);
    await screenshot(phone, "fleet-node-phone");
    await phone.goto(`${dashboard.url}/ui/fleet?show=table`);
    await rowOf(phone, /us-a-1.*fenced/).waitFor();
    await expectNoSidewaysScroll(phone);
    await screenshot(phone, "fleet-table-phone");
  });
});

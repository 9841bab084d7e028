/** The page Promises in a real browser: what holds, what a loss would break, and how to begin. */
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
  screenshot,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { furnish } from "./a-scene.ts";

const browser = aBrowser();
const dashboard = aDashboard();
beforeAll(() => furnish(dashboard));

const promise = (namespace: string, name: string, spec: object) => ({
  apiVersion: "berth.dev/v1",
  kind: "Commitment",
  metadata: { name, namespace },
  spec,
});

const verdictOf = (card: Locator, verdict: string) => card.locator(".badge", { hasText: verdict });

const PATH = "/apis/berth.dev/v1/namespaces/payments/commitments/api-has-room";
const headroom = (replicas?: number) => ({
  headroom: { workload: "api", ...(replicas === undefined ? {} : { replicas }) },
  when: { lose: "node" },
});

describe("promises", () => {
  it("says how to write a first one, while there is none", async () => {
    const page = await browser.open(`${dashboard.url}/ui/promises`);
    await page.getByText("Nothing is promised yet.").waitFor();
    await page.getByText("berth review init").waitFor();
    await expectNoSeriousFindings(page);
  });

  it("shows what holds and what a loss would break, and follows the fleet", async () => {
    await dashboard.apply(
      promise("payments", "api-has-room", headroom()),
      promise("research", "too-much", {
        headroom: { workload: "etl", replicas: 500 },
        when: { lose: "zone" },
      }),
    );
    const page = await browser.open(`${dashboard.url}/ui/promises`);
    const card = page.getByRole("article").filter({ hasText: "payments/api-has-room" });
    await verdictOf(card, "holds").waitFor();
    const other = page.getByRole("article").filter({ hasText: "research/too-much" });
    await verdictOf(other, "breached").waitFor();
    await page.getByText(/^2 promises: 1 breached, 1 held\./).waitFor();
    await page.getByRole("list", { name: "Losses" }).getByText("zone eu-a").waitFor();
    await expectNoSeriousFindings(page);
    await screenshot(page, "promises");
    await dashboard.write({
      method: "PATCH",
      path: PATH,
      body: { spec: headroom(1_000) },
      as: "alice",
    });
    await verdictOf(card, "breached").waitFor();
    await card.getByText("Before").click();
    await expect.poll(() => verdictOf(card, "holds").count(), PATIENCE).toBe(1);
  });

  it("narrows down to a tenant, on a phone in the dark", async () => {
    const page = await browser.open(`${dashboard.url}/ui/promises?tenant=research`, {
      theme: "dark",
      viewport: "phone",
    });
    await page.getByRole("article").filter({ hasText: "research/too-much" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
    await expectNoSidewaysScroll(page);
    await expectNoSeriousFindings(page);
    await screenshot(page, "promises-phone-dark");
  });

  it("is reached from a problem of the fleet", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet`);
    await page.getByRole("link", { name: "Promise research/too-much" }).click();
    await page.getByRole("article").filter({ hasText: "research/too-much" }).waitFor();
  });
});

it("says how old the answer is, and that the plane is gone while it is, without a stream", async () => {
  browser.allow(/ERR_CONNECTION|ERR_EMPTY_RESPONSE/);
  const page = await browser.open(`${dashboard.url}/ui/promises`);
  const mark = page.locator(".side .connection");
  await mark.filter({ hasText: /^○ Updated \d+s ago$/ }).waitFor();
  const shown = page.getByRole("article").filter({ hasText: "payments/api-has-room" });
  await shown.waitFor();
  await dashboard.stop();
  await mark.filter({ hasText: "Disconnected" }).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /This data is .* old/ })
    .waitFor();
  expect(await shown.count()).toBe(1);
  await screenshot(page, "promises-disconnected");
  await dashboard.start();
  await mark.filter({ hasText: /^○ Updated \d+s ago$/ }).waitFor();
  expect(await page.getByText("Disconnected").count()).toBe(0);
});

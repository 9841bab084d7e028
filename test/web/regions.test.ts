/** The page Regions in a real browser: who is cut off since when, and what it may still do. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RegionReport } from "../../src/core/protocol/region-exchange.ts";
import { GlobalSide } from "../../src/host/regional/global-side.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  screenshot,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";

const browser = aBrowser();
const dashboard = aDashboard();
let global: GlobalSide | undefined;
afterAll(() => global?.close());

const amounts = (cpuMillis: number, memoryMiB: number) => ({
  cpuMillis,
  memoryMiB,
  deviceMillis: 0,
});
const NOTHING = amounts(0, 0);

const aReport = (region: string, of: Partial<RegionReport> = {}): RegionReport => ({
  region,
  incarnation: 1,
  learning: false,
  epoch: 1,
  revision: 10,
  from: 0,
  askedMs: 1_000,
  grants: [],
  objectsTo: 0,
  objectsDigest: 0,
  summary: {
    nodes: 4,
    capacity: amounts(8_000, 8_192),
    free: NOTHING,
    replicas: 9,
    serving: 8,
    queued: 1,
  },
  ...of,
});

describe("regions", () => {
  it("says that this plane serves all regions, while none has a plane", async () => {
    const page = await browser.open(`${dashboard.url}/ui/regions`);
    await page.getByText("This plane serves all regions itself.").waitFor();
    await expectNoSeriousFindings(page);
  });

  describe("with planes of their own", () => {
    beforeAll(async () => {
      global = new GlobalSide(dashboard.plane);
      for (const name of ["eu-west", "us-east"]) {
        const spec = { zones: ["a"], plane: { term: "1h" } };
        await dashboard.apply({
          apiVersion: "berth.dev/v1",
          kind: "Region",
          metadata: { name },
          spec,
        });
      }
      await dashboard.write({
        method: "POST",
        path: "/regions/eu-west/exchange",
        body: aReport("eu-west"),
      });
    });

    it("shows what each may do and holds, for a person who has five seconds", async () => {
      const page = await browser.open(`${dashboard.url}/ui/regions`);
      const eu = page.getByRole("article").filter({ hasText: "eu-west" });
      await eu.locator(".badge", { hasText: "in contact" }).waitFor();
      await eu.getByText("8 of 9 replicas serving").waitFor();
      expect(await eu.innerText()).toMatch(/If the link broke now, for 5\dm/);
      const us = page.getByRole("article").filter({ hasText: "us-east" });
      await us.locator(".badge", { hasText: "never heard" }).waitFor();
      await expectNoSeriousFindings(page);
      await expectNoSidewaysScroll(page);
      await screenshot(page, "regions");
    });
  });
});

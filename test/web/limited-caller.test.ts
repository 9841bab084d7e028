/** The dashboard of a caller who may see one tenant: it shows that, says what it may not show, and asks for it once. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { grant } from "../builders/grant.ts";
import { aBrowser, PATIENCE, screenshot } from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { furnish } from "./a-scene.ts";

const ROOT = "token-of-root-0001";
const ADA = "token-of-ada-00001";
const view = { kind: "ClusterRole", name: "view" } as const;
const PAGES = ["fleet", "workloads", "queue", "quota", "promises", "incidents", "audit"] as const;
/** Long enough for whatever asks again in a loop to have done so several times. */
const LOOK_MS = 3_000;

const browser = aBrowser();
const dashboard = aDashboard({
  auth: {
    tokens: [
      { token: ROOT, kind: "local", name: "root" },
      { token: ADA, kind: "user", name: "ada" },
    ],
  },
  usersMayAll: false,
});

beforeAll(async () => {
  await furnish(dashboard);
  await grant(dashboard.plane, { user: "ada", role: view, namespace: "payments" });
});

describe("the dashboard of a caller with a role in one tenant", () => {
  it("shows the workloads of that tenant, and of no other [AZ44]", async () => {
    browser.allow(/403 \(Forbidden\)/);
    const page = await browser.open(`${dashboard.url}/ui/workloads#token=${ADA}`);
    const shown = () => page.locator("main").innerText();
    await expect.poll(shown, PATIENCE).toContain("payments/api");
    expect(await shown()).not.toContain("research");
    await screenshot(page, "limited-workloads");
  });

  it("asks no page again and again for what is refused, and says so [AZ44]", async () => {
    browser.allow(/403 \(Forbidden\)/);
    for (const name of PAGES) {
      const refused: string[] = [];
      const page = await browser.open(`${dashboard.url}/ui/${name}#token=${ADA}`);
      page.on("response", (response) => {
        if (response.status() === 403) refused.push(new URL(response.url()).pathname);
      });
      await sleep(LOOK_MS);
      await screenshot(page, `limited-${name}`);
      const most = Math.max(0, ...refused.map((path) => refused.filter((x) => x === path).length));
      expect([name, most <= 2, refused]).toEqual([name, true, refused]);
      await page.close();
    }
  });
});

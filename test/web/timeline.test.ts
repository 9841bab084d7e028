/** The page Timeline in a real browser: why a replica waits, what would help it, what a node's death did, and the past. */
import { beforeAll, describe, expect, it } from "vitest";
import { aBrowser, expectNoSeriousFindings, PATIENCE, screenshot } from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { aNode, furnish } from "./a-scene.ts";

const browser = aBrowser();
const dashboard = aDashboard();
beforeAll(() => furnish(dashboard));

const TRAINING = "/ui/timeline/replica/research/training.1.0";

describe("the timeline of a replica that waits", () => {
  it("says which rules turned away how many nodes, and what would give it a place", async () => {
    const page = await browser.open(`${dashboard.url}${TRAINING}`);
    await page.getByRole("rowheader", { name: "capacity" }).first().waitFor();
    await page.getByRole("link", { name: "What would let it fit?" }).click();
    await page
      .getByText(/free .* of CPU on|add a node with at least/)
      .first()
      .waitFor();
    expect(page.url()).toContain("whatif=yes");
    await expectNoSeriousFindings(page);
    await screenshot(page, "timeline-pending");
  });

  it("tells every rule that keeps it from a node, and keeps the question over a reload", async () => {
    const page = await browser.open(`${dashboard.url}${TRAINING}`);
    await page.locator("#why-not-nodes option[value=eu-a-1]").waitFor({ state: "attached" });
    // A name of the list needs no button.
    await page.getByLabel("Node", { exact: true }).fill("eu-b-2");
    await page.getByText(/alice/).first().waitFor();
    await page.reload();
    await page.getByText(/alice/).first().waitFor();
    expect(await page.getByLabel("Node", { exact: true }).inputValue()).toBe("eu-b-2");
  });
});

const lost = () =>
  [...dashboard.plane.objects.all("Replica").values()].find(
    ({ spec, status }) => spec.workload === "indexer" && status.incarnation > 1,
  );

describe("the timeline of what a dead node took along", () => {
  it("shows the evidence on which it was released, and the place it has now", async () => {
    const replica = lost();
    const page = await browser.open(
      `${dashboard.url}/ui/timeline/replica/research/${replica?.meta.name}`,
      { theme: "dark" },
    );
    const released = page.getByRole("button", { name: /release/ }).first();
    await released.click();
    await page.getByText("evidence", { exact: true }).first().waitFor();
    const opened = new URL(page.url()).searchParams.get("step");
    expect(opened).toMatch(/^r\d+$/);
    await expectNoSeriousFindings(page);
    await screenshot(page, "timeline-replaced-dark");
    // Then, and back: the past is an address.
    await page.getByRole("link", { name: "State at this revision" }).click();
    await page.getByText("State at an earlier revision.").waitFor();
    expect(new URL(page.url()).searchParams.get("revision")).toBe(opened?.slice(1));
    await page.getByRole("link", { name: "Back to now" }).click();
    await page.getByText(/^Live\./).waitFor();
  });

  it("and that of the node itself leads back to the fleet", async () => {
    const page = await browser.open(`${dashboard.url}/ui/timeline/node/us-a-1`, {
      viewport: "phone",
    });
    await page.getByRole("link", { name: "show it in the fleet" }).waitFor();
    await page
      .getByText(/fenced/)
      .first()
      .waitFor();
    await page
      .getByRole("region", { name: "Incidents" })
      .getByText(/us-a-1 was fenced/)
      .waitFor();
    await screenshot(page, "timeline-node-phone");
  });
});

it("an address that names nothing says what a timeline is about, one of an unknown object says so", async () => {
  browser.allow(/404/);
  const page = await browser.open(`${dashboard.url}/ui/timeline`);
  await page.getByText("Choose a replica, workload, node or decision.").waitFor();
  await page.goto(`${dashboard.url}/ui/timeline/replica/research/nobody.1.0`);
  await page.getByText("Cannot explain it.").waitFor();
});

it("is told live: a node that fits ends the wait while the page is open", async () => {
  const page = await browser.open(`${dashboard.url}${TRAINING}`);
  await page.getByRole("rowheader", { name: "capacity" }).first().waitFor();
  await dashboard.apply(aNode("eu-a-9", { cpu: 16 }));
  await page.getByText("Bound to node eu-a-9").first().waitFor();
  const waits = page.locator(".wait");
  await expect.poll(() => waits.count(), PATIENCE).toBe(0);
});

/** The page Steering in a real browser: overrides are made, kept from others and seen where they act; policies move on and back. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { recoveryBudgetKey } from "../../src/core/model/recovery-budget.ts";
import { nodeKey, operationId, policyKey } from "../../src/core/model/ids.ts";
import { overrideKey } from "../../src/core/model/override.ts";
import { loginName } from "../../src/shell/login-name.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
  screenshot,
  untilShown,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { aNode, aWorkload, furnish, serving } from "./a-scene.ts";

const browser = aBrowser();
const dashboard = aDashboard();

const revision = (name: string, spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: "berth.dev/v1",
  kind: "PolicyRevision",
  metadata: { name },
  spec,
});

const recovery = { reserve: { cpu: 4, memory: "4Gi" } };

beforeAll(async () => {
  await furnish(dashboard);
  await dashboard.apply(
    revision("default-1", { scoring: "best-fit", recovery }),
    revision("default-2", {
      scoring: "spread-out",
      recovery,
      spread: [{ by: "zone", maxSkew: 1 }],
      onRollback: { bindings: "drain" },
    }),
    {
      apiVersion: "berth.dev/v1",
      kind: "Policy",
      metadata: { name: "default" },
      spec: { active: "default-1" },
    },
  );
});

const override = (name: string, action: string, target: Readonly<Record<string, string>>) => ({
  apiVersion: "berth.dev/v1",
  kind: "Override",
  metadata: { name },
  spec: { action, target, reason: "on call", ttl: "4h" },
});

const held = (name: string) => dashboard.plane.objects.get(overrideKey(name));
const policy = () => dashboard.plane.objects.all("Policy").get(policyKey("default"));
const cardOf = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");

const NAME = "avoid-zone-eu-a";

async function makeOverride(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New override…" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("textbox", { name: "Zone" }).fill("eu-a");
  await dialog.getByLabel("Your name, for the audit trail").fill("ana");
  // Its reason is left out at first: the plane says so in its own words.
  await dialog.getByRole("button", { name: "Create the override" }).click();
  await dialog.getByText(/The plane rejected the request.*spec\.reason/).waitFor();
  await dialog.getByLabel("Reason").fill("shaky power");
  await dialog.getByText("Name and postcondition").click();
  await dialog.getByLabel("Workload of the postcondition").fill("payments/api");
  await dialog.getByLabel("Minimum serving replicas").fill("9");
  await dialog.getByText(/^berth override create avoid-zone --zone eu-a .* --as ana$/).waitFor();
  await screenshot(page, "steering-form");
  await expectNoSeriousFindings(page);
  await dialog.getByRole("button", { name: "Create the override" }).click();
}

describe("overrides", () => {
  it("are made by a form in a person's name, say what they hold back, and are released only by that person", async () => {
    browser.allow(/status of 4(03|09|22)/);
    const page = await browser.open(`${dashboard.url}/ui/steering`);
    await page.getByText("No override is in force.").waitFor();
    await makeOverride(page);
    const card = cardOf(page, NAME);
    await card.getByRole("heading", { name: "Zone eu-a is avoided" }).waitFor();
    expect(held(NAME)).toMatchObject({
      spec: { action: "avoid-zone", target: { zone: "eu-a" }, reason: "shaky power" },
      status: { owner: "ana", extensions: 0 },
    });
    await card.getByText(/is not met yet.*4 of payments\/api serve; 9 should/).waitFor();
    await card.getByText("nothing now").waitFor();
    await dashboard.apply(aWorkload("payments/held", { placement: { zones: ["eu-a"] } }));
    await card.getByRole("link", { name: "payments/held" }).waitFor();

    await card.getByRole("button", { name: `Release ${NAME}` }).click();
    await dialogOf(page).getByLabel("Your name, for the audit trail").fill("bob");
    await dialogOf(page).getByRole("button", { name: "Release" }).click();
    const refusal = dialogOf(page).locator(".refusal");
    await refusal.getByText(/only its owner can extend or release it/).waitFor();
    expect(held(NAME)).toBeDefined();
    await dialogOf(page).getByRole("button", { name: "Cancel" }).click();

    await card.getByRole("button", { name: `Extend ${NAME}` }).click();
    await dialogOf(page).getByLabel("Your name, for the audit trail").fill("ana");
    await dialogOf(page).getByLabel("Duration from now").fill("2h");
    await dialogOf(page).getByRole("button", { name: "Extend" }).click();
    await card.getByText("extended once").waitFor();
    expect(held(NAME)).toMatchObject({ status: { extensions: 1 } });
  });

  it("are seen where they act, and lead back to this page", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet`);
    const troubles = page.getByRole("region", { name: "Needs attention" });
    await troubles.getByText(/Zone eu-a is avoided by ana, ends in .*: shaky power/).waitFor();
    await dashboard.apply(
      override("audit", "pin", { tenant: "payments", workload: "api" }),
      override("fan", "avoid-node", { node: "eu-b-1" }),
    );
    // The page is open already, and is told.
    await troubles.getByText(`Node eu-b-1 is avoided by ${loginName()}`).waitFor();
    expect(await troubles.getByText("is pinned").count()).toBe(0);
    await page.goto(`${dashboard.url}/ui/fleet?node=eu-a-2`);
    const panel = page.getByRole("complementary", { name: "eu-a-2" });
    await panel.getByText(/Zone eu-a is avoided by ana/).waitFor();
    await page.goto(`${dashboard.url}/ui/workloads/payments/api`);
    await page
      .getByText(
        new RegExp(`Workload payments/api is pinned by ${loginName()}, ends in .*: on call`),
      )
      .waitFor();
    await page.getByRole("link", { name: "Steering, override audit" }).click();
    await page.waitForURL("**/ui/steering?override=audit");
    await page.locator(".override-selected").waitFor();
  });

  it("are accessible, and are released by their owner", async () => {
    const page = await browser.open(`${dashboard.url}/ui/steering`);
    await cardOf(page, NAME).getByRole("link", { name: "payments/held" }).waitFor();
    await looksRight(page, "steering-overrides");
    await cardOf(page, NAME)
      .getByRole("button", { name: `Release ${NAME}` })
      .click();
    await dialogOf(page)
      .getByText(/Its postcondition is not met: 4 of/)
      .waitFor();
    await dialogOf(page).getByLabel("Your name, for the audit trail").fill("ana");
    await dialogOf(page).getByRole("button", { name: "Release" }).click();
    await expect.poll(() => cardOf(page, NAME).count(), PATIENCE).toBe(0);
    expect(held(NAME)).toBeUndefined();
  });
});

describe("policies", () => {
  it("move on in one region first, and back, with what becomes of bindings said before", async () => {
    const page = await browser.open(`${dashboard.url}/ui/steering?tab=policies`);
    const card = page.getByRole("region", { name: "Policy default" });
    const dialog = dialogOf(page);
    await page.getByRole("row", { name: 'scoring "best-fit" "spread-out"' }).waitFor();
    await card.getByRole("button", { name: "Activate a revision of default" }).click();
    await dialog.getByText("default-2 becomes active everywhere").waitFor();
    await dialog.getByLabel("Region (optional)").fill("eu");
    await dialog.getByLabel("Reason").fill("CHG-17");
    await dialog.getByLabel("Your name, for the audit trail").fill("ana");
    await dialog.getByRole("button", { name: "Activate" }).click();
    const history = card.getByRole("list", { name: "History" });
    await history.getByText(/ana default-1 → default-2 in eu: CHG-17/).waitFor();
    expect(policy()?.spec).toEqual({
      active: "default-1",
      stages: [{ region: "eu", revision: "default-2" }],
    });
    await looksRight(page, "steering-policies");

    await card.getByRole("button", { name: "Roll back to default-1… in eu" }).click();
    await dialog.getByText("policy/default: from default-2 back to default-1, in eu").waitFor();
    await dialog.getByText(/^bindings: drain: \d+ replicas? moves?, as fast as /).waitFor();
    await screenshot(page, "steering-roll-back");
    await dialog.getByLabel("Reason").fill("latency");
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await history.getByText(/default-2 → default-1 in eu: latency/).waitFor();
    await history.getByText(/rollback; bindings: drain, reservations: preserve/).waitFor();
    expect(policy()?.spec).toEqual({ active: "default-1" });
  });
});

/** Runs on a node of its own, keeps room on another that has no more than that, and then loses its node. */
async function loseLedger(): Promise<void> {
  await dashboard.apply(
    aNode("ap-a-1", { cpu: 1 }),
    aWorkload("payments/ledger", {
      replicas: 2,
      placement: { regions: ["ap", "sa"] },
      recovery: { within: "5m", replicas: 2, in: ["sa"] },
    }),
  );
  await serving(dashboard, "payments", "ledger", 2);
  await dashboard.apply(aNode("sa-a-1", { cpu: 1 }));
  const { objects } = dashboard.plane;
  await dashboard.until("room", () => objects.useOf("sa-a-1").held.size === 2 || undefined);
  const key = nodeKey("ap-a-1");
  const { session, health: from } = objects.node(key)!.status;
  dashboard.agents.fallSilent("ap-a-1");
  const evidence = { kind: "person", name: "ops", statement: "scrapped" } as const;
  const gone = { kind: "transition", key, session, from, to: "fenced", evidence } as const;
  const operation = operationId("fence/ap-a-1");
  await dashboard.plane.submit({ ...gone, operation }, { role: "user", name: "ops" });
}

describe("recovery budgets", () => {
  it("are shown with the recovering workloads that wait for them, and are granted under a ceiling that is shown", async () => {
    browser.allow(/status of 4(03|09|22)/);
    const page = await browser.open(`${dashboard.url}/ui/steering?tab=budgets`);
    const reserve = page.getByRole("region", { name: "Recovery reserve" });
    await reserve.getByText("0 spent, 0 granted and not spent, 4 free of 4").waitFor();
    await page.getByText("There are no budgets.").waitFor();
    await loseLedger();
    const waiting = page.getByRole("region", { name: "Waiting for a budget" });
    await waiting.getByRole("link", { name: "payments/ledger" }).first().waitFor();
    await waiting
      .getByText(/no recovery budget in sa/)
      .first()
      .waitFor();
    await screenshot(page, "steering-budget-waited-for");

    await waiting.getByRole("button", { name: "Grant a budget…" }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Region").fill("sa");
    await dialog.getByLabel("CPU").fill("9");
    await dialog.getByLabel("Memory").fill("1Gi");
    await dialog.getByLabel("Reason").fill("ap is dark");
    await dialog.getByLabel("Your name, for the audit trail").fill("ana");
    await dialog.getByRole("button", { name: "Grant the budget" }).click();
    await dialog
      .locator(".refusal")
      .getByText(/exceed the reserve/)
      .waitFor();
    await dialog.getByLabel("CPU").fill("1");
    await dialog.getByText(/berth budget grant sa --cpu 1 --memory 1Gi/).waitFor();
    await screenshot(page, "steering-budget-form");
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Grant the budget" }).click();
    const card = cardOf(page, "sa-ana");
    await card.getByText("1 of 1 cpu spent").waitFor();
    await card.getByRole("link", { name: "payments/ledger.1.0" }).waitFor();
    await card.getByText("used-up").waitFor();
    await reserve.getByText("1 spent, 0 granted and not spent, 3 free of 4").waitFor();
    await expect.poll(() => waiting.count(), PATIENCE).toBe(0);
    await page.goto(`${dashboard.url}/ui/workloads/payments/ledger`);
    await page
      .getByRole("region", { name: "Recovery" })
      .getByRole("link", { name: "sa-ana" })
      .click();
    await page.waitForURL("**/ui/steering?tab=budgets&budget=sa-ana");
  });

  it("are accessible, and are withdrawn by the person who granted them", async () => {
    browser.allow(/status of 403/);
    const page = await browser.open(`${dashboard.url}/ui/steering?tab=budgets&budget=sa-ana`);
    const card = cardOf(page, "sa-ana");
    await page.locator(".override-selected").waitFor();
    await looksRight(page, "steering-budgets");
    const withdraw = async (as: string) => {
      await card.getByRole("button", { name: "Withdraw sa-ana" }).click();
      await dialogOf(page).getByLabel("Your name, for the audit trail").fill(as);
      await dialogOf(page).getByRole("button", { name: "Withdraw" }).click();
    };
    await withdraw("bob");
    await dialogOf(page)
      .locator(".refusal")
      .getByText(/only its owner/)
      .waitFor();
    await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
    await withdraw("ana");
    await card.getByText("withdrawn", { exact: false }).first().waitFor();
    await card.getByText(/2 replicas still spend 1 cpu/).waitFor();
    expect(dashboard.plane.objects.get(recoveryBudgetKey("sa-ana"))?.meta.deletingMs).toBeDefined();
  });
});

/** In both themes and on a phone. */
async function looksRight(page: Page, picture: string): Promise<void> {
  await untilShown(page);
  await screenshot(page, picture);
  await expectNoSeriousFindings(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoSeriousFindings(page);
  await screenshot(page, `${picture}-dark`);
  // What follows is done on it.
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await screenshot(page, `${picture}-phone`);
}

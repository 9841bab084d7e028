/** What the dashboard shows of secrets: their names and keys where a workload names them, and no value on any page. */
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { assert } from "../../src/core/model/assert.ts";
import { parseSecretKeys } from "../../src/host/seal/secret-keys.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  screenshot,
  untilShown,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { aNode, aTenant, aWorkload, serving } from "./a-scene.ts";

const keys = parseSecretKeys(randomBytes(32).toString("base64"));
assert("first" in keys, "A key was not read.");
const browser = aBrowser();
const dashboard = aDashboard({ secretKeys: { current: keys } });

const run = {
  command: ["serve"],
  secretEnv: { PASSWORD: { name: "database", key: "password" } },
  secretFiles: { "tls.key": { name: "tls", key: "tls.key" } },
};
beforeAll(() =>
  dashboard.apply(
    aNode("eu-a-1"),
    ...aTenant("payments", { cpu: 4, memory: "4Gi" }),
    aWorkload("payments/api", { run }),
  ),
);

/** No program would write it by chance. */
const MARKER = `marker-${randomBytes(9).toString("hex")}`;
const FORMS = [
  MARKER,
  Buffer.from(MARKER).toString("hex"),
  ...[0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(MARKER)]).toString("base64");
    return text.slice(shift === 0 ? 0 : 4, -4);
  }),
];

const putSecret = (name: string, stringData: Readonly<Record<string, string>>) => {
  const path = "/api/v1/namespaces/payments/secrets";
  const body = { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData };
  return dashboard.write({ method: "POST", path, body });
};
const DETAIL = "/ui/workloads/payments/api";

it("[SE10] the page of a workload says which secret its replica waits for, and the next one", async () => {
  const page = await browser.open(`${dashboard.url}${DETAIL}`);
  await page.getByText("1: a secret is missing").waitFor();
  await page.getByText("waits for secret database/password").first().waitFor();
  await expectNoSeriousFindings(page);
  await screenshot(page, "workload-secret-missing");
  await putSecret("database", { password: MARKER });
  await page.getByText("waits for secret tls/tls.key").first().waitFor();
});

it("[SE1] its spec names secrets and keys, also on a phone", async () => {
  const page = await browser.open(`${dashboard.url}${DETAIL}?tab=spec`);
  await page.getByRole("row", { name: "run.secretEnv.PASSWORD.name database" }).waitFor();
  await page.getByRole("row", { name: "run.secretEnv.PASSWORD.key password" }).waitFor();
  await expectNoSeriousFindings(page);
  await screenshot(page, "workload-secret-spec");
  const phone = await browser.open(page.url(), { viewport: "phone", theme: "dark" });
  await phone.getByRole("row", { name: "run.secretFiles.tls.key.name tls" }).waitFor();
  await expectNoSidewaysScroll(phone);
  await screenshot(phone, "workload-secret-spec-phone");
});

const PAGES = [
  DETAIL,
  `${DETAIL}?tab=spec`,
  `${DETAIL}?tab=spec&form=yaml`,
  `${DETAIL}?tab=events`,
  `${DETAIL}?tab=conditions`,
  "/ui/timeline/workload/payments/api",
  "/ui/timeline/secret/payments/database",
  "/ui/fleet",
  "/ui/workloads",
  "/ui/queue",
  "/ui/quota",
  "/ui/promises",
  "/ui/steering",
  "/ui/incidents",
  "/ui/audit",
];

it("[SE2] no page has a value of a secret, nor an answer that a page reads", async () => {
  await putSecret("tls", { "tls.key": MARKER });
  await serving(dashboard, "payments", "api", 1);
  const leaks: string[] = [];
  let read = 0;
  const look = (where: string, text: string): void => {
    if (FORMS.some((form) => text.includes(form))) leaks.push(where);
  };
  const lookAt = (url: string, text: string | undefined): void => {
    if (text === undefined) return;
    read += 1;
    look(url, text);
  };
  const page = await browser.blank();
  let answers: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const text = request.response().then((answer) => answer?.text());
    // The text of a stream that ends with its page cannot be read any more.
    answers.push(text.catch(() => undefined).then((each) => lookAt(request.url(), each)));
  });
  for (const path of PAGES) {
    await page.goto(`${dashboard.url}${path}`, { waitUntil: "domcontentloaded" });
    await untilShown(page);
    await Promise.all(answers);
    answers = [];
    look(path, await page.content());
  }
  expect(leaks).toEqual([]);
  expect(read).toBeGreaterThanOrEqual(PAGES.length);
  // What is looked for is found where it is.
  look("planted", `data: ${Buffer.from(`x${MARKER}`).toString("base64")}`);
  expect(leaks).toEqual(["planted"]);
});

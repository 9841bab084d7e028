/**
 * `npm run pictures`: starts the demo of `npm start`, waits until the node that it kills is lost and all serve again, and takes
 * the pictures of the docs from it. What the README shows is what a newcomer sees.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { pathToFileURL } from "node:url";
import { openBrowser } from "../../bench/dashboard/open-browser.ts";
import { incidentPage } from "../../src/cli/simulate/write-incident.ts";
import { aViolation } from "./a-violation.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const TO = join(ROOT, "docs/pictures");

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly isDark?: true;
  readonly isPhone?: true;
  /** Seen when the page is whole. */
  readonly shows: RegExp;
}

const PICTURES: readonly Picture[] = [
  { name: "fleet", path: "/ui/fleet", shows: /was fenced/ },
  { name: "workload-pending", path: "/ui/workloads/research/risk-model", shows: /Why\?/ },
  {
    name: "timeline-pending",
    path: "/ui/timeline/replica/research/risk-model.1.0?whatif=yes",
    shows: /checked with the rules/,
  },
  { name: "timeline-dark", path: "", isDark: true, shows: /History/ },
  { name: "queue", path: "/ui/queue", shows: /risk-model/ },
  { name: "quota", path: "/ui/quota", shows: /payments/ },
  { name: "audit-dark", path: "/ui/audit", isDark: true, shows: /Revision/ },
  { name: "workloads-phone", path: "/ui/workloads", isPhone: true, shows: /risk-model/ },
];

/** What the demo says, until it has said this. */
function demo(data: string): {
  readonly stop: () => void;
  until(said: RegExp): Promise<RegExpExecArray>;
} {
  const berth = spawn(process.execPath, [
    join(ROOT, "bin/berth"),
    "up",
    "--data",
    data,
    "--incident",
    "5s",
  ]);
  let text = "";
  berth.stdout.on("data", (part: Buffer) => (text += part.toString()));
  berth.stderr.pipe(process.stderr);
  return {
    stop: () => void berth.kill(),
    until: async (said) => {
      for (;;) {
        const found = said.exec(text);
        if (found !== null) return found;
        if (berth.exitCode !== null) throw new Error(`The demo ended and said:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  };
}

async function take(page: Page, url: string, { name, path, shows }: Picture): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.getByText(shows).first().waitFor();
  // Fonts and the first drawing of a canvas are there a frame later.
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(TO, `${name}.png`) });
  console.log(`${name}.png`);
}

/** A simulation with a defect put in on purpose, as `--html` writes it. */
async function takeIncident(page: Page, folder: string): Promise<void> {
  const scenario = "incident-12-nomination-race";
  const document = await aViolation({ defect: "held-room-for-anybody", scenario, folder });
  const viewer = readFileSync(join(ROOT, "dist/web/incident.html"), "utf8");
  const file = join(folder, "incident.html");
  writeFileSync(file, incidentPage(viewer, document).text);
  const picture = { name: "incident", path: "", shows: /was violated/ };
  await take(page, pathToFileURL(file).href, picture);
}

const data = mkdtempSync(join(tmpdir(), "berth-pictures-"));
mkdirSync(TO, { recursive: true });
const running = demo(data);
const browser = await openBrowser();
try {
  const [, url = ""] = await running.until(/dashboard: (http:\/\/\S+?)\/\s/);
  const [, moved = ""] = await running.until(/All serve again.*: (\S+) serves on/);
  for (const picture of PICTURES) {
    const { isDark, isPhone } = picture;
    const page = await browser.newPage({
      colorScheme: isDark ? "dark" : "light",
      viewport: isPhone ? { width: 390, height: 844 } : { width: 1_280, height: 800 },
    });
    const path = picture.path === "" ? `/ui/timeline/replica/payments/${moved}` : picture.path;
    await take(page, url, { ...picture, path });
    await page.close();
  }
  await takeIncident(await browser.newPage({ viewport: { width: 1_280, height: 1_100 } }), data);
} finally {
  await browser.close();
  running.stop();
  await removeFolder(data);
}

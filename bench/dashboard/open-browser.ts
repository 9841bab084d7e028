/**
 * A chromium without a window. Its driver is a development dependency of Berth: only people who
 * build the dashboard run this benchmark, and other users do without the download.
 */
import { existsSync } from "node:fs";
import type { Browser, BrowserType } from "playwright-core";

/** Something that the benchmark needs is not on this machine. */
export class NoBrowser extends Error {
  override readonly name = "NoBrowser";
}

/**
 * A browser's own background work must neither disturb the measurement nor be part of it, and no
 * request may leave the machine.
 */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new NoBrowser(
      `There is no ${executablePath}. Install chromium (Debian: apt-get install chromium), or name another one in the variable CHROMIUM.`,
    );
  }
  const chromium = await loadDriver();
  return chromium.launch({ executablePath, args: FLAGS });
}

async function loadDriver(): Promise<BrowserType> {
  try {
    return (await import("playwright-core")).chromium;
  } catch {
    throw new NoBrowser(
      "The package playwright-core is not installed. It is a development dependency: run this in a clone of Berth, after `npm ci`.",
    );
  }
}

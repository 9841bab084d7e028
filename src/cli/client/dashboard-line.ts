/**
 * The line that says where the dashboard is. On a terminal the address logs the browser in: the
 * token stands behind the #, which a browser never sends, and the dashboard takes it out of the
 * address bar. Anywhere else the line may end in a log, so it only names the file.
 */
import { readFileSync } from "node:fs";

export function dashboardLine(
  url: string,
  tokenFile: string | undefined,
  isTerminal = process.stdout.isTTY,
): string {
  if (tokenFile === undefined) return `Dashboard: ${url}/`;
  if (!isTerminal) return `Dashboard: ${url}/ (log in with the token in ${tokenFile})`;
  return `Dashboard: ${loginUrl(url, readFileSync(tokenFile, "utf8").trim())}`;
}

export const loginUrl = (url: string, token: string): string =>
  `${url.replace(/\/$/, "")}/#token=${encodeURIComponent(token)}`;

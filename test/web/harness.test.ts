/** The browser of these tests can tell a page that is in order from one that is not: a check that cannot fail checks nothing. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
} from "./a-browser.ts";

const browser = aBrowser();

const BODIES: Readonly<Record<string, string>> = {
  "/good": "<p>fine</p>",
  "/pale": `<p id="pale">hardly there</p>`,
  "/wide": `<table id="wide"><tr><td>wide</td></tr></table>`,
  "/bad": `<p style="color: red">styled</p><script src="/throws.js"></script>`,
};

const server = createServer(({ url = "" }, reply) => {
  reply.setHeader("content-security-policy", "default-src 'self'");
  const body = BODIES[url];
  if (body !== undefined) {
    reply.setHeader("content-type", "text/html");
    reply.end(
      `<!doctype html><html lang="en"><title>t</title><main><h1>Page</h1>${body}</main></html>`,
    );
  } else if (url === "/throws.js") {
    reply.setHeader("content-type", "text/javascript");
    reply.end(`fetch("/nothing"); fetch("http://127.0.0.2/"); throw new Error("on purpose");`);
  } else {
    reply.statusCode = url === "/favicon.ico" ? 204 : 404;
    reply.end();
  }
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("finds nothing wrong with a page that is in order", async () => {
  const page = await browser.open(`${url}/good`, { viewport: "phone" });
  await expectNoSeriousFindings(page);
  await expectNoSidewaysScroll(page);
  expect(browser.seen).toEqual([]);
});

it("sees pale letters, and what does not fit on a phone", async () => {
  const pale = await browser.open(`${url}/pale`);
  await pale.evaluate(`document.querySelector("#pale").style.color = "#ccc"`);
  await expect(expectNoSeriousFindings(pale)).rejects.toThrow(/axe-core/);
  const wide = await browser.open(`${url}/wide`, { viewport: "phone" });
  await wide.evaluate(`document.querySelector("#wide").style.width = "400px"`);
  await expect(expectNoSidewaysScroll(wide)).rejects.toThrow(/wider/);
});

it("notes what a page throws, fails to get, asks of others or may not do", async () => {
  await browser.open(`${url}/bad`);
  for (const trouble of [
    /thrown: .*on purpose/,
    /console: .*404/,
    /Content-Security-Policy: style-src-attr inline/,
    /Content-Security-Policy: connect-src http:\/\/127\.0\.0\.2/,
  ]) {
    await expect.poll(() => browser.seen.join("\n"), PATIENCE).toMatch(trouble);
  }
  browser.allow(/./);
});

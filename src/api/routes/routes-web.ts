/**
 * The dashboard for browsers. Every plane serves it itself, also one that follows, and to every
 * client that may reach the plane: its files hold nothing of the plane, and what they show they ask
 * of the API as any other client does.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { type WebEncoding, type WebFile, WebFiles } from "./web-files.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const FILES: RouteRule = {
  kind: "open",
  why: "The dashboard has to be there to ask for a token.",
};
const PAGES = "/ui/*";
const ASSETS = "/assets/*";
/** Answered by the plane that was asked, leader or not. */
export const WEB_ROUTES: ReadonlySet<string> = new Set(["/", "/ui", PAGES, ASSETS]);
/** Where people begin. */
const FIRST_PAGE = "/ui/fleet";
/** A year, the longest that caches heed: a file with other contents has another name. */
const FOR_GOOD = "public, max-age=31536000, immutable";

/**
 * Nothing is loaded from elsewhere, nothing in a page runs but its own files, and no page of others
 * shows it in a frame.
 */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const NOT_BUILT =
  "The dashboard is not built.\nRun `npm run build` in the Berth directory and reload this page.\n" +
  "The API works without it: try `berth get workloads`.\n";

/**
 * Whether a request is for a file of the dashboard. Clients of the API that ask for `/` get what
 * they always got.
 */
export function isForDashboard({ routeOptions: { url }, headers }: FastifyRequest): boolean {
  if (url === undefined || !WEB_ROUTES.has(url)) return false;
  return url !== "/" || (headers.accept ?? "").includes("text/html");
}

/** `folder` is that of a built dashboard; left out, the one that was built with this plane. */
export function addWebRoutes(app: FastifyInstance, folder?: string): void {
  const files = new WebFiles(folder);
  const method = ["GET", "HEAD"];
  const home = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isForDashboard(request)) throw new ApiError("no-such-path", `${request.method} /`);
    if (files.get("index.html") === undefined) return sendNotBuilt(reply);
    await reply.headers({ ...HEADERS, Vary: "Accept" }).redirect(FIRST_PAGE);
  };
  app.route({ method, url: "/", ...asks(FILES), handler: home });
  app.route({ method, url: "/ui", ...asks(FILES), handler: home });
  app.route({
    method,
    url: PAGES,
    ...asks(FILES),
    handler: async (request, reply) => {
      const page = files.get("index.html");
      if (page === undefined) return sendNotBuilt(reply);
      // Asked for each time, and answered in a few bytes when it is still the same.
      await sendFile(request, reply.header("Cache-Control", "no-cache"), page);
    },
  });
  app.route({
    method,
    url: ASSETS,
    ...asks(FILES),
    handler: async (request, reply) => {
      const { "*": name } = request.params as { readonly "*": string };
      const file = files.get(`assets/${name}`);
      if (file === undefined) throw new ApiError("no-such-path", `There is no file ${name}.`);
      await sendFile(request, reply.header("Cache-Control", FOR_GOOD), file);
    },
  });
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
): Promise<void> {
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  // Bytes that differ have tags that differ: a cache may hold the forms side by side.
  const tag = `"${file.hash}-${encoding}"`;
  void reply.headers({ ...HEADERS, ETag: tag, Vary: "Accept-Encoding" });
  if (namesTag(request.headers["if-none-match"], tag)) {
    await reply.code(304).send();
    return;
  }
  if (encoding !== "identity") void reply.header("Content-Encoding", encoding);
  await reply.header("Content-Type", file.type).send(await file.encoded(encoding));
}

async function sendNotBuilt(reply: FastifyReply): Promise<void> {
  await reply
    .code(404)
    .headers({ ...HEADERS, "Cache-Control": "no-store" })
    .header("Content-Type", "text/plain; charset=utf-8")
    .send(NOT_BUILT);
}

const PREFERRED: readonly WebEncoding[] = ["br", "gzip"];

function chooseEncoding(accepted = ""): WebEncoding {
  const offered = accepted
    .split(",")
    .map((part) => part.split(";").map((text) => text.trim()))
    .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
    .map(([name]) => name);
  return PREFERRED.find((encoding) => offered.includes(encoding)) ?? "identity";
}

const namesTag = (given: string | undefined, tag: string): boolean =>
  (given ?? "").split(",").some((part) => part.trim().replace(/^W\//, "") === tag);

/** A real server that lists Kubernetes objects page by page, as an API server does. */
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import type { ACertificate } from "./a-certificate.ts";

interface Listed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KubeApiOptions {
  readonly objects: readonly Listed[];
  /** Without one it speaks plain HTTP. */
  readonly certificate?: ACertificate;
  /** Asks each client for this certificate. */
  readonly clients?: string;
  /** Answers a request in place of the lists; undefined: as usual. */
  readonly instead?: (path: string, at: number) => Answer | undefined;
}

export interface KubeApi {
  readonly url: string;
  /** Method, path and query of each request, with its Authorization. */
  readonly seen: readonly { readonly what: string; readonly authorization: string }[];
  close(): Promise<void>;
}

/** The kinds that it serves, with their paths. */
const PATHS: Readonly<Record<string, string>> = {
  Node: "/api/v1/nodes",
  Pod: "/api/v1/pods",
  Namespace: "/api/v1/namespaces",
  ReplicaSet: "/apis/apps/v1/replicasets",
  ResourceQuota: "/api/v1/resourcequotas",
  ResourceClaim: "/apis/resource.k8s.io/v1beta1/resourceclaims",
};

export async function aKubeApi(options: KubeApiOptions): Promise<KubeApi> {
  const seen: { what: string; authorization: string }[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { authorization = "", host = "" } = request.headers;
    seen.push({ what: `${request.method} ${request.url}`, authorization });
    const url = new URL(request.url ?? "/", `http://${host}`);
    const { status, body, headers } =
      options.instead?.(`${url.pathname}${url.search}`, seen.length) ??
      pageOf(url, options.objects);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body ?? { kind: "Status", code: status }));
  };
  const { certificate, clients } = options;
  const server =
    certificate === undefined
      ? createHttp(answer)
      : createHttps(
          {
            ...certificate,
            ...(clients === undefined
              ? {}
              : { ca: clients, requestCert: true, rejectUnauthorized: true }),
          },
          answer,
        );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const scheme = certificate === undefined ? "http://127.0.0.1" : "https://localhost";
  return {
    url: `${scheme}:${port}`,
    seen,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

function pageOf({ pathname, searchParams }: URL, objects: readonly Listed[]): Answer {
  const kind = Object.keys(PATHS).find((each) => PATHS[each] === pathname);
  if (kind === undefined) return { status: 404 };
  const all = objects.filter((each) => each.kind === kind);
  const from = Number(searchParams.get("continue") ?? 0);
  const limit = Number(searchParams.get("limit") ?? all.length);
  // Items of a list have no kind of their own.
  const items = all.slice(from, from + limit).map((each) => ({ ...each, kind: undefined }));
  const isLast = from + limit >= all.length;
  const metadata = { resourceVersion: "1", ...(isLast ? {} : { continue: `${from + limit}` }) };
  return {
    status: 200,
    body: {
      kind: `${kind}List`,
      metadata,
      items: isLast && from === 0 && items.length === 0 ? null : items,
    },
  };
}

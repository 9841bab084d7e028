import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { aCertificate } from "../../../test/builders/a-certificate.ts";
import { aKubeApi, type KubeApi, type KubeApiOptions } from "../../../test/builders/a-kube-api.ts";
import { kubeNodes, owned } from "../../../test/builders/a-kube-cluster.ts";
import { KubeDump } from "../kubernetes/dump.ts";
import { importKubernetes } from "../kubernetes/import-kubernetes.ts";
import { ClusterClient } from "./cluster-client.ts";
import { readCluster } from "./read-cluster.ts";
import { readKubeconfig } from "./read-kubeconfig.ts";

let folder = "";
let api: KubeApi | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-live-"));
});
afterEach(async () => {
  await api?.close();
  api = undefined;
});
afterAll(() => rmSync(folder, { recursive: true }));

const OBJECTS = [
  ...kubeNodes("a", 3),
  ...owned(
    "web",
    Array.from({ length: 1_203 }, (_, at) => `a-${at % 3}`),
  ),
];

interface Config {
  readonly cluster?: object;
  readonly user?: object;
  readonly rest?: object;
}

function writeConfig(server: string, { cluster = {}, user = {}, rest = {} }: Config = {}): string {
  const file = join(folder, "config");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "main",
    contexts: [{ name: "main", context: { cluster: "one", user: "me" } }],
    clusters: [{ name: "one", cluster: { server, ...cluster } }],
    users: [{ name: "me", user: { token: "t0ken", ...user } }],
    ...rest,
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function readLive(options: Partial<KubeApiOptions> = {}, config: Config = {}) {
  api = await aKubeApi({ objects: OBJECTS, ...options });
  const client = new ClusterClient(readKubeconfig(writeConfig(api.url, config), undefined));
  try {
    return await readCluster(client);
  } finally {
    client.close();
  }
}

const EXEC = { apiVersion: "client.authentication.k8s.io/v1", command: "aws" };

const helloWorld = () => ({ status: 200, body: { hello: 1 } });
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("a running cluster", () => {
  test("is read page by page, with GET alone, and is the same fleet as its dump", async () => {
    const { dump, missing } = await readLive();
    expect(dump.counts().get("Pod")).toBe(1_203);
    const whole = new KubeDump();
    whole.add({ kind: "List", items: OBJECTS }, "test");
    expect(importKubernetes(dump).fleet).toEqual(importKubernetes(whole).fleet);
    const asked = (api?.seen ?? []).map(({ what }) => what);
    expect(asked.filter((what) => what.includes("/pods"))).toEqual([
      "GET /api/v1/pods?limit=500",
      "GET /api/v1/pods?limit=500&continue=500",
      "GET /api/v1/pods?limit=500&continue=1000",
    ]);
    expect(asked.every((what) => what.startsWith("GET "))).toBe(true);
    expect(asked.some((what) => /secrets|configmaps/.test(what))).toBe(false);
    expect(api?.seen.every(({ authorization }) => authorization === "Bearer t0ken")).toBe(true);
    expect(missing).toContain("deployments: not served");
    // Served at an older version, and empty.
    expect(missing.some((each) => each.startsWith("resourceclaims"))).toBe(false);
  });

  test("gives a list anew whose page token expired, and each object once", async () => {
    let expired = 0;
    const { dump } = await readLive({
      instead: (path) => {
        if (!path.includes("continue=1000") || expired > 0) return undefined;
        expired += 1;
        return { status: 410 };
      },
    });
    expect(expired).toBe(1);
    expect(dump.counts().get("Pod")).toBe(1_203);
  });

  test("that is busy is asked again after a pause", async () => {
    const { dump } = await readLive({
      instead: (_, at) => (at <= 2 ? { status: 429, headers: { "retry-after": "0" } } : undefined),
    });
    expect(dump.counts().get("Node")).toBe(3);
  });

  test("is read without the kinds that the caller may not list, which are told", async () => {
    const { missing } = await readLive({
      instead: (path) => (path.includes("resourcequotas") ? { status: 403 } : undefined),
    });
    expect(missing).toContain("resourcequotas: not permitted (403)");
  });

  test.each([
    { status: 401, why: /It does not list nodes: not permitted \(401\)/ },
    { status: 403, why: /the right to list nodes and pods/ },
    { status: 500, why: /status 500/ },
  ])("that answers $status for its nodes is a clear error", async ({ status, why }) => {
    await expect(readLive({ instead: () => ({ status }) })).rejects.toThrow(why);
  });

  test("that is no Kubernetes API is a clear error", async () => {
    await expect(readLive({ instead: helloWorld })).rejects.toThrow(/is this a Kubernetes API/);
  });
});

describe("over TLS", () => {
  const server = aCertificate();
  const me = aCertificate("me");

  test("the certificate of the kubeconfig is trusted, and the client shows its own", async () => {
    const { dump } = await readLive(
      { certificate: server, clients: me.cert },
      {
        cluster: { "certificate-authority-data": base64(server.cert) },
        user: {
          "client-certificate-data": base64(me.cert),
          "client-key-data": base64(me.key),
        },
      },
    );
    expect(dump.counts().get("Node")).toBe(3);
  });

  test("a certificate that the kubeconfig does not know ends the import at once", async () => {
    await expect(readLive({ certificate: server })).rejects.toThrow(/SELF_SIGNED/);
    expect(api?.seen).toEqual([]);
  });
});

describe("a kubeconfig", () => {
  test.each([
    {
      title: "whose program asks a person",
      config: { user: { exec: { ...EXEC, interactiveMode: "Always" } } },
      why: /aws asks a person, which an import cannot do.*kubectl proxy/,
    },
    {
      title: "whose program speaks another version",
      config: { user: { exec: { ...EXEC, apiVersion: "client.authentication.k8s.io/v1alpha1" } } },
      why: /exec of apiVersion .*v1alpha1; expected/,
    },
    {
      title: "with a program without a name",
      config: { user: { exec: { ...EXEC, command: "" } } },
      why: /exec without a command/,
    },
    { title: "with a proxy", config: { cluster: { "proxy-url": "http://x" } }, why: /proxy-url/ },
    {
      title: "that acts as another user",
      config: { user: { as: "root" } },
      why: /"as", which is not/,
    },
    {
      title: "without a current context",
      config: { rest: { "current-context": "" } },
      why: /Say --context: main/,
    },
    {
      title: "of another cluster",
      config: { rest: { clusters: [] } },
      why: /no cluster "one"; it has none/,
    },
    { title: "that is none", config: { rest: { kind: "Pod" } }, why: /not a kubeconfig/ },
    {
      title: "whose files are missing",
      config: { user: { token: "", tokenFile: "gone" } },
      why: /ENOENT/,
    },
  ])("$title is a clear error", ({ config, why }) => {
    const file = writeConfig("http://127.0.0.1:1", config);
    expect(() => readKubeconfig(file, undefined)).toThrow(why);
  });

  test("sends no credential over a network unencrypted", () => {
    const file = writeConfig("http://10.0.0.1:80");
    expect(() => readKubeconfig(file, undefined)).toThrow(/unencrypted/);
  });

  test("names its other contexts, and reads files beside it", () => {
    writeFileSync(join(folder, "token"), "from-file\n");
    const file = writeConfig("https://h:1/", { user: { tokenFile: "token" } });
    expect(() => readKubeconfig(file, "other")).toThrow(/no context "other"; it has main/);
    expect(readKubeconfig(file, "main")).toMatchObject({
      server: "https://h:1",
      authorization: "Bearer from-file",
    });
  });
});

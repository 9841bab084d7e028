/**
 * Secrets from people to processes, with a real plane, agent and processes: a replica waits for its secret, gets it as
 * variable and file, and nothing that the system writes, says or starts has a value in clear.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../builders/remove-folder.ts";
import { adminHeaders } from "./admin-headers.ts";
import { PlaneAndAgents } from "./plane-and-agents.ts";

const berth = new PlaneAndAgents();
/** Outside the plane's folder, which is searched. */
const outside = mkdtempSync(join(tmpdir(), "berth-secret-"));
const keyFile = join(outside, "secret.key");
const decisionLog = join(outside, "decisions.jsonl");

beforeAll(async () => {
  writeFileSync(keyFile, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  await berth.start("--secret-key-file", keyFile, "--decision-log", decisionLog);
  berth.startAgent("a-1", "eu", "eu-a");
});
afterAll(async () => {
  await berth.remove();
  await removeFolder(outside);
});

/** No program would write it by chance, in none of its forms. */
const MARKER = `marker-${randomBytes(9).toString("hex")}-'"$(x)`;
const SECOND = `second-${randomBytes(9).toString("hex")}`;

/** As it may stand in a text: plain, in hex, and in base64 wherever in a text it begins. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [value.slice(0, 25), bytes.toString("hex").slice(0, 50), ...shifted];
}
const FORMS = [...formsOf(MARKER), ...formsOf(SECOND)];
const leaksIn = (text: string): readonly string[] => FORMS.filter((form) => text.includes(form));

const OBJECTS = `
apiVersion: berth.dev/v1
kind: Region
metadata: { name: eu }
spec: { zones: [eu-a] }
---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: payments }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: payments }
spec: { limit: { cpu: 1, memory: 1Gi } }
---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: api, namespace: payments }
spec:
  replicas: 1
  resources: { cpu: 10m, memory: 16Mi }
  run:
    command:
      - sh
      - -c
      - 'printf "%s" "$PASSWORD" | sha256sum; sha256sum < "$BERTH_FILES/token"; exec sleep 3600 # $(PASSWORD)'
    secretEnv: { PASSWORD: { name: db, key: password } }
    secretFiles: { token: { name: db, key: token } }
`;

async function putSecret(method: "POST" | "PUT", data: Record<string, string>): Promise<void> {
  const base = `${berth.server}/api/v1/namespaces/payments/secrets`;
  const answer = await fetch(method === "POST" ? base : `${base}/db`, {
    method,
    headers: { ...adminHeaders(berth.folder), "content-type": "application/json" },
    body: JSON.stringify({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "db" },
      stringData: data,
    }),
  });
  expect(answer.ok).toBe(true);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("[SE10] a replica waits for its secret and the key in it, and explain says so", async () => {
  await berth.apply(OBJECTS);
  const explained = (secret: string): Promise<string> =>
    berth.until(`the wait for ${secret}`, async () => {
      const said = await berth.berth("explain", "workload/api", "-n", "payments");
      return said.includes(`waits for secret ${secret}`) ? said : undefined;
    });
  expect(await explained("db/password")).not.toContain("db/token");
  await putSecret("POST", { password: MARKER });
  expect(await explained("db/token")).not.toContain(MARKER);
});

test("[SE11] the bound replica gets the values as variable and as file in memory", async () => {
  await putSecret("PUT", { password: MARKER, token: SECOND });
  const log = await berth.until("the process to have its secrets", async () => {
    const said = await berth.berth("logs", "workload/api", "-n", "payments");
    return said.split("\n").length > 2 ? said : undefined;
  });
  expect(log).toContain(sha256(MARKER));
  expect(log).toContain(sha256(SECOND));
});

function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

/** What the system has in files; the socket and the processes' own files in memory are none. */
const leakingFiles = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    [...filesIn(folder)].filter((file) => leaksIn(readFileSync(file, "latin1")).length > 0),
  );

const OBJECTS_OF = "/apis/berth.dev/v1/namespaces/payments";
const PAGES = [
  "/api/v1/secrets",
  "/api/v1/namespaces/payments/secrets/db",
  "/api/v1/namespaces/payments/secrets/db?pretty=true",
  "/api/v1/secrets?watch=true&timeoutSeconds=1&resourceVersion=0",
  `${OBJECTS_OF}/workloads/api`,
  `${OBJECTS_OF}/replicas`,
  "/api/v1/namespaces/payments/events",
  "/api/v1/pods",
  "/apis/berth.dev/v1/nodes",
  "/metrics",
  "/audit",
  "/decisions?key=Workload/payments/api",
  "/decisions?key=Secret/payments/db",
  "/explain?kind=workload&namespace=payments&name=api",
  "/revisions?kind=Secret&namespace=payments&name=db",
  "/diff?from=1",
  "/series",
  "/incidents",
  "/drain-plan?node=a-1",
  "/recovery-reserve",

  "/recordings/1/incident",
  "/fleet",
  "/problems",
  "/capacity",
  "/heartbeats",
  "/promises",
  "/search?q=db",
  "/views/workloads",
  "/views/queue",
  "/views/fleet",
  "/openapi/v3/api/v1",
  "/recordings",
];

const COMMANDS = [
  ["get", "secrets", "-A", "-o", "yaml"],
  ["get", "secrets", "-A", "-o", "wide"],
  ["describe", "secret", "db", "-n", "payments"],
  ["describe", "workload", "api", "-n", "payments"],
  ["explain", "workload/api", "-n", "payments"],
  ["audit"],
  ["logs", "workload/api", "-n", "payments"],
  ["get", "replicas", "-A", "-o", "json"],
];

test("[SE2] no file, page, stream, command, backup or process list has a value, in plain, base64 or hex", async () => {
  const headers = adminHeaders(berth.folder);
  const answers = await Promise.all(
    PAGES.map(async (page) => {
      const answer = await fetch(`${berth.server}${page}`, { headers });
      return { page, status: answer.status, leaks: leaksIn(await answer.text()) };
    }),
  );
  expect(answers.filter(({ status, leaks }) => status !== 200 || leaks.length > 0)).toEqual([]);
  for (const command of COMMANDS) {
    const { code, out, err } = await berth.run(...command);
    expect([command, code, leaksIn(out + err)]).toEqual([command, 0, []]);
  }
  const backup = join(outside, "backup.berth");
  await berth.berth("backup", "--out", backup);
  expect(statSync(backup).size).toBeGreaterThan(0);
  const words = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOr(`/proc/${pid}/cmdline`));
  expect(words.filter((each) => leaksIn(each).length > 0)).toEqual([]);
  expect(leakingFiles(berth.folder, outside)).toEqual([]);
  // The search finds what is there.
  writeFileSync(join(outside, "planted"), Buffer.from(`xx${MARKER}`).toString("base64"));
  expect(leakingFiles(outside)).toEqual([join(outside, "planted")]);
});

test("[SE2] the recording of the plane is played again, and it has no value either", async () => {
  expect(await berth.stopAndReplay()).toMatchObject({ code: 0 });
  expect(leakingFiles(berth.folder)).toEqual([]);
});

function readOr(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

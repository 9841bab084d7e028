/** The keys that a plane seals secrets with, as an operator gives them. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { PlaneCommandOptions } from "../../src/cli/commands/plane.ts";
import { deferred } from "../../src/cli/deferred.ts";
import { runPlane } from "../../src/cli/plane/run-plane.ts";
import { addSecretKey, ensureSecretKeyFile } from "../../src/serve/plane-secret-keys.ts";
import { UserError } from "../../src/shell/errors.ts";
import { removeFolder } from "../builders/remove-folder.ts";
import { runCommand } from "./a-served-plane.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-keys-"));
afterAll(() => removeFolder(folder));
const data = join(folder, "data");

/** What a plane with these options says, and while it runs the answer of `use`. */
async function withPlane(
  options: PlaneCommandOptions,
  use: () => Promise<string> = () => Promise.resolve(""),
): Promise<string> {
  const [stopped, said] = [deferred<string>(), deferred<string>()];
  const terminal = { out: said.resolve, err: () => {}, exitCode: 0 };
  const quiet = { listen: "127.0.0.1:0", logLevel: "silent", data } as const;
  const running = runPlane({ ...quiet, ...options }, terminal, stopped.promise);
  try {
    await Promise.race([said.promise, running]);
    return await use();
  } catch (error) {
    if (error instanceof UserError) return `${error.code}: ${error.message}`;
    throw error;
  } finally {
    stopped.resolve("the test");
    await running.catch(() => {});
  }
}

function manifest(name: string, more = 0): string {
  const file = join(folder, `${name}.yaml`);
  const objects = [
    "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: payments }\n",
    `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name}, namespace: payments }\nstringData: { password: marker }\n`,
    ...Array.from(
      { length: more },
      (_, at) =>
        `apiVersion: v1\nkind: Secret\nmetadata: { name: more-${at}, namespace: payments }\nstringData: { n: "${at}" }\n`,
    ),
  ];
  writeFileSync(file, objects.join("---\n"));
  return file;
}
const apply = async (name: string): Promise<string> => {
  const { out, err } = await runCommand(["apply", "-f", manifest(name), "--data", data]);
  return `${out}${err}`;
};

const get = async (): Promise<string> =>
  (await runCommand(["get", "secrets", "-n", "payments", "--data", data])).out;

test("[SE5] a plane without a key rejects secrets, and says what to do", async () => {
  const said = await withPlane({}, () => apply("db"));
  expect(said).toContain("start it with --secret-key-file FILE or --secret-key-command COMMAND");
  expect(said).not.toContain("marker");
});

test("[SE8] a plane notices at its start that it lacks the key of a secret", async () => {
  const [file, other] = [join(folder, "secret.key"), join(folder, "other.key")];
  ensureSecretKeyFile(file);
  ensureSecretKeyFile(other);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(await withPlane({ secretKeyFile: file }, () => apply("db"))).toContain(
    "secret/payments/db",
  );
  const told =
    /^log-unavailable: .*1 of its secrets, such as payments\/db, are sealed with k[0-9a-f]{16}/;
  expect(await withPlane({ secretKeyFile: other })).toMatch(told);
  expect(await withPlane({})).toMatch(told);
  expect(await withPlane({ unreadableSecrets: true }, get)).toMatch(/db +Opaque +1/);
  // A key that comes before the one in use leaves that one in the file.
  addSecretKey(file);
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
  expect(await withPlane({ secretKeyFile: file }, get)).toMatch(/db +Opaque +1/);
  expect(await withPlane({ secretKeyCommand: `cat ${file}` }, () => apply("more"))).toContain(
    "secret/payments/more",
  );
});

test("[SE5] keys that others can read, or that are none, are refused without quoting them", async () => {
  const file = join(folder, "bad.key");
  const key = randomBytes(31).toString("base64");
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  const short = await withPlane({ secretKeyFile: file });
  expect(short).toMatch(/^invalid-file: .*line 1 is not a key of 32 bytes in base64/);
  expect(short).not.toContain(key);
  chmodSync(file, 0o640);
  expect(await withPlane({ secretKeyFile: file })).toContain(`run chmod 600 ${file}`);
  const failed = await withPlane({ secretKeyCommand: `echo ${key}; exit 3` });
  expect(failed).toMatch(/--secret-key-command gave no key: it ended with 3\.$/);
  expect(await withPlane({ secretKeyFile: file, secretKeyCommand: "x" })).toMatch(/^bad-usage/);
});

test("[SE9] berth secret creates, lists and rotates, and the earlier key can go", async () => {
  const file = join(folder, "rotated.key");
  ensureSecretKeyFile(file);
  const place = join(folder, "rotated");
  const berth = async (...words: readonly string[]): Promise<string> => {
    const { out, err } = await runCommand(["secret", ...words, "--data", place]);
    return `${out}${err}`;
  };
  const value = join(folder, "value");
  writeFileSync(value, "marker");
  const options = { secretKeyFile: file, data: place };
  const used = await withPlane(options, async () => {
    await runCommand(["apply", "-f", manifest("db", 40), "--data", place]);
    const made = await berth("create", "file", "-n", "payments", "--from-file", `key=${value}`);
    expect(made).toBe("secret/payments/file has 1 key\n");
    expect(await berth("list", "-n", "payments")).toContain(
      "payments/file  Opaque  key (6 bytes)\n",
    );
    expect(await berth("create", "x", "--from-literal", "marker")).not.toContain("marker");
    return berth("rotate", "--add-key", file);
  });
  expect(used).toMatch(/^32 rotated, 10 left\n42 secrets rotated; all are/);
  const [first = ""] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${first}\n`, { mode: 0o600 });
  expect(await withPlane(options, () => berth("rotate"))).toMatch(/^0 secrets rotated; all are/);
  ensureSecretKeyFile(join(folder, "wrong.key"));
  const wrong = { secretKeyFile: join(folder, "wrong.key"), unreadableSecrets: true, data: place };
  expect(await withPlane(wrong, () => berth("rotate"))).toMatch(
    /42 secrets, such as payments\/db, cannot be opened with the keys of the plane/,
  );
});

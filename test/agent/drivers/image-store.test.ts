/** What an image may and may not do to the node that unpacks it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AGENT_LIMITS } from "../../../src/agent/agent-limits.ts";
import { readImageReference } from "../../../src/agent/drivers/image/image-reference.ts";
import { ImageStore } from "../../../src/agent/drivers/image/image-store.ts";
import { type Entry, layerOf, layoutOf } from "./an-image.ts";

let folder: string;
let store: ImageStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-images-"));
  store = new ImageStore({ folder: join(folder, "kept"), sources: folder });
});
afterEach(() => rmSync(folder, { recursive: true }));

const take = (...layers: readonly Buffer[]) => store.take(layoutOf(folder, "app", layers));
const DIGEST = `sha256:${"a".repeat(64)}`;

describe("an image", () => {
  test("is its layers, one over the other, with what they take away [DR15]", async () => {
    const image = await take(
      layerOf(
        { path: "a/old", text: "1" },
        { path: "b/gone", text: "1" },
        { path: "c", text: "1" },
      ),
      layerOf({ path: "a/.wh..wh..opq" }, { path: "a/new", text: "2" }, { path: "b/.wh.gone" }),
      layerOf({ path: "c", text: "3", mode: "4755" }, { path: "d", type: "1", link: "c" }),
    );
    const { root, config } = image;
    expect(readdirSync(join(root, "a"))).toEqual(["new"]);
    expect(readdirSync(join(root, "b"))).toEqual([]);
    expect(readFileSync(join(root, "d"), "utf8")).toBe("3");
    // No file of it makes a process another user.
    expect(statSync(join(root, "c")).mode & 0o7777).toBe(0o755);
    expect(config).toEqual({ user: "7:8", env: ["FROM_IMAGE=yes"], workingDir: "" });
  });

  test("is unpacked once, however many ask for it, and from an archive as well [DR15]", async () => {
    const name = layoutOf(folder, "app", [layerOf({ path: "a", text: "1" })]);
    const [one, other] = await Promise.all([store.take(name), store.take(name)]);
    expect(other).toEqual(one);
    execFileSync("tar", ["-c", "-f", join(folder, "app.tar"), "-C", join(folder, "app"), "."]);
    const again = new ImageStore({ folder: join(folder, "second"), sources: folder });
    const image = await again.take(name.replace("layout:app", "archive:app.tar"));
    expect(readFileSync(join(image.root, "a"), "utf8")).toBe("1");
  });

  test.each<[string, readonly Entry[], RegExp]>([
    ["leads out of it", [{ path: "../out", text: "x" }], /leads out of it/],
    ["leads out of it in its middle", [{ path: "a/../../out", text: "x" }], /leads out of it/],
    [
      "goes through a link",
      [
        { path: "l", type: "2", link: "/tmp" },
        { path: "l/out", text: "x" },
      ],
      /no directory/,
    ],
    [
      "links to a file outside",
      [{ path: "l", type: "1", link: "../../etc/passwd" }],
      /leads out of it/,
    ],
    ["is a device", [{ path: "dev/mem", type: "3" }], /such as a device/],
    ["takes away what is outside", [{ path: "a/.wh..." }], /leads out of it/],
  ])("with a file that %s is rejected whole [DR16]", async (_, entries, why) => {
    await expect(take(layerOf(...entries))).rejects.toThrow(why);
    expect(existsSync(join(folder, "out"))).toBe(false);
    expect(readdirSync(join(folder, "kept"))).toEqual([]);
  });

  test("whose part was changed is rejected by its digest [DR15]", async () => {
    const name = layoutOf(folder, "app", [layerOf({ path: "a", text: "1" })]);
    const blobs = join(folder, "app", "blobs", "sha256");
    const manifest = name.split("sha256:")[1]!;
    for (const blob of readdirSync(blobs)) {
      if (blob !== manifest) writeFileSync(join(blobs, blob), "{}");
    }
    await expect(store.take(name)).rejects.toThrow(/has other content/);
  });

  test("that is damaged or too deep is rejected [DR16]", async () => {
    await expect(take(Buffer.alloc(600, 7))).rejects.toThrow(/damaged/);
    await expect(
      take(layerOf({ path: "a/".repeat(40) + "b".repeat(10) }, { path: "x/".repeat(48) })),
    ).resolves.toBeDefined();
    const cut = layerOf({ path: "a", text: "x".repeat(2_000) }).subarray(0, 1_000);
    await expect(take(cut)).rejects.toThrow(/in the middle of a file/);
  });

  test("that no replica uses goes when enough others were used since [DR17]", async () => {
    const most = AGENT_LIMITS.imagesKept.value;
    for (let at = 0; at < most + 3; at += 1) {
      const image = await store.take(
        layoutOf(folder, `app${at}`, [layerOf({ path: `f${at}`, text: "1" })]),
      );
      store.release(image.id);
    }
    expect(readdirSync(join(folder, "kept"))).toHaveLength(most);
  });

  test("left half unpacked by a killed agent is removed [DR17]", () => {
    mkdirSync(join(folder, "kept", ".half"));
    void new ImageStore({ folder: join(folder, "kept") });
    expect(readdirSync(join(folder, "kept"))).toEqual([]);
  });
});

describe("the name of an image", () => {
  test.each([
    `registry.example:5000/team/app@${DIGEST}`,
    `layout:app@${DIGEST}`,
    `archive:app.tar@${DIGEST}`,
  ])("may be %s", (name) => {
    expect(readImageReference(name).digest).toBe(DIGEST);
  });

  test.each([
    "registry.example/app:latest",
    `layout:../app@${DIGEST}`,
    `layout:/etc@${DIGEST}`,
    `archive:a/b@${DIGEST}`,
    `--help@${DIGEST}`,
    `registry.example/../x@${DIGEST}`,
    `registry.example/app@${DIGEST}@${DIGEST}`,
  ])("may not be %s [DR9]", (name) => {
    expect(() => readImageReference(name)).toThrow(/^The image /);
  });
});

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
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AGENT_LIMITS } from "../../../src/agent/agent-limits.ts";
import { readImageReference } from "../../../src/agent/drivers/image/image-reference.ts";
import { ImageStore } from "../../../src/agent/drivers/image/image-store.ts";
import { openLayer } from "../../../src/agent/drivers/image/open-layer.ts";
import { type Entry, layerOf, layoutOf, ZSTD } from "./an-image.ts";

let folder: string;
let store: ImageStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-images-"));
  store = new ImageStore({ folder: join(folder, "kept"), sources: folder });
});
afterEach(() => rmSync(folder, { recursive: true }));

const take = (...layers: readonly Buffer[]) => store.take(layoutOf(folder, "app", layers));
const randomText = (letters: number) => randomBytes(letters).toString("hex").slice(0, letters);
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
    await store.settled();
    expect(readdirSync(join(folder, "kept"))).toHaveLength(most);
  });

  test("that was used longest ago goes first when images have too many bytes, and none that runs [DR17]", async () => {
    const notes: string[] = [];
    const cacheBytes = 3 * 2 ** 20;
    const note = (message: string) => void notes.push(message);
    store = new ImageStore({ folder: join(folder, "kept"), sources: folder, cacheBytes, note });
    const aMiB = async (name: string) => {
      const image = await store.take(
        layoutOf(folder, name, [layerOf({ path: name, text: "x".repeat(1_000_000) })]),
      );
      // So that no two of them were used in one millisecond.
      await sleep(5);
      return image.id;
    };
    const running = await aMiB("a");
    const early = await aMiB("b");
    store.release(early);
    await sleep(5);
    const late = await aMiB("c");
    store.release(late);
    expect(notes).toEqual([]);
    const last = await aMiB("d");
    await store.settled();
    expect(readdirSync(join(folder, "kept")).toSorted()).toEqual([running, late, last].toSorted());
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      new RegExp(
        `^removed the image sha256:${early} \\(1Mi\\), which no replica used since .*: images have 3Mi of 3Mi$`,
      ),
    );
    const after = await aMiB("e");
    await store.settled();
    // Those that run stay, whatever their bytes.
    store.hold(after);
    expect(readdirSync(join(folder, "kept")).toSorted()).toEqual([running, last, after].toSorted());
  });

  test("left half unpacked by a killed agent is removed [DR17]", async () => {
    mkdirSync(join(folder, "kept", ".half"));
    await new ImageStore({ folder: join(folder, "kept") }).settled();
    expect(readdirSync(join(folder, "kept"))).toEqual([]);
  });

  test("may have layers that zstd has compressed [DR15]", async () => {
    const name = layoutOf(folder, "app", [layerOf({ path: "a", text: "1".repeat(9_999) })], ZSTD);
    const { root } = await store.take(name);
    expect(readFileSync(join(root, "a"), "utf8")).toHaveLength(9_999);
  });

  test("whose layer is cut, or no stream of zstd at all, is rejected [DR16]", async () => {
    const layer = layerOf({ path: "a", text: randomText(50_000) });
    const cut = { ...ZSTD, pack: (bytes: Buffer) => ZSTD.pack(bytes).subarray(0, -9) };
    await expect(store.take(layoutOf(folder, "cut", [layer], cut))).rejects.toThrow(
      /no whole stream of zstd|middle of a file/,
    );
    const other = { ...ZSTD, pack: (bytes: Buffer) => bytes };
    await expect(store.take(layoutOf(folder, "other", [layer], other))).rejects.toThrow(
      /no whole stream of zstd|cannot be used/,
    );
    expect(readdirSync(join(folder, "kept"))).toEqual([]);
  });

  // A Node that unpacks zstd by itself lacks nothing.
  test.runIf(!("createZstdDecompress" in zlib))(
    "compressed by zstd names what its node lacks to unpack it",
    () => {
      expect(() => openLayer(Readable.from([]), "layer.v1.tar+zstd", () => undefined)).toThrow(
        "A layer is compressed by zstd, and its node cannot unpack that: it lacks zstd (Debian: zstd).",
      );
    },
  );
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

/** Images from a registry, by the real skopeo: verified by digest all the way, with the operator's credentials and bounds. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fetchImage } from "../../../src/agent/drivers/image/fetch-image.ts";
import { type ImageSettings, ImageStore } from "../../../src/agent/drivers/image/image-store.ts";
import { layerOf, layoutOf } from "./an-image.ts";
import { ARegistry } from "./a-registry.ts";

let folder: string;
let served: ARegistry;
const home = process.env["HOME"];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "berth-registry-"));
  served = await ARegistry.begin();
  // Where skopeo finds out that this one speaks plain HTTP.
  const settings = join(folder, ".config", "containers");
  mkdirSync(settings, { recursive: true });
  served.writeTrust(join(settings, "registries.conf"));
  process.env["HOME"] = folder;
});
afterEach(async () => {
  process.env["HOME"] = home ?? "/";
  await served.end();
  rmSync(folder, { recursive: true });
});

const storeOf = (of: ImageSettings = {}) => new ImageStore({ ...of, folder: join(folder, "kept") });
const named = (digest: string): string => `${served.host}/team/app@${digest}`;

/** Puts an image of one file into the registry, and answers its digest. */
function anImage(text = "from a registry"): string {
  const digest = layoutOf(folder, "app", [layerOf({ path: "file", text })]).split("@")[1]!;
  served.addLayout(join(folder, "app"));
  return digest;
}

const manifestOf = (digest: string) =>
  JSON.parse(served.content.get(digest)!.toString()) as {
    config: { digest: string; mediaType: string };
    layers: { digest: string; mediaType: string }[];
  };

describe("an image of a registry", () => {
  test("is fetched by its digest, and kept [DR15]", async () => {
    const digest = anImage();
    const name = named(digest);
    const { root, config } = await storeOf().take(name);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("from a registry");
    expect(config.env).toEqual(["FROM_IMAGE=yes"]);
    served.content.clear();
    await expect(storeOf().take(name)).resolves.toMatchObject({ root });
  });

  test("may be named by the digest of the index that lists it [DR15]", async () => {
    const digest = anImage();
    const size = served.content.get(digest)!.length;
    const architecture = process.arch === "arm64" ? "arm64" : "amd64";
    const mediaType = "application/vnd.oci.image.manifest.v1+json";
    const manifests = [
      {
        mediaType,
        size,
        digest: `sha256:${"0".repeat(64)}`,
        platform: { os: "linux", architecture: "s390x" },
      },
      { mediaType, size, digest, platform: { os: "linux", architecture } },
    ];
    const index = served.add(Buffer.from(JSON.stringify({ schemaVersion: 2, manifests })));
    const { root } = await storeOf().take(named(index));
    expect(readFileSync(join(root, "file"), "utf8")).toBe("from a registry");
  });

  test("may be one of Docker's, whose manifest has another form [DR15]", async () => {
    const docker = "application/vnd.docker";
    const { config, layers } = manifestOf(anImage());
    const manifest = {
      schemaVersion: 2,
      mediaType: `${docker}.distribution.manifest.v2+json`,
      config: { ...config, mediaType: `${docker}.container.image.v1+json` },
      layers: layers.map((each) => ({
        ...each,
        mediaType: `${docker}.image.rootfs.diff.tar.gzip`,
      })),
    };
    const { root } = await storeOf().take(named(served.add(Buffer.from(JSON.stringify(manifest)))));
    expect(readFileSync(join(root, "file"), "utf8")).toBe("from a registry");
  });

  test.each<[string, (digest: string) => string]>([
    ["manifest", (digest) => digest],
    ["configuration", (digest) => manifestOf(digest).config.digest],
    ["layer", (digest) => manifestOf(digest).layers[0]!.digest],
  ])(
    "whose %s is another than its digest says is refused, and nothing of it is kept [DR15]",
    async (_, part) => {
      const digest = anImage();
      const changed = served.content.get(part(digest))!;
      served.content.set(part(digest), Buffer.concat([changed, Buffer.from("\n")]));
      await expect(storeOf().take(named(digest))).rejects.toThrow(/^The image .* cannot be used: /);
      expect(readdirSync(join(folder, "kept"))).toEqual([]);
    },
  );

  test("that is not there is told so", async () => {
    await expect(storeOf().take(named(`sha256:${"0".repeat(64)}`))).rejects.toThrow(
      /cannot be used: .*(404|unknown|not found)/i,
    );
  });

  test("is fetched with the credentials of the operator's file [DR21]", async () => {
    const digest = anImage();
    served.login = "node:word";
    const authFile = join(folder, "auth.json");
    served.writeLogin(authFile, "node:wrong");
    await expect(storeOf({ authFile }).take(named(digest))).rejects.toThrow(
      /cannot be used: .*(unauthorized|401|authentication)/i,
    );
    served.writeLogin(authFile, "node:word");
    await expect(storeOf({ authFile }).take(named(digest))).resolves.toBeDefined();
  });

  test("comes from no registry but those of the operator [DR21]", async () => {
    const digest = anImage();
    const store = storeOf({ registries: ["registry.example"] });
    await expect(store.take(named(digest))).rejects.toThrow(
      `This node takes no images from ${served.host}, only from registry.example.`,
    );
    await expect(storeOf({ registries: [served.host] }).take(named(digest))).resolves.toBeDefined();
  });

  test("that has no end is given up at its bound [DR16]", async () => {
    const digest = anImage();
    served.endless.add(manifestOf(digest).layers[0]!.digest);
    const name = `${served.host}/team/app`;
    await expect(
      fetchImage({ name, digest, layout: join(folder, "layout"), mostBytes: 2 ** 20 }),
    ).rejects.toThrow("The image has more than 1048576 bytes.");
  });
});

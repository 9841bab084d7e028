/** The parts of an image by their digests, and which image of an index is for this machine. */
import type { BlobStore, Descriptor } from "./blob-store.ts";

export interface Manifest {
  /** Of an index: one manifest for each kind of machine. */
  readonly manifests?: readonly Descriptor[];
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Undefined: it is no index. */
export function chosenIn({ manifests }: Manifest): Descriptor | undefined {
  if (manifests === undefined) return undefined;
  const own = ARCHITECTURES[process.arch];
  const fitting = manifests.find(
    ({ platform }) => platform?.os === "linux" && platform.architecture === own,
  );
  const [only] = manifests.length === 1 ? manifests : [];
  const chosen = fitting ?? only;
  if (chosen === undefined) throw new Error(`It has no manifest for linux/${own}.`);
  return chosen;
}

export async function manifestOf(blobs: BlobStore, digest: string): Promise<Manifest> {
  const found = await blobs.json<Manifest>({ digest });
  const chosen = chosenIn(found);
  return chosen === undefined ? found : blobs.json<Manifest>(chosen);
}

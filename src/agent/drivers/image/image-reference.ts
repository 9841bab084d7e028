/**
 * What a template names as its image: always by digest, so that the same words are the same files
 * on every node. Names of layouts and archives are single words below a directory that the operator
 * chose: no template can name a path of a machine.
 */

export interface ImageReference {
  readonly from: "layout" | "archive" | "registry";
  /** A word below the node's directory of images, or the registry's name of it. */
  readonly name: string;
  /** Of its manifest, or of the index that lists manifests by machine. */
  readonly digest: string;
}

const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const IN_REGISTRY = /^[a-z0-9][a-z0-9.-]*(:\d{1,5})?(\/[a-z0-9][a-z0-9._-]*)+$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export function readImageReference(text: string): ImageReference {
  const [named = "", digest = "", ...more] = text.split("@");
  if (more.length > 0 || !DIGEST.test(digest)) {
    throw new Error(
      `The image ${JSON.stringify(text)} has no digest: name it like registry.example/app@sha256:…, so that all nodes run the same.`,
    );
  }
  const [, from, name = ""] = /^(layout|archive):(.*)$/s.exec(named) ?? [];
  if (from === undefined) {
    if (IN_REGISTRY.test(named)) return { from: "registry", name: named, digest };
  } else if (WORD.test(name)) {
    return { from: from as "layout" | "archive", name, digest };
  }
  throw new Error(
    `The image ${JSON.stringify(text)} is none: expected layout:NAME@…, archive:NAME@… or registry.example/name@….`,
  );
}

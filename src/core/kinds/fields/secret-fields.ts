/** What a template takes from secrets of its tenant. */
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import { SECRET_MOST } from "../../model/limits/secret-limits.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { SecretKeyRef } from "../../model/secret/secret-refs.ts";
import { map, name, object, optional, patterned } from "./field.ts";

/** As in a secret. */
export const SECRET_KEY = {
  most: 253,
  pattern: "^[-._a-zA-Z0-9]+$",
  expected: "the name of a key, of letters, digits, '-', '_' and '.'",
} as const;

const ref = object<SecretKeyRef>("A key of a Secret of the workload's tenant.", {
  name: name("The name of the Secret."),
  key: patterned("The key in it.", SECRET_KEY),
});

/**
 * Only what a shell can export: any other name would be an argument of env(1), and its value with
 * it.
 */
const secretEnv = map("Environment variables whose values are in Secrets.", ref, {
  most: SECRET_MOST.secretKeys,
  keys: {
    most: OBJECT_MOST.keyBytes,
    pattern:
      "^(?!(?:UID|EUID|PPID|SHELLOPTS|BASH[A-Za-z0-9_]*|BERTH_[A-Z0-9_]*)$)[A-Za-z_][A-Za-z0-9_]*$",
    expected: "the name of an environment variable, of letters, digits and '_'",
  },
});

const secretFiles = map(
  "Files in memory whose contents are in Secrets, in the directory $BERTH_FILES of the process.",
  ref,
  {
    most: SECRET_MOST.secretKeys,
    keys: {
      most: 253,
      pattern: "^(?!__berth)[A-Za-z0-9_-][A-Za-z0-9._-]*$",
      expected: "the name of a file, without '/'",
    },
  },
);

/** In the process of a template, in both of its forms. */
export const FROM_SECRETS = {
  secretEnv: optional(secretEnv),
  secretFiles: optional(secretFiles),
} as const;

export const fromSecrets = ({
  secretEnv: variables,
  secretFiles: files,
}: Pick<RunOptions, "secretEnv" | "secretFiles">): Pick<
  RunOptions,
  "secretEnv" | "secretFiles"
> => ({
  ...(variables === undefined ? {} : { secretEnv: variables }),
  ...(files === undefined ? {} : { secretFiles: files }),
});

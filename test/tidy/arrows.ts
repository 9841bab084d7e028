/**
 * Which folder may import from which: the one list of the house's arrows. A folder that is not in it, or an
 * import that it does not allow, is a fault. The two most important: core imports nothing but core, and the
 * authority (commit) shares only model, protocol, observe, rules and kinds with those who propose to it.
 */
import { posix } from "node:path";
import { codeOnly, withoutComments } from "./blank.ts";
import { type Finding, isScript, isTest, lineOf, type SourceFile } from "./source-file.ts";

const CORE_BASE = ["src/core/model", "src/core/protocol"];
const CORE_SEEN = [
  ...CORE_BASE,
  "src/core/kernel",
  "src/core/observe",
  "src/core/rules",
  "src/core/kinds",
];
const LEAVES = [
  "src/core",
  "src/quantity",
  "src/spelling",
  "src/text",
  "src/shell",
  "src/manifest",
];

/** For each folder, those that it may import from besides itself; the longest name that fits a file counts. */
export const ARROWS: ReadonlyMap<string, readonly string[]> = new Map([
  ["src/core/model", []],
  ["src/core/protocol", ["src/core/model"]],
  ["src/core/kernel", CORE_BASE],
  // The index of who may do what is kept with the objects.
  ["src/core/observe", [...CORE_BASE, "src/core/rules/access"]],
  ["src/core/rules/access", CORE_BASE],
  ["src/core/rules", [...CORE_BASE, "src/core/observe"]],
  // What is true of each kind: a definition may ask a rule, and no rule asks a definition.
  ["src/core/kinds", [...CORE_BASE, "src/core/observe", "src/core/rules"]],
  // What commands ask of roles, and what readers are shown.
  ["src/core/access", CORE_SEEN],
  ["src/core/commit", CORE_SEEN],
  ["src/core/runner", CORE_SEEN],
  ["src/core/propose", [...CORE_SEEN, "src/core/runner"]],
  ["src/core/correct", [...CORE_SEEN, "src/core/runner"]],
  // When the plane of a region speaks to the global plane.
  ["src/core/regional", [...CORE_BASE, "src/core/kernel"]],
  // Which request is next, for the API and for the simulated plane.
  ["src/core/admission", []],
  ["src/core/agent", [...CORE_SEEN, "src/core/runner"]],
  ["src/core/explain", [...CORE_SEEN, "src/core/propose", "src/core/correct"]],
  // The list of all controllers, and the group that shares one view.
  ["src/core", []],
  ["src/sim", ["src/core"]],
  ["src/quantity", []],
  ["src/spelling", []],
  ["src/text", []],
  ["src/shell", ["src/text"]],
  // Between the core's form of a spec and what people write, by the fields of its kind.
  ["src/manifest", ["src/core", "src/quantity"]],
  ["src/steering", ["src/core"]],
  ["src/scenario", [...LEAVES, "src/sim"]],
  ["src/incident", ["src/core", "src/sim"]],
  // A fleet at one moment, from files.
  ["src/fleet", LEAVES],
  // A fleet in virtual time, with faults on top.
  ["src/twin", [...LEAVES, "src/fleet", "src/scenario", "src/sim"]],
  // Promises, checked against a fleet and its twin.
  ["src/review", [...LEAVES, "src/fleet", "src/twin"]],
  ["src/host", LEAVES],
  ["src/agent", LEAVES],
  ["src/replay", [...LEAVES, "src/host", "src/incident", "src/sim"]],
  // A change of objects on a copy of a fleet, in virtual time.
  ["src/rehearsal", [...LEAVES, "src/fleet"]],
  // The promises of a running plane, checked while it runs.
  ["src/promises", [...LEAVES, "src/fleet", "src/host", "src/review", "src/twin"]],
  ["src/api", [...LEAVES, "src/fleet", "src/host", "src/promises", "src/replay"]],
  // The library that users import: beside itself only the pauses of every HTTP client, and types.
  ["src/client", ["src/shell", "src/api"]],
  // Its configuration is YAML, and mistakes in it have a line.
  ["src/serve", [...LEAVES, "src/host", "src/api", "src/scenario"]],
  ["bench", [...LEAVES, "src/agent", "src/fleet", "src/host", "src/api", "src/serve", "src/twin"]],
  // What developers run with npm; nothing of the product imports it.
  [
    "bench/scripts",
    ["bench", ...LEAVES, "src/host", "src/api", "src/replay", "src/sim", "test/builders"],
  ],
  ["test/builders", ["src"]],
  [
    "src/cli",
    [
      ...LEAVES,
      "src/agent",
      "src/api",
      "bench",
      "src/fleet",
      "src/host",
      "src/incident",
      "src/rehearsal",
      "src/replay",
      "src/review",
      "src/scenario",
      "src/serve",
      "src/sim",
      "src/steering",
      "src/twin",
    ],
  ],
  // A browser has no disk and no processes: of the shells it takes only what is plain computation.
  ["web/src", ["src/core", "src/api", "src/incident", "src/quantity", "src/steering"]],
]);

/** These may not even import a package: they have no clock, no chance and no I/O. */
const WITHOUT_PACKAGES = ["src/core", "src/sim"];

export function findForbiddenImports(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isScript(path) && !isTest(path) && /^(?:src|bench|web\/src)\//.test(path))
    .flatMap(forbiddenImportsOf);
}

function forbiddenImportsOf(file: SourceFile): Finding[] {
  const folder = folderOf(file.path);
  if (folder === undefined) {
    return [`${file.path} is in a folder without arrows: add it to test/tidy/arrows.ts.`];
  }
  return importsOf(file.text).flatMap(({ specifier, line }) => {
    if (isAllowed(file.path, folder, specifier)) return [];
    const targets = ARROWS.get(folder) ?? [];
    const allowed = targets.length === 0 ? "itself" : `itself, ${targets.join(", ")}`;
    return [
      `${file.path}:${line} imports "${specifier}": ${folder} may import from ${allowed}. Move what both need below both.`,
    ];
  });
}

function isAllowed(path: string, folder: string, specifier: string): boolean {
  if (!specifier.startsWith(".")) {
    return !WITHOUT_PACKAGES.some((pure) => path.startsWith(`${pure}/`));
  }
  const target = folderOf(posix.join(posix.dirname(path), specifier));
  // Whatever is no source, such as a style sheet, stands beside the page that shows it.
  if (target === undefined || target === folder) return target === folder || folder === "web/src";
  // The list of all controllers may name each of them.
  if (folder === "src/core") return target.startsWith("src/core/");
  const targets = ARROWS.get(folder) ?? [];
  return targets.some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function folderOf(path: string): string | undefined {
  for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) {
    if (ARROWS.has(at)) return at;
  }
  return undefined;
}

/** Static and dynamic imports and re-exports, wherever the specifier is a literal. */
function importsOf(text: string): { specifier: string; line: number }[] {
  const source = withoutComments(text);
  const code = codeOnly(text);
  const opening = /\b(?:from|import)\s*\(?\s*["']/g;
  return [...code.matchAll(opening)].map((match) => {
    const start = match.index + match[0].length;
    const quote = source.charAt(start - 1);
    return {
      specifier: source.slice(start, source.indexOf(quote, start)),
      line: lineOf(code, start),
    };
  });
}

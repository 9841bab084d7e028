/**
 * The house rules, as a test. Each scan is a file under test/tidy, where a test shows that it can fail.
 * An empty list is a pass; anything else is the list of sentences that say what to do.
 */
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VERSION } from "../src/shell/version.ts";
import { findForbiddenImports } from "./tidy/arrows.ts";
import { findChangelogFaults } from "./tidy/changelog.ts";
import { findCitationGaps } from "./tidy/citations.ts";
import { findStrayColours } from "./tidy/colours.ts";
import { limitsPage, readLimitTables } from "./tidy/limits-page.ts";
import { findDeadExports } from "./tidy/dead-exports.ts";
import { findCrowdedFolders } from "./tidy/folders.ts";
import { findBadNames } from "./tidy/names.ts";
import {
  findHiddenSubjects,
  findHiddenSubjectsInComments,
  findLongComments,
  findVagueTitles,
} from "./tidy/plain-words.ts";
import { findImpurities, isPure } from "./tidy/purity.ts";
import { CLIENT_KINDS, clientTypes } from "./tidy/client-types.ts";
import { editorSchema } from "./tidy/editor-schema.ts";
import { exampleFiles, referencePages } from "./tidy/reference-pages.ts";
import {
  findUndocumentedCodes,
  findUnknownCodes,
  findUnknownRules,
  type Registry,
} from "./tidy/registries.ts";
import { findShortcuts } from "./tidy/shortcuts.ts";
import { findLongFiles } from "./tidy/size.ts";
import { readTree, type SourceFile } from "./tidy/source-file.ts";
import { findStrangers } from "./tidy/strangers.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const files = readTree(root);

function need(path: string): SourceFile {
  const file = files.find((candidate) => candidate.path === path);
  if (!file) throw new Error(`${path} is missing, and the house rules need it: write it.`);
  return file;
}

const refusals = (): readonly Registry[] =>
  [
    { name: "REFUSALS", source: need("src/core/protocol/refusals.ts") },
    { name: "SCALING_REFUSALS", source: need("src/core/protocol/scaling-refusals.ts") },
    {
      name: "REGISTRATION_REFUSALS",
      source: need("src/core/protocol/registration-refusals.ts"),
    },
    { name: "REGION_REFUSALS", source: need("src/core/protocol/region-refusals.ts") },
  ].map((registry) => ({ ...registry, document: need("docs/SPEC.md") }));

const errors = (): readonly Registry[] =>
  [
    { name: "ERRORS", source: need("src/shell/errors.ts") },
    { name: "API_ERRORS", source: need("src/api/errors.ts") },
  ].map((registry) => ({ ...registry, document: need("docs/errors.md") }));

describe("house rules", () => {
  it("core and simulator use no clock, chance, promise, locale or floating-point mathematics", () => {
    expect(files.filter((file) => isPure(file.path))).not.toEqual([]);
    expect(findImpurities(files)).toEqual([]);
  });

  it("every folder imports only from those that its arrows name", () => {
    expect(findForbiddenImports(files)).toEqual([]);
  });

  it("no file is too long to hold one idea", () => {
    expect(findLongFiles(files)).toEqual([]);
  });

  it("no folder has more files than a reader can take in", () => {
    expect(findCrowdedFolders(files)).toEqual([]);
  });

  it("every export is used", () => {
    expect(findDeadExports(files)).toEqual([]);
  });

  it("no sentence that people read hides its subject", () => {
    expect(findHiddenSubjects(files)).toEqual([]);
    expect(findHiddenSubjectsInComments(files)).toEqual([]);
  });

  it("every test title names the actor", () => {
    expect(findVagueTitles(files)).toEqual([]);
  });

  it("no comment is wider than a page", () => {
    expect(findLongComments(files)).toEqual([]);
  });

  it("files and folders are named for what is in them", () => {
    expect(findBadNames(files)).toEqual([]);
  });

  it("every rule and every promise of the API is cited by a test, and every citation is one", () => {
    const documents = [need("docs/SPEC.md"), need("docs/api-conformance.md")];
    expect(findCitationGaps(documents, files)).toEqual([]);
  });

  it("every refusal of the authority is explained in the specification and names its rule", () => {
    expect(refusals().flatMap(findUndocumentedCodes)).toEqual([]);
    expect(refusals().flatMap(findUnknownRules)).toEqual([]);
  });

  it("every error of the command line and the API is explained in docs/errors.md, and nothing else is", () => {
    expect(errors().flatMap(findUndocumentedCodes)).toEqual([]);
    expect(findUnknownCodes(need("docs/errors.md"), errors())).toEqual([]);
  });

  it("docs/limits.md lists every bound: `npm run limits` writes it", async () => {
    expect(need("docs/limits.md").text).toBe(limitsPage(await readLimitTables(files)));
  });

  it("docs/reference has every field of every kind: `npm run reference` writes it", () => {
    const stale = [...exampleFiles(), ...referencePages(), editorSchema()].filter(
      ({ path, text }) => need(path).text !== text,
    );
    expect(stale.map(({ path }) => path)).toEqual([]);
  });

  it("the client library has the types of every kind: `npm run reference` writes them", () => {
    const stale = clientTypes().filter(({ path, text }) => need(path).text !== text);
    expect(stale.map(({ path }) => path)).toEqual([]);
    const known = new Set(clientTypes().map(({ path }) => path));
    const there = files.map(({ path }) => path).filter((path) => path.startsWith(CLIENT_KINDS));
    expect(there.filter((path) => !known.has(path))).toEqual([]);
  });

  it("no test is switched off and no type check silenced", () => {
    expect(findShortcuts(files)).toEqual([]);
  });

  it("nothing points at a folder outside, a package registry or this machine", () => {
    // A path of one segment, such as a checkout at /app, is too common a word to look for.
    const ownPaths = [root, homedir()].filter((path) => path.split("/").length > 2);
    expect(findStrangers(files, ownPaths)).toEqual([]);
  });

  it("every colour of the dashboard is one of its palette", () => {
    expect(files.filter(({ path }) => path.startsWith("web/src/"))).not.toEqual([]);
    expect(findStrayColours(files)).toEqual([]);
  });

  it("the changelog has its Unreleased section on top", () => {
    expect(findChangelogFaults(need("CHANGELOG.md").text)).toEqual([]);
  });

  it("the version the command line prints is the package's", () => {
    expect(need("package.json").text).toContain(`"version": "${VERSION}"`);
  });
});

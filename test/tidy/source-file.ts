/** A text file of the repository, and the walk that finds them. Scans take these, so that a test can make one up. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** What a scan found, as the sentence that the failing test shows. */
export type Finding = string;

/** Made by tools and kept out of version control; see .gitignore. */
const GENERATED = new Set([".git", "node_modules", "dist", ".tsbuild", "coverage", ".berth"]);

export function readTree(root: string): SourceFile[] {
  return walk(root, "").map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

function walk(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (GENERATED.has(entry.name)) return [];
    if (entry.isDirectory()) return walk(root, path);
    return entry.isFile() ? [path] : [];
  });
}

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

export const isScript = (path: string): boolean => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

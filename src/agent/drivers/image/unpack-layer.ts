/**
 * Lays one layer over the result of the layers before it. Every name is taken apart: nothing is
 * written through a link or above the root, there are no devices, and files and bytes have bounds.
 * No other process writes there meanwhile, so a check holds until its write.
 */
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AGENT_LIMITS } from "../../agent-limits.ts";
import type { TarEntry, TarVisitor } from "./tar-entries.ts";

/** Of all layers of an image together. */
export interface Budget {
  entries: number;
  bytes: number;
}

export const imageBudget = (): Budget => ({
  entries: AGENT_LIMITS.imageEntries.value,
  bytes: AGENT_LIMITS.imageBytes.value,
});

const DEEPEST = 64;
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";
/** No file of an image makes its reader another user. */
const PERMISSIONS = 0o777;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export class LayerWriter implements TarVisitor {
  private readonly root: string;
  private readonly budget: Budget;
  private readonly made = new Set<string>();
  private file: number | undefined;

  constructor(root: string, budget: Budget) {
    this.root = root;
    this.budget = budget;
  }

  begin(entry: TarEntry): void {
    this.budget.entries -= 1;
    this.budget.bytes -= entry.size;
    if (this.budget.entries < 0) throw new Error("The image has too many files.");
    if (this.budget.bytes < 0) throw new Error("The image is too large.");
    const words = wordsOf(entry.path);
    const name = words.at(-1);
    // The root itself.
    if (name === undefined) return;
    const folder = this.folderOf(words.slice(0, -1), entry.path);
    if (name === OPAQUE) return this.empty(folder);
    if (name.startsWith(WHITEOUT)) {
      remove(join(folder, checkedWord(name.slice(WHITEOUT.length), entry.path)));
      return;
    }
    const path = join(folder, name);
    this.made.add(path);
    this.make(path, entry);
  }

  content(bytes: Buffer): void {
    if (this.file === undefined) return;
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
  }

  end(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private make(path: string, { type, mode, link, path: said }: TarEntry): void {
    switch (type) {
      case "0":
      case "7":
        remove(path);
        this.file = openSync(path, NEW_FILE, mode & PERMISSIONS);
        return;
      case "5":
        if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
        remove(path);
        mkdirSync(path, { mode: (mode & PERMISSIONS) | 0o700 });
        return;
      case "2":
        remove(path);
        // It may point anywhere: the replica follows it within its own root.
        symlinkSync(link, path);
        return;
      case "1":
        this.makeLink(path, link, said);
        return;
      default:
        throw new Error(`The image has a file that is none, such as a device: ${shown(said)}.`);
    }
  }

  private makeLink(path: string, link: string, said: string): void {
    const words = wordsOf(link);
    const target = join(this.folderOf(words.slice(0, -1), said), words.at(-1) ?? "");
    if (lstatSync(target, { throwIfNoEntry: false })?.isFile() !== true)
      throw new Error(`${shown(said)} in the image is a link to no file of it.`);
    if (target === path) return;
    remove(path);
    linkSync(target, path);
  }

  /** Made where a layer leaves it out. No part of the way may be a link. */
  private folderOf(words: readonly string[], said: string): string {
    let path = this.root;
    for (const word of words) {
      path = join(path, word);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) mkdirSync(path, { mode: 0o755 });
      else if (!found.isDirectory())
        throw new Error(`${shown(said)} in the image goes through something that is no directory.`);
    }
    return path;
  }

  /** Of what earlier layers put there. */
  private empty(folder: string): void {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!this.isOfThisLayer(path)) remove(path);
    }
  }

  private isOfThisLayer(path: string): boolean {
    return [...this.made].some((made) => made === path || made.startsWith(`${path}/`));
  }
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

function wordsOf(path: string): readonly string[] {
  const words = path.split("/").filter((word) => word !== "" && word !== ".");
  if (words.length > DEEPEST) throw new Error(`${shown(path)} in the image is too deep.`);
  return words.map((word) => checkedWord(word, path));
}

function checkedWord(word: string, path: string): string {
  if (word !== "" && word !== "." && word !== ".." && !/[/\0]/.test(word)) return word;
  throw new Error(`${shown(path)} in the image leads out of it.`);
}

const shown = (path: string): string => JSON.stringify(path.slice(0, 200));

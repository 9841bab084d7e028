/** Which user of an image a replica is: that of its template, or else that of the image. */
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IDS } from "./container-config.ts";
import type { Image } from "./image-store.ts";

export interface UserInImage {
  readonly uid: number;
  readonly gid: number;
}

export function userIn({ root, config }: Image, asked: string): UserInImage {
  const said = asked === "" ? config.user : asked;
  if (said === "") return { uid: 0, gid: 0 };
  const [name = "", group = ""] = said.split(":");
  const entry = linesOf(root, "etc/passwd").find(([each, , uid]) => each === name || uid === name);
  const uid = numberOf(name) ?? numberOf(entry?.[2]);
  if (uid === undefined) throw new Error(`The image has no user ${JSON.stringify(name)}.`);
  if (group === "") return { uid, gid: numberOf(entry?.[3]) ?? 0 };
  const gid =
    numberOf(group) ?? numberOf(linesOf(root, "etc/group").find(([each]) => each === group)?.[2]);
  if (gid === undefined) throw new Error(`The image has no group ${JSON.stringify(group)}.`);
  return { uid, gid };
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,5}$/.test(text)) return undefined;
  const number = Number(text);
  return number < IDS ? number : undefined;
}

/** A link there would lead out of the image: none is followed. */
function linesOf(root: string, path: string): readonly (readonly string[])[] {
  try {
    const file = openSync(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.split(":"));
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}

import { expect, it } from "vitest";
import { findCrowdedFolders } from "./folders.ts";

const inFolder = (folder: string, count: number, ending = ".ts") =>
  Array.from({ length: count }, (_, at) => ({ path: `${folder}/f${at}${ending}`, text: "" }));

it("finds a folder of more than forty source files, and counts neither tests nor other folders", () => {
  expect(findCrowdedFolders(inFolder("src/api/http", 41))).toHaveLength(1);
  expect(findCrowdedFolders(inFolder("web/src/parts", 41, ".tsx"))).toHaveLength(1);
  expect(
    findCrowdedFolders([
      ...inFolder("src/api/http", 40),
      ...inFolder("src/api/http", 40, ".test.ts"),
      ...inFolder("src/api/http/deeper", 40),
      ...inFolder("test/api", 90),
    ]),
  ).toEqual([]);
});

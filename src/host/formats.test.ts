import { expect, test } from "vitest";
import { FORMATS, migrated, type Migration, MIGRATIONS, saidFormat, whyUnread } from "./formats.ts";
import { LogOfOtherFormat } from "./store/log-store.ts";

/** As renames would be: the field `a` became `b`, then `c`. */
const RENAMES: readonly Migration[] = [
  (piece) => ({ b: (piece as { a: number }).a }),
  (piece) => ({ c: (piece as { b: number }).b }),
];

test("[LG21] a piece is migrated from the format that it says, and one that says none from the first", () => {
  expect(migrated({ a: 1 }, "batch", undefined, RENAMES)).toEqual({ c: 1 });
  expect(migrated({ format: 2, b: 1 }, "batch", undefined, RENAMES)).toEqual({ c: 1 });
  expect(migrated({ format: 3, c: 1 }, "batch", undefined, RENAMES)).toEqual({ format: 3, c: 1 });
  expect(migrated({ b: 1 }, "input", 2, RENAMES)).toEqual({ c: 1 });
});

test("[LG21] what one format wrote says it, except for the first", () => {
  expect([saidFormat(1), saidFormat(2)]).toEqual([{}, { format: 2 }]);
});

const readLater = (): unknown => migrated({ format: 4 }, "batch", undefined, RENAMES);

test("[LG22] a piece of a later format is refused", () => {
  expect(readLater).toThrow(LogOfOtherFormat);
  expect(readLater).toThrow(
    /format 4 by a newer version .* reads the formats 1 to 3\. Run the version/,
  );
});

test("[LG22] every artefact reads what it writes, and refuses what is newer, older or not said", () => {
  for (const format of Object.values(FORMATS)) {
    expect(whyUnread(format, format.written)).toBeUndefined();
    expect(whyUnread(format, format.oldest)).toBeUndefined();
    expect(whyUnread(format, format.written + 1)).toContain("or a newer one. Nothing was changed");
    for (const found of [0, -1, 1.5, "3", undefined, null]) {
      expect(whyUnread(format, found)).toContain("it does not say its format");
    }
  }
  expect(whyUnread(FORMATS.logFile, 2)).toContain("upgrade from there one version at a time");
});

test("[LG22] every number rises with each migration, so that no older build reads what it would misread", () => {
  const rise = Object.values(FORMATS).map(({ written }) => written - MIGRATIONS.length);
  expect(rise).toEqual([3, 1, 1, 3]);
});

import { expect, test } from "vitest";
import { findStrayColours } from "./colours.ts";

const scan = (path: string, text: string) => findStrayColours([{ path, text }]);

test("a colour outside the palette is found, with its line", () => {
  expect(scan("web/src/fleet/fleet.css", ".a {\n  color: #fff;\n}\n")).toEqual([
    "web/src/fleet/fleet.css:2 has the colour `#fff`: name it in web/src/app/theme.css for both themes.",
  ]);
  expect(scan("web/src/fleet/fleet.css", ".a { border: 1px solid rgb(0 0 0 / 5%); }")).toHaveLength(
    1,
  );
});

test("names of colours, elements and the palette itself are not", () => {
  expect(scan("web/src/fleet/fleet.css", "#add { color: var(--good); }")).toEqual([]);
  expect(scan("web/src/app/theme.css", ":root { --good: #00664a; }")).toEqual([]);
});

import { expect, it } from "vitest";
import { FullScreen } from "./full-screen.ts";

function aScreen() {
  let written = "";
  const screen = new FullScreen({ write: (text) => void (written += text) });
  const taken = (): string => {
    const text = written;
    written = "";
    return text;
  };
  return { screen, taken };
}

it("FullScreen sends only lines that have changed, and nothing when none has", () => {
  const { screen, taken } = aScreen();
  screen.enter();
  taken();
  screen.draw(["one", "two", "three"]);
  expect(taken()).toBe("\u001B[1;1Hone\u001B[K\u001B[2;1Htwo\u001B[K\u001B[3;1Hthree\u001B[K");
  screen.draw(["one", "2", "three"]);
  expect(taken()).toBe("\u001B[2;1H2\u001B[K");
  screen.draw(["one", "2", "three"]);
  expect(taken()).toBe("");
  screen.draw(["one"]);
  expect(taken()).toBe("\u001B[2;1H\u001B[J");
});

it("FullScreen draws everything again after a change of size", () => {
  const { screen, taken } = aScreen();
  screen.enter();
  screen.draw(["one"]);
  taken();
  screen.forget();
  screen.draw(["one"]);
  expect(taken()).toBe("\u001B[0m\u001B[2J\u001B[1;1Hone\u001B[K");
});

it("FullScreen gives the terminal back once, and draws on it no more", () => {
  const { screen, taken } = aScreen();
  screen.enter();
  expect(taken()).toContain("\u001B[?1049h");
  screen.leave();
  const last = taken();
  expect(last).toContain("\u001B[?25h");
  expect(last.endsWith("\u001B[?1049l")).toBe(true);
  screen.leave();
  screen.draw(["late"]);
  expect(taken()).toBe("");
});

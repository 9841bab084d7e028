/** Dark or light: as the system says, until the reader chooses. */
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "dark" | "light";

const KEY = "berth-theme";
const ORDER: readonly Theme[] = ["system", "light", "dark"];

function kept(): Theme {
  if (typeof localStorage === "undefined") return "system";
  const text = localStorage.getItem(KEY);
  return ORDER.find((theme) => theme === text) ?? "system";
}

export const theme = signal<Theme>(kept());

/** System, light, dark, and round again. */
export function nextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? "system";
}

/** Puts the choice on the page and keeps it. */
export function startTheme(): () => void {
  return effect(() => {
    if (theme.value === "system") {
      delete document.documentElement.dataset["theme"];
      localStorage.removeItem(KEY);
    } else {
      document.documentElement.dataset["theme"] = theme.value;
      localStorage.setItem(KEY, theme.value);
    }
  });
}

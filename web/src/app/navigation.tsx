/** The pages to go to: at the left, or at the bottom of a phone. */
import { PAGES } from "./pages.ts";
import { ConnectionMark } from "./connection-mark.tsx";
import { isHelpOpen } from "./key-help.tsx";
import { PageIcon } from "./page-icon.tsx";
import { hrefOf } from "./route.ts";
import { route } from "./router.ts";
import { nextTheme, theme } from "./theme.ts";

export function Navigation() {
  const current = route.value.page;
  return (
    <header class="side">
      <a class="brand" href={hrefOf("fleet")} aria-label="Berth, to the fleet">
        Berth
      </a>
      <nav aria-label="Pages">
        <ul>
          {PAGES.filter(({ key }) => key !== undefined).map(({ name, label, key }) => (
            <li key={name}>
              <a href={hrefOf(name)} {...(name === current ? { "aria-current": "page" } : {})}>
                <PageIcon page={name} />
                {label}
                <kbd aria-hidden="true">g {key}</kbd>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <ConnectionMark />
        <button type="button" class="button button-quiet" onClick={nextTheme}>
          Theme: {theme.value}
        </button>
        <button
          type="button"
          class="button button-quiet wide-only"
          onClick={() => void (isHelpOpen.value = true)}
        >
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

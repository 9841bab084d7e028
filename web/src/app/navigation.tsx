/** The pages to go to: at the left, or at the bottom of a phone. */
import { BrandMark } from "./brand-mark.tsx";
import { type Page, PAGES } from "./pages.ts";
import { ConnectionMark } from "./connection-mark.tsx";
import { isHelpOpen } from "./key-help.tsx";
import { MoreIcon, PageIcon } from "./page-icon.tsx";
import { hrefOf } from "./route.ts";
import { route } from "./router.ts";
import { nextTheme, theme } from "./theme.ts";

const SHOWN = PAGES.filter(({ key }) => key !== undefined);

export function Navigation() {
  return (
    <header class="side">
      <a class="brand" href={hrefOf("fleet")} aria-label="Berth, to the fleet">
        <BrandMark />
        Berth
      </a>
      <nav aria-label="Pages">
        <ul>
          {SHOWN.map((page) => (
            <li key={page.name} class={page.isSecondary ? "wide-only" : ""}>
              <PageLink page={page} />
            </li>
          ))}
          <li class="narrow-only">
            <More />
          </li>
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

function PageLink({ page: { name, label, key } }: { readonly page: Page }) {
  return (
    <a href={hrefOf(name)} {...(name === route.value.page ? { "aria-current": "page" } : {})}>
      <PageIcon page={name} />
      {label}
      <kbd aria-hidden="true">g {key}</kbd>
    </a>
  );
}

/** Drawn anew with the page, so that it is closed again once one was chosen. */
function More() {
  const current = route.value.page;
  const secondary = SHOWN.filter(({ isSecondary }) => isSecondary);
  const isHere = secondary.some(({ name }) => name === current);
  return (
    <details key={current} class={`nav-more${isHere ? " nav-more-here" : ""}`}>
      <summary>
        <MoreIcon />
        More
      </summary>
      <ul>
        {secondary.map((page) => (
          <li key={page.name}>
            <PageLink page={page} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * The frame around every page: navigation, connection, keys, notices, and the question for a token.
 */
import { isTyping } from "./is-typing.ts";
import { useEffect, useRef } from "preact/hooks";
import { SearchBox } from "../search/search-box.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { connection } from "./connection.ts";
import { ConnectionLine } from "./connection-line.tsx";
import { ConnectionMark } from "./connection-mark.tsx";
import { isHelpOpen, KeyHelp } from "./key-help.tsx";
import { useKeys } from "./keys.ts";
import { Navigation } from "./navigation.tsx";
import { NoticeList } from "./notice-list.tsx";
import { PageOutlet } from "./page-outlet.tsx";
import { PAGES } from "./pages.ts";
import { hrefOf } from "./route.ts";
import { navigate, route } from "./router.ts";
import { refusedAs, token } from "./session.ts";
import { nextTheme, theme } from "./theme.ts";
import { TenantPicker } from "./tenant-picker.tsx";
import { TokenScreen } from "./token-screen.tsx";

export function Shell() {
  useKeys("Everywhere", [
    ...PAGES.flatMap(({ key, label, name }) =>
      key === undefined
        ? []
        : [{ keys: `g ${key}`, text: `Go to ${label}`, run: () => navigate(hrefOf(name)) }],
    ),
    { keys: "f", text: "Go to the filter of the page", run: focusFilter },
    { keys: "t", text: "Change the theme", run: nextTheme },
    { keys: "?", text: "Show these keys", run: () => void (isHelpOpen.value = true) },
  ]);
  if (refusedAs.value !== undefined) return <TokenScreen said={refusedAs.value} />;
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the page
      </a>
      <div class="tools" role="search" aria-label="Search and scope" key={token.value}>
        <SearchBox />
        <TenantPicker />
      </div>
      <Navigation />
      <Main />
      <NoticeList />
      <ConfirmDialog />
      <KeyHelp />
    </>
  );
}

/** Drawn anew for another token: nothing that one reader saw stays for the next. */
function Main() {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const place = [route.value.page, ...route.value.rest].join("/");
  useEffect(() => {
    // A screen reader announces the new page; the first one is announced by the browser itself.
    if (!isFirst.current && !isTyping()) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [place]);
  return (
    <main
      id="main"
      ref={main}
      tabIndex={-1}
      key={token.value}
      data-connection={connection.value.kind}
    >
      <div class="narrow-top">
        <ConnectionMark />
        <button type="button" class="button button-quiet" onClick={nextTheme}>
          Theme: {theme.value}
        </button>
      </div>
      <ConnectionLine />
      <PageOutlet />
    </main>
  );
}

function focusFilter(): void {
  document.querySelector<HTMLInputElement>("[data-filter]")?.focus();
}

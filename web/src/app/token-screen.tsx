/** Asks for a token when the plane does not know the reader. */
import { useEffect } from "preact/hooks";
import { keepToken, token } from "./session.ts";

export function TokenScreen({ said }: { readonly said: string }) {
  useEffect(() => {
    document.title = "Token · Berth";
  }, []);
  return (
    <main class="token-screen">
      <h1>
        {token.value === "" ? "This plane asks for a token" : "The plane does not take this token"}
      </h1>
      <p class="message">{said}</p>
      <form onSubmit={submit}>
        <label>
          Token
          <input name="token" type="password" autocomplete="off" spellcheck={false} required />
        </label>
        <button type="submit" class="button button-main">
          Open the dashboard
        </button>
      </form>
      <p class="quiet">
        It is the token that your command line uses. It stays in this tab, is gone when the tab is
        closed, and is sent to this plane only.
      </p>
    </main>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const text = new FormData(event.currentTarget as HTMLFormElement).get("token");
  if (typeof text === "string" && text.trim() !== "") keepToken(text.trim());
}

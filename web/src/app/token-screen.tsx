/** Asks for a token when the plane does not know the reader. */
import { useEffect } from "preact/hooks";
import { BrandMark } from "./brand-mark.tsx";
import { keepToken, token } from "./session.ts";

export function TokenScreen({ said }: { readonly said: string }) {
  useEffect(() => {
    document.title = "Token · Berth";
  }, []);
  return (
    <main class="token-screen">
      <p class="brand">
        <BrandMark />
        Berth
      </p>
      <p class="quiet">
        Berth places work on machines, keeps it running, and explains every decision.
      </p>
      <h1>
        {token.value === "" ? "This plane requires a token" : "The plane rejected this token"}
      </h1>
      {token.value !== "" && <p class="message">{said}</p>}
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
        Use the token of your command line. It stays in this tab until you close it, and is sent
        only to this plane.
      </p>
    </main>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const text = new FormData(event.currentTarget as HTMLFormElement).get("token");
  if (typeof text === "string" && text.trim() !== "") keepToken(text.trim());
}

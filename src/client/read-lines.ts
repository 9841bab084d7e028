/** The lines of a streamed answer; its last line may lack the end. */
export async function* readLines(
  response: Response,
  onPart: () => void = () => undefined,
): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  const body = response.body as unknown as AsyncIterable<Uint8Array>;
  let rest = "";
  for await (const part of body) {
    onPart();
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

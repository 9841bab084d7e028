/** A recording that cannot be read; the message says which file and what to do. */
export class RecordingUnreadable extends Error {
  override readonly name = "RecordingUnreadable";
}

/** Namespaces in Kubernetes' binary form, with lengths that lie, fields that repeat and numbers that do not end. */
import type { Draw } from "./draw.ts";
import type { BodyPart } from "./hostile-case.ts";
import { nastyName, nastyText } from "./nasty-values.ts";

const MAGIC = Buffer.from("k8s\0");

export function generateProtobuf(draw: Draw): readonly BodyPart[] {
  const labels = Array.from({ length: draw.size(2_000) }, (_, at) =>
    field(11, Buffer.concat([field(1, text(`k${at}`)), field(2, text(nastyName(draw)))])),
  );
  const metadata = Buffer.concat([
    field(1, text(draw.chance(70) ? `p${draw.below(40)}` : nastyText(draw))),
    ...(draw.chance(50) ? labels : []),
    ...(draw.chance(20) ? [field(14, text("x"))] : []),
  ]);
  const type = Buffer.concat([
    field(1, text("v1")),
    field(2, text(draw.chance(90) ? "Namespace" : "Pod")),
  ]);
  const whole = Buffer.concat([MAGIC, field(1, type), field(2, field(1, metadata))]);
  return [{ base64: damaged(draw, whole).toString("base64") }];
}

function damaged(draw: Draw, whole: Buffer): Buffer {
  switch (draw.below(6)) {
    case 0:
      return whole.subarray(0, draw.below(whole.length));
    case 1: {
      const copy = Buffer.from(whole);
      for (let flips = draw.size(20); flips > 0; flips -= 1)
        copy[draw.below(copy.length)] = draw.below(256);
      return copy;
    }
    case 2:
      return Buffer.concat([MAGIC, Buffer.alloc(draw.size(300_000), 0x0a), whole]);
    case 3:
      return Buffer.concat([MAGIC, Buffer.alloc(draw.size(100_000), 0xff)]);
    default:
      return whole;
  }
}

const text = (value: string): Buffer => Buffer.from(value, "utf8");

const field = (number: number, value: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

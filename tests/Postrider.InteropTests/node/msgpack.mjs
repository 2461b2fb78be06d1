// MessagePack by the npm implementation: prints the bytes it writes for each value, and what it reads from the bytes given to it.
import { decode, encode } from "@msgpack/msgpack";
import { values } from "./msgpack-values.mjs";

const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** A value as text that tells apart what JSON does not. */
function show(value) {
  if (typeof value === "bigint") return `${value}`;
  if (value instanceof Date) return `date ${value.toISOString()}`;
  if (value instanceof Uint8Array) return `bytes ${hex(value)}`;
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (value !== null && typeof value === "object") return `{${Object.keys(value).map((key) => `${key}: ${show(value[key])}`).join(", ")}}`;
  return typeof value === "string" ? JSON.stringify(value) : `${value}`;
}

if (process.argv[2] === "write") {
  for (const [name, value] of Object.entries(values)) console.log(name, hex(encode(value, { useBigInt64: true })));
} else {
  for (const text of process.argv.slice(3)) console.log(show(decode(Buffer.from(text, "hex"), { useBigInt64: true })));
}

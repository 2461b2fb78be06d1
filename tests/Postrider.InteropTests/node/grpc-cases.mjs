// Common to both sides of gRPC's interop cases: the service of interop.proto, its numbers and its frames.
import { gunzipSync, gzipSync } from "node:zlib";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

export const load = (proto) => grpc.loadPackageDefinition(loader.loadSync(proto, { keepCase: true, longs: Number })).grpc.testing;
export const zeros = (size) => ({ body: Buffer.alloc(size) });

/** A length-prefixed message. */
export function frame(message, isCompressed = false) {
  const body = isCompressed ? gzipSync(message) : message;
  const head = Buffer.alloc(5);
  head[0] = isCompressed ? 1 : 0;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** The messages of a body, each with whether it was compressed. */
export function* frames(body) {
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    const isCompressed = body[at] === 1;
    const message = body.subarray(at + 5, end);
    yield { isCompressed, message: isCompressed ? gunzipSync(message) : message };
    at = end;
  }
}

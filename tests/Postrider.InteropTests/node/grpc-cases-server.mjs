// The other side of gRPC's interop cases: grpc-js, and beside it the calls of the compression cases on bare HTTP/2, as grpc-js's
// server neither compresses nor says what was compressed. It prints both ports. interop.proto is the first argument.
import http2 from "node:http2";
import grpc from "@grpc/grpc-js";
import { frame, frames, load, zeros } from "./grpc-cases.mjs";
import { print } from "./story.mjs";

const { TestService } = load(process.argv[2]);
const { status } = grpc;

function echo(call) {
  const headers = new grpc.Metadata();
  const trailers = new grpc.Metadata();
  call.metadata.get("x-grpc-test-echo-initial").forEach((value) => headers.add("x-grpc-test-echo-initial", value));
  call.metadata.get("x-grpc-test-echo-trailing-bin").forEach((value) => trailers.add("x-grpc-test-echo-trailing-bin", value));
  call.sendMetadata(headers);
  return trailers;
}
const wish = ({ response_status: wished }) => wished?.code && { code: wished.code, details: wished.message };

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(TestService.service, {
  EmptyCall: (call, done) => done(null, {}),
  UnaryCall(call, done) {
    const trailers = echo(call);
    const wished = wish(call.request);
    if (wished) return done({ ...wished, metadata: trailers });
    done(null, { payload: zeros(call.request.response_size) }, trailers);
  },
  StreamingOutputCall(call) {
    const trailers = echo(call);
    for (const { size } of call.request.response_parameters) call.write({ payload: zeros(size) });
    call.end(trailers);
  },
  StreamingInputCall(call, done) {
    let sum = 0;
    call.on("data", ({ payload }) => (sum += payload.body.length));
    call.on("end", () => done(null, { aggregated_payload_size: sum }));
    call.on("cancelled", () => print("cancelled"));
  },
  FullDuplexCall(call) {
    const trailers = echo(call);
    let hasFailed = false;
    call.on("data", (request) => {
      const wished = wish(request);
      if (wished) {
        hasFailed = true;
        return call.emit("error", wished);
      }
      for (const { size } of request.response_parameters ?? []) call.write({ payload: zeros(size) });
    });
    call.on("end", () => hasFailed || call.end(trailers));
    call.on("cancelled", () => print("cancelled"));
  },
});

const bare = http2.createServer();
bare.on("stream", (stream, headers) => {
  const { requestDeserialize, responseSerialize } = TestService.service[headers[":path"].split("/").pop()];
  const parts = [];
  const isOther = ({ isCompressed, message }) => {
    const { expect_compressed: expected } = requestDeserialize(message);
    return expected && (expected.value ?? false) !== isCompressed;
  };
  stream.on("data", (part) => parts.push(part)).on("error", () => {}).on("end", () => {
    const heard = [...frames(Buffer.concat(parts))];
    const isWrong = heard.some(isOther) || (heard.some((m) => m.isCompressed) && headers["grpc-encoding"] !== "gzip");
    const answers = isWrong ? [] : answer(headers[":path"], heard.map((m) => requestDeserialize(m.message)));
    stream.respond({ "content-type": "application/grpc", "grpc-encoding": "gzip" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": isWrong ? status.INVALID_ARGUMENT : status.OK }));
    stream.end(Buffer.concat(answers.map(([message, isCompressed]) => frame(responseSerialize(message), isCompressed))));
  });
});

// The messages of the answer, each with whether it is compressed.
function answer(path, requests) {
  switch (path.split("/").pop()) {
    case "UnaryCall":
      return requests.map((request) => [{ payload: zeros(request.response_size ?? 0) }, request.response_compressed?.value]);
    case "StreamingInputCall":
      return [[{ aggregated_payload_size: requests.reduce((sum, { payload }) => sum + (payload?.body?.length ?? 0), 0) }, false]];
    default:
      return requests.flatMap((request) => request.response_parameters ?? []).map(({ size, compressed }) => [{ payload: zeros(size) }, compressed?.value]);
  }
}

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  bare.listen(0, "127.0.0.1", () => print(port, bare.address().port));
});
process.stdin.on("end", () => process.exit(0)).resume();

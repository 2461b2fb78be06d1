// The cases of gRPC's interop specification by grpc-js: the address is the first argument, interop.proto the second. What
// grpc-js does not show of compression is read from the frames themselves.
// Source: grpc/grpc, doc/interop-test-descriptions.md.
import assert from "node:assert/strict";
import http2 from "node:http2";
import grpc from "@grpc/grpc-js";
import { frame, frames, load, zeros } from "./grpc-cases.mjs";
import { print } from "./story.mjs";

const { TestService, UnimplementedService } = load(process.argv[3]);
const address = process.argv[2];
const { status } = grpc;
const NoCompress = 2;

// A stream's messages carry their flags in the context, which only interceptors reach.
const flagged = (options, next) => {
  const call = next(options);
  const send = call.sendMessageWithContext.bind(call);
  call.sendMessageWithContext = (context, message) => send({ ...context, flags: message.expect_compressed?.value === false ? NoCompress : 0 }, message);
  return call;
};

const plain = new TestService(address, grpc.credentials.createInsecure());
const zipping = new TestService(address, grpc.credentials.createInsecure(), { "grpc.default_compression_algorithm": 2, interceptors: [flagged] });
const nobody = new UnimplementedService(address, grpc.credentials.createInsecure());
const patient = () => ({ deadline: Date.now() + 60_000 });

function unary(client, method, request, metadata = new grpc.Metadata()) {
  return new Promise((resolve) => {
    let headers, end;
    const settle = (rest) => (end ? resolve({ headers, trailers: end.metadata, ...rest }) : setImmediate(settle, rest));
    client[method](request, metadata, patient(), (error, answer) => settle({ error, answer }))
      .on("metadata", (m) => (headers = m)).on("status", (s) => (end = s));
  });
}

function upload(client, requests) {
  return new Promise((resolve) => {
    const call = client.StreamingInputCall(patient(), (error, answer) => resolve({ error, answer }));
    requests.forEach((request) => call.write(request));
    call.end();
  });
}

// The sizes of a stream's messages and how it ended; what comes back is told of each, with the call to go on with.
function listen(call, heard = () => {}) {
  return new Promise((resolve) => {
    const sizes = [];
    let headers;
    call.on("metadata", (m) => (headers = m)).on("error", () => {})
      .on("data", ({ payload }) => heard(sizes.push(payload.body.length)))
      .on("status", (end) => resolve({ sizes, headers, code: end.code, details: end.details, trailers: end.metadata }));
  });
}

// One request by hand; the messages of its answer with their flags.
function byHand(method, request) {
  const { path, requestSerialize, responseDeserialize } = TestService.service[method];
  return new Promise((resolve, reject) => {
    const session = http2.connect(`http://${address}`);
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers", "grpc-accept-encoding": "identity,gzip" });
    const parts = [];
    let headers, trailers;
    stream.on("response", (h) => (headers = h)).on("trailers", (t) => (trailers = t)).on("data", (part) => parts.push(part)).on("error", reject).on("end", () => {
      session.close();
      assert.equal(trailers["grpc-status"], "0");
      resolve({ encoding: headers["grpc-encoding"], messages: [...frames(Buffer.concat(parts))].map((m) => ({ isCompressed: m.isCompressed, size: responseDeserialize(m.message).payload.body.length })) });
    });
    stream.end(frame(requestSerialize(request)));
  });
}

const large = { response_size: 314159, payload: zeros(271828) };
const wanted = [31415, 9, 2653, 58979];
const sent = [27182, 8, 1828, 45904];
const echo = () => {
  const metadata = new grpc.Metadata();
  metadata.set("x-grpc-test-echo-initial", "test_initial_metadata_value");
  metadata.set("x-grpc-test-echo-trailing-bin", Buffer.from([0xab, 0xab, 0xab]));
  return metadata;
};
const echoed = ({ headers, trailers }) => {
  assert.deepEqual(headers.get("x-grpc-test-echo-initial"), ["test_initial_metadata_value"]);
  assert.deepEqual(trailers.get("x-grpc-test-echo-trailing-bin"), [Buffer.from([0xab, 0xab, 0xab])]);
};

const cases = {
  async empty_unary() {
    assert.deepEqual((await unary(plain, "EmptyCall", {})).answer, {});
  },
  async large_unary() {
    assert.equal((await unary(plain, "UnaryCall", large)).answer.payload.body.length, 314159);
  },
  async client_streaming() {
    assert.equal((await upload(plain, sent.map((size) => ({ payload: zeros(size) })))).answer.aggregated_payload_size, 74922);
  },
  async server_streaming() {
    assert.deepEqual((await listen(plain.StreamingOutputCall({ response_parameters: wanted.map((size) => ({ size })) }, patient()))).sizes, wanted);
  },
  async ping_pong() {
    const call = plain.FullDuplexCall(patient());
    const ping = (turn) => (turn < 4 ? call.write({ response_parameters: [{ size: wanted[turn] }], payload: zeros(sent[turn]) }) : call.end());
    const ended = listen(call, ping);
    ping(0);
    const { sizes, code } = await ended;
    assert.deepEqual({ sizes, code }, { sizes: wanted, code: status.OK });
  },
  async empty_stream() {
    const call = plain.FullDuplexCall(patient());
    call.end();
    const { sizes, code } = await listen(call);
    assert.deepEqual({ sizes, code }, { sizes: [], code: status.OK });
  },
  async cancel_after_begin() {
    const error = await new Promise((resolve) => plain.StreamingInputCall(patient(), resolve).cancel());
    assert.equal(error.code, status.CANCELLED);
  },
  async cancel_after_first_response() {
    const call = plain.FullDuplexCall(patient());
    const ended = listen(call, () => call.cancel());
    call.write({ response_parameters: [{ size: 31415 }], payload: zeros(27182) });
    assert.equal((await ended).code, status.CANCELLED);
  },
  async timeout_on_sleeping_server() {
    const call = plain.FullDuplexCall({ deadline: Date.now() + 1 });
    call.write({ payload: zeros(27182) });
    assert.equal((await listen(call)).code, status.DEADLINE_EXCEEDED);
  },
  async custom_metadata() {
    const one = await unary(plain, "UnaryCall", large, echo());
    assert.equal(one.answer.payload.body.length, 314159);
    echoed(one);
    const call = plain.FullDuplexCall(echo(), patient());
    call.write({ response_parameters: [{ size: 314159 }], payload: zeros(271828) });
    call.end();
    const both = await listen(call);
    assert.deepEqual(both.sizes, [314159]);
    echoed(both);
  },
  async status_code_and_message() {
    const response_status = { code: status.UNKNOWN, message: "test status message" };
    const { error } = await unary(plain, "UnaryCall", { response_status });
    assert.deepEqual([error.code, error.details], [status.UNKNOWN, "test status message"]);
    const call = plain.FullDuplexCall(patient());
    call.write({ response_status });
    call.end();
    const { code, details } = await listen(call);
    assert.deepEqual([code, details], [status.UNKNOWN, "test status message"]);
  },
  async special_status_message() {
    const message = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n";
    const { error } = await unary(plain, "UnaryCall", { response_status: { code: status.UNKNOWN, message } });
    assert.deepEqual([error.code, error.details], [status.UNKNOWN, message]);
  },
  async unimplemented_method() {
    assert.equal((await unary(plain, "UnimplementedCall", {})).error.code, status.UNIMPLEMENTED);
  },
  async unimplemented_service() {
    assert.equal((await unary(nobody, "UnimplementedCall", {})).error.code, status.UNIMPLEMENTED);
  },
  async client_compressed_unary() {
    assert.equal((await unary(plain, "UnaryCall", { ...large, expect_compressed: { value: true } })).error.code, status.INVALID_ARGUMENT);
    for (const value of [true, false])
      assert.equal((await unary(value ? zipping : plain, "UnaryCall", { ...large, expect_compressed: { value } })).answer.payload.body.length, 314159);
  },
  async server_compressed_unary() {
    for (const value of [true, false]) {
      const { messages } = await byHand("UnaryCall", { ...large, response_compressed: { value } });
      assert.deepEqual(messages, [{ isCompressed: value, size: 314159 }]);
      assert.equal((await unary(plain, "UnaryCall", { ...large, response_compressed: { value } })).answer.payload.body.length, 314159);
    }
  },
  async client_compressed_streaming() {
    assert.equal((await upload(plain, [{ expect_compressed: { value: true }, payload: zeros(27182) }])).error.code, status.INVALID_ARGUMENT);
    const { answer } = await upload(zipping, [
      { expect_compressed: { value: true }, payload: zeros(27182) },
      { expect_compressed: { value: false }, payload: zeros(45904) },
    ]);
    assert.equal(answer.aggregated_payload_size, 73086);
  },
  async server_compressed_streaming() {
    const request = { response_parameters: [{ compressed: { value: true }, size: 31415 }, { compressed: { value: false }, size: 92653 }] };
    const { encoding, messages } = await byHand("StreamingOutputCall", request);
    assert.equal(encoding, "gzip");
    assert.deepEqual(messages, [{ isCompressed: true, size: 31415 }, { isCompressed: false, size: 92653 }]);
    assert.deepEqual((await listen(plain.StreamingOutputCall(request, patient()))).sizes, [31415, 92653]);
  },
};

for (const [name, run] of Object.entries(cases)) {
  try {
    await run();
    print(name, "passed");
  } catch (error) {
    print(name, "failed:", error.message.replaceAll("\n", " "));
  }
}
process.exit(0);

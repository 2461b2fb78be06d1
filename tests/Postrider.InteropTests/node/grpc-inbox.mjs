// grpc-js sends to the inbox at the address that is the first argument; the second is the package's file.
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { print } from "./story.mjs";

const { Inbox } = grpc.loadPackageDefinition(loader.loadSync(process.argv[3], { keepCase: true, longs: Number, defaults: true })).postrider.messages.v1;
const inbox = new Inbox(process.argv[2], grpc.credentials.createInsecure(), {
  // gRPC's own retries: they wait as long as the inbox asks, and count the attempts.
  "grpc.service_config": JSON.stringify({
    methodConfig: [{ name: [{ service: "postrider.messages.v1.Inbox" }], retryPolicy: { maxAttempts: 5, initialBackoff: "30s", maxBackoff: "30s", backoffMultiplier: 1, retryableStatusCodes: ["UNAVAILABLE"] } }],
  }),
});
const patient = () => ({ deadline: Date.now() + 60_000 });
const json = (value) => ({ body: Buffer.from(JSON.stringify(value)), content_type: "application/json" });
const call = (method, message) =>
  new Promise((resolve) => {
    inbox[method](message, patient(), (error, answer) => resolve({ error, answer }));
  });
const told = ({ code, details, metadata }) => `${code} ${metadata.get("postrider-error")} ${details}`;

print("ping", JSON.stringify((await call("Send", {})).answer.status));
print("send", (await call("Send", { destination: "parcels", ...json({ item: "tea" }), message_id: "m-1", key: "Ada", headers: [{ name: "Colour", value: "grün" }] })).answer.stored);
print("retried", (await call("Send", { destination: "parcels", ...json({ item: "patience" }), message_id: "m-2" })).error ?? "receipt");
print("refused", told((await call("Send", { destination: "parcels", ...json({ item: "nothing" }) })).error));
print("unreadable", told((await call("Send", { destination: "parcels", body: Buffer.from("{") })).error));
print("nobody", told((await call("Send", { destination: "nowhere" })).error));
const { answer } = await call("Request", { destination: "price", ...json({ item: "tea" }), correlation_id: "c-1" });
print("answer", answer.content_type, answer.body.toString(), answer.correlation_id);
const failed = (await call("Request", { destination: "price", ...json({ item: "nothing" }) })).answer;
print("failed", failed.headers.map(({ name, value }) => `${name}=${value}`).join(" "));

const batch = inbox.SendBatch(patient());
const receipts = [];
const ended = new Promise((resolve, reject) => batch.on("data", (receipt) => receipts.push(receipt)).on("end", resolve).on("error", reject));
for (const item of ["cup", "nothing", "spoon"]) batch.write({ destination: "parcels", ...json({ item }) });
batch.end();
await ended;
receipts.sort((a, b) => a.index - b.index);
print("batch", receipts.map(({ index, status, error_code }) => `${index}:${status}${error_code}`).join(" "));
inbox.close();
process.exit(0);

// An account that may use little, by configuration: what exceeds it is refused.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, print, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const api = async (subject, request) => (await nc.request(`$JS.API.${subject}`, request === undefined ? "" : JSON.stringify(request), { timeout: 10_000 })).json();
const told = (answer) => answer.error ? `${answer.error.code} ${answer.error.err_code} ${answer.error.description}` : answer.seq ?? answer.type.split(".").pop();
const stream = async (name, storage, max_bytes) => told(await api(`STREAM.CREATE.${name}`, { name, subjects: [name], storage, max_bytes }));
const consumer = async (name, max_ack_pending) => told(await api(`CONSUMER.CREATE.F.${name}`, { stream_name: "F", config: { durable_name: name, ack_policy: "explicit", max_ack_pending } }));
const used = async () => { const { memory, storage, reserved_memory, reserved_storage, streams, consumers } = await api("INFO"); return `${memory} ${storage} ${reserved_memory} ${reserved_storage} ${streams} ${consumers}`; };

const info = await api("INFO");
print("limits", JSON.stringify(Object.fromEntries(Object.entries(info.limits).sort())));
print("bytes required", await stream("F", "file", undefined));
print("bytes of a file stream", await stream("F", "file", 3001), "/", await stream("F", "file", 3000));
print("bytes of a memory stream", await stream("M", "memory", 1501), "/", await stream("M", "memory", 1500));
print("storage", await stream("G", "file", 1001), "/", await stream("G", "file", 1000));
print("memory", await stream("N", "memory", 501), "/", await stream("N", "memory", 500));
print("streams", await stream("FIFTH", "file", 1));
print("consumers", await consumer("one", 10), "/", await consumer("two", 10), "/", await consumer("three", 10));
await jsm.consumers.delete("F", "two");
print("ack pending", await consumer("greedy", 11), "/", await consumer("modest", 0), "/", (await jsm.consumers.info("F", "modest")).config.max_ack_pending);
print("used", await used());
const payload = "p".repeat(400);
const told_of = [];
for (let i = 0; i < 5; i++) told_of.push(told(await (await nc.request("M", payload)).json()));
print("published", told_of.join(" "), (await jsm.streams.info("M")).state.messages);
print("used then", await used());
await jsm.streams.purge("M");
print("used at last", await used(), (await js.publish("M", payload)).seq);
await nc.close();
end();

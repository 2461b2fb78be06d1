import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, nanos } from "@nats-io/nats-core";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
await jsm.streams.add({ name: "P", subjects: ["p.>"], duplicate_window: nanos(60_000), max_msg_size: 1000, allow_rollup_hdrs: true });

const first = await js.publish("p.a", "one");
print("ack", first.stream, first.seq, first.duplicate === true, first.domain ?? "-");
print("dedupe", (await js.publish("p.a", "two", { msgID: "id-1" })).seq, JSON.stringify(await js.publish("p.a", "three", { msgID: "id-1" })));
print("too large", await refusal(js.publish("p.a", "x".repeat(1001))));
print("nobody", await refusal(js.publish("nobody.there", "x")));
print("expect stream", await refusal(js.publish("p.a", "x", { expect: { streamName: "OTHER" } })));
print("expect last", (await js.publish("p.a", "x", { expect: { lastSequence: 2 } })).seq, await refusal(js.publish("p.a", "x", { expect: { lastSequence: 2 } })));
print("expect last of subject", (await js.publish("p.b", "x", { expect: { lastSubjectSequence: 0 } })).seq, await refusal(js.publish("p.b", "x", { expect: { lastSubjectSequence: 0 } })));
print("expect last id", await refusal(js.publish("p.a", "x", { expect: { lastMsgID: "other" } })));
print("expect of filter", await refusal(js.publish("p.c", "x", { expect: { lastSubjectSequence: 1, lastSubjectSequenceSubject: "p.*" } })), (await js.publish("p.c", "x", { expect: { lastSubjectSequence: 4, lastSubjectSequenceSubject: "p.*" } })).seq);

const h = headers();
h.set("Colour", "blue");
h.append("Size", "1");
h.append("Size", "2");
await js.publish("p.h", "with headers", { headers: h });
const stored = await jsm.streams.getMessage("P", { last_by_subj: "p.h" });
print("headers", stored.header.get("Colour"), stored.header.values("Size").join("|"), stored.string());

const before = (await jsm.streams.info("P")).state;
const rollup = headers();
rollup.set("Nats-Rollup", "sub");
await js.publish("p.a", "rolled", { headers: rollup });
const ofSubject = (await jsm.streams.info("P", { subjects_filter: ">" })).state;
print("rollup of subject", before.messages, ofSubject.messages, JSON.stringify(Object.fromEntries(Object.entries(ofSubject.subjects).sort())));
rollup.set("Nats-Rollup", "all");
await js.publish("p.z", "all", { headers: rollup });
const all = (await jsm.streams.info("P")).state;
print("rollup of all", all.messages, all.first_seq === all.last_seq);
rollup.set("Nats-Rollup", "some");
print("bad rollup", await refusal(js.publish("p.z", "x", { headers: rollup })));

// Many at once: sequences in the order of publishing.
const acks = await Promise.all(Array.from({ length: 500 }, (_, i) => js.publish("p.many", `${i}`)));
print("many", acks.every((ack, i) => ack.seq === acks[0].seq + i));

// Discards.
await jsm.streams.add({ name: "NEW", subjects: ["new.*"], max_msgs: 2, discard: "new" });
await js.publish("new.a", "1");
await js.publish("new.b", "2");
print("discard new", await refusal(js.publish("new.c", "3")));
await jsm.streams.add({ name: "PER", subjects: ["per.*"], max_msgs_per_subject: 1, discard: "new", discard_new_per_subject: true });
await js.publish("per.a", "1");
print("discard new per subject", await refusal(js.publish("per.a", "2")), (await js.publish("per.b", "1")).seq);
await jsm.streams.add({ name: "OLD", subjects: ["old.*"], max_msgs_per_subject: 2 });
for (let i = 0; i < 4; i++) for (const s of ["a", "b"]) await js.publish(`old.${s}`, `${i}`);
const old = (await jsm.streams.info("OLD", { subjects_filter: ">" })).state;
print("per subject", old.messages, JSON.stringify(Object.fromEntries(Object.entries(old.subjects).sort())), (await jsm.streams.getMessage("OLD", { seq: 5 })).string());
await jsm.streams.add({ name: "BYTES", subjects: ["bytes"], max_bytes: 1000 });
for (let i = 0; i < 20; i++) await js.publish("bytes", "x".repeat(100));
const bytes = (await jsm.streams.info("BYTES")).state;
print("bytes", bytes.bytes <= 1000, bytes.messages, bytes.last_seq);
await jsm.streams.add({ name: "SILENT", subjects: ["silent"], no_ack: true });
print("no ack", await refusal(js.publish("silent", "x", { timeout: 300 })), (await jsm.streams.info("SILENT")).state.messages);
await nc.close();
end();

import { connect, print, refusal, end } from "./story.mjs";

const publisher = await connect();
const nc = await connect();
let first = 0;
const sub = nc.subscribe("drained", { callback: () => first++ });
await nc.flush();
for (let i = 0; i < 100; i++) publisher.publish("drained");
await publisher.flush();
await sub.drain();
print("subscription drained", first, sub.isClosed());
publisher.publish("drained");
await publisher.flush();
print("hears no more", first);

let second = 0;
nc.subscribe("also", { callback: () => second++ });
await nc.flush();
for (let i = 0; i < 100; i++) publisher.publish("also");
await publisher.flush();
await nc.drain();
print("connection drained", second, nc.isClosed());
print("refuses", await refusal((async () => nc.publish("also"))()));
await publisher.close();
end();

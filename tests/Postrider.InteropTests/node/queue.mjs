import { connect, print, end } from "./story.mjs";

const publisher = await connect();
const workers = await Promise.all([1, 2, 3].map(() => connect()));
const heard = [0, 0, 0];
const seen = new Set();
const plain = publisher.subscribe("jobs");
let witnessed = 0;
(async () => {
  for await (const _ of plain) witnessed++;
})();
workers.forEach((nc, i) => nc.subscribe("jobs", {
  queue: "crew",
  callback: (_, m) => {
    heard[i]++;
    seen.add(m.string());
  },
}));
await Promise.all(workers.map((nc) => nc.flush()));
const count = 600;
for (let i = 0; i < count; i++) publisher.publish("jobs", String(i));
await publisher.flush();
await Promise.all(workers.map((nc) => nc.flush()));
print("once each", seen.size, heard.reduce((a, b) => a + b));
print("shared", heard.every((n) => n > count / 10));
print("witness", witnessed);
await Promise.all([publisher, ...workers].map((nc) => nc.close()));
end();

import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const service = nc.subscribe("upper", { queue: "workers" });
(async () => {
  for await (const m of service) m.respond(m.string().toUpperCase());
})();

print("answer", (await nc.request("upper", "hello")).string());
const answers = await Promise.all([..."abcdefghij"].map((letter) => nc.request("upper", letter)));
print("answers", answers.map((m) => m.string()).join(""));
print("own inbox", (await nc.request("upper", "mux", { noMux: true, timeout: 5000 })).string());

print("nobody", await refusal(nc.request("nobody.there", "x", { timeout: 5000 })));
nc.subscribe("silent");
print("silent", await refusal(nc.request("silent", "x", { timeout: 200 })));

for (let i = 0; i < 3; i++) nc.subscribe("many", { callback: (_, m) => m.respond(String(i)) });
await nc.flush();
const many = [];
for await (const m of await nc.requestMany("many", "x", { strategy: "count", maxMessages: 3, maxWait: 5000 })) many.push(m.string());
print("many", many.sort().join(","));
await nc.close();
end();

import { connect, print, refusal, end } from "./story.mjs";

// The server has the users 'few' (may publish and subscribe to open.>) and a payload limit of 1000 bytes.
print("wrong password", await refusal(connect({ user: "few", pass: "no", maxReconnectAttempts: 0 })));
print("no credentials", await refusal(connect({ maxReconnectAttempts: 0 })));

const nc = await connect({ user: "few", pass: "pw" });
const violations = [];
let told;
const both = new Promise((resolve) => (told = resolve));
(async () => {
  for await (const s of nc.status()) if (s.type === "error" && violations.push(s.error.message) === 2) told();
})();
const denied = nc.subscribe("shut", { callback: (error) => error && print("subscription error", error.message) });
await denied.closed;
nc.publish("shut", "x");
await both;
print("violations", violations.join(" / "));
print("too large", await refusal((async () => nc.publish("open.a", "x".repeat(1001)))()));
const echo = nc.subscribe("open.a", { max: 1 });
nc.publish("open.a", "still here");
for await (const m of echo) print(m.string());
await nc.close();
end();

import { ask, connect, print, end } from "./story.mjs";

const nc = await connect({ reconnectTimeWait: 20, maxReconnectAttempts: -1 });
const statuses = [];
let back;
const reconnected = new Promise((resolve) => (back = resolve));
(async () => {
  for await (const s of nc.status()) {
    if (s.type === "disconnect" || s.type === "reconnect") statuses.push(s.type);
    if (s.type === "reconnect") back();
  }
})();
const got = [];
nc.subscribe("kept", { callback: (_, m) => got.push(m.string()) });
nc.subscribe("work", { queue: "crew", callback: (_, m) => m.respond("served " + m.string()) });
nc.publish("kept", "before");
await nc.flush();
await ask("restart");
await reconnected;
nc.publish("kept", "after");
await nc.flush();
print("statuses", statuses.join(","));
print("heard", got.join(","));
print("request", (await nc.request("work", "again", { timeout: 5000 })).string());
await nc.close();
end();

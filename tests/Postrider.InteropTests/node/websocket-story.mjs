// What a connection over a WebSocket carries, in node and in a browser: the text of `tell` runs in both.
export async function tell(nc, print) {
  const sub = nc.subscribe("over.ws", { max: 3 });
  nc.publish("over.ws", "small");
  nc.publish("over.ws", "x".repeat(100_000));
  nc.publish("over.ws", "y".repeat(1_000_000));
  const names = ["small", "large", "largest"];
  for await (const m of sub) print(names.shift(), m.data.length);
  const service = nc.subscribe("upper");
  (async () => { for await (const m of service) m.respond(m.string().toUpperCase()); })();
  print("answer", (await nc.request("upper", "hello", { timeout: 10_000 })).string());
}

// The till, written by hand with npm's ws: objects of JSON over a WebSocket. It prints its port, then what it is told besides.
import { WebSocketServer } from "ws";
import { print } from "./story.mjs";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: (protocols) => protocols.has("postrider.json") && "postrider.json" });
server.on("listening", () => print(server.address().port));
server.on("connection", (socket) => {
  const sums = new Map();
  const timers = new Map();
  const say = (object) => socket.send(JSON.stringify(object));
  const operations = {
    "till/Add": (id, { first, second }) => say({ id, result: first + second }),
    "till/Take"(id, item) {
      if (item === "tea") say({ id, error: { title: "SoldOut", status: 422, detail: "No tea is left.", fault: { item: "tea", left: 0 } } });
      else if (item === "nothing") say({ id, error: { title: "Busy", detail: "Later." } });
      else say({ id, result: `a ${item}` });
    },
    "till/Count"(id, last) {
      if (last < 0) return timers.set(id, setInterval(() => say({ id, item: last++ }), 1));
      for (let i = 1; i <= last; i++) say({ id, item: i });
      say({ id, end: true });
    },
    "till/Sum": (id) => sums.set(id, 0),
  };
  socket.on("message", (data) => {
    const { id, call, message, item, end, cancel, window } = JSON.parse(data);
    if (call) operations[call](id, message);
    else if (item !== undefined) sums.set(id, sums.get(id) + item);
    else if (end) say({ id, result: sums.get(id) });
    else if (cancel) {
      clearInterval(timers.get(id));
      print("cancelled");
    } else if (window) print("window", window);
  });
});
process.stdin.on("end", () => process.exit(0)).resume();

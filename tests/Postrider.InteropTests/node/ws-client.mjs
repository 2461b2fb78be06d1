// npm's ws calls the till at the address that is the first argument, by objects of JSON written by hand.
import WebSocket from "ws";
import { print } from "./story.mjs";

const socket = new WebSocket(process.argv[2], "postrider.json");
await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
print("subprotocol", socket.protocol);

const heard = new Map();
socket.on("message", (data) => {
  const { id, ...rest } = JSON.parse(data);
  heard.get(id)(rest);
});
const say = (object) => socket.send(JSON.stringify(object));

let last = 0;
/** Says what begins a call and gives every object of it, to its end. */
function call(operation, message, then = () => {}) {
  const id = ++last;
  const all = [];
  return new Promise((resolve) => {
    heard.set(id, (object) => {
      all.push(JSON.stringify(object));
      if (!("item" in object)) resolve(all.join(" "));
    });
    say({ id, call: `till/${operation}`, message });
    then(id);
  });
}

print(await call("Add", { first: 2, second: 40 }));
print(await call("Take", "cake"));
print(await call("Take", "tea"));
print(await call("Count", 3));
print(await call("Count", 9));
print(await call("Sum", "label", (id) => {
  for (let i = 1; i <= 20000; i++) say({ id, item: i });
  say({ id, end: true });
}));
print(await call("Nothing"));
const many = await Promise.all([...Array(500).keys()].map((i) => call("Add", { first: i, second: 1 })));
print(many.every((answer, i) => answer === `{"result":${i + 1}}`));
const closed = new Promise((resolve) => socket.on("close", resolve));
socket.on("message", (data) => print(String(data)));
heard.set(undefined, () => {});
socket.send("nonsense");
print("closed", await closed);
process.exit(0);

// A client of the broker in a page: NATS's protocol over the dashboard's WebSocket. Source: NATS client protocol, ADR-14 (JWT), nkeys.
import { fromBase64 } from "./elements.js";

const CRLF = "\r\n";
const MAX_INPUT = 64 * 1024 * 1024;
const MAX_ANSWERS = 1000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A rejection by the broker or a service, with its message. */
export class Refusal extends Error {
  constructor(message, code = 0) {
    super(message);
    this.code = code;
  }
}

export class Connection {
  #socket;
  #input = new Uint8Array(0);
  #inbox = `_INBOX.${crypto.randomUUID().replaceAll("-", "")}`;
  #waiting = new Map();
  #next = 1;
  #credentials;
  #opened;
  #refused;
  #closed;
  #isOpen = false;
  #problem = "";

  /** Connects and authenticates. Rejects with the broker's error. `closed` is called with a reason when an open connection ends. */
  static open(address, credentials, closed) {
    const made = new Connection();
    made.#credentials = credentials;
    made.#closed = closed;
    return new Promise((resolve, reject) => {
      made.#opened = resolve;
      made.#refused = reject;
      const socket = new WebSocket(address);
      socket.binaryType = "arraybuffer";
      socket.onmessage = (message) => made.#receive(new Uint8Array(message.data)).catch((error) => made.#end(error.message));
      socket.onclose = () => made.#end("The broker closed the connection.");
      made.#socket = socket;
    });
  }

  close() {
    this.#closed = undefined;
    this.#socket.close(1000);
  }

  publish(subject, body = "", headers = [], reply = "") {
    const bytes = typeof body === "string" ? encoder.encode(body) : body;
    if (headers.length === 0) {
      this.#send(`PUB ${subject} ${reply ? `${reply} ` : ""}${bytes.length}${CRLF}`, bytes, CRLF);
      return;
    }
    const head = encoder.encode(`NATS/1.0${CRLF}${headers.map(([name, value]) => `${name}: ${value}${CRLF}`).join("")}${CRLF}`);
    this.#send(`HPUB ${subject} ${reply ? `${reply} ` : ""}${head.length} ${head.length + bytes.length}${CRLF}`, head, bytes, CRLF);
  }

  /** Sends a request; the response has headers, a status and bytes. */
  request(subject, body = "", headers = [], timeout = 10000) {
    const id = String(this.#next++);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(new Refusal(`No response on ${subject} within ${timeout / 1000} s.`)), timeout);
      this.#waiting.set(id, { subject, resolve, reject, timer });
      this.publish(subject, body, headers, `${this.#inbox}.${id}`);
    });
  }

  /** Sends a request to many responders, and collects their JSON responses for a given time; at most 1,000 responses. */
  gather(subject, milliseconds = 300) {
    const id = String(this.#next++);
    const answers = [];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle(id);
        resolve(answers);
      }, milliseconds);
      const take = (data) => {
        if (answers.length < MAX_ANSWERS) answers.push(JSON.parse(decoder.decode(data)));
      };
      const none = (failure) => (failure.code === 503 ? resolve([]) : reject(failure));
      this.#waiting.set(id, { subject, take, resolve, reject: none, timer });
      this.publish(subject, "", [], `${this.#inbox}.${id}`);
    });
  }

  /** Sends a request with JSON; errors of JetStream, of services and of the connection are refusals. */
  async call(subject, body) {
    const answer = await this.request(subject, body === undefined ? "" : JSON.stringify(body));
    const service = answer.headers.find(([name]) => name === "Nats-Service-Error");
    if (service) throw new Refusal(service[1], Number(answer.headers.find(([name]) => name === "Nats-Service-Error-Code")?.[1] ?? 0));
    const value = answer.data.length > 0 ? JSON.parse(decoder.decode(answer.data)) : {};
    // A text is a member of the requested object, such as the error of a dead letter.
    if (typeof value.error === "object" && value.error) throw new Refusal(value.error.description, value.error.code);
    return value;
  }

  #send(...parts) {
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Refusal("The connection to the broker is closed.");
    const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
    const all = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of bytes) {
      all.set(part, at);
      at += part.length;
    }
    this.#socket.send(all);
  }

  #settle(id) {
    const found = this.#waiting.get(id);
    if (!found) return undefined;
    clearTimeout(found.timer);
    this.#waiting.delete(id);
    return found;
  }

  #end(reason) {
    this.#socket.close();
    const words = this.#problem || reason;
    this.#refused(new Refusal(words));
    for (const id of [...this.#waiting.keys()]) this.#settle(id).reject(new Refusal(words));
    const closed = this.#closed;
    this.#closed = undefined;
    if (this.#isOpen) closed?.(words);
  }

  async #receive(bytes) {
    const all = new Uint8Array(this.#input.length + bytes.length);
    all.set(this.#input);
    all.set(bytes, this.#input.length);
    if (all.length > MAX_INPUT) throw new Refusal("The broker sent a message that is too large for this page.");
    this.#input = all;
    let at = 0;
    while (true) {
      const end = this.#input.indexOf(10, at);
      if (end < 0) break;
      const line = decoder.decode(this.#input.subarray(at, end)).trimEnd();
      const words = line.split(" ");
      const verb = words[0].toUpperCase();
      if (verb === "MSG" || verb === "HMSG") {
        const total = Number(words.at(-1));
        const from = end + 1;
        if (this.#input.length < from + total + 2) break;
        const head = verb === "HMSG" ? Number(words.at(-2)) : 0;
        this.#deliver(words[1], this.#input.slice(from, from + head), this.#input.slice(from + head, from + total));
        at = from + total + 2;
        continue;
      }
      at = end + 1;
      if (verb === "INFO" && !this.#isOpen) {
        // The rest waits until the nonce is signed.
        this.#input = this.#input.slice(at);
        at = 0;
        await this.#introduce(JSON.parse(line.slice(5)));
      } else if (verb === "PING") this.#send(`PONG${CRLF}`);
      else if (verb === "PONG") {
        this.#isOpen = true;
        this.#opened(this);
      } else if (verb === "-ERR") this.#fail(line.slice(5).replaceAll("'", ""));
    }
    this.#input = this.#input.slice(at);
  }

  // A missing permission ends one request; every other error ends the connection.
  #fail(words) {
    const subject = /^Permissions Violation for Publish to "(.+)"$/.exec(words)?.[1];
    if (!subject) {
      this.#problem = words;
      return;
    }
    for (const [id, request] of [...this.#waiting]) if (request.subject === subject) this.#settle(id).reject(new Refusal(`You have no permission to publish to ${subject}.`));
  }

  async #introduce(info) {
    const connect = { verbose: false, pedantic: false, headers: true, no_responders: true, lang: "dashboard", version: "0", name: "dashboard", protocol: 1, ...(await sign(this.#credentials, info.nonce)) };
    this.#send(`CONNECT ${JSON.stringify(connect)}${CRLF}SUB ${this.#inbox}.* 1${CRLF}PING${CRLF}`);
  }

  #deliver(subject, head, data) {
    const id = subject.slice(this.#inbox.length + 1);
    const { status, headers } = parseHeaders(decoder.decode(head));
    if (status === 0 && this.#waiting.get(id)?.take) {
      this.#waiting.get(id).take(data);
      return;
    }
    const waiting = this.#settle(id);
    if (!waiting) return;
    if (status === 503) waiting.reject(new Refusal(`No service or stream responds on ${waiting.subject}.`, 503));
    else waiting.resolve({ status, headers, data });
  }
}

/** The status and the fields of a block of headers. */
export function parseHeaders(text) {
  const [first, ...lines] = text.split(CRLF);
  const headers = lines.filter((line) => line.includes(":")).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  return { status: Number(/^NATS\/1\.0 +(\d+)/.exec(first)?.[1] ?? 0), headers };
}

// The credentials in CONNECT.
async function sign(credentials, nonce) {
  if (credentials.seed) {
    const key = await readSeed(credentials.seed);
    const signature = await crypto.subtle.sign("Ed25519", key.secret, encoder.encode(nonce ?? ""));
    return { ...(credentials.jwt ? { jwt: credentials.jwt } : { nkey: key.name }), sig: toBase64Url(new Uint8Array(signature)) };
  }
  if (credentials.token) return { auth_token: credentials.token };
  return credentials.user ? { user: credentials.user, pass: credentials.password ?? "" } : {};
}

/** The JWT and the seed of a credentials file, or the seed of a file that has nothing else. */
export function readCredentials(text) {
  const jwt = /-+BEGIN NATS USER JWT-+\s+([\w.-]+)\s+-+END NATS USER JWT/.exec(text)?.[1];
  const seed = /\bSU[A-Z2-7]{56}\b/.exec(text)?.[0];
  if (!seed) throw new Refusal("This is not a credentials file: it does not contain the seed of a user (SU…).");
  return { jwt, seed };
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

async function readSeed(seed) {
  let [bits, count] = [0, 0];
  const bytes = [];
  for (const letter of seed) {
    bits = ((bits << 5) | ALPHABET.indexOf(letter)) & 0xffff;
    count += 5;
    if (count >= 8) bytes.push((bits >> (count -= 8)) & 0xff);
  }
  // PKCS 8 before an Ed25519 key; two bytes of the seed identify its kind, and two are a checksum.
  const pkcs8 = new Uint8Array([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20, ...bytes.slice(2, 34)]);
  const secret = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", secret);
  return { secret, name: nameKey(fromBase64(x)) };
}

// A user's public key: a prefix, the key and a CRC-16, in base 32.
function nameKey(open) {
  const bytes = [20 << 3, ...open];
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  bytes.push(crc & 0xff, crc >> 8);
  let [text, bits, count] = ["", 0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x1fff;
    count += 8;
    while (count >= 5) text += ALPHABET[(bits >> (count -= 5)) & 31];
  }
  return count > 0 ? text + ALPHABET[(bits << (5 - count)) & 31] : text;
}

const toBase64Url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

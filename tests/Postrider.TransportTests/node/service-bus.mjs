// Eleven steps of Microsoft's own client against the stand-in. Arguments: the connection string, and one with a wrong key.
import { ServiceBusClient } from "@azure/service-bus";

const [, , right, wrong] = process.argv;
const retryOptions = { maxRetries: 0, timeoutInMs: 10_000 };
const client = new ServiceBusClient(right, { retryOptions });

function same(actual, expected, what) {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${what}: ${a} instead of ${e}`);
}

async function fails(act, code) {
  try {
    await act();
  } catch (error) {
    same(error.code, code, "the error's code");
    return;
  }
  throw new Error(`no error with the code ${code}`);
}

// The client renews locks by message ids, and fails where a message has none.
const manual = { maxAutoLockRenewalDurationInMs: 0 };
const receiverOf = (queue, options = {}) => client.createReceiver(queue, { ...manual, ...options });

async function one(receiver) {
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 8_000 });
  if (!message) throw new Error("no message arrived");
  return message;
}

async function none(receiver, what) {
  const found = await receiver.receiveMessages(1, { maxWaitTimeInMs: 300 });
  same(found.length, 0, what);
}

const steps = {
  async send() {
    await client.createSender("plain").sendMessages({ body: { hello: "world" }, messageId: "m-1", subject: "greeting", applicationProperties: { colour: "blue" } });
  },
  async "receive and complete"() {
    const receiver = receiverOf("plain");
    const message = await one(receiver);
    same([message.body, message.messageId, message.subject, message.applicationProperties.colour, message.deliveryCount], [{ hello: "world" }, "m-1", "greeting", "blue", 0], "the message");
    await receiver.completeMessage(message);
    await none(receiver, "messages after it was completed");
    await receiver.close();
  },
  async "batch and abandon with properties"() {
    const sender = client.createSender("batches");
    const batch = await sender.createMessageBatch();
    for (let i = 0; i < 5; i++) same(batch.tryAddMessage({ body: i }), true, "a place in the batch");
    await sender.sendMessages(batch);
    const receiver = receiverOf("batches");
    const first = await one(receiver);
    await receiver.abandonMessage(first, { tried: "once" });
    const bodies = [];
    let again;
    while (bodies.length < 5) {
      const message = await one(receiver);
      bodies.push(message.body);
      if (message.deliveryCount === 1) again = message;
      await receiver.completeMessage(message);
    }
    same(bodies.sort(), [0, 1, 2, 3, 4], "the bodies");
    same([again.body, again.applicationProperties.tried], [first.body, "once"], "the abandoned message");
    await receiver.close();
  },
  async "dead letter with reason"() {
    await client.createSender("poison").sendMessages({ body: "bad" });
    const receiver = receiverOf("poison");
    await receiver.deadLetterMessage(await one(receiver), { deadLetterReason: "unreadable", deadLetterErrorDescription: "not JSON", extra: 7 });
    const letters = receiverOf("poison", { subQueueType: "deadLetter" });
    const letter = await one(letters);
    same([letter.body, letter.deadLetterReason, letter.deadLetterErrorDescription, letter.applicationProperties.extra], ["bad", "unreadable", "not JSON", 7], "the dead letter");
    await letters.completeMessage(letter);
    await receiver.close();
    await letters.close();
  },
  async "max delivery count"() {
    await client.createSender("twice").sendMessages({ body: "stubborn" });
    const receiver = receiverOf("twice");
    for (let i = 0; i < 2; i++) await receiver.abandonMessage(await one(receiver));
    const letters = receiverOf("twice", { subQueueType: "deadLetter" });
    const letter = await one(letters);
    same([letter.body, letter.deadLetterReason], ["stubborn", "MaxDeliveryCountExceeded"], "the dead letter");
    await receiver.close();
    await letters.close();
  },
  async "renew lock"() {
    await client.createSender("locks").sendMessages({ body: "slow" });
    const receiver = receiverOf("locks");
    const message = await one(receiver);
    const before = message.lockedUntilUtc;
    const until = await receiver.renewMessageLock(message);
    if (!(until > before)) throw new Error(`the lock ends at ${until}, before ${before}`);
    await receiver.completeMessage(message);
    await receiver.close();
  },
  async schedule() {
    const due = new Date(Date.now() + 1_000);
    const [number] = await client.createSender("later").scheduleMessages([{ body: "due" }], due);
    if (!(Number(number) > 0)) throw new Error(`the sequence number is ${number}`);
    const receiver = receiverOf("later");
    await none(receiver, "messages before the time");
    const message = await one(receiver);
    same(message.body, "due", "the body");
    if (Date.now() < due.getTime() - 50) throw new Error("it came too early");
    await receiver.completeMessage(message);
    await receiver.close();
  },
  async cancel() {
    const sender = client.createSender("later");
    const numbers = await sender.scheduleMessages([{ body: "never" }], new Date(Date.now() + 700));
    await sender.cancelScheduledMessages(numbers);
    const receiver = receiverOf("later");
    const found = await receiver.receiveMessages(1, { maxWaitTimeInMs: 1_200 });
    same(found.length, 0, "messages after they were cancelled");
    await receiver.close();
  },
  async "sessions by id and next"() {
    const sender = client.createSender("sessions");
    await sender.sendMessages([{ body: 1, sessionId: "a" }]);
    await sender.sendMessages([{ body: 2, sessionId: "b" }]);
    await sender.sendMessages([{ body: 3, sessionId: "a" }]);
    const a = await client.acceptSession("sessions", "a", manual);
    const next = await client.acceptNextSession("sessions", manual);
    same([a.sessionId, next.sessionId], ["a", "b"], "the sessions");
    for (const [receiver, bodies] of [[a, [1, 3]], [next, [2]]]) {
      for (const body of bodies) {
        const message = await one(receiver);
        same(message.body, body, "the body");
        await receiver.completeMessage(message);
      }
    }
    if (!((await a.renewSessionLock()) > new Date())) throw new Error("the session's lock was not renewed");
    await fails(() => client.acceptSession("sessions", "a", manual), "SessionCannotBeLocked");
    await a.close();
    await next.close();
  },
  async "missing entity"() {
    await fails(() => client.createSender("nowhere").sendMessages({ body: "lost" }), "MessagingEntityNotFound");
  },
  async "wrong key"() {
    const stranger = new ServiceBusClient(wrong, { retryOptions });
    await fails(() => stranger.createSender("plain").sendMessages({ body: "refused" }), "UnauthorizedAccess");
    await stranger.close();
  },
};

for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`failed ${name}: ${error.code ?? ""} ${error.message}`);
    process.exitCode = 1;
  }
}
await client.close();
process.exit();

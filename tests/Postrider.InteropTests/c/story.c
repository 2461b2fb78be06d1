/* Stories told by the C client: story NAME ADDRESS. What is printed is what the test compares.
   A line 'ask: WORD' asks the test to do something to the server; the story goes on when a line comes back. */
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_MS 10000

static const char *address;

static void check(natsStatus status, const char *what)
{
    if (status == NATS_OK)
        return;

    fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
    nats_PrintLastErrorStack(stderr);
    exit(1);
}

#define CHECK(call) check((call), #call)

static natsOptions *options_for_server(void)
{
    natsOptions *options = NULL;
    CHECK(natsOptions_Create(&options));
    CHECK(natsOptions_SetURL(options, address));
    return options;
}

static natsConnection *connect_with(natsOptions *options)
{
    natsConnection *connection = NULL;
    CHECK(natsConnection_Connect(&connection, options));
    natsOptions_Destroy(options);
    return connection;
}

static void print_message(const char *word, natsMsg *message)
{
    const char *reply = natsMsg_GetReply(message);
    printf("%s %s %s %d %.*s\n", word, natsMsg_GetSubject(message), reply == NULL ? "-" : reply,
        natsMsg_GetDataLength(message), natsMsg_GetDataLength(message), natsMsg_GetData(message));
}

static void print_next(const char *word, natsSubscription *subscription)
{
    natsMsg *message = NULL;
    CHECK(natsSubscription_NextMsg(&message, subscription, PATIENCE_MS));
    print_message(word, message);
    natsMsg_Destroy(message);
}

static void answer_upper(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
    (void)subscription;
    (void)closure;
    char text[64] = {0};
    int length = natsMsg_GetDataLength(message);
    for (int i = 0; i < length && i < 63; i++)
        text[i] = (char)(natsMsg_GetData(message)[i] & ~0x20);

    natsConnection_PublishString(connection, natsMsg_GetReply(message), text);
    natsMsg_Destroy(message);
}

static void count_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
    (void)connection;
    (void)subscription;
    __atomic_add_fetch((int *)closure, 1, __ATOMIC_SEQ_CST);
    natsMsg_Destroy(message);
}

static void pubsub(void)
{
    natsConnection *connection = connect_with(options_for_server());
    natsSubscription *all = NULL, *one = NULL;
    CHECK(natsConnection_SubscribeSync(&all, connection, "orders.>"));
    CHECK(natsConnection_SubscribeSync(&one, connection, "orders.*.paid"));
    CHECK(natsSubscription_AutoUnsubscribe(all, 2));
    CHECK(natsConnection_PublishString(connection, "orders.1.paid", "first"));
    CHECK(natsConnection_PublishString(connection, "orders.2", "second"));
    CHECK(natsConnection_PublishRequestString(connection, "orders.3.paid", "back", "third"));
    CHECK(natsConnection_Flush(connection));
    print_next("all", all);
    print_next("all", all);
    natsMsg *none = NULL;
    printf("all %s\n", natsStatus_GetText(natsSubscription_NextMsg(&none, all, PATIENCE_MS)));
    print_next("one", one);
    print_next("one", one);
    printf("max payload %lld\n", (long long)natsConnection_GetMaxPayload(connection));
    int64_t rtt = 0;
    CHECK(natsConnection_GetRTT(connection, &rtt));
    printf("round trip %d\n", rtt > 0);
    natsSubscription_Destroy(all);
    natsSubscription_Destroy(one);
    natsConnection_Destroy(connection);
}

static void request(void)
{
    natsConnection *connection = connect_with(options_for_server());
    natsSubscription *service = NULL, *silent = NULL;
    natsMsg *reply = NULL;
    CHECK(natsConnection_QueueSubscribe(&service, connection, "upper", "workers", answer_upper, NULL));
    CHECK(natsConnection_SubscribeSync(&silent, connection, "silent"));
    CHECK(natsConnection_RequestString(&reply, connection, "upper", "hello", PATIENCE_MS));
    printf("answer %s\n", natsMsg_GetData(reply));
    natsMsg_Destroy(reply);
    printf("nobody %s\n", natsStatus_GetText(natsConnection_RequestString(&reply, connection, "nobody.there", "x", PATIENCE_MS)));
    printf("silent %s\n", natsStatus_GetText(natsConnection_RequestString(&reply, connection, "silent", "x", 200)));
    natsSubscription_Destroy(service);
    natsSubscription_Destroy(silent);
    natsConnection_Destroy(connection);
}

static void headers(void)
{
    natsConnection *connection = connect_with(options_for_server());
    natsSubscription *subscription = NULL;
    natsMsg *message = NULL;
    CHECK(natsConnection_SubscribeSync(&subscription, connection, "with.headers"));
    CHECK(natsMsg_Create(&message, "with.headers", NULL, "payload", 7));
    CHECK(natsMsgHeader_Set(message, "Plain", "value"));
    CHECK(natsMsgHeader_Add(message, "Several", "one"));
    CHECK(natsMsgHeader_Add(message, "Several", "two"));
    CHECK(natsConnection_PublishMsg(connection, message));
    natsMsg_Destroy(message);
    CHECK(natsSubscription_NextMsg(&message, subscription, PATIENCE_MS));
    const char *plain = NULL;
    const char **several = NULL;
    int count = 0;
    CHECK(natsMsgHeader_Get(message, "Plain", &plain));
    CHECK(natsMsgHeader_Values(message, "Several", &several, &count));
    printf("Plain=%s Several=%s|%s of %d\n", plain, several[0], several[1], count);
    print_message("message", message);
    free((void *)several);
    natsMsg_Destroy(message);
    natsSubscription_Destroy(subscription);
    natsConnection_Destroy(connection);
}

static void queue(void)
{
    natsConnection *publisher = connect_with(options_for_server());
    natsConnection *workers[3];
    natsSubscription *crew[3];
    int heard[3] = {0};
    for (int i = 0; i < 3; i++)
    {
        workers[i] = connect_with(options_for_server());
        CHECK(natsConnection_QueueSubscribe(&crew[i], workers[i], "jobs", "crew", count_message, &heard[i]));
        CHECK(natsConnection_Flush(workers[i]));
    }

    for (int i = 0; i < 600; i++)
        CHECK(natsConnection_PublishString(publisher, "jobs", "x"));

    CHECK(natsConnection_Flush(publisher));
    int sum = 0, least = 600;
    for (int i = 0; i < 3; i++)
    {
        CHECK(natsConnection_Flush(workers[i]));
        CHECK(natsSubscription_Drain(crew[i]));
        CHECK(natsSubscription_WaitForDrainCompletion(crew[i], PATIENCE_MS));
        sum += heard[i];
        least = heard[i] < least ? heard[i] : least;
    }

    printf("heard %d shared %d\n", sum, least > 60);
    for (int i = 0; i < 3; i++)
    {
        natsSubscription_Destroy(crew[i]);
        natsConnection_Destroy(workers[i]);
    }

    natsConnection_Destroy(publisher);
}

static void drain(void)
{
    natsConnection *publisher = connect_with(options_for_server());
    natsConnection *connection = connect_with(options_for_server());
    natsSubscription *subscription = NULL;
    int heard = 0;
    CHECK(natsConnection_Subscribe(&subscription, connection, "drained", count_message, &heard));
    CHECK(natsConnection_Flush(connection));
    for (int i = 0; i < 1000; i++)
        CHECK(natsConnection_PublishString(publisher, "drained", "x"));

    CHECK(natsConnection_Flush(publisher));
    CHECK(natsConnection_DrainTimeout(connection, PATIENCE_MS));
    CHECK(natsSubscription_WaitForDrainCompletion(subscription, PATIENCE_MS));
    printf("drained %d\n", __atomic_load_n(&heard, __ATOMIC_SEQ_CST));
    natsSubscription_Destroy(subscription);
    natsConnection_Destroy(connection);
    natsConnection_Destroy(publisher);
}

static int reconnections;

static void on_reconnect(natsConnection *connection, void *closure)
{
    (void)connection;
    (void)closure;
    __atomic_add_fetch(&reconnections, 1, __ATOMIC_SEQ_CST);
}

static void ask(const char *what)
{
    char line[64];
    printf("ask: %s\n", what);
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL)
        exit(1);
}

static void reconnect(void)
{
    natsOptions *options = options_for_server();
    CHECK(natsOptions_SetReconnectWait(options, 20));
    CHECK(natsOptions_SetMaxReconnect(options, -1));
    CHECK(natsOptions_SetReconnectedCB(options, on_reconnect, NULL));
    natsConnection *connection = connect_with(options);
    natsSubscription *kept = NULL;
    CHECK(natsConnection_SubscribeSync(&kept, connection, "kept"));
    CHECK(natsConnection_PublishString(connection, "kept", "before"));
    CHECK(natsConnection_Flush(connection));
    print_next("heard", kept);
    ask("restart");
    for (int tries = 0; tries < 1000 && __atomic_load_n(&reconnections, __ATOMIC_SEQ_CST) == 0; tries++)
        nats_Sleep(10);

    CHECK(natsConnection_PublishString(connection, "kept", "after"));
    CHECK(natsConnection_FlushTimeout(connection, PATIENCE_MS));
    print_next("heard", kept);
    printf("reconnected %d\n", __atomic_load_n(&reconnections, __ATOMIC_SEQ_CST));
    natsSubscription_Destroy(kept);
    natsConnection_Destroy(connection);
}

static void refused(const char *word, const char *user, const char *password)
{
    natsOptions *options = options_for_server();
    natsConnection *connection = NULL;
    if (user != NULL)
        CHECK(natsOptions_SetUserInfo(options, user, password));

    natsStatus status = natsConnection_Connect(&connection, options);
    /* The text begins with the place in the client's source, which is the client's business. */
    const char *text = strstr(nats_GetLastError(NULL), "): ");
    printf("%s %s: %s\n", word, natsStatus_GetText(status), text == NULL ? "" : text + 3);
    natsOptions_Destroy(options);
}

/* The server has the user 'few' (may publish and subscribe to open.>) and a payload limit of 1000 bytes. */
static void errors(void)
{
    refused("wrong password", "few", "no");
    refused("no credentials", NULL, NULL);
    natsOptions *options = options_for_server();
    CHECK(natsOptions_SetUserInfo(options, "few", "pw"));
    natsConnection *connection = connect_with(options);
    natsSubscription *open = NULL;
    char payload[1001];
    memset(payload, 'x', sizeof payload);
    CHECK(natsConnection_PublishString(connection, "shut", "x"));
    CHECK(natsConnection_Flush(connection));
    const char *last = NULL;
    natsStatus status = natsConnection_GetLastError(connection, &last);
    printf("violation %s: %s\n", natsStatus_GetText(status), last);
    printf("too large %s\n", natsStatus_GetText(natsConnection_Publish(connection, "open.a", payload, sizeof payload)));
    CHECK(natsConnection_SubscribeSync(&open, connection, "open.a"));
    CHECK(natsConnection_PublishString(connection, "open.a", "still here"));
    print_next("heard", open);
    natsSubscription_Destroy(open);
    natsConnection_Destroy(connection);
}

static const struct
{
    const char *name;
    void (*tell)(void);
} stories[] = {
    {"pubsub", pubsub}, {"request", request}, {"headers", headers}, {"queue", queue},
    {"drain", drain}, {"reconnect", reconnect}, {"errors", errors},
};

int main(int count, char **words)
{
    if (count != 3)
        return 2;

    address = words[2];
    for (size_t i = 0; i < sizeof stories / sizeof stories[0]; i++)
    {
        if (strcmp(stories[i].name, words[1]) != 0)
            continue;

        stories[i].tell();
        nats_Close();
        return 0;
    }

    fprintf(stderr, "no story '%s'\n", words[1]);
    return 2;
}

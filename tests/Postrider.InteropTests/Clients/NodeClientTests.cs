using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Clients;

/// <summary>The official npm clients: what they print is the same whichever server they talk to.</summary>
public sealed class NodeClientTests(DefaultServers servers) : IClassFixture<DefaultServers>
{
    public static TheoryData<ServerKind> Both => DefaultServers.Both;

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Publishes_and_subscribes(ServerKind kind)
        => Assert.Equal(
            """
            connected 1 true 1048576 story
            all orders.1.paid 5
            all orders.2 6
            all orders.3.paid 4
            one orders.1.paid 6669727374
            one orders.3.paid 000102ff
            big true
            round trip true
            stats 5 6
            closed true
            """,
            await Story.ByNodeAsync("pubsub", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Requests_and_answers(ServerKind kind)
        => Assert.Equal(
            """
            answer HELLO
            answers ABCDEFGHIJ
            own inbox MUX
            nobody RequestError: no responders: 'nobody.there'
            silent TimeoutError: timeout
            many 0,1,2
            """,
            await Story.ByNodeAsync("request", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Sends_headers(ServerKind kind)
        => Assert.Equal(
            """
            with.headers back "payload" Plain=value Several=one|two Empty= Umlaut=größe
            with.headers - "" Plain=value Several=one|two Empty= Umlaut=größe
            with.headers - "none" no headers
            """,
            await Story.ByNodeAsync("headers", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Shares_work_in_a_queue_group(ServerKind kind)
        => Assert.Equal(
            """
            once each 600 600
            shared true
            witness 600
            """,
            await Story.ByNodeAsync("queue", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Drains_a_subscription_and_a_connection(ServerKind kind)
        => Assert.Equal(
            """
            subscription drained 100 true
            hears no more 100
            connection drained 100 true
            refuses ClosedConnectionError: closed connection
            """,
            await Story.ByNodeAsync("drain", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Offers_a_service_and_asks_about_it(ServerKind kind)
        => Assert.Equal(
            """
            answer 42
            error 404 no such order
            ping io.nats.micro.v1.ping_response desk 1.2.3 true
            info orders {"region":"north"}
            endpoint count orders.count tellers {"kind":"query"}
            endpoint fail orders.fail tellers null
            stats count 1 0 -
            stats fail 1 0 -
            """,
            await Story.ByNodeAsync("services", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Reconnects_and_subscribes_again(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind);

        Assert.Equal(
            """
            statuses disconnect,reconnect
            heard before,after
            request served again
            """,
            await Story.ByNodeAsync("reconnect", server));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Is_told_what_it_may_not_do(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Restricted.Configuration));

        Assert.Equal(
            """
            wrong password AuthorizationError: Authorization Violation
            no credentials AuthorizationError: Authorization Violation
            subscription error Permissions Violation for Subscription to "shut"
            violations Permissions Violation for Subscription to "shut" / Permissions Violation for Publish to "shut"
            too large InvalidArgumentError: 'payload' max_payload size exceeded
            still here
            """,
            await Story.ByNodeAsync("errors", server));
    }
}

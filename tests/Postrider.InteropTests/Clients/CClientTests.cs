using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Clients;

/// <summary>The official C client: what it prints is the same whichever server it talks to.</summary>
public sealed class CClientTests(DefaultServers servers) : IClassFixture<DefaultServers>
{
    public static TheoryData<ServerKind> Both => DefaultServers.Both;

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Publishes_and_subscribes(ServerKind kind)
        => Assert.Equal(
            """
            all orders.1.paid - 5 first
            all orders.2 - 6 second
            all Maximum Messages Delivered
            one orders.1.paid - 5 first
            one orders.3.paid back 5 third
            max payload 1048576
            round trip 1
            """,
            await Story.ByCAsync("pubsub", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Requests_and_answers(ServerKind kind)
        => Assert.Equal(
            """
            answer HELLO
            nobody No responders available for request
            silent Timeout
            """,
            await Story.ByCAsync("request", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Sends_headers(ServerKind kind)
        => Assert.Equal(
            """
            Plain=value Several=one|two of 2
            message with.headers - 7 payload
            """,
            await Story.ByCAsync("headers", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Shares_work_in_a_queue_group(ServerKind kind)
        => Assert.Equal("heard 600 shared 1", await Story.ByCAsync("queue", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Drains_a_connection(ServerKind kind)
        => Assert.Equal("drained 1000", await Story.ByCAsync("drain", await servers.GetAsync(kind)));

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Reconnects_and_subscribes_again(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind);

        Assert.Equal(
            """
            heard kept - 6 before
            heard kept - 5 after
            reconnected 1
            """,
            await Story.ByCAsync("reconnect", server));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Is_told_what_it_may_not_do(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Restricted.Configuration));

        Assert.Equal(
            """
            wrong password Authentication Violation: Authorization Violation
            no credentials Authentication Violation: Authorization Violation
            violation Not Permitted: Permissions Violation for Publish to "shut"
            too large Maximum Payload Exceeded
            heard open.a - 10 still here
            """,
            await Story.ByCAsync("errors", server));
    }
}

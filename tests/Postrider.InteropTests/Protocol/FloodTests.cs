using System.Globalization;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>Ten thousand connections at once, from client processes of their own.</summary>
public sealed class FloodTests
{
    private const int Processes = 5;
    private const int ConnectionsEach = 2_000;

    public static TheoryData<ServerKind> Both => DefaultServers.Both;

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Server_goes_on_answering_with_ten_thousand_connections(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-m", "-1");
        var crowd = Enumerable.Range(0, Processes).Select(_ => Start(server)).ToArray();
        try
        {
            Assert.All(await Task.WhenAll(crowd.Select(client => client.NextLineOrEndAsync())), line => Assert.Equal("ask: look", line));

            Assert.Equal(Processes * ConnectionsEach, (await server.MonitorAsync("varz")).GetProperty("connections").GetInt32());
            await using (var late = await RawConnection.OpenAsync(server.Port))
                Assert.Equal("", await late.FenceAsync());

            await Task.WhenAll(crowd.Select(client => client.TellAsync("done")));
            Assert.All(await Task.WhenAll(crowd.Select(client => client.ToEndAsync())), end => Assert.Equal($"held {ConnectionsEach}", end));
            await using var after = await RawConnection.OpenAsync(server.Port);
            Assert.Equal("", await after.FenceAsync());
        }
        finally
        {
            foreach (var client in crowd)
                await client.DisposeAsync();
        }
    }

    private static ForeignProgram Start(ServerProcess server)
        => ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "flood.mjs"), server.Url, ConnectionsEach.ToString(CultureInfo.InvariantCulture));
}

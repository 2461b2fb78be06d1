using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What becomes of calls when their channel is disposed, whatever carries them.</summary>
public sealed class DisposedChannelTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Theory]
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Nothing_begins_on_a_channel_that_is_disposed(string transport)
    {
        var desk = new Desk();
        await using var transports = new DeskTransports();
        var channel = await transports.StartAsync(transport, DeskContract.Serve(desk));
        var client = new DeskClient(channel);
        await client.OpenAsync(new Ticket(Guid.Empty, "", []));

        await channel.DisposeAsync();
        await channel.DisposeAsync();

        RpcException[] failures =
        [
            await Assert.ThrowsAsync<RpcException>(() => client.OpenAsync(new Ticket(Guid.Empty, "", [])).AsTask().WaitAsync(Patience)),
            await Assert.ThrowsAsync<RpcException>(() => client.NoteAsync("x").AsTask().WaitAsync(Patience)),
            await Assert.ThrowsAsync<RpcException>(() => client.CountToAsync(3).ToListAsync().AsTask().WaitAsync(Patience)),
            await Assert.ThrowsAsync<RpcException>(() => client.SumAsync("", AsyncEnumerable.Empty<int>()).WaitAsync(Patience)),
            await Assert.ThrowsAsync<RpcException>(() => new DeskClient(channel).CountAsync().AsTask().WaitAsync(Patience)),
        ];
        Assert.All(failures, f => Assert.Equal((RpcStatus.Unavailable, "The channel is closed."), (f.Status, f.Message)));
        Assert.Equal(1, await desk.CountAsync());
        Assert.Equal(0, desk.Notes.Reader.Count);
    }

    // In process there is nothing between that could end, and NATS has no word for it.
    [Theory]
    [InlineData("socket")]
    [InlineData("http")]
    [InlineData("websocket")]
    [InlineData("grpc")]
    public async Task What_is_under_way_fails_when_its_channel_is_disposed(string transport)
    {
        var desk = new Desk();
        await using var transports = new DeskTransports();
        var channel = await transports.StartAsync(transport, DeskContract.Serve(desk));
        var client = new DeskClient(channel);
        var waiting = client.WaitAsync().AsTask();
        Assert.Equal("began", await desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        await using var items = client.TickAsync(new CallContext()).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());

        await channel.DisposeAsync();

        Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => waiting.WaitAsync(Patience))).Status);
        var failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await items.MoveNextAsync().AsTask().WaitAsync(Patience))
                Assert.True(items.Current > 0);
        });
        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.Equal("cancelled", await desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }
}

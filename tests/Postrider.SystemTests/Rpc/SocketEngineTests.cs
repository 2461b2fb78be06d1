using System.Net;
using System.Net.Sockets;
using Postrider.Rpc;
using Postrider.Sockets;

namespace Postrider.SystemTests.Rpc;

/// <summary>Calls that begin on the thread that reads: whatever the code of users does there, the others go on.</summary>
public sealed class SocketEngineTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly List<IAsyncDisposable> _owned = [];

    public static TheoryData<EngineKind> Engines => [EngineKind.Auto, EngineKind.Sockets];

    public async ValueTask DisposeAsync()
    {
        foreach (var owned in Enumerable.Reverse(_owned))
            await owned.DisposeAsync();
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Operations_that_block_hold_no_other_connection_up(EngineKind engine)
    {
        using var gate = new ManualResetEventSlim();
        var server = Serve(engine, scene =>
        {
            if (scene == 1)
                gate.Wait(Patience);
            return scene;
        });
        var blocked = Enumerable.Range(0, 8).Select(_ => Client(server, engine).PlayAsync(1).AsTask()).ToList();
        try
        {
            var others = Client(server, engine);
            for (var i = 0; i < 100; i++)
                Assert.Equal(2, await others.PlayAsync(2).AsTask().WaitAsync(Patience));
            Assert.DoesNotContain(blocked, call => call.IsCompleted);
        }
        finally
        {
            gate.Set();
        }

        Assert.All(await Task.WhenAll(blocked).WaitAsync(Patience), scene => Assert.Equal(1, scene));
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Operation_that_blocks_holds_the_others_of_its_connection_not_up(EngineKind engine)
    {
        using var gate = new ManualResetEventSlim();
        var client = Client(Serve(engine, scene =>
        {
            if (scene == 1)
                gate.Wait(Patience);
            return scene;
        }), engine);
        var blocked = client.PlayAsync(1).AsTask();
        try
        {
            for (var i = 0; i < 100; i++)
                Assert.Equal(2, await client.PlayAsync(2).AsTask().WaitAsync(Patience));
            Assert.False(blocked.IsCompleted);
        }
        finally
        {
            gate.Set();
        }

        Assert.Equal(1, await blocked.WaitAsync(Patience));
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Caller_that_blocks_for_its_next_call_gets_its_answer(EngineKind engine)
    {
        var client = Client(Serve(engine, scene => scene), engine);

        var blocking = CallAsync();

        Assert.Equal(20, await blocking.WaitAsync(Patience));

        async Task<int> CallAsync()
        {
            var sum = 0;
            for (var i = 0; i < 10; i++)
            {
                sum += await client.PlayAsync(1);
                sum += client.PlayAsync(1).AsTask().GetAwaiter().GetResult();
            }

            return sum;
        }
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Nothing_that_an_operation_leaves_on_its_thread_is_seen_by_the_next(EngineKind engine)
    {
        var left = new AsyncLocal<int>();
        var seen = 0;
        var client = Client(Serve(engine, scene =>
        {
            seen += left.Value + (SynchronizationContext.Current is null ? 0 : 1);
            left.Value = scene;
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            return scene;
        }), engine);

        for (var i = 0; i < 100; i++)
            Assert.Equal(7, await client.PlayAsync(7));

        Assert.Equal(0, seen);
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Name_is_looked_up(EngineKind engine)
    {
        var server = Serve(engine, scene => scene);
        var named = new DnsEndPoint("localhost", ((IPEndPoint)server.EndPoint).Port, AddressFamily.InterNetwork);

        Assert.Equal(3, await Client(named, engine).PlayAsync(3));
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Name_that_is_none_is_unavailable(EngineKind engine)
    {
        var client = Client(new DnsEndPoint("nobody.invalid", 1), engine);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await client.PlayAsync(1));

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.Contains("nobody.invalid", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Answers_of_many_calls_at_once_arrive_each_at_its_own(EngineKind engine)
    {
        var server = Serve(engine, scene => scene * 2);
        var clients = Enumerable.Range(0, 8).Select(_ => Client(server, engine)).ToList();

        var answers = await Task.WhenAll(Enumerable.Range(0, 4000).Select(async i => (i, await clients[i % 8].PlayAsync(i)))).WaitAsync(Patience);

        Assert.All(answers, answer => Assert.Equal(answer.i * 2, answer.Item2));
    }

    private SocketServer Serve(EngineKind engine, Func<int, int> play)
    {
        var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, StageContract.Serve(new Stage(play)), new SocketServerOptions { Engine = engine });
        _owned.Add(server);
        return server;
    }

    private StageClient Client(SocketServer server, EngineKind engine) => Client(server.EndPoint, engine);

    private StageClient Client(EndPoint endPoint, EngineKind engine)
    {
        var channel = new SocketChannel(endPoint, Codec, new SocketChannelOptions { Engine = engine });
        _owned.Add(channel);
        return new StageClient(channel);
    }
}

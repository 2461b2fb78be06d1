using System.Collections.Concurrent;
using System.Net;
using Microsoft.Extensions.Time.Testing;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Commands from a server to its clients, by a clock that only the tests turn.</summary>
public sealed class CommandTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);

    private readonly FakeTimeProvider _time = new();
    private readonly ConcurrentBag<SocketChannel> _channels = [];
    private SocketServer _server = null!;
    private RpcCommands<IDesk> _commands = null!;

    public ValueTask InitializeAsync()
    {
        _server = SocketServer.Start(
            new IPEndPoint(IPAddress.Loopback, 0), [Codec], [DeskContract.Serve(new Desk())], new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        _commands = new RpcCommands<IDesk>(_server.Peers, static channel => new DeskClient(channel), _time);
        return default;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var channel in _channels)
            await channel.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Command_to_all_is_carried_out_by_each_that_is_connected()
    {
        await ConnectAsync("a", "b", "c");

        var run = _commands.Send(static (desk, ct) => new ValueTask<string>(desk.JoinAsync("x", 2)));

        var results = await run.Completion.WaitAsync(Patience);
        Assert.Equal(["a Executed xx", "b Executed xx", "c Executed xx"], Told(results));
        Assert.All(results, static r => Assert.True(r.IsFinal));
    }

    [Fact]
    public async Task Command_goes_to_those_named_alone()
    {
        var desks = await ConnectAsync("a", "b");

        await _commands.Send(static (desk, ct) => desk.NoteAsync("hello"), new CommandOptions { Clients = ["b", "b"] }).Completion.WaitAsync(Patience);

        Assert.Equal("hello", await desks[1].Notes.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(0, desks[0].Notes.Reader.Count);
    }

    [Fact]
    public async Task Command_to_nobody_is_over_at_once()
    {
        var run = _commands.Send(static (desk, ct) => desk.ClearAsync());

        Assert.Empty(await run.Completion.WaitAsync(Patience));
        Assert.Empty(await run.WatchAsync().ToListAsync());
        await run.CancelAsync();
    }

    [Fact]
    public async Task Command_waits_for_a_client_that_is_not_connected()
    {
        var run = _commands.Send(static (desk, ct) => new ValueTask<string>(desk.JoinAsync("x", 1)), new CommandOptions { Clients = ["late"] });
        Assert.Equal(CommandState.Pending, run.Find("late")!.State);

        await ConnectAsync("late");

        Assert.Equal(["late Executed x"], Told(await run.Completion.WaitAsync(Patience)));
    }

    [Fact]
    public async Task Command_that_nobody_came_for_expires_when_its_time_is_over()
    {
        var run = _commands.Send(static (desk, ct) => desk.ClearAsync(), new CommandOptions { Clients = ["never"], TimeToLive = TimeSpan.FromMinutes(5) });

        _time.Advance(TimeSpan.FromMinutes(5) - TimeSpan.FromTicks(1));
        Assert.Equal(CommandState.Pending, run.Find("never")!.State);
        _time.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(["never Expired "], Told(await run.Completion.WaitAsync(Patience)));
    }

    [Fact]
    public async Task Command_that_a_client_does_not_end_expires_and_is_cancelled_there()
    {
        var desk = (await ConnectAsync("slow", "quick"))[0];
        var run = _commands.Send(static (desk, ct) => desk.WaitAsync(ct), new CommandOptions { Clients = ["slow"], TimeToLive = TimeSpan.FromMinutes(1) });
        Assert.Equal("began", await desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
        Assert.Equal(CommandState.Posted, run.Find("slow")!.State);

        // Others are not held up.
        Assert.Equal(["quick Executed 0"], Told(await _commands.Send(static (desk, ct) => desk.CountAsync(), new CommandOptions { Clients = ["quick"] }).Completion.WaitAsync(Patience)));
        _time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(["slow Expired "], Told(await run.Completion.WaitAsync(Patience)));
        Assert.Equal("cancelled", await desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task Client_rejects_or_fails_and_says_why()
    {
        await ConnectAsync("a");

        var rejected = await _commands.Send(static (desk, ct) => desk.BuyAsync(-1)).Completion.WaitAsync(Patience);
        var failed = await _commands.Send(static (desk, ct) => desk.BuyAsync(0)).Completion.WaitAsync(Patience);
        var fault = await _commands.Send(static (desk, ct) => desk.BuyAsync(101)).Completion.WaitAsync(Patience);

        Assert.Equal((CommandState.Rejected, "Nothing is taken back."), (rejected[0].State, rejected[0].Failure!.Message));
        Assert.Equal((CommandState.Failed, RpcStatus.Internal), (failed[0].State, ((RpcException)failed[0].Failure!).Status));
        Assert.Equal((CommandState.Failed, 100), (fault[0].State, ((RpcFaultException<SoldOut>)fault[0].Failure!).Detail.Left));
    }

    [Fact]
    public async Task Client_that_goes_in_the_midst_fails()
    {
        var desk = (await ConnectAsync("a"))[0];
        var run = _commands.Send(static (desk, ct) => desk.WaitAsync(ct));
        Assert.Equal("began", await desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await Assert.Single(_channels).DisposeAsync();

        var result = Assert.Single(await run.Completion.WaitAsync(Patience));
        Assert.Equal((CommandState.Failed, RpcStatus.Unavailable), (result.State, ((RpcException)result.Failure!).Status));
    }

    [Fact]
    public async Task Changes_are_watched_until_the_last()
    {
        var run = _commands.Send(static (desk, ct) => desk.CountAsync(), new CommandOptions { Clients = ["a"] });
        var watching = run.WatchAsync().Select(static r => r.State).ToListAsync().AsTask();

        await ConnectAsync("a");

        Assert.Equal([CommandState.Pending, CommandState.Posted, CommandState.Executed], await watching.WaitAsync(Patience));
        Assert.Equal([CommandState.Executed], await run.WatchAsync().Select(static r => r.State).ToListAsync());
    }

    [Fact]
    public async Task Command_that_is_cancelled_expires()
    {
        var run = _commands.Send(static (desk, ct) => desk.ClearAsync(), new CommandOptions { Clients = ["never", "ever"] });

        await run.CancelAsync();

        Assert.Equal(["ever Expired ", "never Expired "], Told(await run.Completion.WaitAsync(Patience)));
    }

    private static IEnumerable<string> Told<T>(IEnumerable<CommandResult<T>> results)
        => results.Select(static r => $"{r.Client} {r.State} {(r.State == CommandState.Executed ? $"{r.Answer}" : "")}").Order(StringComparer.Ordinal);

    private async Task<Desk[]> ConnectAsync(params string[] names)
    {
        var desks = names.Select(static _ => new Desk()).ToArray();
        for (var i = 0; i < names.Length; i++)
        {
            var channel = new SocketChannel(_server.EndPoint, Codec, new SocketChannelOptions { PeerName = names[i], Services = [DeskContract.Serve(desks[i])] });
            _channels.Add(channel);
            await channel.ConnectAsync();
            await _server.Peers.WaitAsync(names[i]).AsTask().WaitAsync(Patience);
        }

        return desks;
    }
}

using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a call does, whatever carries it.</summary>
public abstract class CallContract : IAsyncLifetime
{
    private protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private protected Desk Desk { get; } = new();

    private protected RpcChannel Channel { get; private set; } = null!;

    private protected IDesk Client { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        Channel = await StartAsync(DeskContract.Serve(Desk));
        Client = new DeskClient(Channel);
    }

    public async ValueTask DisposeAsync()
    {
        await Channel.DisposeAsync();
        await StopAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Object_goes_there_and_back()
    {
        var ticket = new Ticket(Guid.NewGuid(), "grösstes", ["a", "b"]);

        var opened = await Client.OpenAsync(ticket);

        Assert.Equivalent(ticket with { Subject = "GRÖSSTES" }, opened, strict: true);
        Assert.Equal(1, await Client.CountAsync());
    }

    [Fact]
    public async Task Several_parameters_arrive_each_in_its_place()
        => Assert.Equal("a-a-a", await Client.JoinAsync("a", 3, "-"));

    [Fact]
    public async Task Parameter_that_is_null_arrives_as_null()
        => Assert.Equal("aa", await Client.JoinAsync("a", 2));

    [Fact]
    public async Task Method_without_parameters_and_result_is_called()
    {
        await Client.OpenAsync(new(Guid.Empty, "x", []));

        await Client.ClearAsync();

        Assert.Equal(0, await Client.CountAsync());
    }

    [Fact]
    public async Task Fault_of_the_contract_arrives_with_its_detail()
    {
        var fault = await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await Client.BuyAsync(101));

        Assert.Equal((new SoldOut(100, "tea"), "Only 100 are left.", "SoldOut"), (fault.Detail, fault.Message, fault.Fault));
    }

    [Fact]
    public async Task Status_that_the_operation_chose_arrives()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.BuyAsync(-1));

        Assert.Equal((RpcStatus.Forbidden, "Nothing is taken back."), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Other_exception_says_nothing_of_the_server()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await Client.BuyAsync(0));

        Assert.Equal(RpcStatus.Internal, failure.Status);
        Assert.DoesNotContain("secret", failure.ToString(), StringComparison.Ordinal);
        PlatformWords.None(failure.Message);
    }

    [Fact]
    public async Task Headers_and_the_time_travel_and_headers_come_back()
    {
        var context = new CallContext { Timeout = TimeSpan.FromMinutes(1), Headers = { ["Tenant"] = "north" } };

        var answer = await Client.EchoHeadersAsync("tenant", context);

        Assert.Equal(("north True", "desk"), (answer, context.ResponseHeaders["Served-By"]));
    }

    [Fact]
    public async Task Call_without_headers_meets_none()
        => Assert.Equal("none ", await Client.EchoHeadersAsync("tenant", new CallContext()));

    [Fact]
    public async Task Token_that_is_cancelled_already_calls_nothing()
        => await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Client.OpenAsync(new(Guid.Empty, "", []), new CancellationToken(true)));

    [Fact]
    public virtual async Task Token_of_the_caller_ends_the_call_on_both_sides()
    {
        using var end = new CancellationTokenSource();
        var waiting = Client.WaitAsync(end.Token).AsTask();
        Assert.Equal("began", await NextAsync(Desk.Events));

        await end.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        Assert.Equal("cancelled", await NextAsync(Desk.Events));
    }

    [Fact]
    public async Task Time_of_the_call_ends_it_on_both_sides()
    {
        // On a loaded machine the time may be over before the operation began: it gets more, until one did.
        var time = TimeSpan.FromMilliseconds(100);
        do
        {
            var failure = await Assert.ThrowsAsync<RpcException>(() => Client.WaitInTimeAsync(new CallContext { Timeout = time }).AsTask().WaitAsync(Patience));
            Assert.Equal(RpcStatus.DeadlineExceeded, failure.Status);
            time *= 4;
        }
        while (Desk.Events.Reader.Count == 0);

        var next = await NextAsync(Desk.Events);
        while (next == "began")
            next = await NextAsync(Desk.Events);
        Assert.Equal("cancelled", next);
    }

    [Fact]
    public async Task One_way_call_is_handled_and_its_failure_heard_by_nobody()
    {
        await Client.NoteAsync("bad");
        await Client.NoteAsync("good");

        string[] notes = [await NextAsync(Desk.Notes), await NextAsync(Desk.Notes)];
        Assert.Equal(["bad", "good"], notes.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Large_message_goes_there_and_back()
    {
        var bytes = new byte[3_000_000];
        new Random(1).NextBytes(bytes);

        Assert.Equal(bytes, await Client.EchoAsync(bytes));
    }

    [Fact]
    public async Task Many_calls_at_once_each_get_their_own_answer()
    {
        var calls = Enumerable.Range(1, 300).Select(async i => (i, await Client.JoinAsync($"{i}", 1))).ToList();

        var answers = await Task.WhenAll(calls).WaitAsync(Patience);

        Assert.All(answers, answer => Assert.Equal($"{answer.i}", answer.Item2));
    }

    private protected abstract ValueTask<RpcChannel> StartAsync(RpcService service);

    private protected virtual ValueTask StopAsync() => default;

    private protected static async Task<string> NextAsync(System.Threading.Channels.Channel<string> channel)
        => await channel.Reader.ReadAsync().AsTask().WaitAsync(Patience);
}

using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

public sealed class MessagePumpTests
{
    private static readonly JsonSerializerProvider s_json = new(PumpJson.Default);

    [Fact]
    public async Task Request_that_arrives_as_bytes_is_answered_by_the_handler()
    {
        await using var desk = await Desk.Open();

        var answer = await desk.Ask("""{"left":2,"right":3}""");

        Assert.Equal("5", Encoding.UTF8.GetString(answer.Body.Span));
        Assert.Null(answer.Headers[HeaderNames.Error]);
    }

    [Fact]
    public async Task Exception_of_a_handler_is_an_answer_with_error_headers()
    {
        await using var desk = await Desk.Open();

        var answer = await desk.Ask("""{"left":2147483647,"right":1}""");

        Assert.Equal("Internal", answer.Headers[HeaderNames.ErrorCode]);
        Assert.NotNull(answer.Headers[HeaderNames.Error]);
        Assert.True(answer.Body.IsEmpty);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("null")]
    [InlineData("[1,2]")]
    public async Task Bytes_that_are_no_message_are_answered_with_a_codec_error(string body)
    {
        await using var desk = await Desk.Open();

        var answer = await desk.Ask(body);

        Assert.Equal("Codec", answer.Headers[HeaderNames.ErrorCode]);
    }

    [Fact]
    public async Task Remote_handler_calls_the_other_side_like_a_local_one()
    {
        await using var desk = await Desk.Open();
        await using var caller = new ServiceCollection()
            .AddPostrider(options => options.Route<PumpSum, int>(_ => desk.Transport, s_json, "sum"))
            .BuildServiceProvider();

        var sum = await caller.GetRequiredService<IDispatcher>().SendAsync(new PumpSum(20, 22));

        Assert.Equal(42, sum);
    }

    [Fact]
    public async Task Remote_error_is_an_exception_that_names_destination_and_code()
    {
        await using var desk = await Desk.Open();
        await using var caller = new ServiceCollection()
            .AddPostrider(options => options.Route<PumpSum, int>(_ => desk.Transport, s_json, "sum"))
            .BuildServiceProvider();

        var error = await Assert.ThrowsAsync<RemoteException>(
            async () => await caller.GetRequiredService<IDispatcher>().SendAsync(new PumpSum(int.MaxValue, 1)));

        Assert.Equal("sum", error.Destination);
        Assert.Equal("Internal", error.Code);
    }

    [Fact]
    public async Task Headers_that_arrive_reach_the_context_of_the_handler()
    {
        await using var desk = await Desk.Open();
        var question = new Envelope { Destination = "whoami", Body = "{}"u8.ToArray() };
        question.Headers.Add(HeaderNames.CorrelationId, "conversation-7");

        var answer = await desk.Transport.RequestAsync(question, TestContext.Current.CancellationToken);

        Assert.Equal("\"conversation-7\"", Encoding.UTF8.GetString(answer.Body.Span));
    }

    [Fact]
    public async Task Destination_without_a_listener_is_an_error_of_its_own()
    {
        await using var transport = new InMemoryTransport();

        var error = await Assert.ThrowsAsync<PostriderException>(
            async () => await transport.RequestAsync(new Envelope { Destination = "nowhere" }, default));

        Assert.Equal(PostriderError.NoListener, error.Error);
    }

    private sealed class Desk : IAsyncDisposable
    {
        private readonly ServiceProvider _provider = new ServiceCollection().AddPostrider().BuildServiceProvider();
        private MessagePump? _pump;

        internal InMemoryTransport Transport { get; } = new();

        internal static async Task<Desk> Open()
        {
            var desk = new Desk();
            desk._pump = new MessagePump(desk.Transport, s_json, desk._provider)
                .Request<PumpSum, int>(new TransportBinding("sum"))
                .Request<PumpWhoAmI, string>(new TransportBinding("whoami"));
            await desk._pump.StartAsync();
            return desk;
        }

        internal ValueTask<Envelope> Ask(string body)
            => Transport.RequestAsync(new Envelope { Destination = "sum", Body = Encoding.UTF8.GetBytes(body) }, default);

        public async ValueTask DisposeAsync()
        {
            await _pump!.DisposeAsync();
            await Transport.DisposeAsync();
            await _provider.DisposeAsync();
        }
    }
}

internal sealed partial record PumpSum(int Left, int Right) : IQuery<int>;

internal sealed partial record PumpWhoAmI : IQuery<string>;

internal static class PumpHandlers
{
    [Handler]
    public static int Sum(PumpSum query) => checked(query.Left + query.Right);

    [Handler]
    public static string WhoAmI(PumpWhoAmI query, MessageContext context) => context.CorrelationId;
}

[JsonSerializable(typeof(PumpSum))]
[JsonSerializable(typeof(PumpWhoAmI))]
[JsonSerializable(typeof(int))]
[JsonSerializable(typeof(string))]
internal sealed partial class PumpJson : JsonSerializerContext;

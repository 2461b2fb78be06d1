using System.Text;
using System.Text.Json.Serialization;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Dispatch;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>What every transport has to hold when the sender, the route and the handler are in one container.</summary>
public abstract class TransportContract : IAsyncLifetime
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    protected static JsonSerializerProvider Serializers { get; } = new(CircleJson.Default);

    protected CancellationToken Ct { get; } = new CancellationTokenSource(s_limit).Token;

    /// <summary>The transport that envelopes are sent with.</summary>
    protected abstract ITransport Sender { get; }

    /// <summary>The transport that listens.</summary>
    protected virtual ITransport Listener => Sender;

    public abstract ValueTask InitializeAsync();

    public abstract ValueTask DisposeAsync();

    [Fact]
    public async Task Command_that_is_routed_to_a_binding_of_its_own_container_is_handled_once()
    {
        await using var provider = Container(options => options.Route<CirclePack, Unit>(_ => Sender, Serializers, "circle.pack"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Command<CirclePack>(Binding("circle.pack"));
        await pump.StartAsync(Ct);

        await provider.GetRequiredService<IDispatcher>().SendAsync(new CirclePack("tea"), Ct);

        await AssertHandledOnceAsync(provider, "tea");
    }

    [Fact]
    public async Task Idempotent_command_that_is_routed_to_a_binding_of_its_own_container_is_handled_once()
    {
        await using var provider = Container(options => options.Route<CircleSell, Unit>(_ => Sender, Serializers, "circle.sell"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Command<CircleSell>(Binding("circle.sell"));
        await pump.StartAsync(Ct);

        await provider.GetRequiredService<IDispatcher>().SendAsync(new CircleSell("17"), Ct);

        await AssertHandledOnceAsync(provider, "17");
    }

    [Fact]
    public async Task Handler_of_what_arrived_sends_along_the_route()
    {
        await using var provider = Container(options => options.Route<CirclePack, Unit>(_ => Sender, Serializers, "circle.again"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Command<CirclePack>(Binding("circle.again"));
        await pump.StartAsync(Ct);

        await provider.GetRequiredService<IDispatcher>().SendAsync(new CirclePack("twice"), Ct);

        var handled = provider.GetRequiredService<CircleLog>().Handled.Reader;
        string[] items = [await handled.ReadAsync(Ct), await handled.ReadAsync(Ct)];
        Assert.Equal(["once", "twice"], items.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Notification_that_arrives_reaches_the_handlers_of_the_container()
    {
        await using var provider = Container(options => options.Route<CirclePack, Unit>(_ => Sender, Serializers, "circle.elsewhere"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Notification<CirclePacked>(Binding("circle.packed"));
        await pump.StartAsync(Ct);

        await Sender.SendAsync(new Envelope { Destination = "circle.packed", Body = "{\"item\":\"box\"}"u8.ToArray() }, Ct);

        await AssertHandledOnceAsync(provider, "box");
    }

    [Fact]
    public async Task Route_back_to_the_binding_of_a_message_without_a_handler_is_refused_at_the_start()
    {
        await using var provider = Container(options => options.Route<CircleNobodys, Unit>(_ => Sender, Serializers, "circle.nobodys"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Command<CircleNobodys>(Binding("circle.nobodys"));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await pump.StartAsync(Ct));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(nameof(CircleNobodys), refused.Message, StringComparison.Ordinal);
        Assert.Contains("'circle.nobodys'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("remove the route or the binding", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Route_onwards_to_a_second_binding_of_a_message_without_a_handler_is_refused_at_the_start()
    {
        await using var provider = Container(options => options.Route<CircleNobodys, Unit>(_ => Sender, Serializers, "circle.second"));
        await using var pump = new MessagePump(Listener, Serializers, provider)
            .Command<CircleNobodys>(Binding("circle.first"))
            .Command<CircleNobodys>(Binding("circle.second"));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await pump.StartAsync(Ct));

        Assert.Contains("'circle.second'", refused.Message, StringComparison.Ordinal);
    }

    protected static async Task AssertHandledOnceAsync(IServiceProvider provider, string item)
    {
        var handled = provider.GetRequiredService<CircleLog>().Handled.Reader;
        Assert.Equal(item, await handled.ReadAsync(TestContext.Current.CancellationToken));
        Assert.False(handled.TryRead(out var again), again);
    }

    protected static ServiceProvider Container(Action<DispatchOptions> route)
        => new ServiceCollection().AddSingleton(new CircleLog()).AddPostrider(route).BuildServiceProvider(validateScopes: true);

    /// <summary>A binding of the transport's own kind.</summary>
    protected virtual TransportBinding Binding(string source) => new(source);
}

/// <summary>What every transport with answers has to hold besides.</summary>
public abstract class RequestTransportContract : TransportContract
{
    [Fact]
    public async Task Request_that_is_routed_to_a_binding_of_its_own_container_is_answered_by_the_handler()
    {
        await using var provider = Container(options => options.Route<CircleAsk, string>(_ => Sender, Serializers, "circle.ask"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Request<CircleAsk, string>(Binding("circle.ask"));
        await pump.StartAsync(Ct);

        var answer = await provider.GetRequiredService<IDispatcher>().SendAsync(new CircleAsk("why"), Ct);

        Assert.Equal("why?", answer);
        await AssertHandledOnceAsync(provider, "why");
    }

    [Fact]
    public async Task Cancelled_call_that_waits_for_its_answer_ends()
    {
        var begun = new TaskCompletionSource();
        var never = new TaskCompletionSource();
        using var caller = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        await using var listener = await Listener.ListenAsync(
            Binding("circle.slow"),
            async (_, _) =>
            {
                begun.SetResult();
                await never.Task;
                return null;
            },
            Ct);

        var call = Sender.RequestAsync(new Envelope { Destination = "circle.slow" }, caller.Token).AsTask();
        await begun.Task.WaitAsync(Ct);
        await caller.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Ct));
        never.SetResult();
    }

    [Fact]
    public async Task Case_62_request_that_nobody_listens_for_is_an_error_that_names_the_destination()
    {
        var nobody = await Assert.ThrowsAsync<PostriderException>(async () => await Sender.RequestAsync(new Envelope { Destination = "circle.nobody" }, Ct));

        Assert.Equal(PostriderError.NoListener, nobody.Error);
        Assert.Contains("'circle.nobody'", nobody.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_64_answer_that_comes_too_late_is_dropped_and_the_next_one_is_right()
    {
        var (begun, late) = (new TaskCompletionSource(), new TaskCompletionSource());
        using var caller = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        await using var listener = await Listener.ListenAsync(
            Binding("circle.late"),
            async (envelope, _) =>
            {
                if (envelope.Body.Length > 0)
                    return new Envelope { Destination = envelope.ReplyTo!, Body = "second"u8.ToArray() };
                begun.SetResult();
                await late.Task;
                return new Envelope { Destination = envelope.ReplyTo!, Body = "first"u8.ToArray() };
            },
            Ct);

        var call = Sender.RequestAsync(new Envelope { Destination = "circle.late" }, caller.Token).AsTask();
        await begun.Task.WaitAsync(Ct);
        await caller.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Ct));
        late.SetResult();
        var answer = await Sender.RequestAsync(new Envelope { Destination = "circle.late", Body = "x"u8.ToArray() }, Ct);

        Assert.Equal("second", Encoding.UTF8.GetString(answer.Body.Span));
    }

    [Fact]
    public async Task Case_66_a_thousand_requests_at_once_get_each_its_own_answer()
    {
        await using var listener = await Listener.ListenAsync(
            Binding("circle.many"),
            static async (envelope, _) =>
            {
                await Task.Yield();
                return new Envelope { Destination = envelope.ReplyTo!, Body = envelope.Body.ToArray() };
            },
            Ct);

        var answers = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(async i =>
        {
            var answer = await Sender.RequestAsync(new Envelope { Destination = "circle.many", Body = BitConverter.GetBytes(i) }, Ct);
            return BitConverter.ToInt32(answer.Body.Span);
        }));

        Assert.Equal(Enumerable.Range(0, 1_000), answers);
    }

    [Theory]
    [InlineData("{\"text\":7}", "Codec", "The body is not a valid message (application/json).")]
    [InlineData("{\"text\":\"invalid\"}", "Invalid", "The message is not valid: Text: Say something else.")]
    [InlineData("{\"text\":\"refuse\"}", "Refused", "Not today.")]
    [InlineData("{\"text\":\"fail\"}", "Internal", "The handler failed.")]
    public async Task Answer_to_a_failure_says_nothing_of_types_and_programs(string body, string code, string text)
    {
        await using var provider = Container(options => options.Route<CirclePack, Unit>(_ => Sender, Serializers, "circle.elsewhere"));
        await using var pump = new MessagePump(Listener, Serializers, provider).Request<CircleAsk, string>(Binding("circle.fails"));
        await pump.StartAsync(Ct);

        var answer = await Sender.RequestAsync(new Envelope { Destination = "circle.fails", Body = Encoding.UTF8.GetBytes(body) }, Ct);

        Assert.Equal((code, text), (answer.Headers[HeaderNames.ErrorCode], answer.Headers[HeaderNames.Error]));
    }
}

internal sealed record CircleLog
{
    internal Channel<string> Handled { get; } = Channel.CreateUnbounded<string>();
}

internal sealed partial record CirclePack(string Item) : ICommand;

internal sealed partial record CircleSell(string IdempotencyKey) : ICommand, IIdempotent;

internal sealed partial record CirclePacked(string Item) : INotification;

internal sealed partial record CircleAsk(string Text) : IQuery<string>;

// Routed, so that the generator asks for no handler.
internal sealed partial record CircleNobodys(string Item) : ICommand;

internal sealed class CircleHandlers(CircleLog log, IDispatcher dispatcher)
    : ICommandHandler<CirclePack>, ICommandHandler<CircleSell>, INotificationHandler<CirclePacked>, IRequestHandler<CircleAsk, string>
{
    public async ValueTask Handle(CirclePack request, CancellationToken ct)
    {
        if (request.Item == "twice")
        {
            ICommand once = new CirclePack("once");
            await dispatcher.SendAsync(once, ct);
        }

        log.Handled.Writer.TryWrite(request.Item);
    }

    public ValueTask Handle(CircleSell request, CancellationToken ct)
    {
        log.Handled.Writer.TryWrite(request.IdempotencyKey);
        return default;
    }

    public ValueTask Handle(CirclePacked notification, CancellationToken ct)
    {
        log.Handled.Writer.TryWrite(notification.Item);
        return default;
    }

    public ValueTask<string> Handle(CircleAsk request, CancellationToken ct)
    {
        log.Handled.Writer.TryWrite(request.Text);
        return request.Text switch
        {
            "invalid" => throw new InvalidMessageException(typeof(CircleAsk), [new ValidationError("Text", "Say something else.")]),
            "refuse" => throw new PostriderException(PostriderError.Refused, "Not today."),
            "fail" => throw new InvalidOperationException("The password of db.internal is 1234."),
            _ => new($"{request.Text}?"),
        };
    }
}

[JsonSerializable(typeof(CirclePack))]
[JsonSerializable(typeof(CircleSell))]
[JsonSerializable(typeof(CirclePacked))]
[JsonSerializable(typeof(CircleAsk))]
[JsonSerializable(typeof(CircleNobodys))]
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
internal sealed partial class CircleJson : JsonSerializerContext;

using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 61 to 66: answers. Where the transport gives none, case 61 of <see cref="SendingCases"/> proves that it says so, and these
/// prove that a single request is refused as well.</summary>
public abstract class RequestCases(TransportHarness harness) : LifecycleCases(harness)
{
    private static readonly JsonSerializerProvider s_json = new(AskJson.Default);

    [Fact]
    public async Task Case_61_answer_comes_back_with_its_headers()
    {
        if (await IsRefusedAsync())
            return;
        var destination = await NewDestinationAsync();
        await using var listener = await AnswerAsync(destination, static envelope => new Envelope
        {
            Destination = envelope.ReplyTo!,
            Headers = { { HeaderNames.ContentType, "text/plain" }, { "Colour", envelope.Headers["Colour"]! }, { "Tag", "a" }, { "Tag", "b" } },
            Body = Encoding.UTF8.GetBytes($"{Text(envelope)}?"),
        });

        var answer = await Transport.RequestAsync(Message(destination, "why", new Headers { { "Colour", "blue" } }), Ct);

        Assert.Equal(("why?", "text/plain", "blue"), (Text(answer), answer.Headers[HeaderNames.ContentType], answer.Headers["Colour"]));
        Assert.Equal(["a", "b"], answer.Headers.GetValues("Tag"));
    }

    [Fact]
    public async Task Case_62_request_without_a_listener_is_an_error_that_names_the_destination()
    {
        if (await IsRefusedAsync())
            return;
        var nowhere = TransportHarness.NewName();

        var nobody = await Assert.ThrowsAsync<PostriderException>(async () => await Transport.RequestAsync(Message(nowhere, "why"), Ct));

        Assert.Equal(PostriderError.NoListener, nobody.Error);
        Assert.Contains($"'{nowhere}'", nobody.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_63_and_64_late_answer_is_dropped_and_the_next_one_is_right()
    {
        if (await IsRefusedAsync())
            return;
        var destination = await NewDestinationAsync();
        var (begun, late) = (new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        using var caller = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        await using var listener = await Transport.ListenAsync(
            new TransportBinding(destination),
            async (envelope, _) =>
            {
                if (Text(envelope) == "first")
                {
                    begun.SetResult();
                    await late.Task;
                }

                return new Envelope { Destination = envelope.ReplyTo!, Body = envelope.Body };
            },
            Ct);

        var first = Transport.RequestAsync(Message(destination, "first"), caller.Token).AsTask();
        await begun.Task.WaitAsync(Ct);
        await caller.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.WaitAsync(Ct));
        late.SetResult();

        Assert.Equal("second", Text(await Transport.RequestAsync(Message(destination, "second"), Ct)));
    }

    [Theory]
    [InlineData("{\"text\":7}", "Codec", "The body is not a valid message (application/json).")]
    [InlineData("{\"text\":\"invalid\"}", "Invalid", "The message is not valid: Text: Say something else.")]
    [InlineData("{\"text\":\"refuse\"}", "Refused", "Not today.")]
    [InlineData("{\"text\":\"late\"}", "Timeout", "The handler exceeded its time limit.")]
    [InlineData("{\"text\":\"fail\"}", "Internal", "The handler failed.")]
    public async Task Case_65_failure_is_an_answer_with_its_code_and_nothing_of_the_program(string body, string code, string text)
    {
        if (await IsRefusedAsync())
            return;
        var destination = await NewDestinationAsync();
        await using var services = new ServiceCollection().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(Transport, s_json, services).Request<Ask, string>(new TransportBinding(destination));
        await pump.StartAsync(Ct);

        var answer = await Transport.RequestAsync(Message(destination, body), Ct);

        Assert.Equal((code, text, 0), (answer.Headers[HeaderNames.ErrorCode], answer.Headers[HeaderNames.Error], answer.Body.Length));
    }

    [Fact]
    public async Task Case_66_a_thousand_requests_at_once_get_each_its_own_answer()
    {
        if (await IsRefusedAsync())
            return;
        var destination = await NewDestinationAsync();
        await using var listener = await Transport.ListenAsync(
            new TransportBinding(destination),
            static async (envelope, _) =>
            {
                await Task.Yield();
                return new Envelope { Destination = envelope.ReplyTo!, Body = envelope.Body.ToArray() };
            },
            Ct);
        var sender = Transport.OpenSender(destination);

        var answers = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(async i => BitConverter.ToInt32((await sender.RequestAsync(default, BitConverter.GetBytes(i), Ct)).Body.Span)));

        Assert.Equal(Enumerable.Range(0, 1_000), answers);
    }

    private async Task<IAsyncDisposable> AnswerAsync(string destination, Func<Envelope, Envelope> answer)
        => await Transport.ListenAsync(new TransportBinding(destination), (envelope, _) => new(answer(envelope)), Ct);

    private async Task<bool> IsRefusedAsync()
    {
        if (Has(TransportAbilities.Requests))
            return false;
        // A stream answers that it has stored the message: that is no answer of a handler, and routes with a response are refused.
        if (Transport is Postrider.Transport.Nats.NatsStreamTransport)
            return true;
        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await Transport.OpenSender(TransportHarness.NewName()).RequestAsync(default, default, Ct));
        Assert.Equal(PostriderError.Configuration, refused.Error);
        return true;
    }
}

internal sealed partial record Ask(string Text) : IQuery<string>;

internal static class AskHandlers
{
    [Handler]
    public static string Answer(Ask ask) => ask.Text switch
    {
        "invalid" => throw new InvalidMessageException(typeof(Ask), [new ValidationError("Text", "Say something else.")]),
        "refuse" => throw new PostriderException(PostriderError.Refused, "Not today."),
        "late" => throw new TimeoutException("The database at db-7 did not answer."),
        "fail" => throw new InvalidOperationException("The database at db-7 has no table 'orders'."),
        _ => $"{ask.Text}?",
    };
}

[JsonSerializable(typeof(Ask))]
[JsonSerializable(typeof(string))]
internal sealed partial class AskJson : JsonSerializerContext;

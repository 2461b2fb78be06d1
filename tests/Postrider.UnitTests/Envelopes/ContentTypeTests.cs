using System.Buffers;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.MessagePack;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.UnitTests.Serialization;

namespace Postrider.UnitTests.Envelopes;

/// <summary>A receiver with several formats reads each message in that of its content type.</summary>
public sealed class ContentTypeTests : IAsyncLifetime
{
    private static readonly JsonSerializerProvider s_json = new(LetterJson.Default);
    private static readonly MessagePackSerializerProvider s_messagePack = new(LetterMessages.Default);
    private static readonly Letter s_letter = new() { Title = "größe" };

    private readonly InMemoryTransport _transport = new();
    private readonly ServiceProvider _provider = new ServiceCollection().AddPostrider().BuildServiceProvider();
    private readonly MessagePump _pump;

    public ContentTypeTests()
        => _pump = new MessagePump(_transport, new SerializerSet(s_json, s_messagePack), _provider).Request<Letter, Letter>(new TransportBinding("letters"));

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public ValueTask InitializeAsync() => _pump.StartAsync(Ct);

    public async ValueTask DisposeAsync()
    {
        await _pump.DisposeAsync();
        await _transport.DisposeAsync();
        await _provider.DisposeAsync();
    }

    [Theory]
    [InlineData("application/msgpack")]
    [InlineData("Application/X-MsgPack")]
    [InlineData("application/msgpack; version=1")]
    public async Task Message_is_read_and_answered_in_the_format_of_its_content_type(string contentType)
    {
        var answer = await AskAsync(s_messagePack.Get<Letter>(), contentType);

        Assert.Equal("application/msgpack", answer.Headers[HeaderNames.ContentType]);
        Assert.Equal(s_letter, s_messagePack.Get<Letter>().Read(answer.Body.Span));
    }

    [Fact]
    public async Task Message_without_a_content_type_is_read_and_answered_in_the_first_format()
    {
        var answer = await AskAsync(s_json.Get<Letter>(), null);

        Assert.Equal("application/json", answer.Headers[HeaderNames.ContentType]);
        Assert.Equal(s_letter, s_json.Get<Letter>().Read(answer.Body.Span));
    }

    [Fact]
    public async Task Content_type_that_no_format_has_is_answered_with_those_that_there_are()
    {
        var answer = await AskAsync(s_json.Get<Letter>(), "text/csv");

        Assert.Equal(
            ("Codec", "Unsupported content type 'text/csv'. Supported: application/json, application/msgpack."),
            (answer.Headers[HeaderNames.ErrorCode], answer.Headers[HeaderNames.Error]));
    }

    [Fact]
    public async Task Caller_reads_the_answer_in_the_format_of_its_content_type()
    {
        var caller = new RemoteHandler<Letter, Letter>(_transport, new SerializerSet(s_messagePack, s_json), "letters");

        Assert.Equal(s_letter, await caller.Invoke(s_letter, null, Ct));
    }

    [Fact]
    public async Task Caller_whose_formats_the_answer_is_not_in_is_told_which_it_is()
    {
        await using var listener = await _transport.ListenAsync(
            new TransportBinding("csv"), (envelope, _) => new(new Envelope { Destination = envelope.ReplyTo!, Headers = { { HeaderNames.ContentType, "text/csv" } } }), Ct);
        var caller = new RemoteHandler<Letter, Letter>(_transport, s_json, "csv");

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await caller.Invoke(s_letter, null, Ct));

        Assert.Equal((PostriderError.Codec, "Unsupported content type 'text/csv'. Supported: application/json."), (failure.Error, failure.Message));
    }

    [Fact]
    public void Type_that_no_format_supports_is_refused_when_it_is_bound()
    {
        var failure = Assert.Throws<PostriderException>(() => new RemoteHandler<Letter, Version>(_transport, s_json, "letters"));

        Assert.Equal(PostriderError.Codec, failure.Error);
        Assert.Contains("System.Version", failure.Message, StringComparison.Ordinal);
    }

    private ValueTask<Envelope> AskAsync(Serializer<Letter> serializer, string? contentType)
    {
        var body = new ArrayBufferWriter<byte>();
        serializer.Write(body, s_letter);
        var headers = new Headers();
        if (contentType is not null)
            headers.Add(HeaderNames.ContentType, contentType);
        return _transport.RequestAsync(new Envelope { Destination = "letters", Headers = headers, Body = body.WrittenMemory }, Ct);
    }
}

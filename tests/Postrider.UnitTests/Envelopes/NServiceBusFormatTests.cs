using System.Text;
using Microsoft.Extensions.Time.Testing;
using Postrider.Envelopes;

namespace Postrider.UnitTests.Envelopes;

/// <summary>The names and the forms of values are those of NServiceBus's page on message headers.</summary>
public sealed class NServiceBusFormatTests
{
    private const string Name = "Postrider.UnitTests.Envelopes.NServiceBusFormatTests+Placed";

    private static readonly DateTimeOffset s_now = new(2026, 11, 24, 12, 0, 0, 125, TimeSpan.Zero);
    private static readonly byte[] s_body = """{"Number":7}"""u8.ToArray();

    [Fact]
    public void Message_that_is_written_has_the_headers_of_NServiceBus()
    {
        var properties = new MessageProperties
        {
            ContentType = "application/json",
            MessageId = "m-1",
            CorrelationId = "c-1",
            CausationId = "m-0",
            ExpiresAt = s_now.AddMinutes(5),
            Headers = new Headers { { "Tenant", "north" } },
        };

        var (written, body) = Format(new() { Endpoint = "Shop", ReplyToAddress = "Shop.answers" }).Write(in properties, s_body);

        Assert.Equal("""{"Number":7}""", Encoding.UTF8.GetString(body.Span));
        Assert.Equal(("m-1", "c-1", "application/json", Name), (written.MessageId, written.CorrelationId, written.ContentType, written.Type));
        Assert.Equal(
            [
                ("NServiceBus.ContentType", "application/json"),
                ("NServiceBus.ConversationId", "c-1"),
                ("NServiceBus.CorrelationId", "c-1"),
                ("NServiceBus.EnclosedMessageTypes", Name),
                ("NServiceBus.MessageId", "m-1"),
                ("NServiceBus.MessageIntent", "Send"),
                ("NServiceBus.OriginatingEndpoint", "Shop"),
                ("NServiceBus.RelatedTo", "m-0"),
                ("NServiceBus.ReplyToAddress", "Shop.answers"),
                ("NServiceBus.TimeSent", "2026-11-24 12:00:00:125000 Z"),
                ("NServiceBus.TimeToBeReceived", "00:05:00"),
                ("Tenant", "north"),
            ],
            written.Headers!.Select(static header => (header.Key, header.Value)).OrderBy(static header => header.Key, StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(typeof(Placed), "Send")]
    [InlineData(typeof(News), "Publish")]
    public void Intent_is_that_of_the_message(Type type, string intent)
    {
        var (written, _) = new NServiceBusFormat(new(), type, TimeProvider.System).Write(new MessageProperties { MessageId = "m-1" }, s_body);

        Assert.Equal(intent, written.Headers!["NServiceBus.MessageIntent"]);
    }

    [Fact]
    public void Header_that_the_message_has_already_is_sent_as_it_is()
    {
        var properties = new MessageProperties { MessageId = "m-1", CorrelationId = "c-1", Headers = new Headers { { "NServiceBus.CorrelationId", "request-7" }, { "NServiceBus.MessageIntent", "Reply" } } };

        var (written, _) = Format().Write(in properties, s_body);

        Assert.Equal(("request-7", "request-7", "Reply", "c-1"), (written.CorrelationId, written.Headers!["NServiceBus.CorrelationId"], written.Headers["NServiceBus.MessageIntent"], written.Headers["NServiceBus.ConversationId"]));
    }

    [Fact]
    public void Message_of_NServiceBus_is_read_with_its_headers()
    {
        var headers = Sent($"Shop.Other, Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null;{Name}, Shop, Version=1.0.0.0");
        headers.Add("NServiceBus.TimeToBeReceived", "00:05:00");

        var read = Format().Read(new Envelope { Destination = "d", Headers = headers, Body = s_body });

        Assert.Equal(("m-1", "conversation", "m-0", "application/json"), (read.Headers[HeaderNames.MessageId], read.Headers[HeaderNames.CorrelationId], read.Headers[HeaderNames.CausationId], read.Headers[HeaderNames.ContentType]));
        Assert.Equal((Name, "2026-11-24T12:05:00.1250000Z"), (read.Headers[HeaderNames.Type], read.Headers[HeaderNames.ExpiresAt]));
        Assert.Equal(("correlation", "Shop", "north"), (read.Headers["NServiceBus.CorrelationId"], read.Headers["NServiceBus.OriginatingEndpoint"], read.Headers["Tenant"]));
        Assert.Null(headers[HeaderNames.CorrelationId]);
    }

    [Fact]
    public void Type_of_the_transport_counts_where_no_types_are_enclosed()
    {
        var read = Format().Read(new Envelope { Destination = "d", Headers = { { "NServiceBus.MessageId", "m-1" }, { HeaderNames.Type, Name } }, Body = s_body });

        Assert.Equal((Name, "m-1"), (read.Headers[HeaderNames.Type], read.Headers[HeaderNames.MessageId]));
    }

    [Theory]
    [InlineData("Shop.Other, Shop", "{}", "Send", "the message is a 'Shop.Other'. Expected: Postrider.UnitTests.Envelopes.NServiceBusFormatTests+Placed")]
    [InlineData("Shop.Page`1[[Shop.Row, Shop]], Shop", "{}", "Send", "the message is a 'Shop.Page`1[[Shop.Row, Shop]]'.")]
    [InlineData("", "{}", "Send", "the header 'NServiceBus.EnclosedMessageTypes' is missing or empty")]
    [InlineData(null, "{}", "Send", "the header 'NServiceBus.EnclosedMessageTypes' is missing or empty")]
    [InlineData(Name, "", "Send", "its body is empty")]
    [InlineData(Name, "{}", "Subscribe", "it is a control message (NServiceBus.MessageIntent is 'Subscribe')")]
    public void Message_that_is_wrong_is_refused_with_what_is_wrong(string? types, string body, string intent, string words)
    {
        var headers = new Headers { { "NServiceBus.MessageIntent", intent } };
        headers["NServiceBus.EnclosedMessageTypes"] = types;

        var refused = Assert.Throws<PostriderException>(() => Format().Read(new Envelope { Destination = "d", Headers = headers, Body = Encoding.UTF8.GetBytes(body) }));

        Assert.Equal(PostriderError.Codec, refused.Error);
        Assert.StartsWith("The message is not a valid message of NServiceBus: ", refused.Message, StringComparison.Ordinal);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Control_message_is_refused()
    {
        var headers = Sent(Name);
        headers.Add("NServiceBus.ControlMessage", "True");

        var refused = Assert.Throws<PostriderException>(() => Format().Read(new Envelope { Destination = "d", Headers = headers, Body = s_body }));

        Assert.Contains("it is a control message", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Message_without_headers_of_NServiceBus_stays_as_it_is()
    {
        var envelope = new Envelope { Destination = "d", Headers = { { HeaderNames.MessageId, "m-1" }, { HeaderNames.Type, "Other" } }, Body = s_body };

        Assert.Same(envelope, Format().Read(envelope));
    }

    [Theory]
    [InlineData("application/x-protobuf", "{}", "has the content type 'application/x-protobuf'. Supported: application/json")]
    [InlineData("application/json", "", "the body is empty")]
    public void Body_that_NServiceBus_does_not_read_is_refused_when_it_is_sent(string contentType, string body, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => Format().Write(new MessageProperties { ContentType = contentType }, Encoding.UTF8.GetBytes(body)));

        Assert.Equal(PostriderError.Codec, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(" ", null, "with the message type ' ' of NServiceBus: it must be a full name such as Shop.Contracts.OrderPlaced")]
    [InlineData("a;b", null, "with the message type 'a;b' of NServiceBus")]
    [InlineData("Shop.Placed", "", "with an empty Endpoint or ReplyToAddress of NServiceBus")]
    public void Options_that_NServiceBus_would_not_understand_are_refused_at_the_start(string type, string? endpoint, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => new NServiceBusOptions { MessageTypes = [type], Endpoint = endpoint }.Check("A route"));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    private static NServiceBusFormat Format(NServiceBusOptions? options = null) => new(options ?? new(), typeof(Placed), new FakeTimeProvider(s_now));

    private static Headers Sent(string types) => new()
    {
        { "NServiceBus.MessageId", "m-1" },
        { "NServiceBus.CorrelationId", "correlation" },
        { "NServiceBus.ConversationId", "conversation" },
        { "NServiceBus.RelatedTo", "m-0" },
        { "NServiceBus.ContentType", "application/json" },
        { "NServiceBus.EnclosedMessageTypes", types },
        { "NServiceBus.MessageIntent", "Send" },
        { "NServiceBus.OriginatingEndpoint", "Shop" },
        { "NServiceBus.TimeSent", "2026-11-24 12:00:00:125000 Z" },
        { "Tenant", "north" },
    };

    internal sealed record Placed(int Number);

    internal sealed record News(int Number) : INotification;
}

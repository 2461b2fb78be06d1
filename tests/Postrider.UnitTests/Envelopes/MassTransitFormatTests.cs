using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Time.Testing;
using Postrider.Envelopes;

namespace Postrider.UnitTests.Envelopes;

public sealed class MassTransitFormatTests
{
    private const string Urn = "urn:message:Postrider.UnitTests.Envelopes:MassTransitFormatTests+Placed";
    private const string Id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private const string Conversation = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    private const string Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static readonly DateTimeOffset s_now = new(2026, 11, 24, 12, 0, 0, TimeSpan.Zero);
    private static readonly byte[] s_body = """{"number":7}"""u8.ToArray();

    [Fact]
    public void Envelope_that_is_written_has_the_members_of_MassTransit()
    {
        var properties = new MessageProperties
        {
            ContentType = "application/json",
            MessageId = Id,
            CorrelationId = Conversation,
            CausationId = "7c9e667974254 0de",
            ExpiresAt = s_now.AddMinutes(5),
            TraceParent = Trace,
            Headers = new Headers { { "Tenant", "grün" }, { "CorrelationId", Id }, { "MT-Response-Address", "queue:answers" } },
        };

        var (written, body) = Format(new() { SourceAddress = "queue:shop" }, "Shop:Placed/").Write(in properties, s_body);

        using var document = JsonDocument.Parse(body);
        var root = document.RootElement;
        Assert.Equal("application/vnd.masstransit+json", written.ContentType);
        Assert.Equal((Id, Id, Conversation), (Text(root, "messageId"), Text(root, "correlationId"), Text(root, "conversationId")));
        Assert.Equal(MassTransitNames.UuidOf("7c9e667974254 0de").ToString(), Text(root, "initiatorId"));
        Assert.Equal(("queue:shop", "exchange:Shop:Placed", "queue:answers"), (Text(root, "sourceAddress"), Text(root, "destinationAddress"), Text(root, "responseAddress")));
        Assert.Equal(Urn, Assert.Single(root.GetProperty("messageType").EnumerateArray()).GetString());
        Assert.Equal(7, root.GetProperty("message").GetProperty("number").GetInt32());
        Assert.Equal((s_now, s_now.AddMinutes(5)), (root.GetProperty("sentTime").GetDateTimeOffset(), root.GetProperty("expirationTime").GetDateTimeOffset()));
        Assert.Equal(["MT-Activity-Id", "Tenant"], root.GetProperty("headers").EnumerateObject().Select(static header => header.Name).Order(StringComparer.Ordinal));
        Assert.Equal(("grün", Trace), (Text(root.GetProperty("headers"), "Tenant"), Text(root.GetProperty("headers"), "MT-Activity-Id")));
        Assert.Equal(Environment.ProcessId, root.GetProperty("host").GetProperty("processId").GetInt32());
    }

    [Fact]
    public void Raw_form_has_the_message_as_its_body_and_the_rest_as_headers()
    {
        var properties = new MessageProperties
        {
            ContentType = "application/json",
            MessageId = Id,
            CorrelationId = Conversation,
            CausationId = "m-0",
            IdempotencyKey = "once",
            Headers = new Headers { { "Tenant", "north" } },
        };

        var (written, body) = Format(new() { Form = MassTransitForm.RawJson }).Write(in properties, s_body);

        Assert.Equal(("application/json", """{"number":7}"""), (written.ContentType, Encoding.UTF8.GetString(body.Span)));
        Assert.Equal((Id, Conversation, Conversation), (written.Headers!["MessageId"], written.Headers["CorrelationId"], written.Headers["ConversationId"]));
        Assert.Equal((MassTransitNames.UuidOf("m-0").ToString(), Urn, "north"), (written.Headers["MT-InitiatorId"], written.Headers["MT-MessageType"], written.Headers["Tenant"]));
        // MassTransit's consumers would copy it to what they send.
        Assert.Equal((null, "once"), (written.IdempotencyKey, written.RepetitionId));
    }

    [Theory]
    [InlineData(MassTransitForm.Envelope)]
    [InlineData(MassTransitForm.RawJson)]
    public void Message_that_was_written_is_read_with_its_ids_and_headers(MassTransitForm form)
    {
        var format = Format(new() { Form = form });
        var sent = new MessageProperties { ContentType = "application/json", MessageId = "m 1", CorrelationId = "c 1", TraceParent = Trace, Headers = new Headers { { "Tenant", "north" } } };

        var read = format.Read(Arrived(format, sent));

        Assert.Equal("""{"number":7}""", Encoding.UTF8.GetString(read.Body.Span));
        Assert.Equal(("m 1", "c 1", Trace, "north"), (read.Headers[HeaderNames.MessageId], read.Headers[HeaderNames.CorrelationId], read.Headers[HeaderNames.TraceParent], read.Headers["Tenant"]));
        Assert.Equal((Urn, "application/json"), (read.Headers[HeaderNames.Type], read.Headers[HeaderNames.ContentType]));
    }

    [Fact]
    public void Envelope_of_MassTransit_is_read_with_its_members_as_headers()
    {
        var envelope = Envelope(
            $$"""
            {
              "MessageId": "{{Id}}", "requestId": null, "correlationId": "{{Id}}", "conversationId": "{{Conversation}}", "initiatorId": "{{Id}}",
              "sourceAddress": "rabbitmq://localhost/shop", "destinationAddress": "rabbitmq://localhost/here", "responseAddress": "queue:answers",
              "messageType": ["urn:message:Shop:Other", "URN:MESSAGE:{{Urn["urn:message:".Length..]}}"],
              "message": { "number" : 7 },
              "expirationTime": "2026-11-24T13:00:00+01:00", "sentTime": "2026-11-24T11:00:00Z",
              "headers": { "Tenant": "north\nsouth", "Count": 3, "Flag": true, "List": [1, "a"], "No": null, "a:b": "x", "Content-Type": "text/plain", "MT-Activity-Id": "{{Trace}}" },
              "host": { "machineName": "m",
                "processId": 1 },
              "future": { "any": 1 }
            }
            """,
            new Headers { { HeaderNames.MessageId, "another" }, { "Beside", "1" } });

        var read = Format().Read(envelope);

        Assert.Equal("""{ "number" : 7 }""", Encoding.UTF8.GetString(read.Body.Span));
        Assert.Equal((Id, Conversation, Id, Trace), (read.Headers[HeaderNames.MessageId], read.Headers[HeaderNames.CorrelationId], read.Headers[HeaderNames.CausationId], read.Headers[HeaderNames.TraceParent]));
        Assert.Equal(("application/json", "2026-11-24T12:00:00.0000000Z", "1"), (read.Headers[HeaderNames.ContentType], read.Headers[HeaderNames.ExpiresAt], read.Headers["Beside"]));
        Assert.Equal((Id, "rabbitmq://localhost/shop", "queue:answers", "2026-11-24T11:00:00Z"), (read.Headers["CorrelationId"], read.Headers["MT-Source-Address"], read.Headers["MT-Response-Address"], read.Headers["MT-Sent-Time"]));
        Assert.Equal(("north south", "3", "true", """[1,"a"]""", null), (read.Headers["Tenant"], read.Headers["Count"], read.Headers["Flag"], read.Headers["List"], read.Headers["No"]));
        Assert.Equal("""{"machineName":"m","processId":1}""", read.Headers["MT-Host-Info"]);
    }

    [Theory]
    [InlineData("{", "the body is not JSON")]
    [InlineData("", "the body is not JSON")]
    [InlineData("[]", "the body is a JSON Array, and an envelope is an object")]
    [InlineData("{}", "it does not say what type the message has. Expected: urn:message:")]
    [InlineData("{\"messageType\":[],\"message\":{}}", "it does not say what type the message has")]
    [InlineData("{\"messageType\":\"URN\",\"message\":{}}", "the member 'messageType' is not an array of strings")]
    [InlineData("{\"messageType\":[1],\"message\":{}}", "the member 'messageType' is not an array of strings")]
    [InlineData("{\"messageType\":[\"urn:message:Shop:Other\"],\"message\":{}}", "the message is a 'urn:message:Shop:Other'. Expected: urn:message:Postrider.UnitTests.Envelopes:MassTransitFormatTests+Placed")]
    [InlineData("{\"messageType\":[\"URN\"]}", "the member 'message' is missing or null")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":null}", "the member 'message' is missing or null")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":[1]}", "the member 'message' is a JSON Array, and not an object")]
    [InlineData("{\"messageType\":[\"\\ud800\"],\"message\":{}}", "a string in it is not valid Unicode")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":{},\"messageId\":\"\\ud800\"}", "a string in it is not valid Unicode")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":{},\"headers\":{\"a\":\"\\ud800\"}}", "a string in it is not valid Unicode")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":{},\"messageId\":7}", "the member 'messageId' is a JSON Number, and not a string")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":{},\"conversationId\":\"c 1\"}", "the member 'conversationId' is 'c 1', which is not a UUID")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":{},\"headers\":[]}", "the member 'headers' is a JSON Array, and not an object")]
    [InlineData("{\"messageType\":[\"URN\"],\"message\":{},\"expirationTime\":\"soon\"}", "the member 'expirationTime' is 'soon', which is not a time")]
    public void Envelope_that_is_wrong_is_refused_with_what_is_wrong(string body, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => Format().Read(Envelope(body.Replace("URN", Urn, StringComparison.Ordinal))));

        Assert.Equal(PostriderError.Codec, refused.Error);
        Assert.StartsWith("The message is not a valid message of MassTransit: ", refused.Message, StringComparison.Ordinal);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Envelope_that_is_cut_anywhere_is_refused()
    {
        var whole = $$"""{"messageId":"{{Id}}","messageType":["{{Urn}}"],"message":{"a":[1,2]},"headers":{"a":"b"} }""";

        for (var length = 0; length < whole.Length; length++)
            Assert.Throws<PostriderException>(() => Format().Read(Envelope(whole[..length])));
        Assert.Equal("""{"a":[1,2]}""", Encoding.UTF8.GetString(Format().Read(Envelope(whole)).Body.Span));
    }

    [Theory]
    [InlineData("application/vnd.masstransit+xml")]
    [InlineData("application/vnd.masstransit+bson")]
    public void Form_that_is_not_supported_is_named_with_what_is(string contentType)
    {
        var refused = Assert.Throws<PostriderException>(() => Format().Read(new Envelope { Destination = "d", Headers = { { HeaderNames.ContentType, contentType } } }));

        Assert.Contains($"the content type '{contentType}' is not supported. Supported: application/vnd.masstransit+json", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Raw_message_of_another_type_is_refused()
    {
        var refused = Assert.Throws<PostriderException>(() => Format().Read(new Envelope { Destination = "d", Headers = { { "MT-MessageType", "urn:message:Shop:A;urn:message:Shop:B" } } }));

        Assert.Contains($"the message is a 'urn:message:Shop:A, urn:message:Shop:B'. Expected: {Urn}", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Message_that_MassTransit_has_not_written_stays_as_it_is()
    {
        var envelope = new Envelope { Destination = "d", Headers = { { HeaderNames.ContentType, "application/json" }, { "CorrelationId", Id } }, Body = s_body };

        Assert.Same(envelope, Format().Read(envelope));
    }

    [Fact]
    public void Reading_leaves_the_message_as_it_arrived()
    {
        var envelope = Arrived(Format(), new MessageProperties { MessageId = Id, Headers = new Headers { { "Tenant", "north" } } });
        var before = envelope.Headers.ToArray();

        Format().Read(envelope);

        Assert.Equal(before, envelope.Headers);
    }

    [Theory]
    [InlineData("application/x-protobuf", "{}", "has the content type 'application/x-protobuf'. Supported: application/json")]
    [InlineData("application/json", "[1]", "the body is another value")]
    [InlineData("application/json", "{\"a\":", "the body is not JSON")]
    [InlineData("application/json", "", "the body is not JSON")]
    public void Body_that_no_envelope_can_hold_is_refused_when_it_is_sent(string contentType, string body, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => Format().Write(new MessageProperties { ContentType = contentType }, Encoding.UTF8.GetBytes(body)));

        Assert.Equal(PostriderError.Codec, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(typeof(Placed), Urn)]
    [InlineData(typeof(PostriderException), "urn:message:Postrider:PostriderException")]
    [InlineData(typeof(KeyValuePair<string, List<Placed>>), "urn:message:System.Collections.Generic:KeyValuePair[[System:String],[System.Collections.Generic:List[[Postrider.UnitTests.Envelopes:MassTransitFormatTests+Placed]]]]")]
    public void Name_of_a_type_is_that_of_MassTransit(Type type, string name) => Assert.Equal(name, MassTransitNames.UrnOf(type));

    [Fact]
    public void Id_that_is_no_uuid_is_always_the_same_uuid_and_a_uuid_stays()
    {
        Assert.Equal(MassTransitNames.UuidOf("c-1"), MassTransitNames.UuidOf("c-1"));
        Assert.NotEqual(MassTransitNames.UuidOf("c-1"), MassTransitNames.UuidOf("c-2"));
        Assert.Equal(8, MassTransitNames.UuidOf("c-1").Version);
        Assert.Equal(Guid.Parse(Id), MassTransitNames.UuidOf(Id.Replace("-", "", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("Shop.Placed", null, "with the message type 'Shop.Placed' of MassTransit: it must be a name such as urn:message:Shop.Contracts:OrderPlaced")]
    [InlineData("urn:message:", null, "with the message type 'urn:message:' of MassTransit")]
    [InlineData("urn:message:a;b", null, "with the message type 'urn:message:a;b' of MassTransit")]
    [InlineData("urn:message:Shop:Placed", "orders", "with the source address 'orders' of MassTransit: it must be an absolute URI such as queue:orders")]
    public void Options_that_MassTransit_would_not_understand_are_refused_at_the_start(string type, string? source, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => new MassTransitOptions { MessageTypes = [type], SourceAddress = source }.Check("A route"));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    private static MassTransitFormat Format(MassTransitOptions? options = null, string destination = "orders")
        => new(options ?? new(), typeof(Placed), destination, new FakeTimeProvider(s_now));

    private static Envelope Arrived(MassTransitFormat format, MessageProperties sent)
    {
        var (written, body) = format.Write(in sent, s_body);
        var headers = new Headers();
        written.WriteTo(headers);
        return new Envelope { Destination = "d", Headers = headers, Body = body };
    }

    private static Envelope Envelope(string body, Headers? headers = null)
    {
        headers ??= [];
        headers[HeaderNames.ContentType] = "application/vnd.masstransit+json; charset=utf-8";
        return new Envelope { Destination = "d", Headers = headers, Body = Encoding.UTF8.GetBytes(body) };
    }

    private static string? Text(JsonElement element, string member) => element.GetProperty(member).GetString();

    internal sealed record Placed(int Number);
}

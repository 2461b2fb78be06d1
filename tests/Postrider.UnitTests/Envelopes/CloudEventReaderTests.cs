using System.Text;
using Postrider.Envelopes;

namespace Postrider.UnitTests.Envelopes;

public sealed class CloudEventReaderTests
{
    private const string Required = "\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\"";

    [Theory]
    [InlineData("ce-", "a%20%C3%BC", "a ü")]
    [InlineData("CE-", "100%25", "100%")]
    [InlineData("ce_", "a%20ü", "a%20ü")]
    [InlineData("cloudEvents_", "a ü", "a ü")]
    public void Binary_form_is_read_with_the_prefix_of_every_binding(string prefix, string value, string expected)
    {
        var headers = Attributes(prefix);
        headers.Add($"{prefix}subject", value);
        headers.Add($"{prefix}expirytime", "2026-11-24T13:00:00+01:00");
        headers.Add("Mine", "1");

        var read = CloudEventReader.Read(new Envelope { Destination = "d", Headers = headers, Body = "body"u8.ToArray() });

        Assert.Equal(("1", "t", expected, "2026-11-24T12:00:00.0000000Z"), (read.Headers[HeaderNames.MessageId], read.Headers[HeaderNames.Type], read.Headers[HeaderNames.Key], read.Headers[HeaderNames.ExpiresAt]));
        Assert.Equal(("/s", "1", "body"), (read.Headers["ce-source"], read.Headers["Mine"], Encoding.UTF8.GetString(read.Body.Span)));
        Assert.Null(read.Headers["ce-specversion"]);
    }

    [Theory]
    [InlineData("", "")]
    [InlineData(",\"data\":{\"a\": 1}", "{\"a\": 1}")]
    [InlineData(",\"data\":\"text\"", "\"text\"")]
    [InlineData(",\"data\":null", "null")]
    [InlineData(",\"datacontenttype\":\"text/plain\",\"data\":\"ü\"", "ü")]
    [InlineData(",\"datacontenttype\":\"text/plain; charset=utf-8\",\"data\":\"x\"", "x")]
    [InlineData(",\"datacontenttype\":\"application/vnd.a+json\",\"data\":\"x\"", "\"x\"")]
    [InlineData(",\"datacontenttype\":\"image/png\",\"data_base64\":\"eA==\"", "x")]
    [InlineData(",\"data_base64\":null,\"data\":1", "1")]
    [InlineData(",\"extension\":null,\"flag\":true,\"number\":-7", "")]
    public void Structured_form_has_the_data_as_its_body(string members, string body)
        => Assert.Equal(body, Encoding.UTF8.GetString(CloudEventReader.Read(Structured($"{{{Required}{members}}}")).Body.Span));

    [Theory]
    [InlineData("{", "the body is not JSON")]
    [InlineData("[]", "the body is a JSON Array, and an event is an object")]
    [InlineData("{}", "the attribute 'specversion' is missing or empty")]
    [InlineData("{\"specversion\":\"0.3\"}", "its version '0.3' is not supported. Supported: 1.0")]
    [InlineData("{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"t\"}", "the attribute 'id' is missing or empty")]
    [InlineData("{\"specversion\":\"1.0\",\"id\":\"\",\"source\":\"/s\",\"type\":\"t\"}", "the attribute 'id' is missing or empty")]
    [InlineData("{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"t\"}", "the attribute 'source' is missing or empty")]
    [InlineData("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\"}", "the attribute 'type' is missing or empty")]
    [InlineData("{REQ,\"id\":\"2\"}", "the body is not JSON")]
    [InlineData("{REQ,\"a\":{}}", "the attribute 'a' is neither a string")]
    [InlineData("{REQ,\"a\":1.5}", "the attribute 'a' is neither a string")]
    [InlineData("{REQ,\"a\":3000000000}", "the attribute 'a' is neither a string")]
    [InlineData("{REQ,\"a b\":\"1\"}", "the attribute 'a b' has a name or a value that is not allowed")]
    [InlineData("{REQ,\"a:b\":\"1\"}", "has a name or a value that is not allowed")]
    [InlineData("{REQ,\"a\":\"1\\r\\nb\"}", "the attribute 'a' has a name or a value that is not allowed")]
    [InlineData("{REQ,\"expirytime\":\"soon\"}", "the attribute 'expirytime' is 'soon', which is not a time")]
    [InlineData("{REQ,\"data_base64\":\"?\"}", "data_base64 is not a string of Base64")]
    [InlineData("{REQ,\"a\":\"\\ud800\"}", "a string in it is not valid Unicode")]
    [InlineData("{REQ,\"\\ud800\":\"a\"}", "a string in it is not valid Unicode")]
    [InlineData("{REQ,\"datacontenttype\":\"text/plain\",\"data\":\"\\udc00\"}", "a string in it is not valid Unicode")]
    [InlineData("{REQ,\"data_base64\":7}", "data_base64 is not a string of Base64")]
    [InlineData("{REQ,\"data\":1,\"data_base64\":\"eA==\"}", "it has both data and data_base64")]
    public void Structured_form_that_is_wrong_is_refused_with_what_is_wrong(string body, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => CloudEventReader.Read(Structured(body.Replace("REQ", Required, StringComparison.Ordinal))));

        Assert.Equal(PostriderError.Codec, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("application/cloudevents-batch+json")]
    [InlineData("application/cloudevents+xml")]
    [InlineData("application/cloudevents")]
    public void Form_that_is_not_supported_is_named_with_what_is(string contentType)
    {
        var refused = Assert.Throws<PostriderException>(() => CloudEventReader.Read(Structured("{}", contentType)));

        Assert.Contains($"'{contentType}' is not supported: send one event as application/cloudevents+json", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Event_that_is_cut_anywhere_is_refused()
    {
        var whole = $"{{{Required},\"data\":{{\"a\":[1,2]}}}}";

        for (var length = 0; length < whole.Length; length++)
            Assert.Throws<PostriderException>(() => CloudEventReader.Read(Structured(whole[..length])));
    }

    [Fact]
    public void Message_without_a_version_is_no_event_and_stays_as_it_is()
    {
        var headers = new Headers { { "ce-id", "1" }, { "Mine", "2" } };
        var envelope = new Envelope { Destination = "d", Headers = headers };

        Assert.Same(envelope, CloudEventReader.Read(envelope));
        Assert.Equal(["ce-id", "Mine"], headers.Select(static header => header.Key));
    }

    [Fact]
    public void Reading_leaves_the_message_as_it_arrived()
    {
        var structured = Structured($"{{{Required}}}");
        var binary = new Envelope { Destination = "d", Headers = Attributes("ce-") };
        var before = (structured.Headers.ToArray(), binary.Headers.ToArray());

        CloudEventReader.Read(structured);
        CloudEventReader.Read(binary);

        Assert.Equal(before.Item1, structured.Headers);
        Assert.Equal(before.Item2, binary.Headers);
    }

    [Theory]
    [InlineData("ce-source")]
    [InlineData("ce-id")]
    [InlineData("ce-type")]
    public void Binary_form_without_a_required_attribute_is_refused(string missing)
    {
        var headers = Attributes("ce-");
        headers.Remove(missing);

        var refused = Assert.Throws<PostriderException>(() => CloudEventReader.Read(new Envelope { Destination = "d", Headers = headers }));

        Assert.Contains($"the attribute '{missing[3..]}' is missing or empty", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "must be a URI reference that is not empty")]
    [InlineData("a b", "must be a URI reference")]
    public void Source_that_is_no_uri_reference_is_refused_at_the_start(string source, string words)
        => Assert.Contains(words, Assert.Throws<PostriderException>(() => new CloudEventOptions(source).Check("A route")).Message, StringComparison.Ordinal);

    private static Headers Attributes(string prefix) => new()
    {
        { $"{prefix}specversion", "1.0" },
        { $"{prefix}id", "1" },
        { $"{prefix}source", "/s" },
        { $"{prefix}type", "t" },
    };

    private static Envelope Structured(string body, string contentType = "application/cloudevents+json; charset=utf-8")
        => new() { Destination = "d", Headers = { { HeaderNames.ContentType, contentType } }, Body = Encoding.UTF8.GetBytes(body) };
}

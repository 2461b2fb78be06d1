using System.Text;
using System.Text.Json;
using Postrider.Envelopes;
using Postrider.Transport.Aws;

namespace Postrider.UnitTests.Transport.Aws;

public sealed class EventBridgeMappingTests
{
    [Theory]
    [InlineData("{}")]
    [InlineData("{\"text\":\"a\",\"n\":1.50,\"deep\":{\"a\":[1,2]}}")]
    [InlineData("{\"Gr\\u00F6\\u00DFe\":\"\\\"\"}")]
    public void Body_that_is_an_object_is_the_detail_itself(string body)
    {
        var detail = EventBridgeMapping.ToDetail(new MessageProperties { MessageId = "m-1" }, Encoding.UTF8.GetBytes(body));

        using var parsed = JsonDocument.Parse(detail);
        using var original = JsonDocument.Parse(body);
        Assert.All(original.RootElement.EnumerateObject(), member => Assert.True(JsonElement.DeepEquals(member.Value, parsed.RootElement.GetProperty(member.Name))));
        Assert.True(EventBridgeMapping.TryRead(Event(detail), out var headers, out var arrived));
        Assert.Equal(body, Encoding.UTF8.GetString(arrived.Span));
        Assert.Equal("m-1", headers[HeaderNames.MessageId]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("text")]
    [InlineData("[1]")]
    [InlineData("\"text\"")]
    [InlineData("{\"a\":1} trailing")]
    [InlineData("{\"a\":1,\"a\":2}")]
    [InlineData("{\"_postrider\":1}")]
    [InlineData("\0\u0001")]
    public void Any_other_body_comes_back_byte_by_byte(string body)
    {
        var detail = EventBridgeMapping.ToDetail(default, Encoding.UTF8.GetBytes(body));

        Assert.True(EventBridgeMapping.TryRead(Event(detail), out var headers, out var arrived));
        Assert.Equal(body, Encoding.UTF8.GetString(arrived.Span));
        Assert.Empty(headers);
    }

    [Fact]
    public void Event_of_another_sender_is_its_detail()
    {
        Assert.True(EventBridgeMapping.TryRead("""{"version":"0","id":"e-1","detail-type":"Instance stopped","source":"aws.ec2","detail":{"state":"stopped"}}""", out var headers, out var body));

        Assert.Equal("""{"state":"stopped"}""", Encoding.UTF8.GetString(body.Span));
        Assert.Equal(("e-1", "Instance stopped", "application/json"), (headers[HeaderNames.MessageId], headers[HeaderNames.Type], headers[HeaderNames.ContentType]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("text")]
    [InlineData("[]")]
    [InlineData("{\"detail\":{}}")]
    [InlineData("{\"detail-type\":\"a\",\"source\":\"b\"}")]
    [InlineData("{\"detail-type\":\"a\",\"source\":\"b\",\"detail\":{\"_postrider\":{\"body\":\"%\"}}}")]
    [InlineData("{\"detail-type\":\"a\",\"source\":\"b\",\"detail\":{\"_postrider\":{\"body\":7}}}")]
    [InlineData("{\"detail-type\":\"a\",\"source\":\"b\",\"detail\":{\"_postrider\":{\"headers\":[1,2]}}}")]
    public void Text_that_is_no_event_is_not_taken_for_one(string text) => Assert.False(EventBridgeMapping.TryRead(text, out _, out _));

    private static string Event(string detail) => $"{{\"version\":\"0\",\"id\":\"e\",\"detail-type\":\"t\",\"source\":\"postrider\",\"detail\":{detail}}}";
}

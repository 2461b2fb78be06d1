using System.Globalization;
using System.Text;
using Amazon.SQS.Model;
using Postrider.Envelopes;
using Postrider.Transport.Aws;

namespace Postrider.UnitTests.Transport.Aws;

public sealed class SqsMessageMappingTests
{
    public static TheoryData<string, byte[], string?> Bodies => new()
    {
        { "text", "{\"a\":1}"u8.ToArray(), null },
        { "line breaks and tab", "a\tb\r\nc"u8.ToArray(), null },
        { "outside the first plane", "😀 漢字"u8.ToArray(), null },
        { "last allowed character", "\uFFFD"u8.ToArray(), null },
        { "control character", "a\u0001b"u8.ToArray(), "base64" },
        { "NUL", "a\0b"u8.ToArray(), "base64" },
        { "not a character", "\uFFFE"u8.ToArray(), "base64" },
        { "not UTF-8", [0xFF, 0xFE, 0x00], "base64" },
        { "surrogate as three bytes", [0xED, 0xA0, 0x80], "base64" },
        { "nothing", [], "empty" },
    };

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Body_that_the_service_would_refuse_is_encoded_and_comes_back(string name, byte[] body, string? encoding)
    {
        var sent = SqsMessageMapping.ToAws(default, body, AwsQueueType.Standard, isDeadLetter: false);
        var (headers, arrived) = SqsMessageMapping.FromAws(Arrive(sent));

        Assert.True(encoding == sent.Attributes.SingleOrDefault(static attribute => attribute.Key == SqsMessageMapping.Encoding).Value, name);
        Assert.True(sent.Body.Length > 0 && sent.Body.All(static letter => char.IsSurrogate(letter) || SqsMessageMapping.IsAllowed(letter)), name);
        Assert.Equal(body, arrived.ToArray());
        Assert.Empty(headers);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(11)]
    [InlineData(80)]
    public void No_message_has_more_than_ten_attributes(int count)
    {
        var headers = new Headers();
        for (var i = 0; i < count; i++)
            headers.Add(string.Create(CultureInfo.InvariantCulture, $"Name-{i}"), string.Create(CultureInfo.InvariantCulture, $"value {i}"));

        var sent = SqsMessageMapping.ToAws(new MessageProperties { Headers = headers }, "x"u8.ToArray(), AwsQueueType.Standard, isDeadLetter: false);
        var binary = SqsMessageMapping.ToAws(new MessageProperties { Headers = headers }, new byte[] { 1 }, AwsQueueType.Standard, isDeadLetter: false);

        Assert.Equal(Math.Min(10, count), sent.Attributes.Count);
        Assert.Equal(Math.Min(10, count + 1), binary.Attributes.Count);
        Assert.Equal(headers.OrderBy(static header => header.Key, StringComparer.Ordinal), SqsMessageMapping.FromAws(Arrive(sent)).Headers.OrderBy(static header => header.Key, StringComparer.Ordinal));
        Assert.Equal(count, SqsMessageMapping.FromAws(Arrive(binary)).Headers.Count);
    }

    [Theory]
    [InlineData("Empty", "")]
    [InlineData("Control", "a\u0002b")]
    [InlineData("AWS.Reserved", "x")]
    [InlineData("Amazon.Reserved", "x")]
    [InlineData(".dot", "x")]
    [InlineData("dot.", "x")]
    [InlineData("do..ts", "x")]
    [InlineData("sp ace", "x")]
    [InlineData("Größe", "x")]
    [InlineData("Postrider-Headers", "x")]
    [InlineData("Postrider-Encoding", "base64")]
    public void Header_that_no_attribute_can_hold_travels_in_another_one(string name, string value)
    {
        var sent = SqsMessageMapping.ToAws(new MessageProperties { Headers = new Headers { { name, value }, { "Plain", "1" } } }, "body"u8.ToArray(), AwsQueueType.Standard, isDeadLetter: false);
        var (headers, body) = SqsMessageMapping.FromAws(Arrive(sent));

        Assert.All(sent.Attributes, static attribute => Assert.True(attribute.Value.Length > 0 && attribute.Value.All(SqsMessageMapping.IsAllowed)));
        Assert.Equal([(name, value), ("Plain", "1")], headers.Select(static header => (header.Key, header.Value)).OrderBy(static header => header.Key == "Plain"));
        Assert.Equal("body", Encoding.UTF8.GetString(body.Span));
    }

    [Theory]
    [InlineData("[\"odd\"]")]
    [InlineData("{}")]
    [InlineData("[")]
    [InlineData("[1,2]")]
    [InlineData("")]
    public void Attribute_of_headers_that_is_not_ours_is_a_header(string value)
    {
        var message = new Message { Body = "x", MessageAttributes = new() { [SqsMessageMapping.More] = new() { DataType = "String", StringValue = value } } };

        Assert.Equal(value, SqsMessageMapping.FromAws(message).Headers[SqsMessageMapping.More]);
    }

    [Fact]
    public void Attributes_of_other_senders_are_headers()
    {
        var message = new Message
        {
            Body = "%%%",
            MessageAttributes = new()
            {
                ["Count"] = new() { DataType = "Number", StringValue = "7" },
                ["Bytes"] = new() { DataType = "Binary", BinaryValue = new MemoryStream([1, 2, 3]) },
                ["Lines"] = new() { DataType = "String", StringValue = "a\nb" },
                [SqsMessageMapping.Encoding] = new() { DataType = "String", StringValue = "base64" },
            },
        };

        var (headers, body) = SqsMessageMapping.FromAws(message);

        Assert.Equal(("7", "AQID", "a b"), (headers["Count"], headers["Bytes"], headers["Lines"]));
        Assert.Equal("%%%", Encoding.UTF8.GetString(body.Span));
    }

    [Fact]
    public void Group_and_repetition_of_a_FIFO_queue_come_from_key_and_id()
    {
        var plain = Fifo(new MessageProperties { Key = "order-7", MessageId = "m-1" });
        var hashed = Fifo(new MessageProperties { Key = "Größe 7", IdempotencyKey = new string('k', 129) });
        var (one, two) = (Fifo(default), Fifo(default));
        var letter = SqsMessageMapping.ToAws(new MessageProperties { Key = "order-7", MessageId = "m-1" }, default, AwsQueueType.Fifo, isDeadLetter: true);

        Assert.Equal(("order-7", "m-1"), (plain.GroupId, plain.DeduplicationId));
        Assert.Equal((64, 64), (hashed.GroupId!.Length, hashed.DeduplicationId!.Length));
        Assert.Equal(hashed.GroupId, Fifo(new MessageProperties { Key = "Größe 7" }).GroupId);
        Assert.NotEqual(one.GroupId, two.GroupId);
        Assert.NotEqual(one.DeduplicationId, two.DeduplicationId);
        Assert.NotEqual("m-1", letter.DeduplicationId);
        Assert.Null(SqsMessageMapping.ToAws(new MessageProperties { Key = "k" }, default, AwsQueueType.Standard, isDeadLetter: false).GroupId);
    }

    private static AwsMessage Fifo(MessageProperties properties) => SqsMessageMapping.ToAws(in properties, default, AwsQueueType.Fifo, isDeadLetter: false);

    private static Message Arrive(AwsMessage sent) => new()
    {
        Body = sent.Body,
        MessageAttributes = sent.Attributes.ToDictionary(static attribute => attribute.Key, static attribute => new MessageAttributeValue { DataType = "String", StringValue = attribute.Value }, StringComparer.Ordinal),
    };
}

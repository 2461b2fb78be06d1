using Postrider.Transport.Aws;

namespace Postrider.UnitTests.Transport.Aws;

/// <summary>Names, errors and policies as text.</summary>
public sealed class AwsTextTests
{
    [Theory]
    [InlineData("orders", AwsQueueType.Standard, "orders")]
    [InlineData("orders", AwsQueueType.Fifo, "orders.fifo")]
    [InlineData("orders.fifo", AwsQueueType.Fifo, "orders.fifo")]
    [InlineData("sns/news", AwsQueueType.Standard, "sns/news")]
    [InlineData("sns/news", AwsQueueType.Fifo, "sns/news.fifo")]
    [InlineData("events/shop.bus/a", AwsQueueType.Standard, "events/shop.bus/a")]
    public void Destination_is_read(string text, AwsQueueType type, string expected) => Assert.Equal(expected, AwsDestination.Parse(text, type).ToString());

    [Theory]
    [InlineData("", AwsQueueType.Standard, "it has no name")]
    [InlineData("sns/", AwsQueueType.Standard, "it has no name")]
    [InlineData(".fifo", AwsQueueType.Fifo, "it has no name")]
    [InlineData("or ders", AwsQueueType.Standard, "it contains ' '")]
    [InlineData("https://sqs.eu-central-1.amazonaws.com/1/orders", AwsQueueType.Standard, "it contains ':'")]
    [InlineData("or.ders", AwsQueueType.Standard, "it contains '.'")]
    [InlineData("größe", AwsQueueType.Standard, "it contains 'ö'")]
    [InlineData("orders.fifo", AwsQueueType.Standard, "QueueType is Fifo")]
    [InlineData("events/shop", AwsQueueType.Fifo, "EventBridge keeps no order")]
    [InlineData("events/a b", AwsQueueType.Standard, "the name of an event bus has")]
    [InlineData("q2345678901234567890123456789012345678901234567890123456789012345678901234567890x", AwsQueueType.Standard, "80 are allowed")]
    [InlineData("q234567890123456789012345678901234567890123456789012345678901234567890123456", AwsQueueType.Fifo, "80 are allowed")]
    public void Case_53_destination_that_is_not_valid_is_refused(string text, AwsQueueType type, string words)
    {
        var refused = Assert.Throws<PostriderException>(() => AwsDestination.Parse(text, type));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<ErrorResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><Error><Type>Sender</Type><Code>NotFound</Code><Message>Topic &lt;a&gt; &amp; b</Message></Error></ErrorResponse>", "NotFound", "Topic <a> & b")]
    [InlineData("<ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>", "Throttling", "Throttling")]
    [InlineData("{\"__type\":\"com.amazonaws.events#ValidationException\",\"message\":\"wrong\"}", "ValidationException", "wrong")]
    [InlineData("{\"__type\":\"ThrottlingException\",\"Message\":\"slow\"}", "ThrottlingException", "slow")]
    public void Error_is_read(string text, string code, string message) => Assert.Equal((code, message), AwsErrorText.TryRead(text));

    [Theory]
    [InlineData("")]
    [InlineData("<!doctype html><html><title>502</title></html>")]
    [InlineData("<!DOCTYPE a [<!ENTITY b \"c\">]><ErrorResponse><Error><Code>&b;</Code></Error></ErrorResponse>")]
    [InlineData("<ErrorResponse><Error></Error></ErrorResponse>")]
    [InlineData("{\"message\":\"no type\"}")]
    [InlineData("{\"__type\":7}")]
    [InlineData("{")]
    public void Text_that_is_no_error_of_the_service_is_none(string text) => Assert.Null(AwsErrorText.TryRead(text));

    [Fact]
    public void Permission_is_added_once_and_others_stay()
    {
        var first = QueuePolicy.Add("""{"Version":"2012-10-17","Statement":{"Sid":"mine","Effect":"Deny","Principal":"*","Action":"sqs:*"}}""", "queue", "sns.amazonaws.com", "topic");
        var again = QueuePolicy.Add(first, "queue", "sns.amazonaws.com", "topic");
        var both = QueuePolicy.Add(again, "queue", "events.amazonaws.com", "rule");

        Assert.Equal(first, again);
        Assert.Contains("mine", both, StringComparison.Ordinal);
        Assert.True(QueuePolicy.Allows(both, "sns.amazonaws.com", "topic"));
        Assert.True(QueuePolicy.Allows(both, "events.amazonaws.com", "rule"));
        Assert.False(QueuePolicy.Allows(both, "sns.amazonaws.com", "rule"));
        Assert.False(QueuePolicy.Allows("no JSON", "sns.amazonaws.com", "topic"));
    }

    [Fact]
    public void Pattern_of_a_rule_is_made_of_its_conditions()
    {
        Assert.Equal("""{"detail-type":["Shop.Sent"],"source":["shop"]}""", new EventBridgeRule("b") { DetailTypes = ["Shop.Sent"], Sources = ["shop"] }.EffectivePattern());
        Assert.Equal("""{"version":["0"]}""", new EventBridgeRule("b").EffectivePattern());
        Assert.Equal("{}", new EventBridgeRule("b") { Pattern = "{}" }.EffectivePattern());
    }
}

using System.Globalization;
using Postrider.Envelopes;
using Postrider.TransportTests.Harness;
using Postrider.Transports;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 13 to 20: what travels beside the body.</summary>
public abstract class HeaderCases(TransportHarness harness) : ContainerCases(harness)
{
    [Fact]
    public async Task Case_13_all_properties_survive()
    {
        var later = DateTimeOffset.UtcNow.AddHours(1);
        var sent = new MessageProperties
        {
            ContentType = "application/json",
            MessageId = "m-1",
            CorrelationId = "c-1",
            CausationId = "m-0",
            Type = "Shop.OrderPlaced",
            Key = "order 7",
            IdempotencyKey = "once",
            Deadline = later,
            ExpiresAt = later,
            TraceParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            TraceState = "vendor=1",
        };

        var arrived = MessageProperties.From(await RoundTripAsync(sent));

        Assert.Equal(sent, arrived with { Headers = null });
    }

    [Fact]
    public async Task Case_13_long_values_survive()
    {
        var sent = new MessageProperties { MessageId = new string('m', 1000), Key = new string('k', 1000), Type = new string('t', 1000) };

        var arrived = MessageProperties.From(await RoundTripAsync(sent));

        Assert.Equal(sent, arrived with { Headers = null });
    }

    [Theory]
    [InlineData("Plain", "value")]
    [InlineData("Unicode", "välue ☃ 漢字")]
    [InlineData("Empty", "")]
    [InlineData("Colon", "a:b: c")]
    [InlineData("Quotes", "\"a\";b=\\c%41")]
    public async Task Case_14_to_16_value_arrives_as_it_was_sent(string name, string value)
        => Assert.Equal(value, (await RoundTripAsync(new MessageProperties { Headers = new Headers { { name, value } } }))[name]);

    [Theory]
    [InlineData("Line", "a\r\nb")]
    [InlineData("Line", "a\nb")]
    [InlineData("Na:me", "a")]
    [InlineData("", "a")]
    public void Case_16_what_would_be_another_header_is_refused_by_name(string name, string value)
    {
        var refused = Assert.ThrowsAny<ArgumentException>(() => new Headers { { name, value } });

        Assert.Contains(name, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_17_name_with_two_values_keeps_both_in_order()
        => Assert.Equal(["one", "two", "three"], (await RoundTripAsync(new MessageProperties { Headers = new Headers { { "Tag", "one" }, { "Tag", "two" }, { "Tag", "three" } } })).GetValues("Tag"));

    [Fact]
    public async Task Case_18_eighty_headers_survive()
    {
        var headers = new Headers();
        for (var i = 0; i < 80; i++)
            headers.Add(string.Create(CultureInfo.InvariantCulture, $"Name-{i}"), string.Create(CultureInfo.InvariantCulture, $"value {i}"));

        var arrived = await RoundTripAsync(new MessageProperties { Headers = headers });

        Assert.All(headers, header => Assert.Equal(header.Value, arrived[header.Key]));
    }

    [Fact]
    public async Task Case_19_headers_of_the_provider_are_hidden()
    {
        var arrived = await RoundTripAsync(new MessageProperties { MessageId = "m", Headers = new Headers { { "Mine", "1" } } });

        Assert.Equal(["Mine", HeaderNames.MessageId], arrived.Select(static header => header.Key).Order(StringComparer.Ordinal));
    }

    private async Task<Headers> RoundTripAsync(MessageProperties properties)
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        await Transport.OpenSender(destination).SendAsync(properties, "x"u8.ToArray(), Ct);
        return (await arrivals.NextAsync()).Headers;
    }
}

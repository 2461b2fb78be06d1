using Microsoft.Extensions.Time.Testing;
using Postrider.Client;
using Postrider.CommandLine.Terminal;

namespace Postrider.SystemTests.CommandLine;

public sealed class MessageTemplateTests
{
    private readonly MessageTemplate _template = new(isOn: true, new FakeTimeProvider(new DateTimeOffset(2026, 2, 3, 4, 5, 6, TimeSpan.Zero)), new Random(1));

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("n {{Count}} of {{ Count }}", "n 7 of 7")]
    [InlineData("{{Time}} {{TimeStamp}}", "04:05:06 2026-02-03T04:05:06Z")]
    [InlineData("{{Unix}} {{UnixNano}}", "1770091506 1770091506000000000")]
    [InlineData("""{"a":{"b":{"c":1}}}""", """{"a":{"b":{"c":1}}}""")]
    [InlineData("{{Nothing}} {{Request}} {{count}}", "{{Nothing}} {{Request}} {{count}}")]
    public void Functions_are_replaced_and_the_rest_stays(string text, string expected) => Assert.Equal(expected, _template.Expand(text, 7));

    [Theory]
    [InlineData("{{Random 3 5}}", 3, 5)]
    [InlineData("{{ Random(10, 10) }}", 10, 10)]
    public void Random_text_has_a_length_in_the_range(string text, int min, int max)
    {
        for (var i = 0; i < 100; i++) Assert.InRange(_template.Expand(text, 1).Length, min, max);
    }

    [Theory]
    [InlineData("{{Random}}")]
    [InlineData("{{Random 5 3}}")]
    [InlineData("{{Random 1 99999999}}")]
    public void Bad_range_is_refused(string text)
    {
        var error = Assert.Throws<NatsClientException>(() => _template.Expand(text, 1));

        Assert.Contains("needs a lowest and a highest length up to 1048576", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Ids_differ() => Assert.NotEqual(_template.Expand("{{ID}}", 1), _template.Expand("{{ID}}", 1));

    [Fact]
    public void Request_is_the_requests_payload() => Assert.Equal("Hello Ann", _template.Expand("Hello {{Request}}", 1, "Ann"));

    [Fact]
    public void Nothing_is_replaced_when_they_are_off()
        => Assert.Equal("{{Count}}", new MessageTemplate(isOn: false, TimeProvider.System, Random.Shared).Expand("{{Count}}", 1));
}

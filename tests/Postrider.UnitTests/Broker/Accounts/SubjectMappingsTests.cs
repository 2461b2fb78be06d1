using System.Text;
using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class SubjectMappingsTests
{
    [Theory]
    [InlineData("a", "b", "a", "b")]
    [InlineData("a", "b", "a.a", null)]
    [InlineData("a.*", "b.$1.c", "a.x", "b.x.c")]
    [InlineData("a.*.*", "b.$2.{{wildcard(1)}}", "a.x.y", "b.y.x")]
    [InlineData("a.>", "b.>", "a.x.y", "b.x.y")]
    [InlineData("a.>", "b.>", "a", null)]
    [InlineData(">", "all.>", "x.y", "all.x.y")]
    public void Subject_is_mapped_where_the_source_matches(string source, string destination, string subject, string? expected)
        => Assert.Equal(expected, Map([Of(source, new SubjectMappingDestination(destination))], subject));

    [Fact]
    public void First_mapping_that_matches_applies()
        => Assert.Equal("first.x", Map([Of("a.*", new SubjectMappingDestination("first.$1")), Of("a.x", new SubjectMappingDestination("second"))], "a.x"));

    [Theory]
    [InlineData(0, "rare")]
    [InlineData(19, "rare")]
    [InlineData(20, "often")]
    [InlineData(99, "often")]
    public void Weights_share_the_messages(int number, string expected)
        => Assert.Equal(expected, Map([Of("a", new("often", 80), new("rare", 20))], "a", number));

    [Theory]
    [InlineData(9, "b.x")]
    [InlineData(10, "a.x")]
    [InlineData(99, "a.x")]
    public void Rest_keeps_its_subject(int number, string expected)
        => Assert.Equal(expected, Map([Of("a.*", new SubjectMappingDestination("b.$1", 10))], "a.x", number));

    [Theory]
    [InlineData(9, "a")]
    [InlineData(10, "")]
    public void Rest_is_lost_where_the_source_is_a_destination(int number, string expected)
        => Assert.Equal(expected, Map([Of("a", new SubjectMappingDestination("a", 10))], "a", number));

    [Fact]
    public void No_mapping_is_none() => Assert.Null(SubjectMappings.Create([]));

    public static TheoryData<string, SubjectMappingOptions> Bad => new()
    {
        { "mapping for \"a\": total weight needs to be <= 100", Of("a", new("b", 51), new("c", 50)) },
        { "mapping for \"a\": individual weights need to be <= 100", Of("a", new SubjectMappingDestination("b", 101)) },
        { "mapping for \"a\": duplicate entry for \"b\"", Of("a", new("b", 1), new("b", 1)) },
        { "mapping for \"a..b\": subject \"a..b\" is not a valid subject", Of("a..b", new SubjectMappingDestination("b")) },
        { "mapping for \"a.*\": invalid mapping destination: wildcard index out of range in $2: [2]", Of("a.*", new SubjectMappingDestination("b.$2")) },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task Broker_with_a_bad_mapping_does_not_start(string expected, SubjectMappingOptions mapping)
    {
        var options = new BrokerOptions { Listen = false, Accounts = [new AccountOptions { Name = "A", Mappings = [mapping] }] };

        var refusal = await Assert.ThrowsAsync<BrokerException>(() => NatsBroker.StartAsync(options, TestContext.Current.CancellationToken));

        Assert.Equal((BrokerError.InvalidOptions, expected), (refusal.Error, refusal.Message));
    }

    private static SubjectMappingOptions Of(string source, params SubjectMappingDestination[] destinations) => new() { Source = source, Destinations = destinations };

    private static string? Map(SubjectMappingOptions[] mappings, string subject, int number = 0)
        => SubjectMappings.Create(mappings)!.Map(Encoding.UTF8.GetBytes(subject), new FixedRandom(number)) is { } mapped ? Encoding.UTF8.GetString(mapped) : null;

    private sealed class FixedRandom(int number) : Random
    {
        public override int Next(int maxValue) => number;
    }
}

using Postrider.Broker;

namespace Postrider.UnitTests.Broker.Hosting;

public sealed class ReloadTests
{
    private static readonly BrokerOptions Options = new() { Listen = false, MaxPayloadBytes = 100 };

    [Fact]
    public async Task Changed_options_are_those_the_broker_works_by()
    {
        await using var broker = await NatsBroker.StartAsync(Options);
        var before = broker.State.ConfiguredAt;

        broker.Reload(Options with { MaxPayloadBytes = 200 });

        Assert.Equal(200, broker.State.Options.MaxPayloadBytes);
        Assert.InRange(broker.State.ConfiguredAt, before.AddTicks(1), DateTimeOffset.MaxValue);
    }

    [Fact]
    public async Task Limits_of_streams_are_raised()
    {
        var storing = Options with { JetStream = new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("reload").FullName, MaxStoreBytes = 1000, MaxMemoryBytes = 1000 } };
        await using var broker = await NatsBroker.StartAsync(storing);

        broker.Reload(storing with { JetStream = storing.JetStream with { MaxStoreBytes = 2000 } });

        var page = broker.State.ReadJetStream()!.Settings;
        Assert.Equal((1000, 2000), (page.MaxMemoryBytes, page.MaxStoreBytes));
    }

    [Fact]
    public async Task Refused_change_leaves_everything_as_it_was()
    {
        await using var broker = await NatsBroker.StartAsync(Options);
        var before = broker.State.ConfiguredAt;

        var refused = Assert.Throws<BrokerException>(() => broker.Reload(Options with { MaxPayloadBytes = 200, ServerName = "other" }));

        Assert.Equal((BrokerError.InvalidOptions, "config reload not supported for ServerName: old=, new=other"), (refused.Error, refused.Message));
        Assert.Equal((100, before), (broker.State.Options.MaxPayloadBytes, broker.State.ConfiguredAt));
    }

    [Fact]
    public async Task Options_that_contradict_each_other_are_refused()
    {
        await using var broker = await NatsBroker.StartAsync(Options);

        var refused = Assert.Throws<BrokerException>(() => broker.Reload(Options with { MaxPendingBytes = 10 }));

        Assert.StartsWith("max_payload (100) cannot be higher than max_pending (10)", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_changed_by_their_owner_after_the_start_change_nothing()
    {
        var options = Options with { };
        await using var broker = await NatsBroker.StartAsync(options);

        options.MaxPayloadBytes = 7;

        Assert.Equal(100, broker.State.Options.MaxPayloadBytes);
    }
}

using Postrider.Broker;
using Postrider.Broker.Peers;

namespace Postrider.UnitTests.Broker.Peers;

public sealed class PeerCompressionTests
{
    // Source: nats-server, compression of routes.
    [Theory]
    [InlineData(ServerCompressionMode.Off, "s2_fast", "off")]
    [InlineData(ServerCompressionMode.Off, null, "not supported")]
    [InlineData(ServerCompressionMode.S2Fast, null, "not supported")]
    [InlineData(ServerCompressionMode.S2Fast, "", "not supported")]
    [InlineData(ServerCompressionMode.S2Fast, "not supported", "not supported")]
    [InlineData(ServerCompressionMode.S2Fast, "off", "off")]
    [InlineData(ServerCompressionMode.S2Fast, "accept", "s2_fast")]
    [InlineData(ServerCompressionMode.S2Best, "s2_fast", "s2_best")]
    [InlineData(ServerCompressionMode.S2Better, "s2_auto", "s2_better")]
    [InlineData(ServerCompressionMode.Accept, "accept", "off")]
    [InlineData(ServerCompressionMode.Accept, "s2_auto", "s2_fast")]
    [InlineData(ServerCompressionMode.Accept, "s2_uncompressed", "s2_uncompressed")]
    [InlineData(ServerCompressionMode.Accept, "s2_best", "s2_best")]
    public void Choice_is_that_of_nats_server(ServerCompressionMode own, string? theirs, string expected)
    {
        var compression = new PeerCompression(new ServerCompressionOptions { Mode = own });

        Assert.True(compression.TryChoose(theirs, TimeSpan.Zero));

        Assert.Equal((expected, true), (compression.Mode, compression.IsChosen));
        Assert.Equal(expected.StartsWith("s2", StringComparison.Ordinal), compression.Codec is not null);
    }

    [Theory]
    [InlineData("zip")]
    [InlineData("S2_FAST")]
    public void Mode_that_is_not_known_is_refused(string theirs)
        => Assert.False(new PeerCompression(new ServerCompressionOptions { Mode = ServerCompressionMode.S2Auto }).TryChoose(theirs, TimeSpan.Zero));

    // Source: nats-server, compression of routes.
    [Theory]
    [InlineData("", 10, "s2_uncompressed")]
    [InlineData("", 11, "s2_fast")]
    [InlineData("", 100, "s2_better")]
    [InlineData("", 101, "s2_best")]
    [InlineData("5 10 15 20", 20, "s2_best")]
    [InlineData("5 10 15 20", 500, "s2_best")]
    [InlineData("0 0 20 30", 1, "s2_better")]
    [InlineData("0 0 20 30", 21, "s2_best")]
    [InlineData("20", 500, "s2_uncompressed")]
    [InlineData("0 20", 500, "s2_fast")]
    [InlineData("0 20 0 0", 500, "s2_fast")]
    public void Auto_follows_the_round_trip(string thresholds, int milliseconds, string expected)
    {
        var options = new ServerCompressionOptions
        {
            Mode = ServerCompressionMode.S2Auto,
            RoundTripThresholds = [.. thresholds.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(static text => TimeSpan.FromMilliseconds(int.Parse(text)))],
        };
        var compression = new PeerCompression(options);
        Assert.True(compression.TryChoose("s2_auto", TimeSpan.FromMilliseconds(1)));

        compression.Measured(TimeSpan.FromMilliseconds(milliseconds));

        Assert.Equal((expected, "s2_auto"), (compression.Mode, compression.InfoMode));
    }
}

using System.Text;
using Postrider.Broker.JetStream.Streams.Scheduling;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Patterns of six fields, as nats-server reads them.</summary>
public sealed class CronPatternTests
{
    // A Sunday.
    private static readonly DateTimeOffset s_start = new(2026, 11, 29, 12, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData("0,,5 * * * * *", "2026-11-29T12:00:05")]
    [InlineData("3/20 * * * * *", "2026-11-29T12:00:03")]
    [InlineData("0 0 0 13 * FRI", "2026-12-04T00:00:00")]
    [InlineData("0 0 0 */1 * FRI", "2026-12-04T00:00:00")]
    [InlineData("0 0 0 *,13 * FRI", "2026-12-04T00:00:00")]
    [InlineData("0 0 0 */2 * FRI", "2026-12-01T00:00:00")]
    [InlineData("0 0 0 29 FEB ?", "2028-02-29T00:00:00")]
    public void Next_time_is_the_first_that_matches(string text, string next)
    {
        Assert.True(CronPattern.TryParse(text, out var pattern));

        Assert.Equal(next, pattern.Next(s_start, TimeZoneInfo.Utc)?.ToString("yyyy-MM-dd'T'HH:mm:ss", System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("* * * * *")]
    [InlineData(", * * * * *")]
    [InlineData("60 * * * * *")]
    [InlineData("*/0 * * * * *")]
    [InlineData("5-1 * * * * *")]
    public void Pattern_that_can_never_match_is_refused(string text) => Assert.False(CronPattern.TryParse(text, out _));

    [Theory]
    [InlineData("Local", true)]
    [InlineData("Europe/Berlin", true)]
    [InlineData("", false)]
    [InlineData("Nowhere/City", false)]
    public void Zone_is_that_of_the_server_or_one_of_the_database(string zone, bool isKnown)
    {
        var headers = Encoding.ASCII.GetBytes($"NATS/1.0\r\nNats-Schedule: 0 0 * * * *\r\nNats-Schedule-Time-Zone: {zone}\r\n\r\n");

        var problem = Schedule.FindNext(headers, 0, 0, out var at, out var repeats);

        Assert.Equal((isKnown, isKnown, isKnown), (problem is null, at > 0, repeats));
    }
}

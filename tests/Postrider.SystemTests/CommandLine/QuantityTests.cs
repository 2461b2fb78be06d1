using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Durations, sizes and numbers as the command line reads and writes them.</summary>
public sealed class QuantityTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("1us", 0.000_001)]
    [InlineData("1µs", 0.000_001)]
    [InlineData("100ns", 0.000_000_1)]
    [InlineData("500ms", 0.5)]
    [InlineData("1.5s", 1.5)]
    [InlineData("2m", 120)]
    [InlineData("24h", 86_400)]
    [InlineData("2h30m", 9_000)]
    [InlineData("1d", 86_400)]
    [InlineData("7d", 604_800)]
    [InlineData("1w", 604_800)]
    [InlineData("1d12h", 129_600)]
    [InlineData("1M", 2_592_000)]
    [InlineData("1y", 31_536_000)]
    public void Duration_is_read_as_nats_reads_it(string text, double seconds)
        => Assert.Equal(TimeSpan.FromTicks((long)Math.Round(seconds * TimeSpan.TicksPerSecond)), Duration.Read(text));

    [Theory]
    [InlineData("")]
    [InlineData("1")]
    [InlineData("d")]
    [InlineData("1x")]
    [InlineData("1h30")]
    [InlineData("-1h")]
    [InlineData("1..5s")]
    [InlineData("1 h")]
    [InlineData("999999y")]
    public void Text_that_is_not_a_duration_is_refused(string text) => Assert.Null(Duration.Read(text));

    [Theory]
    [InlineData("0", "0s")]
    [InlineData("1us", "1us")]
    [InlineData("500ms", "500ms")]
    [InlineData("1500ms", "1.5s")]
    [InlineData("90s", "1m30s")]
    [InlineData("1d", "24h")]
    [InlineData("36h", "36h")]
    [InlineData("1w", "7d")]
    [InlineData("100h5s", "4d4h5s")]
    public void Duration_is_written_as_people_write_it(string text, string written) => Assert.Equal(written, Duration.Text(Duration.Read(text)!.Value));

    [Fact]
    public void Remaining_time_is_written_without_parts_of_a_second()
        => Assert.Equal("9m59s", Duration.Text(new TimeSpan(0, 0, 9, 59, 914)));

    [Theory]
    [InlineData("0", 0)]
    [InlineData("-1", -1)]
    [InlineData("1000", 1000)]
    [InlineData("7B", 7)]
    [InlineData("10K", 10_240)]
    [InlineData("10KB", 10_240)]
    [InlineData("10MB", 10_485_760)]
    [InlineData("1GiB", 1_073_741_824)]
    [InlineData("2tb", 2_199_023_255_552)]
    public void Size_is_read_as_nats_reads_it(string text, long bytes) => Assert.Equal(bytes, (long?)ByteSize.Read(text));

    [Theory]
    [InlineData("")]
    [InlineData("MB")]
    [InlineData("1XB")]
    [InlineData("1.5GB")]
    [InlineData("1 GB")]
    public void Text_that_is_not_a_size_is_refused(string text) => Assert.Null(ByteSize.Read(text));

    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(1023, "1023 B")]
    [InlineData(1536, "1.5 KiB")]
    [InlineData(10_485_760, "10 MiB")]
    [InlineData(long.MaxValue, "8 EiB")]
    public void Size_is_written_with_its_unit(long bytes, string written) => Assert.Equal(written, ByteSize.Text(bytes));

    [Theory]
    [InlineData(0, "0 messages")]
    [InlineData(1, "1 message")]
    [InlineData(2000, "2,000 messages")]
    public void Number_and_noun_agree(long count, string written) => Assert.Equal(written, Quantity.Of(count, "message"));
}

using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.UnitTests.Broker.JetStream.Text;

public sealed class MomentTests
{
    [Theory]
    [InlineData("2100-01-01T00:00:00Z")]
    [InlineData("2100-01-01T00:00:00.123456789Z")]
    [InlineData("2100-01-01T02:00:00.000000001+02:00")]
    [InlineData("1969-12-31T23:59:59.999999999Z")]
    [InlineData("0000-01-01T00:00:00Z")]
    [InlineData("0001-01-01T00:00:00Z")]
    [InlineData("1600-02-29T00:00:00Z")]
    [InlineData("9999-12-31T23:59:59.999999999Z")]
    [InlineData("9999-12-31T23:59:59-23:00")]
    public void A_moment_comes_back_as_it_was_written(string text)
    {
        Assert.True(Moment.TryParse(Encoding.UTF8.GetBytes(text), out var moment));

        Assert.Equal(text, moment.ToString());
    }

    [Theory]
    [InlineData("2100-01-01T00:00:00.1234567891Z", "2100-01-01T00:00:00.123456789Z")]
    [InlineData("2100-01-01T00:00:00,5Z", "2100-01-01T00:00:00.5Z")]
    [InlineData("2100-01-01T00:00:00.500-00:00", "2100-01-01T00:00:00.5Z")]
    public void Other_forms_are_read_too(string text, string expected)
    {
        Assert.True(Moment.TryParse(Encoding.UTF8.GetBytes(text), out var moment));

        Assert.Equal(expected, moment.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("2100-01-01")]
    [InlineData("2100-01-01T00:00:00")]
    [InlineData("2100-01-01 00:00:00Z")]
    [InlineData("2100-01-01t00:00:00z")]
    [InlineData("2100-01-01T24:00:00Z")]
    [InlineData("2100-01-01T00:00:60Z")]
    [InlineData("2100-02-29T00:00:00Z")]
    [InlineData("2100-00-01T00:00:00Z")]
    [InlineData("2100-13-01T00:00:00Z")]
    [InlineData("10000-01-01T00:00:00Z")]
    [InlineData("2100-01-01T00:00:00.Z")]
    [InlineData("2100-01-01T00:00:00.5")]
    [InlineData("2100-01-01T00:00:00+2400")]
    [InlineData("2100-1-1T00:00:00Z")]
    [InlineData("2100-01-01T00:00:00Zx")]
    public void Anything_else_is_refused(string text) => Assert.False(Moment.TryParse(Encoding.UTF8.GetBytes(text), out _));

    [Theory]
    [InlineData("1970-01-01T00:00:00.000000001Z", 1)]
    [InlineData("1969-12-31T23:59:59.999999999Z", -1)]
    [InlineData("1970-01-01T01:00:00+01:00", 0)]
    [InlineData("9999-12-31T23:59:59.999999999Z", long.MaxValue)]
    [InlineData("0001-01-01T00:00:00Z", long.MinValue)]
    public void Nanoseconds_are_counted_from_1970_as_far_as_they_fit(string text, long expected)
    {
        Assert.True(Moment.TryParse(Encoding.UTF8.GetBytes(text), out var moment));

        Assert.Equal(expected, moment.ToNanoseconds());
    }
}

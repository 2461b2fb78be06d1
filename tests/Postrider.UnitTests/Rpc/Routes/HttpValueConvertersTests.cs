using System.Globalization;
using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Routes;

public sealed class HttpValueConvertersTests
{
    [Fact]
    public void Values_are_read_as_they_were_written()
    {
        Assert.Equal("a b", Again(HttpValueConverters.String, "a b"));
        Assert.True(Again(HttpValueConverters.Boolean, true));
        Assert.Equal(long.MinValue, Again(HttpValueConverters.Integer<long>(), long.MinValue));
        Assert.Equal(byte.MaxValue, Again(HttpValueConverters.Integer<byte>(), byte.MaxValue));
        Assert.Equal(0.1 + 0.2, Again(HttpValueConverters.Real<double>(), 0.1 + 0.2));
        Assert.Equal(1e300, Again(HttpValueConverters.Real<double>(), 1e300));
        Assert.Equal(79228162514264337593543950335m, Again(HttpValueConverters.Real<decimal>(), decimal.MaxValue));
        Assert.Equal(DayOfWeek.Friday, Again(HttpValueConverters.Enum<DayOfWeek>(), DayOfWeek.Friday));
        Assert.Equal(FileShare.Read | FileShare.Delete, Again(HttpValueConverters.Enum<FileShare>(), FileShare.Read | FileShare.Delete));
        Assert.Equal(Guid.Empty, Again(HttpValueConverters.Guid, Guid.Empty));
        Assert.Equal(new TimeSpan(1, 2, 3, 4, 5), Again(HttpValueConverters.TimeSpan, new TimeSpan(1, 2, 3, 4, 5)));
        Assert.Equal(new DateOnly(2026, 2, 28), Again(HttpValueConverters.DateOnly, new DateOnly(2026, 2, 28)));
        Assert.Equal(new TimeOnly(23, 59, 58, 7), Again(HttpValueConverters.TimeOnly, new TimeOnly(23, 59, 58, 7)));
        Assert.Equal(new Uri("a/b?c", UriKind.Relative), Again(HttpValueConverters.Uri, new Uri("a/b?c", UriKind.Relative)));
        Assert.Equal(System.Net.IPAddress.IPv6Loopback, Again(HttpValueConverters.Parsable<System.Net.IPAddress>(), System.Net.IPAddress.IPv6Loopback));
        Assert.Equal(7, Again(HttpValueConverters.Nullable(HttpValueConverters.Integer<int>()), 7));
        var moment = new DateTimeOffset(2026, 1, 31, 12, 30, 1, 234, TimeSpan.FromMinutes(-330));
        Assert.Equal((moment, moment.Offset), (Again(HttpValueConverters.DateTimeOffset, moment), Again(HttpValueConverters.DateTimeOffset, moment).Offset));
        Assert.Equal((moment.UtcDateTime, DateTimeKind.Utc), (Again(HttpValueConverters.DateTime, moment.UtcDateTime), Again(HttpValueConverters.DateTime, moment.UtcDateTime).Kind));
    }

    [Theory]
    [InlineData("2026-01-31", "2026-01-31T00:00:00Z")]
    [InlineData("2026-01-31T12:30", "2026-01-31T12:30:00Z")]
    [InlineData("2026-01-31T12:30:01.5+02:00", "2026-01-31T10:30:01.5Z")]
    public void Time_may_be_shorter(string text, string moment)
    {
        Assert.True(HttpValueConverters.DateTimeOffset.TryParse(text, out var read));

        Assert.Equal(DateTimeOffset.Parse(moment, CultureInfo.InvariantCulture), read);
    }

    [Fact]
    public void What_is_none_is_not_read()
    {
        Assert.All(["", " 1", "1 ", "1.0", "0x1", "1e3", "256", "-1", "١"], text => Assert.False(HttpValueConverters.Integer<byte>().TryParse(text, out _), text));
        Assert.All(["", "NaN", "Infinity", "1e999", "1,5", " 1", "$1", "(1)"], text => Assert.False(HttpValueConverters.Real<double>().TryParse(text, out _), text));
        Assert.All(["", "8", "-1", "Fri day", "Friday8"], text => Assert.False(HttpValueConverters.Enum<DayOfWeek>().TryParse(text, out _), text));
        Assert.All(["", "1", "yes", "on"], text => Assert.False(HttpValueConverters.Boolean.TryParse(text, out _), text));
        Assert.All(["", "1", "12:30", "31/1/2026", "2026-02-30", "2026-1-1"], text => Assert.False(HttpValueConverters.DateTimeOffset.TryParse(text, out _), text));
        Assert.All(["", "1", "0f8fad5b"], text => Assert.False(HttpValueConverters.Guid.TryParse(text, out _), text));
    }

    [Fact]
    public void List_with_a_null_among_its_values_is_not_sent()
    {
        var list = new HttpListParameter<string>(HttpParameterSource.Query, "tag", HttpValueConverters.String, isNullable: true);

        var failure = Assert.Throws<RpcException>(() => list.Write(new HttpRequestTarget(), ["a", null!]));

        Assert.Equal(RpcStatus.InvalidData, failure.Status);
    }

    private static T Again<T>(HttpValueConverter<T> text, T value)
    {
        Assert.True(text.TryParse(text.Format(value)!, out var read));
        return read;
    }
}

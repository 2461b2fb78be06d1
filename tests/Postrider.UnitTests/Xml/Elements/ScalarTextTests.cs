using System.Globalization;
using System.Text;
using System.Xml;
using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Xml.Elements;

/// <summary>The quick forms of scalars beside the platform's own conversions.</summary>
public sealed class ScalarTextTests(ITestOutputHelper output)
{
    [Fact]
    public void Any_decimal_is_written_and_read_as_the_platform_does()
    {
        var random = Seeded();
        for (var i = 0; i < 20_000; i++)
        {
            var value = new decimal(Part(random), Part(random), random.Next(3) == 0 ? Part(random) : 0, random.Next(2) == 0, (byte)random.Next(29));
            var expected = value.ToString(CultureInfo.InvariantCulture);
            var room = new byte[64];

            var isWritten = ScalarText.TryWriteDecimal(value, room, out var length);
            var isRead = ScalarText.TryReadDecimal(Encoding.UTF8.GetBytes(expected), out var read);

            if (isWritten)
                Assert.Equal(expected, Encoding.UTF8.GetString(room, 0, length));
            if (isRead)
                Assert.Equal(decimal.GetBits(value), decimal.GetBits(read));
            Assert.True(isRead || expected.Length > 18 || value == 0, expected);
        }
    }

    [Fact]
    public void Any_time_is_written_and_read_as_the_platform_does()
    {
        var random = Seeded();
        int[] wholes = [1, 10, 1000, 10_000, 1_000_000, 10_000_000];
        for (var i = 0; i < 20_000; i++)
        {
            var ticks = random.NextInt64(DateTime.MaxValue.Ticks + 1);
            var value = new DateTime(ticks - (ticks % wholes[random.Next(wholes.Length)]), (DateTimeKind)random.Next(3));
            var room = new byte[64];

            var text = Encoding.UTF8.GetString(room, 0, ScalarText.WriteTime(value, room));
            var isRead = ScalarText.TryReadTime(Encoding.UTF8.GetBytes(text), out var read);

            Assert.Equal(value.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFK", CultureInfo.InvariantCulture), text);
            Assert.Equal(value.Kind != DateTimeKind.Local, isRead);
            if (isRead)
                Assert.Equal((value, value.Kind), (read, read.Kind));
        }
    }

    [Theory]
    [InlineData("2024-02-30T00:00:00")]
    [InlineData("2023-02-29T00:00:00Z")]
    [InlineData("0000-01-01T00:00:00")]
    [InlineData("2024-13-01T00:00:00")]
    [InlineData("2024-00-01T00:00:00")]
    [InlineData("2024-01-00T00:00:00")]
    [InlineData("2024-01-01T24:00:00")]
    [InlineData("2024-01-01T00:60:00")]
    [InlineData("2024-01-01T00:00:60")]
    [InlineData("2024-01-01t00:00:00")]
    [InlineData("2024-01-01T00:00:00.")]
    [InlineData("2024-01-01T00:00:00.12345678")]
    [InlineData("2024-01-01T00:00:00.-1")]
    [InlineData("2024-01-01T00:00:00+01:00")]
    [InlineData("2024-01-01T00:00:00ZZ")]
    [InlineData("2024-01-01")]
    [InlineData("")]
    public void A_time_of_another_form_is_left_to_the_platform(string text)
        => Assert.False(ScalarText.TryReadTime(Encoding.UTF8.GetBytes(text), out _));

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("+1")]
    [InlineData(".5")]
    [InlineData("5.")]
    [InlineData("1.2.3")]
    [InlineData("1e3")]
    [InlineData("1,5")]
    [InlineData("--1")]
    [InlineData("-0")]
    [InlineData("0.00")]
    [InlineData("1234567890123456789")]
    public void A_decimal_of_another_form_is_left_to_the_platform(string text)
        => Assert.False(ScalarText.TryReadDecimal(Encoding.UTF8.GetBytes(text), out _));

    [Theory]
    [InlineData("0", 0)]
    [InlineData("-7", -7)]
    [InlineData("007", 7)]
    [InlineData("999999999", 999_999_999)]
    [InlineData("-999999999", -999_999_999)]
    public void A_short_integer_is_read(string text, int expected)
    {
        Assert.True(ScalarText.TryReadInteger(Encoding.UTF8.GetBytes(text), out int value));
        Assert.True(ScalarText.TryReadInteger(Encoding.UTF8.GetBytes(text), out long wide));

        Assert.Equal((expected, expected), (value, wide));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("+1")]
    [InlineData("1 ")]
    [InlineData("1.0")]
    [InlineData("2147483648")]
    public void An_integer_of_another_form_is_left_to_the_platform(string text)
        => Assert.False(ScalarText.TryReadInteger(Encoding.UTF8.GetBytes(text), out int _));

    [Fact]
    public void A_Guid_is_read_whatever_the_case_of_its_digits()
    {
        var random = Seeded();
        for (var i = 0; i < 1000; i++)
        {
            var bytes = new byte[16];
            random.NextBytes(bytes);
            var expected = new Guid(bytes);
            var text = random.Next(2) == 0 ? expected.ToString() : expected.ToString().ToUpperInvariant();

            Assert.True(ScalarText.TryReadGuid(Encoding.UTF8.GetBytes(text), out var read), text);
            Assert.Equal(expected, read);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("00000000000000000000000000000000")]
    [InlineData("{00000000-0000-0000-0000-000000000000}")]
    [InlineData("0000000-00000-0000-0000-000000000000")]
    [InlineData("00000000-0000-0000-0000-00000000000g")]
    [InlineData("+0000000-0000-0000-0000-000000000000")]
    [InlineData("00000000-0x00-0000-0000-000000000000")]
    [InlineData("00000000-0000-0000-0000-0000000000000")]
    public void What_is_no_Guid_of_that_form_is_refused(string text)
        => Assert.False(ScalarText.TryReadGuid(Encoding.UTF8.GetBytes(text), out _));

    [Fact]
    public void A_time_with_a_zone_is_the_instant_that_the_platform_reads()
    {
        const string text = "2024-05-06T07:08:09.5+02:00";

        var read = ScalarText.Parse(Encoding.UTF8.GetBytes(text), static t => XmlConvert.ToDateTime(t, XmlDateTimeSerializationMode.RoundtripKind), 0);

        Assert.Equal(new DateTimeOffset(2024, 5, 6, 5, 8, 9, 500, TimeSpan.Zero).UtcDateTime, read.ToUniversalTime());
    }

    private static int Part(Random random) => random.Next(4) switch { 0 => 0, 1 => random.Next(100), _ => unchecked((int)random.NextInt64()) };

    private Random Seeded()
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        return new Random(seed);
    }
}

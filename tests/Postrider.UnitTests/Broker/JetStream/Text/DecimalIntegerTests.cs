using System.Globalization;
using System.Numerics;
using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.UnitTests.Broker.JetStream.Text;

public sealed class DecimalIntegerTests
{
    [Theory]
    [InlineData("0", "0")]
    [InlineData("-0", "0")]
    [InlineData("+000", "0")]
    [InlineData("+007", "7")]
    [InlineData("-0012", "-12")]
    [InlineData("99999999999999999999999999999999", "99999999999999999999999999999999")]
    public void Number_is_written_without_leading_zeros_and_plus(string text, string expected)
    {
        Assert.True(DecimalInteger.TryParse(text, out var value));

        Assert.Equal(expected, value.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("+")]
    [InlineData("--1")]
    [InlineData("+-1")]
    [InlineData("1-")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("1\0")]
    [InlineData("1.0")]
    [InlineData("1e3")]
    [InlineData("1_000")]
    [InlineData("0x1")]
    [InlineData("\u0661")]
    [InlineData("\u22121")]
    [InlineData(null)]
    public void Other_texts_are_no_numbers(string? text)
    {
        Assert.False(DecimalInteger.TryParse(text, out var value));

        Assert.Equal("0", value.ToString());
    }

    [Fact]
    public void Sums_and_differences_are_those_of_binary_numbers()
    {
        var random = new Random(20261129);
        for (var round = 0; round < 20_000; round++)
        {
            var (left, right) = (Number(random), Number(random));
            Assert.True(DecimalInteger.TryParse(Encoding.ASCII.GetBytes(left), out var a));
            Assert.True(DecimalInteger.TryParse(Encoding.ASCII.GetBytes(right), out var b));
            var (x, y) = (BigInteger.Parse(left, CultureInfo.InvariantCulture), BigInteger.Parse(right, CultureInfo.InvariantCulture));

            Assert.Equal((x + y).ToString(CultureInfo.InvariantCulture), (a + b).ToString());
            Assert.Equal((x - y).ToString(CultureInfo.InvariantCulture), (a - b).ToString());
        }
    }

    // Many nines and zeros, so that digits are carried and borrowed over the whole length.
    private static string Number(Random random)
    {
        var digits = Enumerable.Range(0, random.Next(1, 40)).Select(_ => random.Next(3) switch { 0 => '9', 1 => '0', _ => (char)('0' + random.Next(10)) });
        return (random.Next(2) == 0 ? "-" : "") + string.Concat(digits);
    }
}

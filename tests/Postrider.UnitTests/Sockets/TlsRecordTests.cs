using Postrider.Sockets;

namespace Postrider.UnitTests.Sockets;

public sealed class TlsRecordTests
{
    [Theory]
    [InlineData("", 0)]
    [InlineData("16", 0)]
    [InlineData("1603", 0)]
    [InlineData("160301", 0)]
    [InlineData("16030100", 0)]
    [InlineData("1603010000", 5)]
    [InlineData("1703030010", 21)]
    [InlineData("1703034800", 18437)]
    [InlineData("1703034801", -1)]
    [InlineData("170303FFFF", -1)]
    [InlineData("13", -1)]
    [InlineData("19", -1)]
    [InlineData("1602", -1)]
    [InlineData("474554202F", -1)]
    public void Length_is_read_as_soon_as_it_is_there(string hex, int expected)
        => Assert.Equal(expected, TlsRecord.LengthOf(Convert.FromHexString(hex)));

    [Theory]
    [InlineData("", 0, 0)]
    [InlineData("170303", 0, 0)]
    [InlineData("1703030002", 0, 7)]
    [InlineData("1703030002AAAA", 7, 0)]
    [InlineData("1703030002AAAA1703030001", 7, 6)]
    [InlineData("1703030002AAAA1703030001BB", 13, 0)]
    [InlineData("1703030002AAAA474554", 10, 3)]
    public void Complete_records_are_counted_and_garbage_with_them(string hex, int complete, int needed)
    {
        var counted = TlsRecord.CountComplete(Convert.FromHexString(hex), out var neededBytes);

        Assert.Equal(complete, counted);
        if (complete < hex.Length / 2 || needed == 0) Assert.Equal(needed, neededBytes);
    }
}

using System.Text;
using Postrider.Broker.Subjects;

namespace Postrider.UnitTests.Broker.Subjects;

public sealed class ByteHashTests
{
    // Each table takes other bits of the hash: the cache and the nodes the lowest, generations those from 40 on.
    [Theory]
    [InlineData("orders.{0:000}", 0)]
    [InlineData("bench.wild.{0}", 0)]
    [InlineData("a.subject.of.some.length.{0}", 0)]
    [InlineData("{0}.orders", 0)]
    [InlineData("{0}", 0)]
    [InlineData("token{0}", 40)]
    public void Keys_that_differ_in_a_few_characters_spread_over_a_table(string form, int shift)
    {
        const int Keys = 256;

        var places = Enumerable.Range(0, Keys).Select(number => (ByteHash.Compute(Encoding.UTF8.GetBytes(string.Format(form, number))) >> shift) & 255).Distinct().Count();

        // Of 256 random places 63 in a hundred are different ones: 162, give or take 6.
        Assert.InRange(places, 110, 215);
    }
}

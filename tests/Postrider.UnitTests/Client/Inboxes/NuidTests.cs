using Postrider.Client;

namespace Postrider.UnitTests.Client.Inboxes;

public sealed class NuidTests
{
    [Fact]
    public void Ids_are_22_letters_and_digits_and_differ()
    {
        var nuid = new Nuid(new Random(1));

        var ids = Enumerable.Range(0, 100_000).Select(_ => nuid.Next()).ToArray();

        Assert.All(ids.Take(100), id => Assert.Matches("^[0-9A-Za-z]{22}$", id));
        Assert.Equal(ids.Length, ids.Distinct().Count());
    }
}

using Postrider.Broker.Hosting;

namespace Postrider.UnitTests.Broker.Hosting;

/// <summary>Requests of several accounts to the system's services.</summary>
public sealed class AccountTurnsTests
{
    private readonly AccountTurns<int> _turns = new(4);

    [Fact]
    public void Accounts_take_turns()
    {
        foreach (var (account, item) in new[] { ("A", 1), ("A", 2), ("A", 3), ("B", 4) }) Assert.True(_turns.TryAdd(account, item));

        Assert.Equal([1, 4, 2, 3], Drain());
        Assert.True(_turns.TryAdd("A", 5));
        Assert.Equal([5], Drain());
    }

    [Fact]
    public void One_account_does_not_displace_the_requests_of_another()
    {
        for (var i = 0; i < 4; i++) Assert.True(_turns.TryAdd("A", i));
        Assert.False(_turns.TryAdd("A", 4));

        Assert.True(_turns.TryAdd("B", 10));
        Assert.True(_turns.TryAdd("B", 11));
        Assert.False(_turns.TryAdd("B", 12));
        Assert.True(_turns.TryAdd("C", 20));
        Assert.False(_turns.TryAdd("C", 21));

        Assert.Equal([0, 10, 20, 1, 11, 2, 3], Drain());
    }

    private List<int> Drain()
    {
        var taken = new List<int>();
        while (_turns.TryTake(out var item)) taken.Add(item);
        return taken;
    }
}

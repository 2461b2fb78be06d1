using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class AccountMembershipTests
{
    private readonly Account _global = new(Account.GlobalName);
    private readonly Account _small = new(new AccountOptions { Name = "A", MaxConnections = 1 });

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void Connection_counts_before_it_authenticates_only_where_it_need_not(bool countsAtOnce, int expected)
    {
        var membership = new AccountMembership(_global, countsAtOnce);

        membership.Begin();

        Assert.Equal(expected, _global.Connections);
    }

    [Fact]
    public void Connection_counts_in_one_account_at_a_time()
    {
        var membership = new AccountMembership(_global, countsAtOnce: true);
        membership.Begin();

        Assert.True(membership.TryMove(_small));
        Assert.True(membership.TryMove(_small));

        Assert.Equal((0, 1), (_global.Connections, _small.Connections));
    }

    [Fact]
    public void Full_account_takes_no_more_and_counts_no_more()
    {
        var first = Begun();
        var second = Begun();

        Assert.True(first.TryMove(_small));
        Assert.False(second.TryMove(_small));
        Assert.Equal(1, _small.Connections);
        first.End();
        Assert.True(second.TryMove(_small));
    }

    [Fact]
    public void Connection_that_ended_goes_nowhere()
    {
        var membership = Begun();

        membership.End();
        membership.End();

        Assert.False(membership.TryMove(_small));
        Assert.Equal((0, 0), (_global.Connections, _small.Connections));
    }

    private AccountMembership Begun()
    {
        var membership = new AccountMembership(_global, countsAtOnce: true);
        membership.Begin();
        return membership;
    }
}

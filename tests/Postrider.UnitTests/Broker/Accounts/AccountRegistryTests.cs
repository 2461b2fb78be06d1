using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class AccountRegistryTests
{
    [Fact]
    public void Global_and_system_account_are_always_there()
    {
        var registry = AccountRegistry.Create(new BrokerOptions());

        Assert.Equal(["$G", "$SYS"], registry.All.Select(static account => account.Name));
        Assert.Equal((false, true), (registry.Global.IsSystem, registry.System!.IsSystem));
        Assert.True(registry.IsGlobalOnly);
    }

    [Fact]
    public void Another_account_can_be_the_system_account()
    {
        var registry = AccountRegistry.Create(new BrokerOptions { SystemAccount = "S", Accounts = [new() { Name = "S", MaxConnections = 5 }] });

        Assert.Equal(["$G", "S"], registry.All.Select(static account => account.Name));
        Assert.Equal((true, 5), (registry.Find("S")!.IsSystem, registry.System!.Definition.MaxConnections));
    }

    [Theory]
    [InlineData(true, null)]
    [InlineData(false, "$SYS")]
    public void System_account_can_be_switched_off(bool off, string? expected)
        => Assert.Equal(expected, AccountRegistry.Create(new BrokerOptions { NoSystemAccount = off }).System?.Name);

    [Fact]
    public void Change_keeps_the_account_and_notifies()
    {
        var clock = new TestClock();
        var registry = new AccountRegistry(clock);
        var notes = new List<string>();
        registry.Added = account => notes.Add($"+{account.Name} {account.Definition.MaxConnections}");
        registry.Changed = account => notes.Add($"~{account.Name} {account.Definition.MaxConnections}");
        registry.Removed = account => notes.Add($"-{account.Name}");
        var account = registry.Put(new AccountOptions { Name = "A" });
        clock.Advance(TimeSpan.FromSeconds(1));

        var changed = registry.Put(new AccountOptions { Name = "A", MaxConnections = 3 });
        var same = registry.Put(new AccountOptions { Name = "A", MaxConnections = 3 });

        Assert.Same(account, changed);
        Assert.Same(account, same);
        Assert.Equal(clock.GetUtcNow(), account.UpdatedAt);
        Assert.True(registry.Remove("A"));
        Assert.False(registry.Remove("A"));
        Assert.Equal(["+A -1", "~A 3", "-A"], notes);
        Assert.Null(registry.Find("A"));
    }

    [Theory]
    [InlineData("$G")]
    [InlineData("$SYS")]
    public void Account_that_is_always_there_cannot_be_removed(string name)
    {
        var registry = new AccountRegistry(new TestClock());

        Assert.False(registry.Remove(name));
        Assert.NotNull(registry.Find(name));
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker.Accounts;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Trust;

public sealed class TrustedAccountsTests : IDisposable
{
    private static readonly DateTimeOffset Now = new(2026, 5, 4, 12, 0, 0, TimeSpan.Zero);

    private readonly FakeTimeProvider _clock = new(Now);
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);
    private readonly MemoryResolver _resolver = new();
    private readonly AccountRegistry _registry;
    private readonly TrustedAccounts _accounts;
    private readonly List<string> _heard = [];

    public TrustedAccountsTests()
    {
        _registry = new AccountRegistry(_clock);
        _accounts = new TrustedAccounts(new TrustedOperators([], [_operator.PublicKey]), _resolver, _registry, _clock, NullLogger.Instance)
        {
            Changed = (account, before) => _heard.Add($"changed {before.Name} to {account.Claims.Name}"),
            Expired = account => _heard.Add($"expired {account.Claims.Name}"),
        };
    }

    public void Dispose()
    {
        _accounts.Dispose();
        _operator.Dispose();
        _account.Dispose();
    }

    [Fact]
    public async Task Account_becomes_one_of_the_brokers_when_it_is_asked_for()
    {
        _resolver.Store(_account.PublicKey, Sign(Claims() with { Limits = new AccountLimits { MaxConnections = 3, MaxPayload = 10, JetStream = new JetStreamClaimLimits { DiskBytes = 5 } } }));

        Assert.Null(_registry.Find(_account.PublicKey));
        var found = await FindAsync();

        var definition = _registry.Find(_account.PublicKey)!.Definition;
        Assert.Same(found.Account, _registry.Find(_account.PublicKey));
        Assert.Equal((3, -1, 10, 5L, 0L), (definition.MaxConnections, definition.MaxSubscriptions, definition.MaxPayloadBytes, definition.JetStream!.MaxStoreBytes, definition.JetStream.MaxMemoryBytes));
        Assert.Same(found, await FindAsync());
    }

    [Fact]
    public async Task Limits_of_the_tier_with_one_replica_are_those_of_streams()
    {
        var tiers = new Dictionary<string, JetStreamClaimLimits> { ["R1"] = new() { DiskBytes = 7, MaxStreams = 2 }, ["R3"] = new() { DiskBytes = 9 } };
        _resolver.Store(_account.PublicKey, Sign(Claims() with { Limits = new AccountLimits { JetStreamTiers = tiers } }));

        var streams = (await FindAsync()).Account.Definition.JetStream!;

        Assert.Equal((7L, 2), (streams.MaxStoreBytes, streams.MaxStreams));
    }

    [Fact]
    public async Task Account_that_is_missing_foreign_or_not_valid_now_is_not_found()
    {
        using var stranger = NkeyPair.Create(NkeyKind.Operator);
        using var other = NkeyPair.Create(NkeyKind.Account);

        await RefusedAsync("account missing", null);
        await RefusedAsync("was not signed by a trusted operator", Claims().Encode(stranger, _clock));
        await RefusedAsync("expired", Sign(Claims() with { Expires = Now.AddMinutes(-1) }));
        await RefusedAsync("not valid before", Sign(Claims() with { NotBefore = Now.AddMinutes(1) }));
        await RefusedAsync("the token belongs to another account", Sign(new AccountClaims { Subject = other.PublicKey }));
        await RefusedAsync("header, claims and signature", "abc");
    }

    [Fact]
    public async Task Many_who_ask_at_once_cause_one_look_up()
    {
        var slow = new SlowResolver(Sign(Claims()));
        using var accounts = new TrustedAccounts(new TrustedOperators([], [_operator.PublicKey]), slow, _registry, _clock, NullLogger.Instance);

        var asked = Enumerable.Range(0, 20).Select(_ => accounts.FindAsync(_account.PublicKey, CancellationToken.None).AsTask()).ToArray();
        slow.Answer();
        var found = await Task.WhenAll(asked);

        Assert.Equal(1, slow.Asked);
        Assert.Single(found.Distinct());
    }

    [Fact]
    public async Task Newer_token_is_told_and_a_wrong_one_changes_nothing()
    {
        _resolver.Store(_account.PublicKey, Sign(Claims()));
        var account = await FindAsync();

        _accounts.Update(account, Sign(Claims() with { Name = "b" }));
        Assert.Throws<AccountLookupException>(() => _accounts.Update(account, "abc"));

        Assert.Equal(["changed a to b"], _heard);
        Assert.Equal("b", account.Claims.Name);
    }

    [Fact]
    public async Task Account_ends_with_its_token_and_comes_back_with_another()
    {
        _resolver.Store(_account.PublicKey, Sign(Claims() with { Expires = Now.AddMinutes(1) }));
        var account = await FindAsync();

        _clock.Advance(TimeSpan.FromSeconds(61));

        Assert.True(account.IsExpired);
        Assert.Equal(["expired a"], _heard);
        await Assert.ThrowsAsync<AccountLookupException>(FindAsync);
        _resolver.Store(_account.PublicKey, Sign(Claims() with { Name = "b" }));
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Same(account, await FindAsync());
        Assert.False(account.IsExpired);
    }

    [Fact]
    public async Task End_far_away_is_waited_for()
    {
        _resolver.Store(_account.PublicKey, Sign(Claims() with { Expires = Now.AddDays(120) }));
        var account = await FindAsync();

        _clock.Advance(TimeSpan.FromDays(100));
        Assert.False(account.IsExpired);
        _clock.Advance(TimeSpan.FromDays(21));

        Assert.True(account.IsExpired);
    }

    [Fact]
    public async Task Deleted_account_is_locked_out()
    {
        _resolver.Store(_account.PublicKey, Sign(Claims()));
        await FindAsync();

        _accounts.Delete(_account.PublicKey);

        Assert.Equal(["expired a"], _heard);
        await Assert.ThrowsAsync<AccountLookupException>(FindAsync);
    }

    [Fact]
    public async Task Accounts_that_are_gone_after_a_reload_are_forgotten()
    {
        _resolver.Store(_account.PublicKey, Sign(Claims()));
        var account = await FindAsync();
        _resolver.Clear();

        var gone = await _accounts.RefreshAsync(CancellationToken.None);

        Assert.Equal([account], gone);
        Assert.Null(_registry.Find(_account.PublicKey));
        Assert.Null(_accounts.FindKnown(_account.PublicKey));
    }

    private async Task RefusedAsync(string reason, string? token)
    {
        _resolver.Clear();
        if (token is not null) _resolver.Store(_account.PublicKey, token);
        Assert.Contains(reason, (await Assert.ThrowsAsync<AccountLookupException>(FindAsync)).Message, StringComparison.Ordinal);
    }

    private async Task<TrustedAccount> FindAsync() => await _accounts.FindAsync(_account.PublicKey, CancellationToken.None);

    private AccountClaims Claims() => new() { Subject = _account.PublicKey, Name = "a" };

    private string Sign(AccountClaims claims) => claims.Encode(_operator, _clock);

    private sealed class SlowResolver(string token) : IAccountResolver
    {
        private readonly TaskCompletionSource<string?> _answer = new();

        public int Asked { get; private set; }

        public void Answer() => _answer.SetResult(token);

        public async ValueTask<string?> FetchAsync(string key, CancellationToken ct)
        {
            Asked++;
            return await _answer.Task;
        }

        public void Store(string key, string stored) => throw new NotSupportedException();

        public void Dispose()
        {
            // Nothing to end.
        }
    }
}

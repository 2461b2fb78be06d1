using System.Collections.Concurrent;
using Postrider.Sockets;

namespace Postrider.Broker.Accounts;

/// <summary>The broker's accounts. Accounts are added, changed and removed while it runs.</summary>
/// <remarks>Thread-safe. The configuration and the tokens describe each account by its options and call
/// <see cref="Put"/> and <see cref="Remove"/>; <see cref="Authenticator"/> decides which account a client belongs to.</remarks>
internal sealed class AccountRegistry
{
    private readonly ConcurrentDictionary<string, Account> _accounts = new(StringComparer.Ordinal);

    // Held while accounts are added, changed or removed, and while the callbacks below run. No other lock is held then.
    private readonly Lock _changes = new();
    private readonly TimeProvider _time;
    private readonly string? _systemName;
    private readonly IReadOnlyDictionary<string, string> _domains;

    /// <summary>Creates the accounts that always exist.</summary>
    /// <param name="time">The clock.</param>
    /// <param name="systemName">The system account's name; null for none.</param>
    /// <param name="domains">The JetStream domains that requests of accounts go to, by the accounts' names; null for none.</param>
    public AccountRegistry(TimeProvider time, string? systemName = Account.SystemName, IReadOnlyDictionary<string, string>? domains = null)
    {
        _domains = domains ?? new Dictionary<string, string>(StringComparer.Ordinal);
        _time = time;
        _systemName = systemName;
        Global = PutNew(new AccountOptions { Name = Account.GlobalName });
        if (systemName is not null) System = PutNew(new AccountOptions { Name = systemName });
    }

    /// <summary>Called for each account that was added, before any connection can belong to it.</summary>
    public Action<Account>? Added { get; set; }

    /// <summary>Called for each account whose options changed.</summary>
    public Action<Account>? Changed { get; set; }

    /// <summary>Called for each account that was removed.</summary>
    public Action<Account>? Removed { get; set; }

    /// <summary>Called for each account whose imported streams changed.</summary>
    public Action<Account>? ImportsChanged { get; set; }

    /// <summary>The server's name, which is sent to services whose import shares it. Set before there are clients.</summary>
    public string ServerName { get; set; } = "";

    /// <summary>The cluster's name, which is sent to other accounts together with the broker's; null outside of a cluster.</summary>
    public string? ClusterName { get; set; }

    /// <summary>The batches of all connections, for messages that are published when a timeout expires. Set before there are clients.</summary>
    public SendBatchSet? Batches { get; set; }

    /// <summary>The clock.</summary>
    public TimeProvider Time => _time;

    /// <summary>The account of clients that belong to no other account.</summary>
    public Account Global { get; }

    /// <summary>The system account; null where there is none.</summary>
    public Account? System { get; }

    /// <summary>All accounts, by name.</summary>
    public IReadOnlyList<Account> All => [.. _accounts.Values.OrderBy(static account => account.Name, StringComparer.Ordinal)];

    /// <summary>Whether only the two accounts exist that always exist.</summary>
    public bool IsGlobalOnly => _accounts.Count == (System is null ? 1 : 2);

    /// <summary>Reads the accounts of a broker's options.</summary>
    public static AccountRegistry Create(BrokerOptions options)
    {
        var registry = new AccountRegistry(options.TimeProvider, options.SystemAccountName, options.DefaultJetStreamDomains);
        registry.PutAll(options.Accounts);
        return registry;
    }

    /// <summary>Finds an account.</summary>
    public Account? Find(string name) => _accounts.GetValueOrDefault(name);

    /// <summary>Adds an account, or changes the one with that name.</summary>
    /// <param name="definition">Valid options. An import whose account does not exist or does not allow it is not in force until it does.</param>
    public Account Put(AccountOptions definition)
    {
        lock (_changes)
        {
            var account = PutLocked(definition, out var isChanged);
            if (isChanged || account.Imports is { Invalid.Length: > 0 }) Link([definition.Name], [definition.Name]);
            return account;
        }
    }

    /// <summary>Applies what an account may import now, because accounts that it imports from have changed or a token has expired.</summary>
    /// <param name="definition">Valid options that differ from the account's own at most by which of its imports are authorized.</param>
    public void PutImporter(AccountOptions definition)
    {
        lock (_changes)
        {
            PutLocked(definition, out var isChanged);
            if (isChanged) Link([], [definition.Name]);
        }
    }

    /// <summary>Adds or changes several accounts, whose imports take effect together.</summary>
    /// <param name="definitions">Valid options.</param>
    public void PutAll(IReadOnlyList<AccountOptions> definitions)
    {
        lock (_changes)
        {
            var changed = new HashSet<string>(StringComparer.Ordinal);
            foreach (var definition in definitions)
            {
                PutLocked(definition, out var isChanged);
                if (isChanged) changed.Add(definition.Name);
            }
            Link(changed, changed);
        }
    }

    /// <summary>Removes an account. The caller has to close its connections.</summary>
    /// <returns>False when there is no account with that name, or when it is one that always exists.</returns>
    public bool Remove(string name)
    {
        lock (_changes)
        {
            if (Find(name) is not { } account || ReferenceEquals(account, Global) || ReferenceEquals(account, System)) return false;
            _accounts.TryRemove(name, out _);
            foreach (var service in account.Imports?.Services ?? []) service.Close();
            Link([], [name]);
            Removed?.Invoke(account);
            return true;
        }
    }

    private Account PutLocked(AccountOptions definition, out bool isChanged)
    {
        isChanged = true;
        if (Find(definition.Name) is not { } account)
        {
            account = PutNew(definition);
            Added?.Invoke(account);
            return account;
        }
        isChanged = !account.Definition.Equals(definition);
        if (!isChanged) return account;
        account.Update(definition);
        account.UpdatedAt = _time.GetUtcNow();
        Changed?.Invoke(account);
        return account;
    }

    // Links the imports of the accounts that changed, some of them by themselves, and of those that import from them.
    private void Link(HashSet<string> own, HashSet<string> changed)
    {
        foreach (var account in _accounts.Values)
        {
            if (account.Imports is null && account.Definition.Imports.Count == 0) continue;
            if (changed.Contains(account.Name) || account.Definition.Imports.Any(import => changed.Contains(import.Account))) Link(account, own.Contains(account.Name));
        }
    }

    private void Link(Account account, bool isOwnChange)
    {
        var (before, after) = (account.Imports, AccountImports.Create(this, account, isOwnChange));
        account.Imports = after;
        var (old, fresh) = (before?.Services ?? [], after?.Services ?? []);
        foreach (var service in old.Except(fresh)) service.Close();
        foreach (var service in fresh.Except(old)) service.Open();
        if (!(before?.Streams ?? []).SequenceEqual(after?.Streams ?? [])) ImportsChanged?.Invoke(account);
    }

    private Account PutNew(AccountOptions definition)
    {
        var account = new Account(definition, _domains.GetValueOrDefault(definition.Name)) { IsSystem = definition.Name == _systemName, UpdatedAt = _time.GetUtcNow() };
        _accounts[definition.Name] = account;
        return account;
    }
}

using Postrider.Broker.Accounts;

namespace Postrider.Broker.Configuration;

/// <summary>Reads the <c>accounts</c> block.</summary>
/// <remarks>nats-server rejects the global account here; this broker accepts it, for the limits of its streams.</remarks>
internal sealed class AccountsBinder(ConfigReader reader)
{
    private readonly List<(AccountOptions Account, ConfigPosition Users)> _read = [];
    private ConfigPosition _position;

    /// <summary>Reads the block: accounts with their settings, or only their names.</summary>
    internal void Read(string key, ConfigValue value, BrokerOptions options)
    {
        _position = value.Position;
        switch (value.Content)
        {
            case List<ConfigValue> names:
                ReadNames(names, options);
                break;
            case ConfigMap accounts:
                foreach (var (name, account) in accounts) ReadAccount(name, account, options);
                break;
            case var _ when UnsupportedKeys.IsOff(key, value):
                break;
            default:
                reader.WrongKind(key, value, "a map");
                break;
        }
    }

    /// <summary>Checks the accounts once the whole file has been read.</summary>
    internal void CheckTogether(BrokerOptions options)
    {
        var authorization = options.Authorization;
        var names = new HashSet<string>(StringComparer.Ordinal);
        names.UnionWith((authorization?.Users ?? []).Select(static user => user.Name));
        foreach (var (account, position) in _read)
        {
            if (account.Users.Count > 0 && !string.IsNullOrEmpty(authorization?.User))
                reader.Findings.Error(position, "Can not have a single user/pass and accounts");
            else if (account.Users.Count > 0 && !string.IsNullOrEmpty(authorization?.Token))
                reader.Findings.Error(position, "Can not have a token and accounts");
            foreach (var user in account.Users)
                if (!names.Add(user.Name)) reader.Findings.Error(position, $"Duplicate user {GoQuote.Quote(user.Name)} detected");
        }
        if (reader.Findings.HasErrors) return;
        foreach (var problem in SharingValidator.Problems(options.Accounts, options.SystemAccountName is not null)) reader.Findings.Error(_position, problem);
    }

    /// <summary>Changes an account's options; adds the account if it is new.</summary>
    internal static void Change(BrokerOptions options, string name, Action<AccountOptions> change)
    {
        var account = options.Accounts.FirstOrDefault(account => account.Name == name);
        if (account is null) options.Accounts = [.. options.Accounts, account = new AccountOptions { Name = name }];
        change(account);
    }

    private void ReadNames(List<ConfigValue> names, BrokerOptions options)
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var name in names)
        {
            if (name.Content is not string text) reader.WrongKind("accounts", name, "a name");
            else if (text == Account.GlobalName) Reserved(text, name.Position);
            else if (!seen.Add(text)) reader.Findings.Error(name.Position, $"Duplicate Account Entry: {text}");
            else Change(options, text, static _ => { });
        }
    }

    private void ReadAccount(string name, ConfigValue value, BrokerOptions options)
    {
        if (value.IsReferenced) return;
        if (value.Content is not ConfigMap members)
        {
            reader.Findings.Error(value.Position, "Expected map entries for accounts");
            return;
        }
        if (name == Account.GlobalName)
        {
            ReadGlobal(members, value.Position, options);
            return;
        }
        if (name.Length == 0) reader.Findings.Error(value.Position, "an account must have a name");
        var users = value.Position;
        Change(options, name, account =>
        {
            foreach (var (key, member) in members)
            {
                if (key.Equals("users", StringComparison.OrdinalIgnoreCase)) users = member.Position;
                ReadMember(key, member, account);
            }
            _read.Add((account, users));
        });
    }

    private void ReadMember(string key, ConfigValue value, AccountOptions account)
    {
        switch (key.ToLowerInvariant())
        {
            case "users":
                account.Users = new AuthorizationBinder(reader).ReadUsers(value);
                break;
            case "default_permissions":
                account.DefaultPermissions = new AuthorizationBinder(reader).ReadPermissions(value);
                break;
            case "jetstream":
                ReadJetStream(value, limits => account.JetStream = limits);
                break;
            case "limits":
                ReadLimits(value, account);
                break;
            case "mappings" or "maps":
                account.Mappings = new MappingsBinder(reader).Read(key, value);
                break;
            case "exports":
                account.Exports = new SharingBinder(reader).ReadExports(value);
                break;
            case "imports":
                account.Imports = new SharingBinder(reader).ReadImports(value);
                break;
            case "msg_trace" or "trace_dest":
                account.MessageTrace = new MessageTraceBinder(reader).Read(key, value);
                break;
            case "nkey":
                reader.Findings.Error(value.Position, $"{GoQuote.Quote(key)} of an account is not supported yet");
                break;
            default:
                reader.Unknown(key, value);
                break;
        }
    }

    private void ReadGlobal(ConfigMap members, ConfigPosition position, BrokerOptions options)
    {
        if (members.Count == 0) Reserved(Account.GlobalName, position);
        foreach (var (key, value) in members)
        {
            if (!key.Equals("jetstream", StringComparison.OrdinalIgnoreCase)) Reserved(Account.GlobalName, value.Position);
            else if (reader.Map(key, value) is { } limits)
            {
                var read = ReadJetStreamLimits(limits);
                JetStreamBinder.Change(options, jetStream => jetStream with { AccountLimits = read });
                Change(options, Account.GlobalName, account => account.JetStream = read);
            }
        }
    }

    private void Reserved(string name, ConfigPosition position) => reader.Findings.Error(position, $"{GoQuote.Quote(name)} is a Reserved Account");

    private void ReadLimits(ConfigValue value, AccountOptions account)
    {
        if (value.Content is not ConfigMap members)
        {
            reader.Findings.Error(value.Position, $"Expected account limits to be a map/struct, got {value.KindName}");
            return;
        }
        foreach (var (key, member) in members)
        {
            switch (key.ToLowerInvariant())
            {
                case "max_connections" or "max_conn":
                    Limit(key, member, count => account.MaxConnections = count);
                    break;
                case "max_subscriptions" or "max_subs":
                    Limit(key, member, count => account.MaxSubscriptions = count);
                    break;
                case "max_payload" or "max_pay":
                    reader.Integer(key, member, int.MinValue, int.MaxValue, bytes => account.MaxPayloadBytes = (int)bytes);
                    break;
                case "max_leafnodes" or "max_leafs":
                    Limit(key, member, count => account.MaxLeafNodes = count);
                    break;
                default:
                    if (!member.IsReferenced) reader.Findings.Error(member.Position, $"Unknown field {GoQuote.Quote(key)} parsing account limits");
                    break;
            }
        }
    }

    private void ReadJetStream(ConfigValue value, Action<JetStreamAccountLimits?> set)
    {
        switch (value.Content)
        {
            case bool on:
                set(on ? new JetStreamAccountLimits() : null);
                break;
            case string text when text.ToUpperInvariant() is "ENABLED" or "ENABLE":
                set(new JetStreamAccountLimits());
                break;
            case string text when text.ToUpperInvariant() is "DISABLED" or "DISABLE":
                set(null);
                break;
            case string text:
                reader.Findings.Error(value.Position, $"Expected 'enabled' or 'disabled' for string value, got '{text}'");
                break;
            case ConfigMap members:
                set(ReadJetStreamLimits(members));
                break;
            default:
                reader.Findings.Error(value.Position, $"Expected map, bool or string to define JetStream, got {value.KindName}");
                break;
        }
    }

    private JetStreamAccountLimits ReadJetStreamLimits(ConfigMap members)
    {
        var limits = new JetStreamAccountLimits();
        foreach (var (key, value) in members)
        {
            switch (key.ToLowerInvariant())
            {
                case "max_memory" or "max_mem" or "mem" or "memory":
                    Size(key, value, bytes => limits.MaxMemoryBytes = bytes);
                    break;
                case "max_store" or "max_file" or "max_disk" or "store" or "disk":
                    Size(key, value, bytes => limits.MaxStoreBytes = bytes);
                    break;
                case "max_streams" or "streams":
                    Count(key, value, count => limits.MaxStreams = count);
                    break;
                case "max_consumers" or "consumers":
                    Count(key, value, count => limits.MaxConsumers = count);
                    break;
                case "max_bytes_required" or "max_stream_bytes" or "max_bytes":
                    reader.Boolean(key, value, required => limits.MaxBytesRequired = required);
                    break;
                case "mem_max_stream_bytes" or "memory_max_stream_bytes":
                    Size(key, value, bytes => limits.MaxMemoryStreamBytes = bytes);
                    break;
                case "disk_max_stream_bytes" or "store_max_stream_bytes":
                    Size(key, value, bytes => limits.MaxFileStreamBytes = bytes);
                    break;
                case "max_ack_pending":
                    Count(key, value, count => limits.MaxAckPending = count);
                    break;
                // For clusters: it has no effect on a single broker.
                case "cluster_traffic":
                    reader.Text(key, value, static _ => { });
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
        return limits;
    }

    private void Count(string key, ConfigValue value, Action<int> set) => reader.Integer(key, value, -1, int.MaxValue, count => set((int)count));

    // -1 is no limit; a lower number allows nothing.
    private void Limit(string key, ConfigValue value, Action<int> set)
        => reader.Integer(key, value, int.MinValue, int.MaxValue, count => set(count < -1 ? 0 : (int)count));

    private void Size(string key, ConfigValue value, Action<long> set) => reader.Integer(key, value, -1, long.MaxValue, set);
}

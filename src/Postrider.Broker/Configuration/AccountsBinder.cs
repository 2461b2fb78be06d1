using Postrider.Broker.Accounts;

namespace Postrider.Broker.Configuration;

/// <summary>Reads the <c>accounts</c> block: what the global account's streams may use.</summary>
/// <remarks>nats-server refuses the global account here, as it has none of the others' limits; there are no others yet.</remarks>
internal sealed class AccountsBinder(ConfigReader reader)
{
    /// <summary>Reads the block.</summary>
    internal void Read(string key, ConfigValue value, BrokerOptions options)
    {
        if (UnsupportedKeys.IsOff(key, value)) return;
        if (reader.Map(key, value) is not { } accounts) return;
        foreach (var (name, account) in accounts)
        {
            if (name != Account.GlobalName) reader.Findings.Error(account.Position, $"accounts other than {Account.GlobalName} are not supported yet, got {GoQuote.Quote(name)}");
            else if (reader.Map(name, account) is { } members) ReadGlobal(members, options);
        }
    }

    private void ReadGlobal(ConfigMap members, BrokerOptions options)
    {
        foreach (var (key, value) in members)
        {
            if (!key.Equals("jetstream", StringComparison.OrdinalIgnoreCase)) reader.Findings.Error(value.Position, $"{GoQuote.Quote(key)} of an account is not supported yet");
            else if (reader.Map(key, value) is { } limits) ReadLimits(limits, options);
        }
    }

    private void ReadLimits(ConfigMap members, BrokerOptions options)
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
                // Of clusters: nothing on one broker.
                case "cluster_traffic":
                    reader.Text(key, value, static _ => { });
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
        JetStreamBinder.Change(options, jetStream => jetStream with { AccountLimits = limits });
    }

    private void Count(string key, ConfigValue value, Action<int> set) => reader.Integer(key, value, -1, int.MaxValue, count => set((int)count));

    private void Size(string key, ConfigValue value, Action<long> set) => reader.Integer(key, value, -1, long.MaxValue, set);
}

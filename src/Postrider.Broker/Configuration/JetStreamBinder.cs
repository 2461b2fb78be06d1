namespace Postrider.Broker.Configuration;

/// <summary>Reads the <c>jetstream</c> block.</summary>
internal sealed class JetStreamBinder(ConfigReader reader)
{
    /// <summary>Reads <c>jetstream</c>: on or off, or a map.</summary>
    internal void Read(string key, ConfigValue value, BrokerOptions options)
    {
        switch (value.Content)
        {
            case bool on:
                Enable(options, on);
                break;
            case string text when text.ToUpperInvariant() is "ENABLED" or "ENABLE":
                Enable(options, true);
                break;
            case string text when text.ToUpperInvariant() is "DISABLED" or "DISABLE":
                Enable(options, false);
                break;
            case string text:
                reader.Findings.Error(value.Position, $"expected 'enabled' or 'disabled' for string value, got '{text}'");
                break;
            case ConfigMap map:
                Enable(options, true);
                foreach (var (name, member) in map) ReadMember(name, member, options);
                break;
            default:
                reader.WrongKind(key, value, "a boolean, 'enabled' or a map");
                break;
        }
    }

    /// <summary>Reads the store folder, which may also be configured at the top level.</summary>
    internal void ReadFolder(string key, ConfigValue value, BrokerOptions options)
        => reader.Text(key, value, folder =>
        {
            if (options.JetStream?.StoreDirectory is not null) reader.Findings.Error(value.Position, "duplicate 'store_dir' configuration");
            else Change(options, jetStream => jetStream with { StoreDirectory = folder });
        });

    /// <summary>Changes the options; they stay disabled until JetStream is enabled.</summary>
    internal static void Change(BrokerOptions options, Func<JetStreamOptions, JetStreamOptions> change)
        => options.JetStream = change(options.JetStream ?? new JetStreamOptions { Enabled = false });

    /// <summary>Enables or disables JetStream.</summary>
    internal static void Enable(BrokerOptions options, bool on)
    {
        if (on || options.JetStream is not null) Change(options, jetStream => jetStream with { Enabled = on });
    }

    private void ReadMember(string key, ConfigValue value, BrokerOptions options)
    {
        switch (key.ToLowerInvariant())
        {
            case "enabled" or "enable":
                reader.Boolean(key, value, on => Enable(options, on));
                break;
            case "strict":
                reader.Boolean(key, value, on => Change(options, jetStream => jetStream with { Strict = on }));
                break;
            case "store" or "store_dir" or "storedir":
                ReadFolder(key, value, options);
                break;
            case "sync" or "sync_interval":
                ReadSync(key, value, options);
                break;
            case "max_memory_store" or "max_mem_store" or "max_mem":
                Size(key, value, bytes => Change(options, jetStream => jetStream with { MaxMemoryBytes = bytes }));
                break;
            case "max_file_store" or "max_file":
                Size(key, value, bytes => Change(options, jetStream => jetStream with { MaxStoreBytes = bytes }));
                break;
            case "domain":
                reader.Text(key, value, domain => Change(options, jetStream => jetStream with { Domain = domain.Length == 0 ? null : domain }));
                break;
            case "limits":
                if (reader.Map(key, value) is { } limits)
                    foreach (var (name, member) in limits) ReadLimit(name, member, options);
                break;
            // For clusters, and for queues that streams of this broker do not have: no effect on a single broker.
            case "extension_hint":
                reader.Text(key, value, hint =>
                {
                    if (hint.ToUpperInvariant() is not ("" or "WILL_EXTEND" or "NO_EXTEND")) reader.Findings.Error(value.Position, $"{key}: expected 'will_extend' or 'no_extend', got '{hint}'");
                });
                break;
            case "unique_tag":
                reader.Text(key, value, static _ => { });
                break;
            case "max_outstanding_catchup" or "max_buffered_size" or "max_buffered_msgs" or "request_queue_limit" or "info_queue_limit":
                Size(key, value, static _ => { });
                break;
            case "key" or "ek" or "encryption_key":
                reader.Text(key, value, secret => Change(options, jetStream => jetStream with { EncryptionKey = secret.Length == 0 ? null : secret }));
                break;
            case "prev_key" or "prev_ek" or "prev_encryption_key":
                reader.Text(key, value, secret => Change(options, jetStream => jetStream with { PreviousEncryptionKey = secret.Length == 0 ? null : secret }));
                break;
            case "cipher":
                ReadCipher(key, value, options);
                break;
            case "tpm":
                reader.Findings.Error(value.Position, $"{GoQuote.Quote(key)} is not supported yet");
                break;
            default:
                reader.Unknown(key, value);
                break;
        }
    }

    private void ReadCipher(string key, ConfigValue value, BrokerOptions options)
        => reader.Text(key, value, name =>
        {
            JetStreamCipher? cipher = name.ToUpperInvariant() switch { "CHACHA" or "CHACHAPOLY" => JetStreamCipher.ChaCha20Poly1305, "AES" => JetStreamCipher.AesGcm, _ => null };
            if (cipher is { } known) Change(options, jetStream => jetStream with { Cipher = known });
            else reader.Findings.Error(value.Position, $"Unknown cipher type: {GoQuote.Quote(name)}");
        });

    private void ReadSync(string key, ConfigValue value, BrokerOptions options)
    {
        var durability = value.Content is not string text ? JetStreamDurability.PageCache : text.ToUpperInvariant() switch
        {
            "ALWAYS" => JetStreamDurability.SyncEach,
            "GROUP" => JetStreamDurability.GroupSync,
            _ => JetStreamDurability.PageCache,
        };
        if (durability != JetStreamDurability.PageCache) Change(options, jetStream => jetStream with { Durability = durability });
        else reader.Duration(key, value, interval => Change(options, jetStream => jetStream with { SyncInterval = interval }));
    }

    private void ReadLimit(string key, ConfigValue value, BrokerOptions options)
    {
        switch (key.ToLowerInvariant())
        {
            case "max_ack_pending":
                Count(key, value, count => Change(options, jetStream => jetStream with { MaxAckPending = count }));
                break;
            case "max_request_batch":
                Count(key, value, count => Change(options, jetStream => jetStream with { MaxRequestBatch = count }));
                break;
            case "duplicate_window":
                reader.Duration(key, value, window => Change(options, jetStream => jetStream with { MaxDuplicateWindow = window }));
                break;
            case "max_duplicate_id_bytes":
                Size(key, value, bytes => Change(options, jetStream => jetStream with { MaxDuplicateIdBytes = bytes }));
                break;
            case "batch":
                if (reader.Map(key, value) is { } batch)
                    foreach (var (name, member) in batch) ReadBatchLimit(name, member, options);
                break;
            case "default_max_consumers":
                reader.Integer(key, value, -1, int.MaxValue, count => Change(options, jetStream => jetStream with { DefaultMaxConsumers = (int)count }));
                break;
            // What it limits only exists in clusters.
            case "max_ha_assets":
                Count(key, value, static _ => { });
                break;
            default:
                reader.Unknown(key, value);
                break;
        }
    }

    private void ReadBatchLimit(string key, ConfigValue value, BrokerOptions options)
    {
        switch (key.ToLowerInvariant())
        {
            case "max_inflight_per_stream":
                Count(key, value, count => Change(options, jetStream => jetStream with { MaxBatchesPerStream = count, MaxFastBatchesPerStream = count }));
                break;
            case "max_inflight_total":
                Count(key, value, count => Change(options, jetStream => jetStream with { MaxBatches = count, MaxFastBatches = count }));
                break;
            case "max_msgs":
                Count(key, value, count => Change(options, jetStream => jetStream with { MaxBatchMessages = count }));
                break;
            case "max_bytes":
                reader.Integer(key, value, 0, long.MaxValue, bytes => Change(options, jetStream => jetStream with { MaxBatchBytes = bytes }));
                break;
            case "timeout":
                reader.Duration(key, value, timeout => Change(options, jetStream => jetStream with { BatchTimeout = timeout }));
                break;
            default:
                reader.Unknown(key, value);
                break;
        }
    }

    private void Count(string key, ConfigValue value, Action<int> set) => reader.Integer(key, value, 0, int.MaxValue, count => set((int)count));

    private void Size(string key, ConfigValue value, Action<long> set) => reader.Integer(key, value, -1, long.MaxValue, set);
}

namespace Postrider.Broker.Configuration;

/// <summary>Turns <c>compression</c> of clusters and leaf nodes into options.</summary>
/// <param name="reader">Collects the problems.</param>
/// <param name="modeOfOn">The mode that <c>on</c> means.</param>
internal sealed class ServerCompressionBinder(ConfigReader reader, ServerCompressionMode modeOfOn)
{
    /// <summary>Reads the value.</summary>
    /// <param name="key">The key as written in the file.</param>
    /// <param name="value">A boolean, a mode, or a block with <c>mode</c> and <c>rtt_thresholds</c>.</param>
    /// <param name="set">Sets the options; not called when there is an error.</param>
    internal void Read(string key, ConfigValue value, Action<ServerCompressionOptions> set)
    {
        var options = new ServerCompressionOptions();
        var isRead = value.Content switch
        {
            bool on => Set(options, on ? modeOfOn : ServerCompressionMode.Off),
            string text => TryReadMode(text, value, options),
            ConfigMap map => TryReadBlock(map, options),
            _ => false,
        };
        if (value.Content is not (bool or string or ConfigMap)) reader.Findings.Error(value.Position, $"field {GoQuote.Quote(key)} should be a boolean or a structure, got {value.KindName}");
        if (!isRead) return;
        if (options.Problem() is { } problem) reader.Findings.Error(value.Position, problem);
        else set(options);
    }

    private bool TryReadBlock(ConfigMap map, ServerCompressionOptions options)
    {
        var isRead = true;
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "mode":
                    reader.Text(key, value, text => isRead &= TryReadMode(text, value, options));
                    break;
                case "rtt_thresholds" or "thresholds" or "rtts" or "rtt":
                    options.RoundTripThresholds = ReadThresholds(key, value);
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
        return isRead;
    }

    private List<TimeSpan> ReadThresholds(string key, ConfigValue value)
    {
        var thresholds = new List<TimeSpan>();
        if (value.Content is not List<ConfigValue> entries)
        {
            reader.Findings.Error(value.Position, $"Expected {key} to be an array of durations, got {value.KindName}");
            return thresholds;
        }
        // As in nats-server, a negative threshold means zero.
        foreach (var entry in entries) reader.Duration(key, entry, threshold => thresholds.Add(threshold < TimeSpan.Zero ? TimeSpan.Zero : threshold));
        return thresholds;
    }

    private bool TryReadMode(string text, ConfigValue value, ServerCompressionOptions options)
    {
        switch (text.ToLowerInvariant())
        {
            case "on" or "enabled" or "true":
                return Set(options, modeOfOn);
            case "off" or "disabled" or "false" or "not supported" or "not_supported":
                return Set(options, ServerCompressionMode.Off);
            case "accept":
                return Set(options, ServerCompressionMode.Accept);
            case "auto" or "s2_auto":
                return Set(options, ServerCompressionMode.S2Auto);
            case "fast" or "s2_fast":
                return Set(options, ServerCompressionMode.S2Fast);
            case "better" or "s2_better":
                return Set(options, ServerCompressionMode.S2Better);
            case "best" or "s2_best":
                return Set(options, ServerCompressionMode.S2Best);
            default:
                reader.Findings.Error(value.Position, $"unsupported compression mode {GoQuote.Quote(text)}: use \"off\", \"accept\", \"s2_auto\", \"s2_fast\", \"s2_better\" or \"s2_best\"");
                return false;
        }
    }

    private static bool Set(ServerCompressionOptions options, ServerCompressionMode mode)
    {
        options.Mode = mode;
        return true;
    }
}

using System.Text.RegularExpressions;

namespace Postrider.Broker.Configuration;

/// <summary>Reads the account resolver: <c>MEMORY</c>, <c>URL(…)</c>, or a block with a folder.</summary>
/// <remarks>The texts are nats-server's where it has one.</remarks>
internal sealed partial class ResolverBinder(ConfigReader reader)
{
    private string _type = "";
    private string _directory = "";
    private bool _allowDelete;
    private bool? _hardDelete;
    private long _limit;
    private TimeSpan _timeToLive;
    private TimeSpan _interval;
    private TimeSpan _timeout = AccountResolverOptions.DefaultTimeout;

    /// <summary>Reads <c>resolver</c>.</summary>
    /// <returns>Null when there is an error.</returns>
    internal AccountResolverOptions? Read(ConfigValue value)
    {
        var before = reader.Findings.Errors.Count;
        AccountResolverOptions? resolver;
        switch (value.Content)
        {
            case string text:
                resolver = ReadText(text, value.Position);
                break;
            case ConfigMap map:
                resolver = ReadBlock(map, value.Position);
                break;
            default:
                reader.Findings.Error(value.Position, $"error parsing operator resolver, wrong type {GoTypeName.Of(value)}");
                return null;
        }
        if (resolver is null && reader.Findings.Errors.Count == before)
            reader.Findings.Error(value.Position, "error parsing account resolver, should be MEM or  URL(\"url\") or a map containing dir and type state=[FULL|CACHE])");
        return resolver;
    }

    /// <summary>Reads <c>resolver_tls</c>.</summary>
    /// <returns>The files, without an address.</returns>
    internal UrlResolverOptions? ReadTls(string key, ConfigValue block)
    {
        if (reader.Map(key, block) is not { } map) return null;
        string? certificate = null, privateKey = null, authorities = null;
        foreach (var (name, value) in map)
        {
            switch (name.ToLowerInvariant())
            {
                case "cert_file":
                    reader.Text(name, value, file => certificate = file);
                    break;
                case "key_file":
                    reader.Text(name, value, file => privateKey = file);
                    break;
                case "ca_file":
                    reader.Text(name, value, file => authorities = file);
                    break;
                case "insecure" or "verify" or "timeout" when UnsupportedKeys.IsOff(value) || name.ToLowerInvariant() is "verify" or "timeout":
                    // The server's certificate is always verified; a look-up has its own time limit.
                    break;
                default:
                    reader.Findings.Error(value.Position, $"error parsing tls config, unknown field {GoQuote.Quote(name)}");
                    break;
            }
        }
        if (certificate is not null && privateKey is null) reader.Findings.Error(block.Position, "missing 'key_file' in TLS configuration");
        else if (privateKey is not null && certificate is null) reader.Findings.Error(block.Position, "missing 'cert_file' in TLS configuration");
        return new UrlResolverOptions { Url = new Uri("https://unknown.invalid/"), CaFile = authorities, CertFile = certificate, KeyFile = privateKey };
    }

    private AccountResolverOptions? ReadText(string text, ConfigPosition position)
    {
        // Like nats-server, anywhere in the text.
        if (text.Contains("MEM", StringComparison.OrdinalIgnoreCase)) return new MemoryResolverOptions();
        if (UrlForm().Match(text) is not { Success: true } found) return null;
        var address = found.Groups["url"].Value;
        if (Uri.TryCreate(address, UriKind.Absolute, out var url) && url.Scheme is "http" or "https") return new UrlResolverOptions { Url = url };
        reader.Findings.Error(position, $"error parsing account resolver url [{GoQuote.Quote(address)}]");
        return null;
    }

    private AccountResolverOptions? ReadBlock(ConfigMap map, ConfigPosition position)
    {
        foreach (var (key, value) in map) ReadEntry(key, value);
        var errors = reader.Findings;
        switch (_type.ToUpperInvariant())
        {
            case "MEM" or "MEMORY":
                return new MemoryResolverOptions();
            case "CACHE":
                CheckDirectory(position);
                if (_interval != TimeSpan.Zero) errors.Error(position, "CACHE does not accept sync");
                if (_allowDelete) errors.Error(position, "CACHE does not accept allow_delete");
                if (_hardDelete is not null) errors.Error(position, "CACHE does not accept hard_delete");
                return new CacheResolverOptions { Directory = _directory, Limit = _limit, TimeToLive = _timeToLive, Timeout = _timeout };
            case "FULL":
                CheckDirectory(position);
                if (_timeToLive != TimeSpan.Zero) errors.Error(position, "FULL does not accept ttl");
                if (_hardDelete is not null && !_allowDelete) errors.Error(position, "hard_delete has no effect without delete");
                return new FullResolverOptions
                {
                    Directory = _directory, AllowDelete = _allowDelete, HardDelete = _hardDelete == true, Limit = _limit, Interval = _interval, Timeout = _timeout,
                };
            default:
                return null;
        }
    }

    private void ReadEntry(string key, ConfigValue value)
    {
        // As in nats-server, unlike elsewhere, keys are case-sensitive and unknown ones are ignored.
        switch (key)
        {
            case "type":
                reader.Text(key, value, text => _type = text);
                break;
            case "dir":
                reader.Text(key, value, text => _directory = text);
                break;
            case "allow_delete":
                reader.Boolean(key, value, on => _allowDelete = on);
                break;
            case "hard_delete":
                reader.Boolean(key, value, on => _hardDelete = on);
                break;
            case "limit":
                reader.Integer(key, value, long.MinValue, long.MaxValue, count => _limit = Math.Max(0, count));
                break;
            case "ttl":
                reader.DurationText(key, value, time => _timeToLive = time);
                break;
            case "interval":
                reader.DurationText(key, value, time => _interval = time);
                break;
            case "timeout":
                reader.DurationText(key, value, time => ReadTimeout(time, value.Position));
                break;
        }
    }

    private void ReadTimeout(TimeSpan timeout, ConfigPosition position)
    {
        if (timeout <= TimeSpan.Zero) reader.Findings.Error(position, $"Fetch timeout {GoDuration.Format(timeout)} is too smal");
        else _timeout = timeout;
    }

    private void CheckDirectory(ConfigPosition position)
    {
        if (_directory.Length == 0) reader.Findings.Error(position, "dir has no value and needs to point to a directory");
        else if (File.Exists(_directory)) reader.Findings.Error(position, "dir needs to point to an accessible directory");
    }

    [GeneratedRegex("""URL(?:\(\s*"?(?<url>[^\s"]*)"?\s*\))?""", RegexOptions.IgnoreCase | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex UrlForm();
}

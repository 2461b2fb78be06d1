using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Primitives;

namespace Postrider.Diagnostics;

/// <summary>Reports changes of the configuration while the host runs: Postrider has read it at the start.</summary>
internal sealed partial class ConfigurationWatch : IDisposable
{
    // Other keys below Postrider may be the application's.
    private static readonly string[] s_sections = ["Postrider:Broker", "Postrider:Client", "Postrider:Flow", "Postrider:Routes", "Postrider:Rpc"];

    private readonly IConfiguration _configuration;
    private readonly ILogger _logger;
    private readonly Lock _comparing = new(); // guards _values
    private readonly IDisposable _registration;
    private Dictionary<string, string?> _values;

    internal ConfigurationWatch(IConfiguration configuration, ILogger logger)
    {
        (_configuration, _logger) = (configuration, logger);
        _values = Read();
        _registration = ChangeToken.OnChange(configuration.GetReloadToken, Compare);
    }

    public void Dispose() => _registration.Dispose();

    private void Compare()
    {
        string[] changed;
        lock (_comparing)
        {
            var (before, now) = (_values, Read());
            _values = now;
            changed = [.. before.Keys.Union(now.Keys, StringComparer.OrdinalIgnoreCase)
                .Where(key => before.TryGetValue(key, out var old) != now.TryGetValue(key, out var value) || !string.Equals(old, value, StringComparison.Ordinal))
                .Order(StringComparer.Ordinal)];
        }

        // The keys only: a value may be a password.
        if (changed.Length > 0)
            LogChanged(_logger, string.Join(", ", changed));
    }

    private Dictionary<string, string?> Read()
    {
        var values = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        foreach (var (key, value) in s_sections.SelectMany(name => _configuration.GetSection(name).AsEnumerable()))
        {
            if (value is not null)
                values[key] = value;
        }

        return values;
    }

    [LoggerMessage(36, LogLevel.Warning, "The configuration has changed and is not applied: {Keys}. Clients, transports, routes and channels read it when the host starts. Restart the process to apply it.")]
    private static partial void LogChanged(ILogger logger, string keys);
}

namespace Postrider.Broker.Configuration;

/// <summary>Reads typed values from a configuration; a wrong value becomes a finding and leaves the option unchanged.</summary>
internal sealed class ConfigReader(ConfigDiagnostics findings)
{
    internal ConfigDiagnostics Findings { get; } = findings;

    internal void Text(string key, ConfigValue value, Action<string> set)
    {
        if (Expect<string>(key, value, "a string") is { } text)
            set(text);
    }

    internal void Boolean(string key, ConfigValue value, Action<bool> set)
    {
        if (value.Content is bool content)
            set(content);
        else
            WrongKind(key, value, "a boolean");
    }

    internal void Integer(string key, ConfigValue value, long min, long max, Action<long> set)
    {
        if (value.Content is not long content)
            WrongKind(key, value, "an integer");
        else if (content > max)
            Findings.Error(value.Position, $"{key} value is too big");
        else if (content < min)
            // nats-server says this of values that must be positive too.
            Findings.Error(value.Position, min >= 0 ? $"{key} value can not be negative" : $"{key} value {content} is below {min}");
        else
            set(content);
    }

    internal void Port(string key, ConfigValue value, Action<int> set) =>
        Integer(key, value, BrokerOptions.RandomPort, ushort.MaxValue, port => set((int)port));

    /// <summary>Reads a duration: a string with units, or a bare number of seconds as in older files.</summary>
    internal void Duration(string key, ConfigValue value, Action<TimeSpan> set)
    {
        if (value.Content is long or double)
        {
            Findings.Warn(value.Position, key, $"{key} should be converted to a duration");
            if (Seconds(value) is { } seconds)
                set(seconds);
            else
                Findings.Error(value.Position, $"{key} value is too big");
            return;
        }
        DurationText(key, value, set);
    }

    /// <summary>Reads a time limit: a number of seconds, or a string with units. Zero leaves the option unchanged.</summary>
    internal void Timeout(string key, ConfigValue value, Action<TimeSpan> set)
    {
        TimeSpan? timeout = null;
        if (value.Content is long or double)
            timeout = Seconds(value);
        else
            DurationText(key, value, parsed => timeout = parsed);
        if (timeout is { } chosen && chosen != TimeSpan.Zero)
            set(chosen);
    }

    /// <summary>Reads a duration: a string with units.</summary>
    internal void DurationText(string key, ConfigValue value, Action<TimeSpan> set)
    {
        if (Expect<string>(key, value, "a duration such as \"10s\"") is not { } text)
            return;
        if (GoDuration.TryParse(text, out var duration, out var error))
            set(duration);
        else
            Findings.Error(value.Position, $"error parsing {key}: {error}");
    }

    /// <summary>Reads the policy for writes that take too long.</summary>
    internal void WriteTimeout(string key, ConfigValue value, Action<WriteTimeoutPolicy> set)
    {
        if (Expect<string>(key, value, "a string") is not { } text)
            return;
        WriteTimeoutPolicy? policy = text switch
        {
            "default" => WriteTimeoutPolicy.Default,
            "close" => WriteTimeoutPolicy.Close,
            "retry" => WriteTimeoutPolicy.Retry,
            _ => null,
        };
        if (policy is { } known)
            set(known);
        else
            Findings.Error(value.Position, $"{key} must be 'default', 'close' or 'retry'");
    }

    /// <summary>A bare number as seconds, or null when it exceeds a TimeSpan.</summary>
    internal static TimeSpan? Seconds(ConfigValue value)
    {
        var seconds = value.Content is long whole ? whole : (double)value.Content;
        return Math.Abs(seconds) < TimeSpan.MaxValue.TotalSeconds ? TimeSpan.FromSeconds(seconds) : null;
    }

    /// <summary>Reads <c>port</c>, <c>:port</c> or <c>host:port</c>.</summary>
    internal void Listen(string key, ConfigValue value, Action<string, int> set)
    {
        switch (value.Content)
        {
            case long:
                Port(key, value, port => set("", port));
                break;
            case string text when HostPort.Split(text) is var (host, port):
                if (int.TryParse(port, out var number) && number is >= BrokerOptions.RandomPort and <= ushort.MaxValue)
                    set(host, number);
                else
                    Findings.Error(value.Position, $"could not parse port {GoQuote.Quote(port)}");
                break;
            case string text:
                Findings.Error(value.Position, $"could not parse address string {GoQuote.Quote(text)}");
                break;
            default:
                Findings.Error(value.Position, $"expected port or host:port, got {value.KindName}");
                break;
        }
    }

    /// <summary>Reads the keys of a listener's address.</summary>
    /// <param name="key">The key, in lower case.</param>
    /// <param name="value">Its value.</param>
    /// <param name="setHost">Sets the host; not called for an empty one, which leaves the default.</param>
    /// <param name="setPort">Sets the port.</param>
    /// <returns>False for another key.</returns>
    internal bool TryAddress(string key, ConfigValue value, Action<string> setHost, Action<int> setPort)
    {
        switch (key)
        {
            case "listen":
                Listen(key, value, (host, port) =>
                {
                    SetHost(host);
                    setPort(port);
                });
                return true;
            case "port":
                Port(key, value, setPort);
                return true;
            case "host" or "net":
                Text(key, value, SetHost);
                return true;
            default:
                return false;
        }

        void SetHost(string host)
        {
            if (host.Length > 0)
                setHost(host);
        }
    }

    /// <summary>Reads one string or an array of strings.</summary>
    internal IReadOnlyList<string>? Texts(string what, ConfigValue value)
    {
        switch (value.Content)
        {
            case string text:
                return [text];
            case List<ConfigValue> values:
                var texts = new List<string>(values.Count);
                foreach (var element in values)
                {
                    if (element.Content is string text)
                        texts.Add(text);
                    else
                        Findings.Error(element.Position, $"error parsing {what}: unsupported type in array, expected a string, got {element.KindName}");
                }
                return texts;
            default:
                Findings.Error(value.Position, $"error parsing {what}: expected a string or an array of strings, got {value.KindName}");
                return null;
        }
    }

    internal ConfigMap? Map(string key, ConfigValue value) => Expect<ConfigMap>(key, value, "a map");

    internal void Unknown(string key, ConfigValue value)
    {
        if (!value.IsReferenced)
            Findings.Error(value.Position, $"unknown field {GoQuote.Quote(key)}");
    }

    internal void WrongKind(string key, ConfigValue value, string expected) =>
        Findings.Error(value.Position, $"{key}: expected {expected}, got {value.KindName}");

    private T? Expect<T>(string key, ConfigValue value, string expected)
        where T : class
    {
        if (value.Content is T content)
            return content;
        WrongKind(key, value, expected);
        return null;
    }
}

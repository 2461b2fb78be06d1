using System.Net;

namespace Postrider.Broker.Configuration;

/// <summary>Reads <c>auth_throttle</c>, which nats-server does not have: on or off, or a map.</summary>
internal sealed class AuthThrottleBinder(ConfigReader reader)
{
    private static readonly TimeSpan MaxDelay = TimeSpan.FromMinutes(1);

    /// <summary>Reads the value of the key.</summary>
    internal void Read(string key, ConfigValue value, BrokerOptions options)
    {
        var throttle = new AuthThrottleOptions();
        options.AuthThrottle = throttle;
        if (value.Content is bool on)
        {
            throttle.Enabled = on;
            return;
        }
        if (value.Content is not ConfigMap map)
        {
            reader.WrongKind(key, value, "a boolean or a map");
            return;
        }
        foreach (var (name, member) in map)
        {
            switch (name.ToLowerInvariant())
            {
                case "enabled":
                    reader.Boolean(name, member, enabled => throttle.Enabled = enabled);
                    break;
                case "free_failures":
                    reader.Integer(name, member, 0, int.MaxValue, count => throttle.FreeFailures = (int)count);
                    break;
                case "max_delay":
                    reader.DurationText(name, member, delay => ReadDelay(name, member, delay, throttle));
                    break;
                case "max_waiting":
                    reader.Integer(name, member, 1, int.MaxValue, count => throttle.MaxWaiting = (int)count);
                    break;
                case "exempt":
                    ReadNetworks(name, member, throttle);
                    break;
                default:
                    reader.Unknown(name, member);
                    break;
            }
        }
    }

    private void ReadDelay(string key, ConfigValue value, TimeSpan delay, AuthThrottleOptions throttle)
    {
        if (delay < TimeSpan.Zero || delay > MaxDelay) reader.Findings.Error(value.Position, $"{key} value {GoDuration.Format(delay)} is not between 0s and 1m0s");
        else throttle.MaxDelay = delay;
    }

    private void ReadNetworks(string key, ConfigValue value, AuthThrottleOptions throttle)
    {
        if (reader.Texts(key, value) is not { } texts) return;
        var networks = new List<IPNetwork>();
        foreach (var text in texts)
        {
            if (IPNetwork.TryParse(text, out var network)) networks.Add(network);
            else reader.Findings.Error(value.Position, $"{key}: {GoQuote.Quote(text)} is not a network such as \"10.0.0.0/8\"");
        }
        throttle.Exempt = networks;
    }
}

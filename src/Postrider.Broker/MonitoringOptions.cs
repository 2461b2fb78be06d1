namespace Postrider.Broker;

/// <summary>Where monitoring is served over HTTP.</summary>
public sealed record MonitoringOptions
{
    /// <summary>Address to listen on; null takes the broker's <see cref="BrokerOptions.Host"/>.</summary>
    public string? Host { get; set; }

    /// <summary>TCP port; zero serves nothing, <see cref="BrokerOptions.RandomPort"/> takes a free one.</summary>
    public int Port { get; set; }

    /// <summary>Path before every page, for a broker behind a reverse proxy; empty for none.</summary>
    public string BasePath { get; set; } = "";
}

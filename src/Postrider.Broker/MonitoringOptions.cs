namespace Postrider.Broker;

/// <summary>The address of monitoring over HTTP.</summary>
public sealed record MonitoringOptions
{
    /// <summary>Address to listen on; null takes the broker's <see cref="BrokerOptions.Host"/>.</summary>
    public string? Host { get; set; }

    /// <summary>TCP port; zero disables monitoring, <see cref="BrokerOptions.RandomPort"/> takes a free port.</summary>
    public int Port { get; set; }

    /// <summary>TCP port for HTTPS with the certificate of <see cref="BrokerOptions.Tls"/>, instead of <see cref="Port"/>; zero disables it,
    /// <see cref="BrokerOptions.RandomPort"/> takes a free port.</summary>
    public int HttpsPort { get; set; }

    /// <summary>Path prefix of every page, for a broker behind a reverse proxy.</summary>
    public string BasePath { get; set; } = "";

    /// <summary>The user who may read the pages: each request except those for <c>/healthz</c> then needs this name and <see cref="Password"/>
    /// by HTTP's Basic authentication. Null, the default, lets everyone who reaches the port read them, as in nats-server, except the dashboard,
    /// which is then only served on the broker's own machine.</summary>
    public string? User { get; set; }

    /// <summary>The password of <see cref="User"/>: in clear, or a bcrypt hash as <c>postrider auth password</c> writes it.</summary>
    public string? Password { get; set; }

    /// <summary>Whether users who sign in on the dashboard with a client's credentials may do there what the client may. Default true; false makes
    /// the dashboard read-only. A broker that requires no credentials only allows actions from its own machine.</summary>
    public bool DashboardActions { get; set; } = true;

    /// <summary>How many streams, and how many consumers, have their own metrics, with their names as labels; zero for none. The first
    /// by name have them, and a gauge counts those that are left out. Default: 200.</summary>
    public int MaxStreamMetrics { get; set; } = 200;
}

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

    /// <summary>The user who may read the pages: each request but those for <c>/healthz</c> then needs this name and <see cref="Password"/>
    /// by HTTP's Basic authentication. Null, the default, lets everyone read who reaches the port, as in nats-server, except the dashboard,
    /// which is then shown on the broker's own machine only.</summary>
    public string? User { get; set; }

    /// <summary>The password of <see cref="User"/>: in clear, or a bcrypt hash as <c>postrider auth password</c> writes it.</summary>
    public string? Password { get; set; }

    /// <summary>Whether those who sign in on the dashboard with credentials of a client may do there what the client may. Default true; false leaves a
    /// dashboard that only shows. A broker that asks for no credentials lets pages of its own machine act only.</summary>
    public bool DashboardActions { get; set; } = true;

    /// <summary>How many streams, and how many consumers, have metrics of their own, with their names as labels; zero for none. The first
    /// by name have them, and a gauge says how many are left out. Default: 200.</summary>
    public int MaxStreamMetrics { get; set; } = 200;
}

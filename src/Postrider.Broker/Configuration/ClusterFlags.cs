namespace Postrider.Broker.Configuration;

/// <summary>The flags of nats-server for clusters. They change the configuration file's <c>cluster</c>.</summary>
internal static class ClusterFlags
{
    internal static void AddTo(Dictionary<string, Flag> flags)
    {
        flags.Add("routes", Flag.Text(static (options, urls) => Change(options, cluster => cluster with { Routes = urls.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) })));
        flags.Add("cluster", Flag.Text(Listen));
        flags.Add("cluster_listen", Flag.Text(Listen));
        flags.Add("cluster_name", Flag.Text(static (options, name) => Change(options, cluster => cluster with { Name = name.Length == 0 ? null : name })));
        flags.Add("cluster_advertise", Flag.Text(static (options, address) => Change(options, cluster => cluster with { Advertise = address.Length == 0 ? null : address })));
        flags.Add("no_advertise", Flag.Switch(static (options, on) => Change(options, cluster => cluster with { NoAdvertise = on })));
        flags.Add("connect_retries", Flag.Number(static (options, retries) => Change(options, cluster => cluster with { ConnectRetries = (int)Math.Clamp(retries, 0, int.MaxValue) })));
    }

    /// <summary>Removes the cluster if it consists of nothing but a name.</summary>
    internal static void Complete(BrokerOptions options)
    {
        if (options.Cluster is { Port: 0, Routes.Count: 0 }) options.Cluster = null;
    }

    // An empty value switches off what the file configures.
    private static void Listen(BrokerOptions options, string text)
    {
        if (text.Length == 0)
        {
            if (options.Cluster is not null) options.Cluster = options.Cluster with { Port = 0 };
            return;
        }
        if (!Uri.TryCreate(text.Contains("://", StringComparison.Ordinal) ? text : $"nats://{text}", UriKind.RelativeOrAbsolute, out var url) || !url.IsAbsoluteUri)
        {
            // .NET does not parse an address with port -1.
            ListenOnFreePort(options, text);
            return;
        }
        var user = url.UserInfo.Split(':', 2);
        if (url.UserInfo.Length > 0 && user.Length < 2) throw new BrokerException(BrokerError.InvalidArguments, "expected user and password to be specified in the cluster's address");
        Change(options, cluster => cluster with
        {
            Host = url.Host.Length == 0 ? cluster.Host : url.Host.Trim('[', ']'),
            Port = url.Port <= 0 ? ClusterOptions.DefaultPort : url.Port,
            User = user.Length < 2 ? cluster.User : Uri.UnescapeDataString(user[0]),
            Password = user.Length < 2 ? cluster.Password : Uri.UnescapeDataString(user[1]),
        });
    }

    private static void ListenOnFreePort(BrokerOptions options, string text)
    {
        var rest = text[(text.IndexOf("://", StringComparison.Ordinal) is var at and >= 0 ? at + 3 : 0)..];
        if (HostPort.Split(rest) is not var (host, port) || port != "-1")
            throw new BrokerException(BrokerError.InvalidArguments, $"cluster address {GoQuote.Quote(text)} is not an address such as \"nats://0.0.0.0:6222\"");
        Change(options, cluster => cluster with { Host = host.Length == 0 ? cluster.Host : host, Port = BrokerOptions.RandomPort });
    }

    private static void Change(BrokerOptions options, Func<ClusterOptions, ClusterOptions> change)
        => options.Cluster = change(options.Cluster ?? new ClusterOptions { Host = "0.0.0.0", Port = 0 });
}

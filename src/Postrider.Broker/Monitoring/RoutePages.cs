namespace Postrider.Broker.Monitoring;

/// <summary>The monitoring pages of routes.</summary>
internal sealed class RoutePages(IBrokerState state)
{
    /// <summary>The page <c>/routez</c>.</summary>
    /// <param name="withSubscriptions">Whether the subjects of the other servers' subscriptions are listed.</param>
    /// <param name="inDetail">Whether the subscriptions are listed in detail instead.</param>
    internal RoutezPage ReadRoutez(bool withSubscriptions, bool inDetail)
    {
        var now = state.Options.TimeProvider.GetUtcNow();
        var routes = state.Routes(withSubscriptions || inDetail).OrderBy(static route => route.Id).Select(route => RoutezConnection.Of(route, now, inDetail)).ToList();
        return new RoutezPage
        {
            ServerId = state.ServerId,
            ServerName = state.ServerName,
            Now = now.UtcDateTime,
            Import = state.Options.Cluster?.Permissions?.Import?.ToPermitted(),
            Export = state.Options.Cluster?.Permissions?.Export?.ToPermitted(),
            Count = routes.Count,
            Connections = routes,
        };
    }

    /// <summary>The options in <c>/varz</c>.</summary>
    internal ClusterVarz ReadVarz()
    {
        if (state.Options.Cluster is not { } options) return new ClusterVarz();
        return new ClusterVarz
        {
            Name = state.ClusterName,
            Host = options.Host,
            Port = state.ClusterPort,
            AuthTimeoutSeconds = options.AuthTimeout.TotalSeconds,
            Urls = options.Routes.Count == 0 ? null : [.. options.Routes.Select(static url => RouteAddress.TryParse(url, out var address, out _) ? address.HostAndPort : "")],
            TlsTimeoutSeconds = (options.Tls ?? new()).Timeout.TotalSeconds,
            TlsRequired = options.Tls is not null,
            TlsVerify = options.Tls is not null,
            PoolSize = options.PoolSize,
            WriteDeadlineNanoseconds = (options.WriteDeadline?.Ticks ?? 0) * 100,
            WriteTimeout = options.WriteTimeout.ToText(),
            TlsCertificateNotAfter = state.ClusterCertificateNotAfter?.UtcDateTime,
        };
    }
}

namespace Postrider.Broker.Monitoring;

/// <summary>The monitoring pages of leaf nodes.</summary>
internal sealed class LeafPages(IBrokerState state)
{
    /// <summary>The page <c>/leafz</c>.</summary>
    /// <param name="account">The account whose connections are shown; empty for all.</param>
    /// <param name="withSubscriptions">Whether the other servers' subscriptions are listed.</param>
    internal LeafzPage ReadLeafz(string account, bool withSubscriptions)
    {
        var leafs = state.LeafNodes(withSubscriptions).Where(leaf => account.Length == 0 || leaf.Account == account).OrderBy(static leaf => leaf.Id).Select(LeafzConnection.Of).ToList();
        return new LeafzPage { ServerId = state.ServerId, Now = state.Options.TimeProvider.GetUtcNow().UtcDateTime, Count = leafs.Count, Connections = leafs };
    }

    /// <summary>The options in <c>/varz</c>.</summary>
    internal LeafVarz ReadVarz()
    {
        if (state.Options.LeafNodes is not { } options) return new LeafVarz();
        var remotes = options.Remotes.Select(Describe).ToList();
        if (options.Port is null) return new LeafVarz { Remotes = remotes };
        return new LeafVarz
        {
            Host = options.Host,
            Port = state.LeafNodePort,
            AuthTimeoutSeconds = options.AuthTimeout.TotalSeconds,
            TlsTimeoutSeconds = (options.Tls ?? new()).Timeout.TotalSeconds,
            TlsRequired = options.Tls is not null,
            TlsVerify = options.Tls is { RequiresCertificate: true },
            Remotes = remotes.Count == 0 ? null : remotes,
            WriteDeadlineNanoseconds = (options.WriteDeadline?.Ticks ?? 0) * 100,
            WriteTimeout = options.WriteTimeout.ToText(),
            TlsCertificateNotAfter = state.LeafNodeCertificateNotAfter?.UtcDateTime,
        };
    }

    private static LeafRemoteVarz Describe(LeafRemoteOptions remote) => new()
    {
        LocalAccount = string.IsNullOrEmpty(remote.Account) ? AccountOptions.GlobalName : remote.Account,
        Urls = [.. remote.Urls.Select(static url => LeafAddress.TryParse(url, out var address, out _) ? address.HostAndPort : "")],
        Deny = remote.DenyImports.Count + remote.DenyExports.Count == 0 ? null : new LeafDenyVarz
        {
            Exports = remote.DenyExports.Count == 0 ? null : remote.DenyExports,
            Imports = remote.DenyImports.Count == 0 ? null : remote.DenyImports,
        },
    };
}

namespace Postrider.Broker.Accounts;

/// <summary>The connection types that users can be restricted to.</summary>
internal static class ConnectionTypes
{
    public const string Standard = "STANDARD";
    public const string WebSocket = "WEBSOCKET";
    public const string LeafNode = "LEAFNODE";
    public const string LeafNodeOverWebSocket = "LEAFNODE_WS";
    public const string InProcess = "IN_PROCESS";

    /// <summary>The types of connections whose certificates are mapped to the broker's users.</summary>
    /// <param name="options">The broker's options.</param>
    public static IEnumerable<string> Mapped(BrokerOptions options)
    {
        if (options is { Listen: true, Tls.VerifyAndMap: true }) yield return Standard;
        if (options.WebSocket is { Tls.VerifyAndMap: true }) yield return WebSocket;
        if (options.LeafNodes is not { Port: not null, HasOwnUsers: false, Tls.VerifyAndMap: true }) yield break;
        yield return LeafNode;
        if (options.WebSocket is { Tls.RequiresCertificate: true }) yield return LeafNodeOverWebSocket;
    }
}

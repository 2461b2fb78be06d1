namespace Postrider.Broker;

/// <summary>The certificates of a broker's listeners. Immutable; replaced by a reload.</summary>
/// <param name="Clients">Of clients' connections; null without TLS.</param>
/// <param name="WebSocket">Of WebSocket connections; null without TLS or without the listener.</param>
/// <param name="LeafNodes">Of accepted leaf node connections; null without TLS or without the listener.</param>
/// <param name="Cluster">Of routes; null without TLS.</param>
internal sealed record BrokerCertificates(TlsMaterial? Clients, TlsMaterial? WebSocket, TlsMaterial? LeafNodes, TlsMaterial? Cluster)
{
    /// <summary>Reads the certificates that valid options name.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>: a file has changed and is invalid now.</exception>
    public static BrokerCertificates Load(BrokerOptions options) => new(Load(options.Tls), Load(options.WebSocket?.Tls), Load(options.LeafNodes?.Tls), Load(options.Cluster?.Tls));

    private static TlsMaterial? Load(ServerTlsOptions? options)
    {
        if (options is null) return null;
        return TlsMaterial.Load(options, out var problem) ?? throw new BrokerException(BrokerError.InvalidOptions, problem!);
    }
}

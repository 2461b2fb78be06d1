namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>A channel to an endpoint.</summary>
internal sealed class EndpointChannel(Uri address, RpcChannel channel)
{
    public Uri Address { get; } = address;

    public RpcChannel Channel { get; } = channel;

    /// <summary>The number of sets that have it; guarded by the lock of its <see cref="DiscoveredChannel"/>.</summary>
    public int Sets { get; set; }
}

namespace Postrider.Rpc.Hosting;

/// <summary>Creates channels for the schemes of another transport. Register it as a singleton.</summary>
public abstract class RpcChannelFactory
{
    /// <summary>The schemes, for example <c>nats</c>.</summary>
    public abstract IReadOnlyCollection<string> Schemes { get; }

    /// <summary>Creates a channel.</summary>
    /// <param name="address">The address; its scheme is one of <see cref="Schemes"/>.</param>
    /// <param name="codec">The codec.</param>
    /// <param name="settings">Timeouts and the like.</param>
    /// <returns>The channel.</returns>
    public abstract RpcChannel Create(Uri address, RpcCodec codec, RpcChannelSettings settings);
}

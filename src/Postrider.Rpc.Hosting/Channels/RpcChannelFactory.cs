using Postrider.Rpc.Hosting.Channels;

namespace Postrider.Rpc.Hosting;

/// <summary>Creates channels for the schemes of another transport. Register it as a singleton.</summary>
public abstract class RpcChannelFactory
{
    /// <summary>The schemes, for example <c>nats</c>.</summary>
    public abstract IReadOnlyCollection<string> Schemes { get; }

    /// <summary>Whether an address can be the name of a service whose endpoints the channel finds itself: it then needs no port, and the
    /// service may have several endpoints. Default false.</summary>
    public virtual bool ResolvesEndpoints => false;

    /// <summary>The factory of the transports of Postrider.Rpc, for one that resolves addresses: <c>tcp</c>, <c>tls</c>, <c>unix</c>,
    /// <c>http</c>, <c>https</c>, <c>ws</c> and <c>wss</c>.</summary>
    public static RpcChannelFactory BuiltIn => BuiltInChannelFactory.Instance;

    /// <summary>Creates a channel.</summary>
    /// <param name="address">The address; its scheme is one of <see cref="Schemes"/>.</param>
    /// <param name="codec">The codec.</param>
    /// <param name="settings">Timeouts and the like.</param>
    /// <returns>The channel.</returns>
    public abstract RpcChannel Create(Uri address, RpcCodec codec, RpcChannelSettings settings);
}

namespace Postrider.Rpc;

/// <summary>A client that serves contracts itself: it can be called while it is connected.</summary>
public sealed class RpcPeer
{
    internal RpcPeer(string name, string address, RpcChannel channel, long number) => (Name, Address, Channel, Number) = (name, address, channel, number);

    /// <summary>The name given by the client. It is not authenticated: use TLS or ASP.NET Core to check who may connect.</summary>
    public string Name { get; }

    /// <summary>The remote address of the connection.</summary>
    public string Address { get; }

    /// <summary>The channel to the client's services. Calls fail with <see cref="RpcStatus.Unavailable"/> once the connection has
    /// ended.</summary>
    public RpcChannel Channel { get; }

    /// <summary>The number of peers that connected before it.</summary>
    internal long Number { get; }
}

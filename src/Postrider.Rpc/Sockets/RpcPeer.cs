namespace Postrider.Rpc;

/// <summary>A caller that serves something itself: it can be called while its connection stands.</summary>
public sealed class RpcPeer
{
    internal RpcPeer(string name, string address, RpcChannel channel, long number) => (Name, Address, Channel, Number) = (name, address, channel, number);

    /// <summary>By what name it wants to be known. What a caller says of itself is no proof: who may connect is for TLS or ASP.NET to check.</summary>
    public string Name { get; }

    /// <summary>Where its connection comes from.</summary>
    public string Address { get; }

    /// <summary>The way to what it serves: make a contract's client of it. Calls fail with <see cref="RpcStatus.Unavailable"/> once its connection has ended.</summary>
    public RpcChannel Channel { get; }

    /// <summary>How many came before it.</summary>
    internal long Number { get; }
}

using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>Creates the transports of a channel.</summary>
internal interface IFrameTransportFactory
{
    /// <summary>A description of the remote address.</summary>
    string Address { get; }

    /// <summary>Connects.</summary>
    /// <exception cref="Exception">It cannot be: the channel makes <see cref="RpcStatus.Unavailable"/> of whatever is no <see cref="RpcException"/>.</exception>
    ValueTask<FrameTransport> ConnectAsync(CancellationToken ct);
}

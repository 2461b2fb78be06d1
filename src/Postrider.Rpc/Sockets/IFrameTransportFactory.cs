using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>Creates the transports of a channel.</summary>
internal interface IFrameTransportFactory
{
    /// <summary>A description of the remote address.</summary>
    string Address { get; }

    /// <summary>Connects.</summary>
    /// <exception cref="Exception">It failed: any exception but <see cref="RpcException"/> becomes <see cref="RpcStatus.Unavailable"/>.</exception>
    ValueTask<FrameTransport> ConnectAsync(CancellationToken ct);
}

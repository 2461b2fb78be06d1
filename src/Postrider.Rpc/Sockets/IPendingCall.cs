using System.Buffers;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A pending call that receives frames.</summary>
internal interface IPendingCall
{
    /// <summary>Handles a frame on the receiving thread. The body is valid only during the call.</summary>
    /// <returns>The work to run because of it, or null.</returns>
    IThreadPoolWorkItem? Receive(RpcFrameKind kind, FrameFlags flags, in ReadOnlySequence<byte> body);

    /// <summary>Fails the call because the connection has ended. Does not run user code.</summary>
    void Fail(RpcException reason);
}

using System.Buffers;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A call that waits for frames.</summary>
internal interface IPendingCall
{
    /// <summary>Takes a frame, on the receiving thread; the body is valid during the call only.</summary>
    /// <returns>What is to run because of it, or null.</returns>
    IThreadPoolWorkItem? Receive(FrameKind kind, FrameFlags flags, in ReadOnlySequence<byte> body);

    /// <summary>Ends it: the connection is gone. Nothing of the caller's runs within.</summary>
    void Fail(RpcException reason);
}

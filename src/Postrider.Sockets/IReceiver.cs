namespace Postrider.Sockets;

/// <summary>The protocol on a connection, which consumes the received bytes.</summary>
/// <remarks>The engines never call the methods of one connection concurrently; they call them on their own threads.</remarks>
public interface IReceiver
{
    /// <summary>Consumes received bytes.</summary>
    /// <remarks>May be called without new bytes if the last call returned because of <see cref="SendBatch.ShouldYield"/>.</remarks>
    /// <param name="input">All bytes not consumed yet, the oldest first; valid during the call only.</param>
    /// <param name="batch">Collects the output; the engine flushes it after the call.</param>
    /// <param name="neededBytes">The number of bytes that the next call needs to make progress, 0 when unknown: the engine
    /// then makes room for them.</param>
    /// <returns>The bytes consumed, 0 to the input's length; the rest is offered again together with more bytes.</returns>
    int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes);

    /// <summary>Called once after the last <see cref="Receive"/> has returned, when the connection is closed.</summary>
    /// <remarks>Later than the <see cref="Connection.Close()"/> that caused it, and never inside it; inside
    /// <see cref="Connection.Start"/> if the connection was closed by then.</remarks>
    /// <param name="reason">Why it ended.</param>
    /// <param name="error">The system's error, if there was one.</param>
    void Closed(CloseReason reason, Exception? error);
}

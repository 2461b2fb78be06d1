namespace Postrider.Sockets;

/// <summary>What stands on a connection: a protocol that eats bytes.</summary>
/// <remarks>The engines call one method at a time for one connection, on a thread of their own.</remarks>
public interface IReceiver
{
    /// <summary>Takes bytes as they came.</summary>
    /// <remarks>May be called without a new byte where the last call left with <see cref="SendBatch.ShouldYield"/>.</remarks>
    /// <param name="input">All bytes not consumed yet, the oldest first; valid during the call only.</param>
    /// <param name="batch">Collects what the bytes cause to be sent; the engine flushes it after the call.</param>
    /// <param name="neededBytes">How many bytes the front of the rest needs to make sense, 0 when unknown: the engine
    /// then makes room for so many.</param>
    /// <returns>The bytes consumed, 0 to the input's length; the rest comes again with more behind it.</returns>
    int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes);

    /// <summary>Called once, after the last <see cref="Receive"/> has returned, when the connection is over.</summary>
    /// <remarks>Later than the <see cref="Connection.Close()"/> that caused it, and never inside it; inside
    /// <see cref="Connection.Start"/> when the connection was over by then.</remarks>
    /// <param name="reason">Why it ended.</param>
    /// <param name="error">The system's error, if there was one.</param>
    void Closed(CloseReason reason, Exception? error);
}

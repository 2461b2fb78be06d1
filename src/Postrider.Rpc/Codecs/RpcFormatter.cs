using System.Buffers;

namespace Postrider.Rpc;

/// <summary>Writes and reads the messages of one type in one codec's form.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Thread-safe.</remarks>
public abstract class RpcFormatter<T>
{
    /// <summary>How long the last message was that was written whole: the next one gets as much room at once. Written by many threads, of which any may win.</summary>
    internal int ExpectedBytes { get; set; }

    /// <summary>Writes a message.</summary>
    /// <param name="output">Takes the bytes; valid during the call only.</param>
    /// <param name="value">The message.</param>
    /// <exception cref="RpcException">It cannot be written: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract void Write(IBufferWriter<byte> output, T value);

    /// <summary>Reads a message.</summary>
    /// <param name="input">All of its bytes: valid during the call only, so what is kept is copied.</param>
    /// <returns>The message.</returns>
    /// <exception cref="RpcException">The bytes are no such message: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract T Read(in ReadOnlySequence<byte> input);
}

using System.Buffers;

namespace Postrider.Rpc;

/// <summary>Writes and reads messages of one type in the format of a codec.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Thread-safe.</remarks>
public abstract class RpcFormatter<T>
{
    /// <summary>The length of the last message written as a whole, used as the initial buffer size of the next one. Written by many
    /// threads; any may win.</summary>
    internal int ExpectedBytes { get; set; }

    /// <summary>Writes a message.</summary>
    /// <param name="output">Receives the bytes; valid only during the call.</param>
    /// <param name="value">The message.</param>
    /// <exception cref="RpcException">The message cannot be written: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract void Write(IBufferWriter<byte> output, T value);

    /// <summary>Reads a message.</summary>
    /// <param name="input">All bytes of the message. Valid only during the call, so copy what you keep.</param>
    /// <returns>The message.</returns>
    /// <exception cref="RpcException">The bytes are not a valid message of the type: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract T Read(in ReadOnlySequence<byte> input);
}

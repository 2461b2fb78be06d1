using System.Buffers;
using Postrider.Rpc.Codecs;
using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>Writes and reads messages of one type in the format of a codec, for one operation.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="serializer">The serializer of the type.</param>
/// <remarks>Its methods are not virtual, so a message costs one virtual call, that of its serializer. What they add is the exception of
/// Rpc, whose message names no types because it may be sent to the other side; the serializer's own exception is its cause.
/// Thread-safe.</remarks>
public sealed class RpcFormatter<T>(Serializer<T> serializer)
{
    /// <summary>The serializer.</summary>
    public Serializer<T> Serializer => serializer;

    /// <summary>The length of the last message written as a whole, used as the initial buffer size of the next one. Written by many
    /// threads; any value may win.</summary>
    internal int ExpectedBytes { get; set; }

    /// <summary>Writes a message.</summary>
    /// <param name="output">Receives the bytes; valid only during the call.</param>
    /// <param name="value">The message.</param>
    /// <exception cref="RpcException">The message cannot be written: <see cref="RpcStatus.InvalidData"/>.</exception>
    public void Write(IBufferWriter<byte> output, T value)
    {
        try
        {
            serializer.Write(output, value);
        }
        catch (SerializerException bad)
        {
            throw CodecErrors.From(bad);
        }
    }

    /// <summary>Reads a message.</summary>
    /// <param name="input">All bytes of the message. Valid only during the call, so copy what you keep.</param>
    /// <returns>The message.</returns>
    /// <exception cref="RpcException">The bytes are not a valid message of the type: <see cref="RpcStatus.InvalidData"/>.</exception>
    public T Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            return serializer.Read(input);
        }
        catch (SerializerException bad)
        {
            throw CodecErrors.From(bad);
        }
    }
}

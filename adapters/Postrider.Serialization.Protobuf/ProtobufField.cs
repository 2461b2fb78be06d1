using System.Buffers;
using Google.Protobuf;

namespace Postrider.Serialization.Protobuf;

/// <summary>A value as a field of a message.</summary>
/// <typeparam name="T">The value.</typeparam>
/// <remarks>Thread-safe. Source: Protobuf's encoding.</remarks>
internal abstract class ProtobufField<T>
{
    /// <summary>The value of a field that was not sent.</summary>
    public abstract T Default { get; }

    /// <summary>Writes the field; nothing if the value is the default.</summary>
    public abstract void Write(IBufferWriter<byte> output, int number, T value);

    /// <summary>Reads the value after the field's tag.</summary>
    /// <exception cref="FormatException">The bytes are not a value of the field.</exception>
    /// <exception cref="InvalidProtocolBufferException">The bytes are not a message.</exception>
    public abstract T Read(ref ProtobufReader reader, int wireType);
}

using System.Buffers;
using Postrider.Serialization.Protobuf;

namespace Postrider.Rpc.Protobuf;

/// <summary>Parameters as fields of one message.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface IProtobufFields<T>
{
    /// <summary>The parameters when nothing was sent.</summary>
    T Default { get; }

    void WriteFields(IBufferWriter<byte> output, int number, in T value);

    /// <summary>Reads a field's value when its number is one of these.</summary>
    bool TryRead(int number, ref ProtobufReader reader, int wireType, ref T value);
}

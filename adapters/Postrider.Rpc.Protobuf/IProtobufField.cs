namespace Postrider.Rpc.Protobuf;

/// <summary>A formatter whose value can stand as a field of a message.</summary>
/// <typeparam name="T">The value.</typeparam>
internal interface IProtobufField<T>
{
    ProtobufField<T> Field { get; }
}

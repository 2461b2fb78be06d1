namespace Postrider.Serialization.Protobuf;

/// <summary>A serializer whose value can be a field of a message.</summary>
/// <typeparam name="T">The value.</typeparam>
internal interface IProtobufField<T>
{
    ProtobufField<T> Field { get; }
}

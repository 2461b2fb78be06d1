namespace Postrider.Client;

/// <summary>Finds the serializer of a type.</summary>
/// <remarks>Thread-safe.</remarks>
public interface IPayloadSerializerRegistry
{
    /// <summary>The serializer of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>A serializer.</returns>
    /// <exception cref="NatsClientException">There is none: <see cref="NatsErrorCode.NoSerializer"/>.</exception>
    IPayloadSerializer<T> Get<T>();
}

namespace Postrider.Client;

/// <summary>Provides serializers by type.</summary>
/// <remarks>Thread-safe.</remarks>
public interface IPayloadSerializerRegistry
{
    /// <summary>Gets the serializer of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>A serializer.</returns>
    /// <exception cref="NatsClientException">It does not exist: <see cref="NatsErrorCode.NoSerializer"/>.</exception>
    IPayloadSerializer<T> Get<T>();
}

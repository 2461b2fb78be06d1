using System.Collections.Concurrent;
using Postrider.Serialization;

namespace Postrider.Client.Payloads;

/// <summary>The serializers of a session, each created once: bytes and text are sent unchanged, the application's types by its provider.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class PayloadSerializers(ISerializerProvider? provider)
{
    private readonly ConcurrentDictionary<Type, object> _known = new();

    /// <exception cref="NatsClientException">There is no serializer for the type: <see cref="NatsErrorCode.NoSerializer"/>.</exception>
    public Serializer<T> Get<T>()
        => Raw<T>.Serializer ?? (_known.TryGetValue(typeof(T), out var known) ? (Serializer<T>)known : Add<T>());

    private Serializer<T> Add<T>()
    {
        try
        {
            return (Serializer<T>)_known.GetOrAdd(typeof(T), provider?.Find<T>() ?? throw Missing(typeof(T), provider));
        }
        catch (SerializerException unsupported)
        {
            throw new NatsClientException(NatsErrorCode.NoSerializer, unsupported.Message, unsupported);
        }
    }

    private static NatsClientException Missing(Type type, ISerializerProvider? provider) => new(
        NatsErrorCode.NoSerializer,
        provider is null
            ? $"No serializer for {type}. Set ClientOptions.Serializers to a provider whose context includes the type, such as a JsonSerializerProvider, or pass a serializer to the call."
            : $"The serializers of {provider.ContentType} in ClientOptions.Serializers do not support {type}. Add the type to their context, or pass a serializer to the call.");

    private static class Raw<T>
    {
        public static readonly Serializer<T>? Serializer = BytesSerializerProvider.Instance.Find<T>() ?? TextSerializerProvider.Instance.Find<T>();
    }
}

namespace Postrider.Serialization;

/// <summary>Methods of every <see cref="ISerializerProvider"/>.</summary>
public static class SerializerProviderExtensions
{
    /// <summary>Gets the serializer of a type, or throws.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="provider">The provider.</param>
    /// <returns>The serializer.</returns>
    /// <exception cref="SerializerException"><see cref="SerializerError.NoSerializer"/>: there is no serializer for the type.</exception>
    public static Serializer<T> Get<T>(this ISerializerProvider provider)
    {
        ArgumentNullException.ThrowIfNull(provider);
        return provider.Find<T>() ?? throw SerializerException.NoSerializer(typeof(T), provider.ContentType, "Add the type to its context.");
    }
}

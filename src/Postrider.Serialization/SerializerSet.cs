namespace Postrider.Serialization;

/// <summary>Several formats: received values are read by their content type, and sent values use the first format that supports their type.</summary>
/// <remarks><c>new SerializerSet(new JsonSerializerProvider(OrderJson.Default), new MessagePackSerializerProvider(Messages.Default))</c>
/// sends JSON and also understands MessagePack. Thread-safe.</remarks>
public sealed class SerializerSet : ISerializerProvider
{
    private readonly ISerializerProvider[] _providers;

    /// <summary>Creates a set.</summary>
    /// <param name="providers">The formats, preferred first; at least one. The formats of a set among them are added one by one.</param>
    public SerializerSet(params IReadOnlyList<ISerializerProvider> providers)
    {
        ArgumentNullException.ThrowIfNull(providers);
        _providers = [.. providers.SelectMany(static provider => provider is SerializerSet set ? set.Providers : [provider])];
        if (_providers.Length == 0)
            throw new ArgumentException("A set of serializers needs at least one format.", nameof(providers));
    }

    /// <summary>The formats, preferred first.</summary>
    public IReadOnlyList<ISerializerProvider> Providers => _providers;

    /// <summary>The media type of the first format.</summary>
    public string ContentType => _providers[0].ContentType;

    /// <inheritdoc/>
    public bool Accepts(ReadOnlySpan<char> mediaType)
    {
        foreach (var provider in _providers)
        {
            if (provider.Accepts(mediaType))
                return true;
        }

        return false;
    }

    /// <summary>Gets the serializer of a type in the first format that supports it.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The serializer; null if no format supports the type.</returns>
    public Serializer<T>? Find<T>()
    {
        foreach (var provider in _providers)
        {
            if (provider.Find<T>() is { } serializer)
                return serializer;
        }

        return null;
    }
}

using Postrider.Serialization.Raw;

namespace Postrider.Serialization;

/// <summary>Strings as UTF-8, and numbers and Guids as their invariant text.</summary>
/// <remarks>Supports <see cref="string"/>, <see cref="int"/>, <see cref="uint"/>, <see cref="long"/>, <see cref="ulong"/>,
/// <see cref="double"/>, <see cref="decimal"/> and <see cref="Guid"/>. In a string, bytes that are not valid UTF-8 are read as U+FFFD.
/// Thread-safe.</remarks>
public sealed class TextSerializerProvider : ISerializerProvider
{
    internal const string MediaType = "text/plain";

    private TextSerializerProvider()
    {
    }

    /// <summary>The shared instance.</summary>
    public static TextSerializerProvider Instance { get; } = new();

    /// <inheritdoc/>
    public string ContentType => MediaType;

    /// <inheritdoc/>
    public bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(MediaType, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public Serializer<T>? Find<T>() => Of<T>.Serializer;

    private static object? Create(Type type)
    {
        if (type == typeof(string)) return new Utf8Serializer();
        if (type == typeof(int)) return new TextSerializer<int>();
        if (type == typeof(uint)) return new TextSerializer<uint>();
        if (type == typeof(long)) return new TextSerializer<long>();
        if (type == typeof(ulong)) return new TextSerializer<ulong>();
        if (type == typeof(double)) return new TextSerializer<double>();
        if (type == typeof(decimal)) return new TextSerializer<decimal>();
        if (type == typeof(Guid)) return new TextSerializer<Guid>();
        return null;
    }

    private static class Of<T>
    {
        public static readonly Serializer<T>? Serializer = (Serializer<T>?)Create(typeof(T));
    }
}

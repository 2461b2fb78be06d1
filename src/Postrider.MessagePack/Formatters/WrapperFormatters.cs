using System.Runtime.CompilerServices;

namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters that wrap another one.</summary>
public static class WrapperFormatters
{
    /// <summary>A value or nil.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct Nullable<T, TFormatter> : IMessagePackFormatter<T?>
        where T : struct
        where TFormatter : struct, IMessagePackFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, T? value)
        {
            if (value is { } known)
                default(TFormatter).Write(ref writer, known);
            else
                writer.WriteNil();
        }

        /// <inheritdoc/>
        public T? Read(ref MessagePackReader reader) => reader.TryReadNil() ? null : default(TFormatter).Read(ref reader);
    }

    /// <summary>An enumeration as its underlying integer.</summary>
    /// <typeparam name="T">The enumeration.</typeparam>
    /// <typeparam name="TNumber">Its underlying type.</typeparam>
    /// <typeparam name="TFormatter">The formatter of the underlying type.</typeparam>
    public readonly struct Enumeration<T, TNumber, TFormatter> : IMessagePackFormatter<T>
        where T : struct, Enum
        where TNumber : struct
        where TFormatter : struct, IMessagePackFormatter<TNumber>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, T value) => default(TFormatter).Write(ref writer, Unsafe.BitCast<T, TNumber>(value));

        /// <inheritdoc/>
        public T Read(ref MessagePackReader reader) => Unsafe.BitCast<TNumber, T>(default(TFormatter).Read(ref reader));
    }
}

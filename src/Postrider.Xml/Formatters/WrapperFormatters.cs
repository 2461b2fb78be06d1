using System.Runtime.CompilerServices;
using Postrider.Xml.Elements;

namespace Postrider.Xml.Formatters;

/// <summary>Formatters that wrap another one or a table.</summary>
public static class WrapperFormatters
{
    /// <summary>A value or null.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TFormatter">The formatter of its items.</typeparam>
    public readonly struct Nullable<T, TFormatter> : IXmlFormatter<T?>
        where T : struct
        where TFormatter : struct, IXmlFormatter<T>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, T? value)
        {
            if (value is { } known)
                default(TFormatter).Write(ref writer, known);
            else
                writer.WriteNil();
        }

        /// <inheritdoc/>
        public T? Read(ref ElementReader reader) => reader.TryReadNil() ? null : default(TFormatter).Read(ref reader);
    }

    /// <summary>Writes an enumeration by its names.</summary>
    /// <typeparam name="T">The enumeration.</typeparam>
    /// <typeparam name="TNames">Its names.</typeparam>
    public readonly struct Enumeration<T, TNames> : IXmlFormatter<T>
        where T : struct, Enum
        where TNames : struct, IXmlNames
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, T value)
        {
            var number = ToNumber(value);
            var at = TNames.Values.IndexOf(number);
            if (at >= 0)
                writer.WriteRaw(TNames.Names[at]);
            else if (TNames.IsFlags)
                WriteFlags(ref writer, number);
            else
                ThrowHelper.Throw(XmlError.InvalidValue, $"{number} is not a value of its enumeration.");
        }

        /// <inheritdoc/>
        public T Read(ref ElementReader reader)
        {
            var start = reader.Position;
            var text = reader.Trimmed(out var rented);
            ulong value = 0;
            if (text.IsEmpty && !TNames.IsFlags)
                ThrowHelper.InvalidValue(start, text, typeof(T).Name);
            foreach (var range in TNames.IsFlags ? text.Split((byte)' ') : text.Split((byte)0))
            {
                var at = IndexOf(TNames.Names, text[range]);
                if (at < 0 && !text.IsEmpty)
                    ThrowHelper.InvalidValue(start, text, typeof(T).Name);
                value |= at < 0 ? 0 : TNames.Values[at];
            }

            ElementReader.Return(rented);
            return FromNumber(value);
        }

        private static int IndexOf(ReadOnlySpan<byte[]> names, ReadOnlySpan<byte> name)
        {
            for (var i = 0; i < names.Length; i++)
            {
                if (name.SequenceEqual(names[i]))
                    return i;
            }

            return -1;
        }

        private static void WriteFlags(ref ElementWriter writer, ulong number)
        {
            var rest = number;
            for (var i = TNames.Values.Length - 1; i >= 0; i--)
            {
                if (TNames.Values[i] is var flag && flag != 0 && (rest & flag) == flag)
                    rest &= ~flag;
            }

            if (rest != 0)
                ThrowHelper.Throw(XmlError.InvalidValue, $"{number} is not a combination of the values of its enumeration.");
            rest = number;
            var isFirst = true;
            for (var i = 0; i < TNames.Values.Length && rest != 0; i++)
            {
                if (TNames.Values[i] is not (var flag and not 0) || (rest & flag) != flag)
                    continue;
                if (!isFirst)
                    writer.WriteRaw(" "u8);
                writer.WriteRaw(TNames.Names[i]);
                rest &= ~flag;
                isFirst = false;
            }
        }

        private static ulong ToNumber(T value) => Unsafe.SizeOf<T>() switch
        {
            1 => Unsafe.BitCast<T, byte>(value),
            2 => Unsafe.BitCast<T, ushort>(value),
            4 => Unsafe.BitCast<T, uint>(value),
            _ => Unsafe.BitCast<T, ulong>(value),
        };

        private static T FromNumber(ulong number) => Unsafe.SizeOf<T>() switch
        {
            1 => Unsafe.BitCast<byte, T>((byte)number),
            2 => Unsafe.BitCast<ushort, T>((ushort)number),
            4 => Unsafe.BitCast<uint, T>((uint)number),
            _ => Unsafe.BitCast<ulong, T>(number),
        };
    }
}

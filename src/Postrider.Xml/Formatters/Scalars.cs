using System.Numerics;
using System.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Xml.Formatters;

/// <summary>Formatters of scalars, in the lexical forms of XML Schema.</summary>
public static class Scalars
{
    /// <summary>An integer of any size.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    public readonly struct Integer<T> : IXmlFormatter<T>
        where T : struct, IBinaryInteger<T>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, T value) => writer.WriteFormatted(value);

        /// <inheritdoc/>
        public T Read(ref ElementReader reader) => reader.ReadInteger<T>();
    }

    /// <summary>A floating-point number.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    public readonly struct Float<T> : IXmlFormatter<T>
        where T : struct, IFloatingPointIeee754<T>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, T value)
        {
            if (T.IsInfinity(value))
                writer.WriteRaw(T.IsNegative(value) ? "-INF"u8 : "INF"u8);
            else
                writer.WriteFormatted(value, "R");
        }

        /// <inheritdoc/>
        public T Read(ref ElementReader reader) => reader.ReadFloat<T>();
    }

    /// <summary>A decimal number.</summary>
    public readonly struct Decimal : IXmlFormatter<decimal>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, decimal value) => writer.WriteDecimal(value);

        /// <inheritdoc/>
        public decimal Read(ref ElementReader reader) => reader.ReadDecimal();
    }

    /// <summary>True or false.</summary>
    public readonly struct Boolean : IXmlFormatter<bool>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, bool value) => writer.WriteRaw(value ? "true"u8 : "false"u8);

        /// <inheritdoc/>
        public bool Read(ref ElementReader reader) => reader.ReadBoolean();
    }

    /// <summary>A character as its number.</summary>
    public readonly struct Char : IXmlFormatter<char>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, char value) => writer.WriteFormatted((ushort)value);

        /// <inheritdoc/>
        public char Read(ref ElementReader reader) => (char)reader.ReadInteger<ushort>();
    }

    /// <summary>A Guid.</summary>
    public readonly struct Guid : IXmlFormatter<System.Guid>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.Guid value) => writer.WriteFormatted(value);

        /// <inheritdoc/>
        public System.Guid Read(ref ElementReader reader) => reader.ReadGuid();
    }

    /// <summary>A date and time: with Z when it is universal, with the zone when it is local, otherwise with neither.</summary>
    public readonly struct DateTime : IXmlFormatter<System.DateTime>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.DateTime value) => writer.WriteTime(value);

        /// <inheritdoc/>
        public System.DateTime Read(ref ElementReader reader) => reader.ReadDateTime();
    }

    /// <summary>A date.</summary>
    public readonly struct DateOnly : IXmlFormatter<System.DateOnly>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.DateOnly value) => writer.WriteFormatted(value, "yyyy-MM-dd");

        /// <inheritdoc/>
        public System.DateOnly Read(ref ElementReader reader) => reader.ReadParsed(static text => System.DateOnly.ParseExact(text, "yyyy-MM-dd"));
    }

    /// <summary>A time of day.</summary>
    public readonly struct TimeOnly : IXmlFormatter<System.TimeOnly>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.TimeOnly value) => writer.WriteFormatted(value, "HH:mm:ss.FFFFFFF");

        /// <inheritdoc/>
        public System.TimeOnly Read(ref ElementReader reader) => reader.ReadParsed(static text => System.TimeOnly.ParseExact(text, "HH:mm:ss.FFFFFFF"));
    }

    /// <summary>A duration.</summary>
    public readonly struct TimeSpan : IXmlFormatter<System.TimeSpan>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.TimeSpan value) => writer.WriteText(XmlConvert.ToString(value));

        /// <inheritdoc/>
        public System.TimeSpan Read(ref ElementReader reader) => reader.ReadParsed(XmlConvert.ToTimeSpan);
    }

    /// <summary>A time and its zone in the form of that type's data contract: the instant and the offset in minutes.</summary>
    public readonly struct DateTimeOffset : IXmlFormatter<System.DateTimeOffset>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.DateTimeOffset value)
        {
            var outer = writer.Enter("http://schemas.datacontract.org/2004/07/System"u8);
            writer.Start("DateTime"u8);
            default(DateTime).Write(ref writer, value.UtcDateTime);
            writer.End("DateTime"u8);
            writer.Start("OffsetMinutes"u8);
            writer.WriteFormatted((short)value.Offset.TotalMinutes);
            writer.End("OffsetMinutes"u8);
            writer.Leave(outer);
        }

        /// <inheritdoc/>
        public System.DateTimeOffset Read(ref ElementReader reader)
        {
            System.DateTime time = default;
            short minutes = 0;
            ulong seen = 0;
            var start = reader.Position;
            var element = reader.Enter();
            while (reader.MoveToChild(element))
            {
                if (reader.LocalName.SequenceEqual("DateTime"u8))
                {
                    reader.CheckDuplicate(ref seen, 0);
                    time = reader.ReadDateTime();
                }
                else if (reader.LocalName.SequenceEqual("OffsetMinutes"u8))
                {
                    reader.CheckDuplicate(ref seen, 1);
                    minutes = reader.ReadInteger<short>();
                }
                else
                {
                    reader.Skip();
                }
            }

            reader.Require(seen, 3, "DateTimeOffset", "DateTime OffsetMinutes");
            var instant = time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : System.DateTime.SpecifyKind(time, DateTimeKind.Utc);
            var offset = System.TimeSpan.FromMinutes(minutes);
            if (Math.Abs((int)minutes) > 14 * 60 || (instant.Ticks + offset.Ticks) is var ticks && (ticks < 0 || ticks > System.DateTime.MaxValue.Ticks))
                ThrowHelper.Throw(XmlError.InvalidValue, $"The DateTimeOffset at byte {start} is out of range.", start);
            return new System.DateTimeOffset(instant).ToOffset(offset);
        }
    }

    /// <summary>A text, or null.</summary>
    public readonly struct Text : IXmlFormatter<string>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, string value)
        {
            if (value is null)
                writer.WriteNil();
            else
                writer.WriteText(value);
        }

        /// <inheritdoc/>
        public string Read(ref ElementReader reader) => reader.ReadString()!;
    }

    /// <summary>An address, or null.</summary>
    public readonly struct Uri : IXmlFormatter<System.Uri>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, System.Uri value)
        {
            if (value is null)
                writer.WriteNil();
            else
                writer.WriteText(value.GetComponents(UriComponents.SerializationInfoString, UriFormat.UriEscaped));
        }

        /// <inheritdoc/>
        public System.Uri Read(ref ElementReader reader)
            => reader.TryReadNil() ? null! : reader.ReadParsed(static text => new System.Uri(text, UriKind.RelativeOrAbsolute));
    }

    /// <summary>Bytes in base 64, or null.</summary>
    public readonly struct Bytes : IXmlFormatter<byte[]>
    {
        /// <inheritdoc/>
        public void Write(ref ElementWriter writer, byte[] value)
        {
            if (value is null)
                writer.WriteNil();
            else
                writer.WriteBytes(value);
        }

        /// <inheritdoc/>
        public byte[] Read(ref ElementReader reader) => reader.ReadBase64()!;
    }
}

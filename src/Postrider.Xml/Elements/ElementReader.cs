// Hot path: a message's bytes -> this -> generated formatter. Allocations: none except the texts that are read.
using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Unicode;
using System.Xml;

namespace Postrider.Xml.Elements;

/// <summary>Reads elements from a whole document in UTF-8.</summary>
/// <remarks>
/// Shape: the reader is at an element's start after <see cref="MoveToRoot"/> or <see cref="MoveToChild"/>; then its value is read, or it
/// is skipped, or it is entered and the reader moves to its children, one after another, until there are none left. Comments are
/// skipped, and so are processing instructions outside the root; a document type is rejected, and with it every entity other than the
/// five predefined ones. The caller has to bound the size of the input. Not thread-safe. Source: XML 1.0 (fifth edition), Namespaces in XML 1.0.
/// </remarks>
public ref struct ElementReader
{
    private static readonly SearchValues<byte> s_notInXml = SearchValues.Create(
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]);

    private readonly int _maxDepth;
    private readonly XmlAttachments? _attachments;
    private readonly bool _isAscii;
    private XmlTokenizer _scan;
    private int _depth;

    /// <summary>Starts before the document.</summary>
    /// <param name="input">The document in UTF-8, with or without a byte order mark.</param>
    /// <param name="limits">The limits; null for <see cref="XmlLimits.Default"/>.</param>
    /// <param name="attachments">Resolves references in place of base64; null if there are none.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.InvalidText"/>: it is not UTF-8, or contains a character that XML does not
    /// allow.</exception>
    public ElementReader(ReadOnlySpan<byte> input, XmlLimits? limits = null, XmlAttachments? attachments = null)
    {
        _scan = new XmlTokenizer(input);
        _attachments = attachments;
        _maxDepth = (limits ?? XmlLimits.Default).MaxDepth;
        var control = input.IndexOfAny(s_notInXml);
        if (control >= 0)
            ThrowHelper.Control(input, control);
        _isAscii = Ascii.IsValid(input);
        if (!_isAscii && !Utf8.IsValid(input))
            ThrowHelper.NotUtf8(input);
    }

    /// <summary>Number of bytes read.</summary>
    public readonly int Position => _scan.Position;

    /// <summary>The local name of the element at the reader's position.</summary>
    public readonly ReadOnlySpan<byte> LocalName => _scan.At(_scan.LocalName);

    /// <summary>The namespace of the element at the reader's position, as written; empty for none.</summary>
    public readonly ReadOnlySpan<byte> Namespace => _scan.At(_scan.Namespace);

    /// <summary>Whether the element at the reader's position is null.</summary>
    public readonly bool IsNil => _scan.AttributeCount > 0 && _scan.TryGetAttribute("nil"u8, "http://www.w3.org/2001/XMLSchema-instance"u8, out var value) && (value.SequenceEqual("true"u8) || value.SequenceEqual("1"u8));

    /// <summary>Moves to the root element.</summary>
    /// <exception cref="XmlDataException">There is no root element.</exception>
    public void MoveToRoot()
    {
        if (_scan.Input.StartsWith("\uFEFF"u8))
            _scan.Position = 3;
        _scan.Declaration();
        if (!_scan.MoveToMarkup(isOutside: true))
            ThrowHelper.EndOfInput(_scan.Position);
        if (_scan.Peek(1) == '/')
            ThrowHelper.NotWellFormed(_scan.Position, "End tag without its element");
        _scan.StartTag();
    }

    /// <summary>Checks that nothing follows the root element.</summary>
    /// <exception cref="XmlDataException">Something follows.</exception>
    public void MoveToEnd()
    {
        if (_scan.MoveToMarkup(isOutside: true))
            ThrowHelper.Throw(XmlError.TrailingData, $"Unexpected content after the root element at byte {_scan.Position}.", _scan.Position);
    }

    /// <summary>Whether the element at the reader's position has this name.</summary>
    /// <param name="name">The local name.</param>
    /// <param name="space">The namespace; empty for none.</param>
    /// <returns>True when both match.</returns>
    public readonly bool Is(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space) => _scan.At(_scan.LocalName).SequenceEqual(name) && IsIn(space);

    /// <summary>Whether the element at the reader's position is in this namespace.</summary>
    /// <param name="space">The namespace; empty for none.</param>
    /// <returns>True when it is.</returns>
    public readonly bool IsIn(ReadOnlySpan<byte> space) => XmlTokenizer.IsSame(_scan.At(_scan.Namespace), space);

    /// <summary>Enters the element at the reader's position.</summary>
    /// <returns>The token for <see cref="MoveToChild"/>.</returns>
    /// <exception cref="XmlDataException"><see cref="XmlError.TooDeep"/>.</exception>
    public OpenElement Enter()
    {
        if (++_depth > _maxDepth)
            ThrowHelper.Throw(XmlError.TooDeep, $"The element at byte {_scan.Name.At} is nested deeper than MaxDepth {_maxDepth}.", _scan.Name.At);
        return new OpenElement(_scan.Name.At, _scan.Name.Bytes, _scan.OuterBindings, _scan.IsEmpty);
    }

    /// <summary>Moves to the next child of an element that was entered. The previous child must have been read or skipped.</summary>
    /// <param name="element">The element.</param>
    /// <returns>False if there is none: the element has ended, and the reader is after it.</returns>
    /// <exception cref="XmlDataException">The element contains text, or is not well-formed.</exception>
    public bool MoveToChild(in OpenElement element)
    {
        if (!element.IsEmpty && !_scan.TryEndTag(0, element.NameAt, element.NameBytes))
        {
            if (!_scan.MoveToMarkup(isOutside: false))
                ThrowHelper.EndOfInput(_scan.Position);
            if (_scan.Peek(1) != '/')
            {
                _scan.StartTag();
                return true;
            }

            _scan.EndTag(_scan.Input.Slice(element.NameAt, element.NameBytes));
        }

        _depth--;
        _scan.ReturnTo(element.Bindings);
        return false;
    }

    /// <summary>Moves to the next child of an element that was entered when it is the one expected, as <see cref="MoveToChild"/> would.</summary>
    /// <param name="element">The element.</param>
    /// <param name="name">The child's local name.</param>
    /// <param name="space">Its namespace; empty for none.</param>
    /// <returns>False if it is another one, or is written in a form that the fast path does not recognize: then call
    /// <see cref="MoveToChild"/>.</returns>
    public bool TryMoveTo(in OpenElement element, ReadOnlySpan<byte> name, ReadOnlySpan<byte> space) => !element.IsEmpty && _scan.TryStartTag(name, space);

    /// <summary>Skips the element at the reader's position.</summary>
    public void Skip()
    {
        var element = Enter();
        if (element.IsEmpty)
        {
            MoveToChild(element);
            return;
        }

        while (true)
        {
            // Text may occur among the children of an unknown element.
            var next = _scan.Input[_scan.Position..].IndexOf((byte)'<');
            if (next < 0)
                ThrowHelper.EndOfInput(_scan.Input.Length);
            XmlTokenizer.References(_scan.Input.Slice(_scan.Position, next), _scan.Position);
            _scan.Position += next;
            if (_scan.Peek(1) == '!' && _scan.Input[_scan.Position..].StartsWith("<![CDATA["u8))
                _scan.CData();
            else if (_scan.Input[_scan.Position..].StartsWith("<!--"u8))
                _scan.Comment();
            else if (!MoveToChild(element))
                return;
            else
                Skip();
        }
    }

    /// <summary>Skips the element at the reader's position when it is null.</summary>
    /// <returns>True when it was null.</returns>
    public bool TryReadNil()
    {
        if (!IsNil)
            return false;
        Skip();
        return true;
    }

    /// <summary>Reads an attribute of the element at the reader's position.</summary>
    /// <param name="name">Its local name.</param>
    /// <param name="space">Its namespace; empty for none.</param>
    /// <param name="value">Its value as written; entities are not decoded.</param>
    /// <returns>False if there is none.</returns>
    public readonly bool TryGetAttribute(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space, out ReadOnlySpan<byte> value)
        => _scan.TryGetAttribute(name, space, out value);

    /// <summary>Reads the type that the element at the reader's position declares.</summary>
    /// <param name="name">The type's local name.</param>
    /// <param name="space">The namespace of that name, as written.</param>
    /// <returns>False if it declares none.</returns>
    public readonly bool TryGetType(out ReadOnlySpan<byte> name, out ReadOnlySpan<byte> space) => _scan.TryGetType(out name, out space);

    /// <summary>Rejects a second element with the same name.</summary>
    /// <param name="seen">One bit per member.</param>
    /// <param name="number">The member's bit.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.DuplicateElement"/>: the element occurred before.</exception>
    public readonly void CheckDuplicate(ref ulong seen, int number)
    {
        var bit = 1UL << number;
        if ((seen & bit) != 0)
            IsTwice();
        seen |= bit;
    }

    /// <summary>Reports required members that are missing.</summary>
    /// <param name="seen">One bit per member that was read.</param>
    /// <param name="required">One bit per required member.</param>
    /// <param name="type">The type.</param>
    /// <param name="names">The members' names, separated by spaces.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.MissingElement"/>: a required member is missing.</exception>
    public readonly void Require(ulong seen, ulong required, string type, string names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if ((required & ~seen) is var missing and not 0)
            ThrowHelper.Throw(XmlError.MissingElement, $"{type}, which ends at byte {_scan.Position}, has no {names.Split(' ')[System.Numerics.BitOperations.TrailingZeroCount(missing)]}.", _scan.Position);
    }

    /// <summary>Rejects the type that the element at the reader's position declares.</summary>
    /// <param name="type">The expected type, or its base.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.UnknownType"/>, always.</exception>
    public readonly void RefuseType(string type)
    {
        TryGetType(out var name, out var space);
        ThrowHelper.Throw(XmlError.UnknownType, name.IsEmpty
            ? $"{type} at byte {_scan.Name.At} is abstract, and the element has no type attribute."
            : $"'{ThrowHelper.Shown(name)}' of the namespace '{ThrowHelper.Shown(space)}' at byte {_scan.Name.At} is not a known type of {type}.", _scan.Name.At);
    }

    /// <summary>Describes the element at the reader's position.</summary>
    /// <returns>Its name and namespace.</returns>
    public readonly string Describe()
        => _scan.Namespace.Bytes == 0 ? $"'{ThrowHelper.Shown(LocalName)}'" : $"'{ThrowHelper.Shown(LocalName)}' of the namespace '{ThrowHelper.Shown(Namespace)}'";

    /// <summary>Reads the text of the element at the reader's position.</summary>
    /// <returns>The text; null when the element is nil.</returns>
    /// <exception cref="XmlDataException">The element contains elements.</exception>
    public string? ReadString()
    {
        if (IsNil)
        {
            Skip();
            return null;
        }

        var text = Text(out var rented);
        var value = text.IsEmpty ? "" : _isAscii && rented is null ? Encoding.Latin1.GetString(text) : Encoding.UTF8.GetString(text);
        Return(rented);
        return value;
    }

    /// <summary>Reads the text of the element at the reader's position, or skips an element that contains anything else.</summary>
    /// <param name="text">The text.</param>
    /// <returns>False if it contained anything else, or is null.</returns>
    public bool TryReadText(out string text)
    {
        var next = _scan.IsEmpty ? 0 : _scan.Input[_scan.Position..].IndexOf((byte)'<');
        if (next >= 0 && !IsNil && (_scan.IsEmpty || _scan.Peek(next + 1) == '/'))
        {
            text = ReadString() ?? "";
            return true;
        }

        Skip();
        text = "";
        return false;
    }

    /// <summary>Reads an integer.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <returns>The integer.</returns>
    public T ReadInteger<T>()
        where T : IBinaryInteger<T>
    {
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        if (!ScalarText.TryReadInteger<T>(text, out var value) && !T.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value))
            ThrowHelper.InvalidValue(start, text, typeof(T).Name);
        Return(rented);
        return value;
    }

    /// <summary>Reads a decimal number.</summary>
    /// <returns>The number.</returns>
    public decimal ReadDecimal()
    {
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        if (!ScalarText.TryReadDecimal(text, out var value)
            && !decimal.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value))
            ThrowHelper.InvalidValue(start, text, "decimal");
        Return(rented);
        return value;
    }

    /// <summary>Reads a floating-point number.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <returns>The number.</returns>
    public T ReadFloat<T>()
        where T : struct, IFloatingPointIeee754<T>
    {
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        T value;
        if (text.SequenceEqual("INF"u8))
            value = T.PositiveInfinity;
        else if (text.SequenceEqual("-INF"u8))
            value = T.NegativeInfinity;
        else if (text.SequenceEqual("NaN"u8))
            value = T.NaN;
        else if (text.IsEmpty || text[^1] is not ((>= (byte)'0' and <= (byte)'9') or (byte)'.') || !T.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value))
            value = T.CreateTruncating(Refuse(text, start, typeof(T).Name));
        Return(rented);
        return value;
    }

    /// <summary>Reads a boolean.</summary>
    /// <returns>The boolean.</returns>
    public bool ReadBoolean()
    {
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        var isTrue = text.SequenceEqual("true"u8) || text.SequenceEqual("1"u8);
        if (!isTrue && !text.SequenceEqual("false"u8) && !text.SequenceEqual("0"u8))
            ThrowHelper.InvalidValue(start, text, "boolean");
        Return(rented);
        return isTrue;
    }

    /// <summary>Reads a Guid.</summary>
    /// <returns>The Guid.</returns>
    public Guid ReadGuid()
    {
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        if (!ScalarText.TryReadGuid(text, out var value))
            ThrowHelper.InvalidValue(start, text, "Guid");
        Return(rented);
        return value;
    }

    /// <summary>Reads bytes in base 64; null when the element is nil.</summary>
    /// <returns>The bytes.</returns>
    public byte[]? ReadBase64()
    {
        if (IsNil)
        {
            Skip();
            return null;
        }

        if (_attachments is not null && IsBeforeElement())
            return ReadInclude();
        var start = _scan.Position;
        var text = Text(out var rented);
        var bytes = new byte[Base64.GetMaxDecodedFromUtf8Length(text.Length)];
        if (Base64.DecodeFromUtf8(text, bytes, out var read, out var written) != OperationStatus.Done || !text[read..].TrimStart(" \t\r\n"u8).IsEmpty)
            ThrowHelper.InvalidValue(start, text, "base 64");
        Return(rented);
        return written == bytes.Length ? bytes : bytes[..written];
    }

    /// <summary>Reads a value with one of .NET's XML conversions.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="parse">The conversion; it may throw <see cref="FormatException"/>.</param>
    /// <returns>The value.</returns>
    public T ReadParsed<T>(Func<string, T> parse)
    {
        ArgumentNullException.ThrowIfNull(parse);
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        var value = ScalarText.Parse(text, parse, start);
        Return(rented);
        return value;
    }

    /// <summary>Reads a date and time: with a zone it is that instant, without one it is unspecified.</summary>
    /// <returns>The time.</returns>
    public DateTime ReadDateTime()
    {
        var start = _scan.Position;
        var text = Trimmed(out var rented);
        if (!ScalarText.TryReadTime(text, out var value))
            value = ScalarText.Parse(text, static other => XmlConvert.ToDateTime(other, XmlDateTimeSerializationMode.RoundtripKind), start);
        Return(rented);
        return value;
    }

    private readonly bool IsBeforeElement()
    {
        var rest = _scan.Input[_scan.Position..].TrimStart(" \t\r\n"u8);
        return !_scan.IsEmpty && rest.Length > 1 && rest[0] == '<' && rest[1] is not ((byte)'/' or (byte)'!' or (byte)'?');
    }

    private byte[] ReadInclude()
    {
        var element = Enter();
        MoveToChild(element);
        if (!TryGetAttribute("href"u8, default, out var href) || !Is("Include"u8, "http://www.w3.org/2004/08/xop/include"u8))
            ThrowHelper.Throw(XmlError.UnexpectedElement, $"Expected base64 at byte {_scan.Name.At}, found {Describe()}.", _scan.Name.At);
        if (!_attachments!.TryTake(href, out var bytes))
            ThrowHelper.Throw(XmlError.InvalidValue, $"The attachment '{ThrowHelper.Shown(href)}' at byte {_scan.Name.At} does not exist or is referenced twice.", _scan.Name.At);
        Skip();
        return MoveToChild(element) ? throw new XmlDataException(XmlError.UnexpectedElement, $"Expected the end of base64 at byte {_scan.Name.At}, found {Describe()}.", _scan.Name.At) : bytes.ToArray();
    }

    private static int Refuse(ReadOnlySpan<byte> text, int start, string type)
    {
        ThrowHelper.InvalidValue(start, text, type);
        return 0;
    }

    /// <summary>The text without surrounding spaces; pass rented bytes to <see cref="Return"/>.</summary>
    internal ReadOnlySpan<byte> Trimmed(out byte[]? rented)
    {
        var text = Text(out rented);
        return text.Length > 0 && (XmlTokenizer.IsSpace(text[0]) || XmlTokenizer.IsSpace(text[^1])) ? text.Trim(" \t\r\n"u8) : text;
    }

    /// <summary>The decoded text of the element: a part of the input if nothing had to be decoded, otherwise rented bytes.</summary>
    private ReadOnlySpan<byte> Text(out byte[]? rented)
    {
        rented = null;
        if (!_scan.IsEmpty && _depth < _maxDepth && _scan.TryPlainText(out var plain))
            return plain;
        return MixedText(out rented);
    }

    private ReadOnlySpan<byte> MixedText(out byte[]? rented)
    {
        rented = null;
        var element = Enter();
        if (element.IsEmpty)
        {
            MoveToChild(element);
            return default;
        }

        var length = _scan.Input[_scan.Position..].IndexOf((byte)'<');
        if (length < 0)
            ThrowHelper.EndOfInput(_scan.Input.Length);
        var text = _scan.Input.Slice(_scan.Position, length);
        if (_scan.Peek(length + 1) != '/' || text.ContainsAny("&\r"u8) || text.IndexOf("]]>"u8) >= 0)
            return Decoded(element, out rented);
        _scan.Position += length;
        MoveToChild(element);
        return text;
    }

    private ReadOnlySpan<byte> Decoded(OpenElement element, out byte[]? rented)
    {
        // The text ends at the element's end at the latest: its decoded form is not longer.
        var close = _scan.Input[_scan.Position..].IndexOf("</"u8);
        if (close < 0)
            ThrowHelper.EndOfInput(_scan.Input.Length);
        rented = ArrayPool<byte>.Shared.Rent(Math.Max(close, 1));
        var length = 0;
        while (true)
        {
            var next = _scan.Input[_scan.Position..].IndexOf((byte)'<');
            if (next < 0)
                ThrowHelper.EndOfInput(_scan.Input.Length);
            var text = _scan.Input.Slice(_scan.Position, next);
            if (text.IndexOf("]]>"u8) is >= 0 and var end)
                ThrowHelper.NotWellFormed(_scan.Position + end, "']]>' in text");
            XmlTokenizer.References(text, _scan.Position);
            length = EntityDecoder.Append(text, isEscaped: true, ref rented, length);
            _scan.Position += next;
            if (_scan.Input[_scan.Position..].StartsWith("<![CDATA["u8))
            {
                length = EntityDecoder.Append(_scan.CData(), isEscaped: false, ref rented, length);
            }
            else if (_scan.Input[_scan.Position..].StartsWith("<!--"u8))
            {
                _scan.Comment();
            }
            else
            {
                if (MoveToChild(element))
                    ThrowHelper.Throw(XmlError.UnexpectedElement, $"Expected text at byte {_scan.Name.At}, found {Describe()}.", _scan.Name.At);
                return rented.AsSpan(0, length);
            }
        }
    }

    [DoesNotReturn]
    private readonly void IsTwice() => ThrowHelper.Throw(XmlError.DuplicateElement, $"{Describe()} at byte {_scan.Name.At} occurs twice.", _scan.Name.At);

    internal static void Return(byte[]? rented)
    {
        if (rented is not null)
            ArrayPool<byte>.Shared.Return(rented);
    }
}

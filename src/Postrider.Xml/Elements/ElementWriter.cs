// Hot path: generated formatter -> this -> the transport's buffer. Allocations: none.
using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text.Unicode;
using Postrider.Memory;

namespace Postrider.Xml.Elements;

/// <summary>Writes elements in UTF-8.</summary>
/// <remarks>
/// Shape: <see cref="Start"/> leaves the start tag open, so that attributes may follow; content or <see cref="End"/> closes it. Names
/// are in the current namespace: <see cref="Enter"/> changes it for the content of the element whose tag is open. Names are not
/// checked: they are constants of generated code. Nothing is written to the output before <see cref="Flush"/>. Not thread-safe.
/// </remarks>
public ref struct ElementWriter
{
    // The depth that a reader with default limits accepts; also ends a cycle of objects.
    private const int MaxDepth = 64;
    private const int MinRoom = 512;
    private const int NumberBytes = 64;
    private const int Base64Chunk = 3 * 1024;

    // An element's own prefix and that of its content must differ; outer ones may be hidden.
    private const int Prefixes = 8;

    // Used instead of a prefix: each element declares that it has no namespace, because no prefix can mean that.
    private const byte NoNamespace = 1;

    // Characters of one byte; the two others that XML does not allow are only searched for in text with longer characters.
    private static readonly SearchValues<char> s_special = SearchValues.Create(
        "<>&\r\0\u0001\u0002\u0003\u0004\u0005\u0006\a\b\v\f\u000E\u000F\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001A\u001B\u001C\u001D\u001E\u001F");

    private readonly IBufferWriter<byte> _output;
    private readonly XmlAttachments? _attachments;
    private Span<byte> _room;
    private int _used;
    private int _depth;
    private int _declared;
    private bool _isOpen;
    private byte _prefix;
    private ReadOnlySpan<byte> _namespace;

    /// <summary>Begins at the start of a document.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="attachments">Receives bytes that need not be in base64; null if everything stays in the document.</param>
    public ElementWriter(IBufferWriter<byte> output, XmlAttachments? attachments = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        (_output, _attachments) = (output, attachments);
        _room = output.GetSpan(MinRoom);
    }

    /// <summary>Starts an element of the current namespace.</summary>
    /// <param name="name">Its local name.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.TooDeep"/>: deeper than 64, for example because of a cycle of objects.</exception>
    public void Start(ReadOnlySpan<byte> name)
    {
        if (++_depth > MaxDepth)
            ThrowHelper.Throw(XmlError.TooDeep, $"The value is nested deeper than {MaxDepth}, or contains itself.");
        CloseStart();
        Reserve(name.Length + 3);
        _room[_used++] = (byte)'<';
        Name(name);
        if (_prefix == NoNamespace)
            Raw(" xmlns=\"\""u8);
        _isOpen = true;
    }

    /// <summary>Ends the element started by <see cref="Start"/>.</summary>
    /// <param name="name">The same name.</param>
    public void End(ReadOnlySpan<byte> name)
    {
        _depth--;
        Reserve(name.Length + 5);
        if (_isOpen)
        {
            _room[_used++] = (byte)'/';
            _isOpen = false;
        }
        else
        {
            _room[_used++] = (byte)'<';
            _room[_used++] = (byte)'/';
            Name(name);
        }

        _room[_used++] = (byte)'>';
    }

    /// <summary>Starts an element of another namespace, which becomes the current one.</summary>
    /// <param name="name">Its local name.</param>
    /// <param name="space">Its namespace.</param>
    /// <returns>The token for <see cref="EndIn"/>.</returns>
    public ElementScope StartIn(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space)
    {
        var outer = new ElementScope(_namespace, _prefix, isDeclared: false);
        _prefix = 0;
        Start(name);
        Raw(" xmlns=\""u8);
        AttributeText(space);
        Raw("\""u8);
        _namespace = space;
        return outer;
    }

    /// <summary>Ends the element started by <see cref="StartIn"/>.</summary>
    /// <param name="name">The same name.</param>
    /// <param name="outer">The token that it returned.</param>
    public void EndIn(ReadOnlySpan<byte> name, ElementScope outer)
    {
        End(name);
        _namespace = outer.Namespace;
        _prefix = outer.Prefix;
    }

    /// <summary>Makes a namespace the current one for the content of the element whose start tag is open.</summary>
    /// <param name="space">The namespace.</param>
    /// <returns>The token for <see cref="Leave"/>.</returns>
    public ElementScope Enter(ReadOnlySpan<byte> space)
    {
        if (space.SequenceEqual(_namespace))
            return new ElementScope(_namespace, _prefix, isDeclared: false);

        var outer = new ElementScope(_namespace, _prefix, isDeclared: true);
        if (space.IsEmpty)
        {
            _prefix = NoNamespace;
        }
        else
        {
            _prefix = (byte)('a' + (_declared % Prefixes));
            Raw(" xmlns:"u8);
            Reserve(3);
            _room[_used++] = _prefix;
            _room[_used++] = (byte)'=';
            _room[_used++] = (byte)'"';
            AttributeText(space);
            Raw("\""u8);
        }

        _declared++;
        _namespace = space;
        return outer;
    }

    /// <summary>Returns to the namespace before <see cref="Enter"/>.</summary>
    /// <param name="outer">The token that it returned.</param>
    public void Leave(ElementScope outer)
    {
        if (outer.IsDeclared)
            _declared--;
        _namespace = outer.Namespace;
        _prefix = outer.Prefix;
    }

    /// <summary>Declares the prefix of <see cref="WriteNil"/> and <see cref="WriteType"/> on the element whose start tag is open: once around all of them.</summary>
    public void DeclareInstance() => Raw(" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""u8);

    /// <summary>Marks the element whose start tag is open as nil.</summary>
    public void WriteNil() => Raw(" i:nil=\"true\""u8);

    /// <summary>Declares the type of the element whose start tag is open.</summary>
    /// <param name="name">The type's name.</param>
    /// <param name="space">The namespace of that name.</param>
    public void WriteType(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space)
    {
        Raw(" xmlns:t=\""u8);
        AttributeText(space);
        Raw("\" i:type=\"t:"u8);
        Raw(name);
        Raw("\""u8);
    }

    /// <summary>Writes raw bytes: markup, or text that needs no escaping.</summary>
    /// <param name="bytes">The bytes.</param>
    public void WriteRaw(ReadOnlySpan<byte> bytes)
    {
        CloseStart();
        Raw(bytes);
    }

    /// <summary>Writes text, escaped.</summary>
    /// <param name="text">The text.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.InvalidText"/>: it contains a character that XML does not allow.</exception>
    public void WriteText(ReadOnlySpan<char> text)
    {
        CloseStart();
        while (true)
        {
            var special = text.IndexOfAny(s_special);
            Plain(special < 0 ? text : text[..special]);
            if (special < 0)
                return;
            Raw(text[special] switch
            {
                '<' => "&lt;"u8,
                '>' => "&gt;"u8,
                '&' => "&amp;"u8,
                '\r' => "&#xD;"u8,
                var other => NotInXml(other),
            });
            text = text[(special + 1)..];
        }
    }

    /// <summary>Writes a number.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="value">The number.</param>
    /// <param name="format">The format string of <see cref="IFormattable"/>.</param>
    public void WriteFormatted<T>(T value, ReadOnlySpan<char> format = default)
        where T : IUtf8SpanFormattable
    {
        CloseStart();
        Reserve(NumberBytes);
        int written;
        while (!value.TryFormat(_room[_used..], out written, format, CultureInfo.InvariantCulture))
            Reserve(_room.Length * 2);
        _used += written;
    }

    /// <summary>Writes a decimal number.</summary>
    /// <param name="value">The number; trailing zeros are kept.</param>
    public void WriteDecimal(decimal value)
    {
        CloseStart();
        Reserve(NumberBytes);
        if (!ScalarText.TryWriteDecimal(value, _room[_used..], out var written))
            value.TryFormat(_room[_used..], out written, default, CultureInfo.InvariantCulture);
        _used += written;
    }

    /// <summary>Writes a date and time: with Z when it is universal, with the zone when it is local, otherwise with neither.</summary>
    /// <param name="value">The time; a fraction of a second is written without trailing zeros.</param>
    public void WriteTime(DateTime value)
    {
        CloseStart();
        Reserve(NumberBytes);
        _used += ScalarText.WriteTime(value, _room[_used..]);
    }

    /// <summary>Writes bytes in base 64.</summary>
    /// <param name="bytes">The bytes.</param>
    public void WriteBase64(ReadOnlySpan<byte> bytes)
    {
        CloseStart();
        while (!bytes.IsEmpty)
        {
            var chunk = bytes[..Math.Min(bytes.Length, Base64Chunk)];
            Reserve(Base64.GetMaxEncodedToUtf8Length(chunk.Length));
            Base64.EncodeToUtf8(chunk, _room[_used..], out _, out var written);
            _used += written;
            bytes = bytes[chunk.Length..];
        }
    }

    /// <summary>Writes bytes in base 64, or a reference to them as an attachment.</summary>
    /// <param name="bytes">The bytes; attached bytes are kept until the document is sent.</param>
    public void WriteBytes(byte[] bytes)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        if (_attachments is null || !_attachments.TryAttach(bytes, out var contentId))
        {
            WriteBase64(bytes);
            return;
        }

        CloseStart();
        Raw("<x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:"u8);
        Raw(System.Text.Encoding.UTF8.GetBytes(contentId));
        Raw("\"/>"u8);
    }

    /// <summary>Writes everything to the output.</summary>
    public void Flush()
    {
        _output.Advance(_used);
        _used = 0;
        _room = default;
    }

    private static ReadOnlySpan<byte> NotInXml(char other)
    {
        ThrowHelper.Throw(XmlError.InvalidText, $"The character U+{(int)other:X4} is not allowed in XML; send text that contains it as bytes.");
        return default;
    }

    private void Plain(ReadOnlySpan<char> text)
    {
        while (!text.IsEmpty)
        {
            Reserve(Math.Min(text.Length, MinRoom) + 4);
            var status = Utf8.FromUtf16(text, _room[_used..], out var read, out var written, replaceInvalidSequences: false);
            _used += written;
            if (written != read && text[..read].IndexOfAny('\uFFFE', '\uFFFF') is >= 0 and var other)
                NotInXml(text[other]);
            text = text[read..];
            if (status == OperationStatus.InvalidData)
                ThrowHelper.Throw(XmlError.InvalidText, $"U+{(int)text[0]:X4} is an unpaired surrogate.");
        }
    }

    private void AttributeText(ReadOnlySpan<byte> text)
    {
        // Namespaces are constants; those with such a character are rare.
        for (var special = text.IndexOfAny("<&\""u8); special >= 0; special = text.IndexOfAny("<&\""u8))
        {
            Raw(text[..special]);
            Raw(text[special] switch { (byte)'<' => "&lt;"u8, (byte)'&' => "&amp;"u8, _ => "&quot;"u8 });
            text = text[(special + 1)..];
        }

        Raw(text);
    }

    private void Name(ReadOnlySpan<byte> name)
    {
        if (_prefix > NoNamespace)
        {
            _room[_used++] = _prefix;
            _room[_used++] = (byte)':';
        }

        name.CopyTo(_room[_used..]);
        _used += name.Length;
    }

    private void CloseStart()
    {
        if (!_isOpen)
            return;
        Reserve(1);
        _room[_used++] = (byte)'>';
        _isOpen = false;
    }

    private void Raw(ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        BulkCopy.Copy(bytes, _room[_used..]);
        _used += bytes.Length;
    }

    private void Reserve(int bytes)
    {
        if (_room.Length - _used < bytes)
            Grow(bytes);
    }

    private void Grow(int bytes)
    {
        _output.Advance(_used);
        _used = 0;
        _room = _output.GetSpan(Math.Max(bytes, MinRoom));
    }
}

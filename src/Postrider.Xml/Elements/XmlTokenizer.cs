// Hot path: ElementReader -> this. Allocations: none.
using System.Buffers;

namespace Postrider.Xml.Elements;

/// <summary>Finds tags and the text between them, and tracks the namespaces in scope.</summary>
/// <remarks>Used by the reader: positioned at an element's start, or between tags. Not thread-safe.</remarks>
internal ref struct XmlTokenizer(ReadOnlySpan<byte> input)
{
    private static readonly SearchValues<byte> s_special = SearchValues.Create("<&>\r"u8);

    public readonly ReadOnlySpan<byte> Input = input;
    public int Position;
    public ByteRange Name;
    public ByteRange LocalName;
    public ByteRange Namespace;
    public bool IsEmpty;
    public int OuterBindings;
    public int BindingCount;
    public int AttributeCount;

    // The prefix of the last resolved name, with its colon, and its namespace; -1 bytes if that may no longer be valid.
    private ByteRange _knownPrefix = new(0, -1);
    private ByteRange _knownNamespace;

    // The constant that was equal to the known namespace: the same one need not be compared again.
    private ReadOnlySpan<byte> _knownSpace;
    private Bindings _bindings;
    private Attributes _attributes;

    public void Declaration()
    {
        var rest = Input[Position..];
        if (!rest.StartsWith("<?xml"u8) || rest.Length < 6 || !IsSpace(rest[5]))
            return;
        var end = rest.IndexOf("?>"u8);
        if (end < 0)
            ThrowHelper.EndOfInput(Input.Length);
        var text = rest[..end];
        var encoding = text.IndexOf("encoding"u8);
        if (encoding >= 0)
        {
            var value = text[(encoding + "encoding".Length)..];
            value = value.TrimStart(" \t\r\n="u8);
            var quoted = value.Length > 0 ? value[1..] : value;
            var close = value.Length > 0 ? quoted.IndexOf(value[0]) : -1;
            if (close < 0)
                ThrowHelper.NotWellFormed(Position, "XML declaration without an encoding");
            if (!System.Text.Ascii.EqualsIgnoreCase(quoted[..close], "utf-8"u8) && !System.Text.Ascii.EqualsIgnoreCase(quoted[..close], "us-ascii"u8))
                ThrowHelper.Throw(XmlError.InvalidText, $"The document declares the encoding {ThrowHelper.Shown(quoted[..close])}; only UTF-8 is supported.", Position);
        }

        Position += end + 2;
    }

    /// <summary>Moves to the next tag. False at the end of the input.</summary>
    public bool MoveToMarkup(bool isOutside)
    {
        while (true)
        {
            while (Position < Input.Length && IsSpace(Input[Position]))
                Position++;
            if (Position >= Input.Length)
                return false;
            if (Input[Position] != '<')
                ThrowHelper.Throw(XmlError.UnexpectedElement, $"Expected an element or an end tag at byte {Position}, found text.", Position);
            switch (Peek(1))
            {
                case '!':
                    ReadDeclarationOrComment();
                    break;
                case '?' when isOutside:
                    Pass("?>"u8);
                    break;
                case '?':
                    ThrowHelper.NotWellFormed(Position, "Unsupported processing instruction");
                    break;
                default:
                    return true;
            }
        }
    }

    private void ReadDeclarationOrComment()
    {
        var rest = Input[Position..];
        if (rest.StartsWith("<!--"u8))
            Comment();
        else if (rest.StartsWith("<!D"u8))
            ThrowHelper.Throw(XmlError.DtdRefused, $"Document type declarations are not supported; found one at byte {Position}.", Position);
        else if (rest.StartsWith("<![CDATA["u8))
            ThrowHelper.Throw(XmlError.UnexpectedElement, $"Expected an element or an end tag at byte {Position}, found text.", Position);
        else
            ThrowHelper.NotWellFormed(Position, "Markup that is neither a comment nor CDATA");
    }

    public void Comment()
    {
        Position += "<!--".Length;
        Pass("--"u8);
        if (Peek(0) != '>')
            ThrowHelper.NotWellFormed(Position, "'--' inside a comment");
        Position++;
    }

    public ReadOnlySpan<byte> CData()
    {
        Position += "<![CDATA[".Length;
        var start = Position;
        Pass("]]>"u8);
        return Input[start..(Position - 3)];
    }

    private void Pass(ReadOnlySpan<byte> end)
    {
        var length = Input[Position..].IndexOf(end);
        if (length < 0)
            ThrowHelper.EndOfInput(Input.Length);
        Position += length + end.Length;
    }

    /// <summary>Moves past a start tag if it has this name, the prefix of the previous name and no attributes, like most tags.</summary>
    public bool TryStartTag(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space)
    {
        var prefix = _knownPrefix.Bytes;
        if (prefix < 0)
            return false;
        if (Position < Input.Length && Input[Position] != '<')
            Spaces();
        var rest = Input[Position..];
        var close = 1 + prefix + name.Length;
        if (rest.Length <= close || rest[0] != '<' || rest[close] != '>' || !rest.Slice(1 + prefix, name.Length).SequenceEqual(name)
            || !rest.Slice(1, prefix).SequenceEqual(At(_knownPrefix)) || !IsKnown(space))
            return false;
        Name = new ByteRange(Position + 1, prefix + name.Length);
        LocalName = new ByteRange(Position + 1 + prefix, name.Length);
        Namespace = _knownNamespace;
        IsEmpty = false;
        OuterBindings = BindingCount;
        AttributeCount = 0;
        Position += close + 1;
        return true;
    }

    private bool IsKnown(ReadOnlySpan<byte> space)
    {
        if (space == _knownSpace && !space.IsEmpty)
            return true;
        if (!At(_knownNamespace).SequenceEqual(space))
            return false;
        _knownSpace = space;
        return true;
    }

    /// <summary>Moves past the text and the end tag of the element whose start tag was read, if the text has neither references nor markup.</summary>
    public bool TryPlainText(out ReadOnlySpan<byte> text)
    {
        var rest = Input[Position..];
        var length = rest.IndexOfAny(s_special);
        if (length >= 0 && TryEndTag(length, Name.At, Name.Bytes))
        {
            text = rest[..length];
            ReturnTo(OuterBindings);
            return true;
        }

        text = default;
        return false;
    }

    /// <summary>Moves past an end tag at an offset that is written without spaces.</summary>
    public bool TryEndTag(int ahead, int nameAt, int nameBytes)
    {
        var tag = Input[(Position + ahead)..];
        if (tag.Length < nameBytes + 3 || tag[0] != '<' || tag[1] != '/' || tag[nameBytes + 2] != '>' || !tag.Slice(2, nameBytes).SequenceEqual(Input.Slice(nameAt, nameBytes)))
            return false;
        Position += ahead + nameBytes + 3;
        return true;
    }

    /// <summary>Removes the namespaces that an element declared.</summary>
    public void ReturnTo(int bindings)
    {
        if (BindingCount == bindings)
            return;
        BindingCount = bindings;
        _knownPrefix = new ByteRange(0, -1);
    }

    public void EndTag(ReadOnlySpan<byte> name)
    {
        var rest = Input[(Position + 2)..];
        if (!rest.StartsWith(name))
            Mismatch(name);
        Position += 2 + name.Length;
        Spaces();
        if (Peek(0) != '>')
            Mismatch(name);
        Position++;
    }

    private readonly void Mismatch(ReadOnlySpan<byte> name)
    {
        if (Input[Position..].IndexOf((byte)'>') < 0)
            ThrowHelper.EndOfInput(Input.Length);
        ThrowHelper.NotWellFormed(Position, $"Expected the end tag of '{ThrowHelper.Shown(name)}'");
    }

    public void StartTag()
    {
        Position++;
        OuterBindings = BindingCount;
        AttributeCount = 0;
        Name = QualifiedName();
        while (true)
        {
            var isSpaced = Spaces();
            switch (Peek(0))
            {
                case '>':
                    Position++;
                    IsEmpty = false;
                    Resolve();
                    return;
                case '/':
                    if (Peek(1) < 0)
                        ThrowHelper.EndOfInput(Position);
                    if (Peek(1) != '>')
                        ThrowHelper.NotWellFormed(Position, "'/' inside a start tag");
                    Position += 2;
                    IsEmpty = true;
                    Resolve();
                    return;
                case < 0:
                    ThrowHelper.EndOfInput(Position);
                    break;
                default:
                    if (!isSpaced)
                        ThrowHelper.NotWellFormed(Position, "Missing space before an attribute");
                    Attribute();
                    break;
            }
        }
    }

    private void Attribute()
    {
        var name = QualifiedName();
        Spaces();
        if (Peek(0) != '=')
            ThrowHelper.NotWellFormed(Position, "Attribute without a value");
        Position++;
        Spaces();
        var quote = Peek(0);
        if (quote is not ('"' or '\''))
            ThrowHelper.NotWellFormed(Position, "Attribute value without quotes");
        Position++;
        var length = Input[Position..].IndexOf((byte)quote);
        if (length < 0)
            ThrowHelper.EndOfInput(Input.Length);
        var value = new ByteRange(Position, length);
        if (At(value).Contains((byte)'<'))
            ThrowHelper.NotWellFormed(Position, "'<' inside an attribute");
        References(At(value), Position);
        Position += length + 1;

        var (prefix, local) = Split(name);
        if (At(prefix).SequenceEqual("xmlns"u8))
            Bind(local, value);
        else if (prefix.Bytes == 0 && At(local).SequenceEqual("xmlns"u8))
            Bind(default, value);
        else
            Keep(new NameAndValue(name, value));
    }

    private void Bind(ByteRange prefix, ByteRange value)
    {
        if (prefix.Bytes > 0 && value.Bytes == 0)
            ThrowHelper.NotWellFormed(prefix.At, "Prefix with an empty namespace");
        if (At(prefix).SequenceEqual("xml"u8) || At(prefix).SequenceEqual("xmlns"u8))
            ThrowHelper.NotWellFormed(prefix.At, "Declaration of a reserved prefix");
        for (var i = OuterBindings; i < BindingCount; i++)
        {
            if (At(_bindings[i].Name).SequenceEqual(At(prefix)))
                ThrowHelper.NotWellFormed(value.At, "Prefix declared twice");
        }

        if (BindingCount == Bindings.Max)
            ThrowHelper.Throw(XmlError.TooMany, $"More than {Bindings.Max} namespaces are in scope at byte {Position}.", Position);
        _bindings[BindingCount++] = new NameAndValue(prefix, value);
    }

    private void Keep(NameAndValue attribute)
    {
        for (var i = 0; i < AttributeCount; i++)
        {
            if (At(_attributes[i].Name).SequenceEqual(At(attribute.Name)))
                ThrowHelper.NotWellFormed(attribute.Name.At, "Duplicate attribute");
        }

        if (AttributeCount == Attributes.Max)
            ThrowHelper.Throw(XmlError.TooMany, $"The element at byte {Name.At} has more than {Attributes.Max} attributes.", Position);
        _attributes[AttributeCount++] = attribute;
    }

    private void Resolve()
    {
        (var prefix, LocalName) = Split(Name);
        Namespace = Resolve(prefix);
        _knownPrefix = new ByteRange(Name.At, LocalName.At - Name.At);
        _knownNamespace = Namespace;
        _knownSpace = default;
        for (var i = 0; i < AttributeCount; i++)
        {
            if (Split(_attributes[i].Name).Prefix is { Bytes: > 0 } used)
                Resolve(used);
        }
    }

    private readonly ByteRange Resolve(ByteRange prefix)
    {
        for (var i = BindingCount - 1; i >= 0; i--)
        {
            if (At(_bindings[i].Name).SequenceEqual(At(prefix)))
                return _bindings[i].Value;
        }

        if (prefix.Bytes > 0 && !At(prefix).SequenceEqual("xml"u8))
            ThrowHelper.NotWellFormed(prefix.At, $"Undeclared prefix '{ThrowHelper.Shown(At(prefix))}'");
        return default;
    }

    private ByteRange QualifiedName()
    {
        var start = Position;
        while (Position < Input.Length && Input[Position] is not ((byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n' or (byte)'=' or (byte)'>' or (byte)'/'
            or (byte)'<' or (byte)'&' or (byte)'"' or (byte)'\'' or (byte)'!' or (byte)'?'))
            Position++;
        if (Position == Input.Length)
            ThrowHelper.EndOfInput(Position);
        if (Position == start || Input[start] is (>= (byte)'0' and <= (byte)'9') or (byte)'-' or (byte)'.')
            ThrowHelper.NotWellFormed(start, "No name");
        return new ByteRange(start, Position - start);
    }

    private readonly (ByteRange Prefix, ByteRange Local) Split(ByteRange name)
    {
        var colon = At(name).IndexOf((byte)':');
        if (colon < 0)
            return (new ByteRange(name.At, 0), name);
        var local = new ByteRange(name.At + colon + 1, name.Bytes - colon - 1);
        if (colon == 0 || local.Bytes == 0 || At(local).Contains((byte)':'))
            ThrowHelper.NotWellFormed(name.At, "Name with a misplaced colon");
        return (new ByteRange(name.At, colon), local);
    }

    private bool Spaces()
    {
        var start = Position;
        while (Position < Input.Length && IsSpace(Input[Position]))
            Position++;
        return Position > start;
    }

    public static bool IsSpace(byte letter) => letter is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n';

    public readonly ReadOnlySpan<byte> At(ByteRange slice) => Input.Slice(slice.At, slice.Bytes);

    public readonly int Peek(int ahead) => Position + ahead < Input.Length ? Input[Position + ahead] : -1;

    public static bool IsSame(ReadOnlySpan<byte> written, ReadOnlySpan<byte> space)
        => written.SequenceEqual(space) || (written.Contains((byte)'&') && Decode(written).AsSpan().SequenceEqual(space));

    // Namespaces with an ampersand are rare, so each gets a new array.
    private static byte[] Decode(ReadOnlySpan<byte> written)
    {
        var output = new byte[written.Length];
        var length = 0;
        while (!written.IsEmpty)
        {
            if (written[0] == '&')
            {
                written = written[EntityDecoder.Decode(written, output.AsSpan(length), out var bytes)..];
                length += bytes;
            }
            else
            {
                output[length++] = written[0];
                written = written[1..];
            }
        }

        return output[..length];
    }

    /// <summary>Reads an attribute of the element at the reader's position.</summary>
    /// <param name="name">Its local name.</param>
    /// <param name="space">Its namespace; empty for none.</param>
    /// <param name="value">Its value as written; entities are not decoded.</param>
    /// <returns>False if there is none.</returns>
    public readonly bool TryGetAttribute(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space, out ReadOnlySpan<byte> value)
    {
        for (var i = 0; i < AttributeCount; i++)
        {
            var (prefix, local) = Split(_attributes[i].Name);
            if (At(local).SequenceEqual(name) && (prefix.Bytes == 0 ? space.IsEmpty : IsSame(At(Resolve(prefix)), space)))
            {
                value = At(_attributes[i].Value);
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>Reads the type that the element at the reader's position declares.</summary>
    /// <param name="name">The type's local name.</param>
    /// <param name="space">The namespace of that name, as written.</param>
    /// <returns>False if it declares none.</returns>
    public readonly bool TryGetType(out ReadOnlySpan<byte> name, out ReadOnlySpan<byte> space)
    {
        name = space = default;
        if (AttributeCount == 0 || !TryGetAttribute("type"u8, "http://www.w3.org/2001/XMLSchema-instance"u8, out var value))
            return false;
        Input.Overlaps(value, out var at);
        var (prefix, local) = Split(new ByteRange(at, value.Length));
        name = At(local);
        space = At(Resolve(prefix));
        return true;
    }

    /// <summary>Rejects references to undeclared entities.</summary>
    public static void References(ReadOnlySpan<byte> text, int start)
    {
        Span<byte> letter = stackalloc byte[4];
        for (var at = text.IndexOf((byte)'&'); at >= 0; at = text.IndexOf((byte)'&'))
        {
            text = text[at..];
            start += at;
            var length = EntityDecoder.Decode(text, letter, out _);
            if (length == 0)
                ThrowHelper.Throw(XmlError.DtdRefused, $"'{ThrowHelper.Shown(text[..Math.Min(text.Length, 12)])}' at byte {start} is not a predefined entity.", start);
            text = text[length..];
            start += length;
        }
    }
}

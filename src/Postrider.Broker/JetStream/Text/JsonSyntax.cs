namespace Postrider.Broker.JetStream.Text;

/// <summary>Finds the first syntax error in JSON and describes it as Go's <c>encoding/json</c> does.</summary>
/// <remarks>For responses to rejected requests: not fast. Not thread-safe.</remarks>
internal ref struct JsonSyntax(ReadOnlySpan<byte> text)
{
    // Limits the recursion: the requests' reader does not accept deeper nesting either.
    private const int MaxDepth = 512;
    private const string EndOfInput = "unexpected end of JSON input";

    private readonly ReadOnlySpan<byte> _text = text;
    private int _at;
    private int _depth;
    private string? _problem;

    /// <summary>The syntax error in a text that should be one value.</summary>
    /// <returns>Null when there is none.</returns>
    public static string? FirstProblem(ReadOnlySpan<byte> text)
    {
        var syntax = new JsonSyntax(text);
        return syntax.TrySkipValue() && syntax.IsAtEnd() ? null : syntax._problem ?? syntax.Unexpected("after top-level value");
    }

    /// <summary>The syntax error in a text that should be any number of values, one after the other.</summary>
    /// <param name="text">The text.</param>
    /// <param name="values">Receives the range of each value.</param>
    /// <returns>Null when there is none.</returns>
    public static string? FirstProblem(ReadOnlySpan<byte> text, List<Range> values)
    {
        var syntax = new JsonSyntax(text);
        while (!syntax.IsAtEnd())
        {
            var start = syntax._at;
            if (!syntax.TrySkipValue()) return $"{syntax._problem} at offset {syntax._at}";
            values.Add(start..syntax._at);
        }
        return null;
    }

    private bool IsAtEnd()
    {
        while (_at < _text.Length && _text[_at] is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n') _at++;
        return _at == _text.Length;
    }

    private bool TrySkipValue()
    {
        if (IsAtEnd()) return Fails(EndOfInput);
        return _text[_at] switch
        {
            (byte)'{' => TrySkipObject(),
            (byte)'[' => TrySkipArray(),
            (byte)'"' => TrySkipText(),
            (byte)'t' => TrySkipWord("true"u8, "true"),
            (byte)'f' => TrySkipWord("false"u8, "false"),
            (byte)'n' => TrySkipWord("null"u8, "null"),
            (byte)'-' or (>= (byte)'0' and <= (byte)'9') => TrySkipNumber(),
            _ => Fails(Unexpected("looking for beginning of value")),
        };
    }

    private bool TrySkipObject()
    {
        if (++_depth > MaxDepth) return Fails("exceeded max depth");
        _at++;
        if (IsAtEnd()) return Fails(EndOfInput);
        for (var isFirst = true; ; isFirst = false)
        {
            if (IsAtEnd()) return Fails(EndOfInput);
            if (isFirst && _text[_at] == '}') break;
            if (_text[_at] != '"') return Fails(Unexpected("looking for beginning of object key string"));
            if (!TrySkipText()) return false;
            if (IsAtEnd()) return Fails(EndOfInput);
            if (_text[_at] != ':') return Fails(Unexpected("after object key"));
            _at++;
            if (!TrySkipValue()) return false;
            if (IsAtEnd()) return Fails(EndOfInput);
            if (_text[_at] == '}') break;
            if (_text[_at] != ',') return Fails(Unexpected("after object key:value pair"));
            _at++;
        }
        _at++;
        _depth--;
        return true;
    }

    private bool TrySkipArray()
    {
        if (++_depth > MaxDepth) return Fails("exceeded max depth");
        _at++;
        if (IsAtEnd()) return Fails(EndOfInput);
        if (_text[_at] != ']')
        {
            while (true)
            {
                if (!TrySkipValue()) return false;
                if (IsAtEnd()) return Fails(EndOfInput);
                if (_text[_at] == ']') break;
                if (_text[_at] != ',') return Fails(Unexpected("after array element"));
                _at++;
            }
        }
        _at++;
        _depth--;
        return true;
    }

    private bool TrySkipText()
    {
        for (_at++; _at < _text.Length; _at++)
        {
            switch (_text[_at])
            {
                case (byte)'"':
                    _at++;
                    return true;
                case (byte)'\\':
                    _at++;
                    if (!TrySkipEscape()) return false;
                    break;
                case < 0x20:
                    return Fails(Unexpected("in string literal"));
            }
        }
        return Fails(EndOfInput);
    }

    private bool TrySkipEscape()
    {
        if (_at == _text.Length) return Fails(EndOfInput);
        if ("\"\\/bfnrt"u8.Contains(_text[_at])) return true;
        if (_text[_at] != 'u') return Fails(Unexpected("in string escape code"));
        for (var digit = 0; digit < 4; digit++)
        {
            if (++_at == _text.Length) return Fails(EndOfInput);
            if (!char.IsAsciiHexDigit((char)_text[_at])) return Fails(Unexpected("in \\u hexadecimal character escape"));
        }
        return true;
    }

    private bool TrySkipWord(ReadOnlySpan<byte> word, string name)
    {
        for (var i = 0; i < word.Length; i++, _at++)
        {
            if (_at == _text.Length) return Fails(EndOfInput);
            if (_text[_at] != word[i]) return Fails(Unexpected($"in literal {name} (expecting '{(char)word[i]}')"));
        }
        return true;
    }

    private bool TrySkipNumber()
    {
        if (_text[_at] == '-' && ++_at == _text.Length) return Fails(EndOfInput);
        if (_text[_at] == '0') _at++;
        else if (!TrySkipDigits("in numeric literal")) return false;
        if (_at < _text.Length && _text[_at] == '.')
        {
            _at++;
            if (!TrySkipDigits("after decimal point in numeric literal")) return false;
        }
        if (_at == _text.Length || _text[_at] is not ((byte)'e' or (byte)'E')) return true;
        _at++;
        if (_at < _text.Length && _text[_at] is (byte)'+' or (byte)'-') _at++;
        return TrySkipDigits("in exponent of numeric literal");
    }

    private bool TrySkipDigits(string where)
    {
        if (_at == _text.Length) return Fails(EndOfInput);
        if (!char.IsAsciiDigit((char)_text[_at])) return Fails(Unexpected(where));
        while (_at < _text.Length && char.IsAsciiDigit((char)_text[_at])) _at++;
        return true;
    }

    private bool Fails(string problem)
    {
        _problem ??= problem;
        return false;
    }

    private readonly string Unexpected(string where)
    {
        var found = _text[_at] switch
        {
            (byte)'\'' => "\\'",
            (byte)'"' => "\"",
            >= 0x80 and var other => $"\\x{other:x2}",
            var other => GoQuote.Quote(((char)other).ToString())[1..^1],
        };
        return $"invalid character '{found}' {where}";
    }
}

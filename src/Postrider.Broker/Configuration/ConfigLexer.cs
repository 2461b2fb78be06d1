using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Postrider.Broker.Configuration;

/// <summary>Splits a configuration file into keys, values and brackets.</summary>
/// <remarks>The grammar depends on the context: whether a line end ends a value, and what ends bare text. So the parser calls the
/// method for what it expects next. Errors are <see cref="ConfigSyntaxException"/>. Not thread-safe.
/// Source: the documented configuration grammar of nats-server, and the output of <c>-t</c>.</remarks>
internal sealed class ConfigLexer(string file, string text)
{
    private int _at;
    private int _line = 1;
    private int _lineStart;

    internal ConfigPosition Position => new(file, _line, _at - _lineStart + 1);

    private bool AtEnd => _at >= text.Length;

    private char Current => text[_at];

    /// <summary>Reads the next key, include, closing brace, or the end.</summary>
    internal ConfigToken ReadKey()
    {
        SkipBlanks(lineEnds: true);
        var start = Position;
        if (AtEnd)
            return new(ConfigTokenKind.End, "", start);
        switch (Current)
        {
            case '{':
                Advance();
                return new(ConfigTokenKind.MapStart, "{", start);
            case '}':
                Advance();
                return new(ConfigTokenKind.MapEnd, "}", start);
            case '=' or ':':
                throw Error($"Unexpected key separator '{Current}'");
            case ']':
                throw Error("Unexpected array end ']' processing map.");
            case '"' or '\'':
                return new(ConfigTokenKind.Key, ReadQuotedKey(), start);
            default:
                return ReadBareKey(start);
        }
    }

    /// <summary>Skips the separator after a key, if there is one, and reads the beginning of its value.</summary>
    /// <param name="inMap">Whether the key is inside braces: the value may then be on a later line.</param>
    internal ConfigToken ReadValueOfKey(bool inMap)
    {
        SkipWhiteSpace(lineEnds: true);
        if (!AtEnd && Current is '=' or ':')
        {
            Advance();
            SkipWhiteSpace(lineEnds: inMap);
        }
        if (AtEnd)
            throw Error(inMap ? "Unexpected EOF processing map." : "Unexpected EOF, expected a value.");
        if (Current is '\n' or '\r')
            throw Error("Expected value but found new line");
        return ReadValue();
    }

    /// <summary>Reads an element of an array, or its end.</summary>
    internal ConfigToken ReadElement()
    {
        SkipBlanks(lineEnds: true);
        if (AtEnd)
            throw Error("Unexpected EOF processing array.");
        if (Current == ',')
            throw Error("Unexpected array value terminator ','.");
        if (Current != ']')
            return ReadValue();
        var start = Position;
        Advance();
        return new(ConfigTokenKind.ArrayEnd, "]", start);
    }

    /// <summary>Reads the separator after an element of an array; the closing bracket is left in place.</summary>
    internal void EndElement()
    {
        if (SkipSeparator(','))
            return;
        if (AtEnd)
            throw Error("Unexpected EOF processing array.");
        if (Current != ']')
            throw Error($"Expected an array value terminator ',' or an array terminator ']', but got '{Shown(Current)}' instead.");
    }

    /// <summary>Reads the separator after the value of a key; the closing brace is left in place.</summary>
    internal void EndValue(bool inMap)
    {
        if (SkipSeparator(',', ';'))
            return;
        if (AtEnd && !inMap)
            return;
        if (AtEnd)
            throw Error("Unexpected EOF processing map.");
        if (Current == '}' && inMap)
            return;
        throw Error(inMap
            ? $"Expected a map value terminator ',' or a map terminator '}}', but got '{Shown(Current)}' instead."
            : $"Expected a top-level value to end with a new line, comment or EOF, but got '{Shown(Current)}' instead.");
    }

    [DoesNotReturn]
    internal static void Fail(ConfigPosition position, string reason) => throw new ConfigSyntaxException(position, reason);

    private ConfigToken ReadValue()
    {
        var start = Position;
        switch (Current)
        {
            case '[':
                Advance();
                return new(ConfigTokenKind.ArrayStart, "[", start);
            case '{':
                Advance();
                return new(ConfigTokenKind.MapStart, "{", start);
            case '"':
                Advance();
                return new(ConfigTokenKind.Text, ReadEscapedText(), start);
            case '\'':
                Advance();
                return new(ConfigTokenKind.Text, ReadUntil('\'', "Unexpected EOF."), start);
            case '(':
                Advance();
                return new(ConfigTokenKind.Text, ReadBlock(), start);
            case ',' or ';' or ']' or '}':
                throw Error($"Expected value but found '{Current}'");
            default:
                return ReadBareValue(start);
        }
    }

    private ConfigToken ReadBareKey(ConfigPosition start)
    {
        var begin = _at;
        while (!AtEnd && !char.IsWhiteSpace(Current) && Current is not ('=' or ':'))
            Advance();
        var key = text[begin.._at];
        if (!key.Equals("include", StringComparison.OrdinalIgnoreCase) || AtEnd || !char.IsWhiteSpace(Current))
            return new(ConfigTokenKind.Key, key, start);
        SkipWhiteSpace(lineEnds: false);
        return new(ConfigTokenKind.Include, ReadIncludePath(), start);
    }

    private string ReadQuotedKey()
    {
        var quote = Current;
        Advance();
        return ReadUntil(quote, "Unexpected EOF processing quoted map key.");
    }

    private string ReadIncludePath()
    {
        if (AtEnd)
            throw Error("Unexpected EOF in include");
        switch (Current)
        {
            case '\'' or '"':
                var quote = Current;
                Advance();
                return ReadUntil(quote, "Unexpected EOF in quoted include");
            case '[':
                throw Error("Expected include value but found start of an array");
            case '{':
                throw Error("Expected include value but found start of a map");
            case '(':
                throw Error("Expected include value but found start of a block");
            case '-' or (>= '0' and <= '9'):
                throw Error("Expected include value but found start of a number");
            case '\\':
                throw Error("Expected include value but found escape sequence");
            case '\n' or '\r':
                throw Error("Expected include value but found new line");
        }
        var begin = _at;
        while (!AtEnd && Current is not ('\n' or '\r' or ' ' or '\t' or ';' or '}'))
            Advance();
        return text[begin.._at];
    }

    private string ReadUntil(char quote, string atEnd)
    {
        var begin = _at;
        while (!AtEnd && Current != quote)
            Advance();
        if (AtEnd)
            throw Error(atEnd);
        Advance();
        return text[begin..(_at - 1)];
    }

    private string ReadEscapedText()
    {
        var content = new StringBuilder();
        while (!AtEnd && Current != '"')
            ReadCharacter(content);
        if (AtEnd)
            throw Error("Unexpected EOF.");
        Advance();
        return content.ToString();
    }

    private ConfigToken ReadBareValue(ConfigPosition start)
    {
        var content = new StringBuilder();
        var escaped = false;
        while (!AtEnd && Current is not ('\n' or '\r' or ' ' or '\t' or ';' or ',' or ']' or '}'))
        {
            escaped |= Current == '\\';
            ReadCharacter(content);
        }
        return new(escaped ? ConfigTokenKind.Text : ConfigTokenKind.Bare, content.ToString(), start);
    }

    private void ReadCharacter(StringBuilder content)
    {
        var character = Current;
        Advance();
        if (character != '\\')
        {
            content.Append(character);
            return;
        }
        if (AtEnd)
            throw Error("Unexpected EOF.");
        var escape = Current;
        Advance();
        content.Append(escape switch
        {
            'x' => ReadHexadecimal(),
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            '"' => '"',
            '\\' => '\\',
            _ => throw Error($"Invalid escape character '{Shown(escape)}'. Only the following escape characters are allowed: \\xXX, \\t, \\n, \\r, \\\", \\\\."),
        });
    }

    private char ReadHexadecimal()
    {
        var end = Math.Min(_at + 2, text.Length);
        var digits = text.AsSpan(_at..end);
        if (digits.Length < 2 || digits.ContainsAny('\n', '\r'))
            throw Error("Expected two hexadecimal digits after '\\x', but hit end of line");
        if (!byte.TryParse(digits, System.Globalization.NumberStyles.AllowHexSpecifier, null, out var value))
            throw Error($"Expected two hexadecimal digits after '\\x', but got '{digits}'");
        Advance();
        Advance();
        return (char)value;
    }

    // A block ends with a closing parenthesis that is alone at the beginning of a line.
    private string ReadBlock()
    {
        var begin = _at;
        for (; !AtEnd; Advance())
        {
            var alone = Current == ')' && _at > begin && text[_at - 1] == '\n' && (_at + 1 == text.Length || text[_at + 1] is '\n' or '\r');
            if (!alone)
                continue;
            Advance();
            return text[begin..(_at - 1)];
        }
        throw Error("Unexpected EOF processing block.");
    }

    // Blanks, then at most one of the separators or any number of line ends, with comments anywhere in between.
    private bool SkipSeparator(params ReadOnlySpan<char> separators)
    {
        var begin = _at;
        SkipBlanks(lineEnds: true);
        if (AtEnd || !separators.Contains(Current))
            return text.AsSpan(begin, _at - begin).ContainsAny('\n', '\r');
        Advance();
        return true;
    }

    private void SkipBlanks(bool lineEnds)
    {
        while (true)
        {
            SkipWhiteSpace(lineEnds);
            if (AtEnd || !(Current == '#' || (Current == '/' && _at + 1 < text.Length && text[_at + 1] == '/')))
                return;
            while (!AtEnd && Current is not ('\n' or '\r'))
                Advance();
        }
    }

    private void SkipWhiteSpace(bool lineEnds)
    {
        while (!AtEnd && (Current is ' ' or '\t' || (lineEnds && char.IsWhiteSpace(Current))))
            Advance();
    }

    private void Advance()
    {
        if (text[_at++] != '\n')
            return;
        _line++;
        _lineStart = _at;
    }

    private ConfigSyntaxException Error(string reason) => new(Position, reason);

    private static string Shown(char character) => character switch
    {
        '\n' => "\\n",
        '\r' => "\\r",
        _ => character.ToString(),
    };
}

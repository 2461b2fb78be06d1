namespace Postrider.Broker.Configuration;

/// <summary>The kind of a token.</summary>
internal enum ConfigTokenKind
{
    /// <summary>End of the input.</summary>
    End,

    /// <summary>A key before its value.</summary>
    Key,

    /// <summary>The path after the word <c>include</c>.</summary>
    Include,

    /// <summary>Text in quotes or in a block, or bare text with an escape in it: always a string.</summary>
    Text,

    /// <summary>Bare text, whose type depends on its form.</summary>
    Bare,

    /// <summary>An opening brace.</summary>
    MapStart,

    /// <summary>A closing brace.</summary>
    MapEnd,

    /// <summary>An opening bracket.</summary>
    ArrayStart,

    /// <summary>A closing bracket.</summary>
    ArrayEnd,
}

/// <summary>One token.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Text">Its text, without quotes and with escapes resolved.</param>
/// <param name="Position">Where it begins.</param>
internal readonly record struct ConfigToken(ConfigTokenKind Kind, string Text, ConfigPosition Position);

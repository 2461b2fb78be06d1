namespace Postrider.Credentials.Files;

/// <summary>Finds the text between marks in a <c>.creds</c> file.</summary>
internal static class DecoratedText
{
    private const string Dashes = "---";

    /// <summary>Finds the line after a mark.</summary>
    /// <param name="text">The text.</param>
    /// <param name="word">The word at the end of the mark: <c>JWT</c> or <c>SEED</c>.</param>
    /// <returns>A part of <paramref name="text"/>; empty if there is none, or more than one line.</returns>
    public static ReadOnlySpan<char> Find(ReadOnlySpan<char> text, string word)
    {
        var found = ReadOnlySpan<char>.Empty;
        var isInside = false;
        foreach (var range in text.Split('\n'))
        {
            var line = text[range].Trim();
            if (IsMark(line))
            {
                if (isInside) return found;
                isInside = line.Contains("BEGIN", StringComparison.Ordinal) && line.TrimEnd('-').EndsWith(word, StringComparison.Ordinal);
            }
            else if (isInside && !line.IsEmpty)
            {
                if (!found.IsEmpty) return default;
                found = line;
            }
        }
        return default;
    }

    private static bool IsMark(ReadOnlySpan<char> line)
        => line.Length > 2 * Dashes.Length && line.StartsWith(Dashes, StringComparison.Ordinal) && line.EndsWith(Dashes, StringComparison.Ordinal);
}

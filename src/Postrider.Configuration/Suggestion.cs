namespace Postrider.Configuration;

/// <summary>Finds the name that somebody who mistyped one probably meant.</summary>
internal static class Suggestion
{
    private const int MaxDistance = 3;

    /// <summary>The most similar name.</summary>
    /// <param name="given">The name that does not exist.</param>
    /// <param name="known">Those that do.</param>
    /// <param name="maxDistance">How many letters may differ.</param>
    /// <returns>The name; null if none is similar.</returns>
    public static string? For(string given, IEnumerable<string> known, int maxDistance = MaxDistance)
    {
        // A name that was shortened, such as StoreDir.
        var names = known as IReadOnlyCollection<string> ?? [.. known];
        if (given.Length > maxDistance && names.FirstOrDefault(name => name.StartsWith(given, StringComparison.OrdinalIgnoreCase)) is { } longer)
            return longer;
        var nearest = names.MinBy(name => Distance(name, given));
        return nearest is not null && Distance(nearest, given) <= maxDistance ? nearest : null;
    }

    private static int Distance(string one, string other)
    {
        var row = new int[other.Length + 1];
        for (var j = 0; j <= other.Length; j++)
            row[j] = j;
        for (var i = 1; i <= one.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= other.Length; j++)
            {
                var same = char.ToUpperInvariant(one[i - 1]) == char.ToUpperInvariant(other[j - 1]);
                (diagonal, row[j]) = (row[j], Math.Min(Math.Min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1)));
            }
        }

        return row[^1];
    }
}

namespace Postrider.InteropTests.JetStream;

/// <summary>The lines of <c>features.txt</c>: what there is, and what drives it.</summary>
internal static class FeatureTable
{
    /// <summary>The lines of a section; the name <c>*</c> stands for all that have none of their own.</summary>
    public static IEnumerable<Feature> Section(string name) => Read().Where(feature => feature.Section == name);

    /// <summary>All lines.</summary>
    public static IEnumerable<Feature> Read()
    {
        var section = "";
        foreach (var line in File.ReadLines(Path.Combine(Harness.Tools.Repository, "tests", "Postrider.InteropTests", "JetStream", "features.txt")))
        {
            if (line.Length == 0 || line[0] == '#') continue;
            if (line[0] == '[')
            {
                section = line.Trim('[', ']');
                continue;
            }
            var (name, drivers) = Split(line, " = ");
            yield return new Feature(section, name, [.. drivers.Split(", ", StringSplitOptions.RemoveEmptyEntries)]);
        }
    }

    /// <summary>The two sides of the first place of a separator; nothing behind one that is not there.</summary>
    public static (string Before, string Behind) Split(string text, string separator)
    {
        var at = text.IndexOf(separator, StringComparison.Ordinal);
        return at < 0 ? (text, "") : (text[..at], text[(at + separator.Length)..]);
    }

    /// <summary>One line.</summary>
    /// <param name="Section">Where it stands.</param>
    /// <param name="Name">What there is.</param>
    /// <param name="Drivers">What drives it.</param>
    internal sealed record Feature(string Section, string Name, IReadOnlyList<string> Drivers);
}

using System.Globalization;

namespace Postrider.Profile;

/// <summary>
/// Reads the text that the runtime writes at its end with <c>DOTNET_WritePGOData=1</c> and <c>DOTNET_PGODataPath</c>: for each
/// method that ran with counters a line of hashes and sizes, its name, its signature and its counters.
/// </summary>
public static class ProfileText
{
    /// <summary>The methods of a file.</summary>
    /// <param name="lines">The lines of the file.</param>
    /// <returns>The methods in the order of the file; one may occur several times.</returns>
    /// <exception cref="FormatException">A line is not what the format has there, or the file ends within a method.</exception>
    public static IEnumerable<RecordedMethod> Read(IEnumerable<string> lines)
    {
        using var line = lines.GetEnumerator();
        while (line.MoveNext())
        {
            if (!line.Current.StartsWith("@@@ ", StringComparison.Ordinal))
                continue;
            var words = line.Current.Split(' ');
            if (words.Length != 9)
                throw Unexpected(line.Current, "'@@@ codehash A methodhash B ilSize C records D'");
            var (size, records) = (Hexadecimal(words[6]), Hexadecimal(words[8]));
            var name = Next(line, "MethodName: ");
            var signature = Next(line, "Signature: ");
            var counters = new List<RecordedCounter>(records);
            for (var i = 0; i < records; i++)
                counters.Add(Counter(line));
            yield return new RecordedMethod(name, signature, size, counters);
        }
    }

    private static RecordedCounter Counter(IEnumerator<string> line)
    {
        var words = Next(line, "Schema InstrumentationKind ").Split(' ');
        if (words is not [var kind, "ILOffset", var offset, "Count", var count, "Other", var other])
            throw Unexpected(line.Current, "'Schema InstrumentationKind A ILOffset B Count C Other D'");
        var place = new CounterPlace((int)Number(kind), (int)Number(offset), (int)Number(count), unchecked((int)(uint)Number(other)));
        var numbers = new List<long>();
        var names = new List<string?>();
        for (var i = 0; i < place.Count; i++)
        {
            switch (place.Kind & CounterKind.Storage)
            {
                case 0:
                    Next(line, "None");
                    break;
                case CounterKind.FourBytes:
                    numbers.Add(Number(Next(line, "")));
                    break;
                case CounterKind.EightBytes:
                    var halves = Next(line, "").Split(' ');
                    numbers.Add(halves.Length == 2 ? Number(halves[0]) | (Number(halves[1]) << 32) : throw Unexpected(line.Current, "two numbers"));
                    break;
                case CounterKind.Type:
                    AddName(names, Next(line, "TypeHandle: "));
                    break;
                case CounterKind.Method:
                    AddName(names, Next(line, "MethodHandle: "));
                    break;
                default:
                    throw Unexpected(line.Current, "a counter of 0 to 4 in its last four bits");
            }
        }
        return new RecordedCounter(place, numbers, names);
    }

    /// <summary>The runtime's words for a place of the sample that was not used, and for what can no longer be named.</summary>
    private static void AddName(List<string?> names, string name)
    {
        if (name != "NULL")
            names.Add(name == "UNKNOWN" ? null : name);
    }

    private static string Next(IEnumerator<string> line, string start)
    {
        if (!line.MoveNext())
            throw new FormatException($"The profile ends within a method; expected a line that begins with '{start}'.");
        return line.Current.StartsWith(start, StringComparison.Ordinal) ? line.Current[start.Length..] : throw Unexpected(line.Current, $"a line that begins with '{start}'");
    }

    private static int Hexadecimal(string word) =>
        word.StartsWith("0x", StringComparison.Ordinal) && int.TryParse(word.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw Unexpected(word, "a hexadecimal number");

    private static long Number(string word) =>
        long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw Unexpected(word, "a number");

    private static FormatException Unexpected(string line, string expected) => new($"Unexpected line in the profile: '{line}'. Expected {expected}.");
}

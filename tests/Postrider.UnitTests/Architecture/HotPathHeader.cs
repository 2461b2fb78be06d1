using System.Text.RegularExpressions;

namespace Postrider.UnitTests.Architecture;

/// <summary>The first line of a hot path: <c>// Hot path: caller -> this -> callee. Allocations: none.</c></summary>
internal static partial class HotPathHeader
{
    /// <summary>What such a line begins with.</summary>
    public const string Start = "// Hot path: ";

    // Callers and callees that are not ours.
    private static readonly HashSet<string> Foreign = ["HttpClient", "HttpMessageInvoker", "Kestrel", "Socket", "SslStream"];

    /// <summary>The names in a line that are no type of ours, no member of the type before the dot, no folder and none of the framework's.</summary>
    /// <param name="line">The line.</param>
    /// <param name="names">What the sources declare.</param>
    /// <param name="folders">The names of the folders of sources.</param>
    public static IEnumerable<string> Unknown(string line, DeclaredNames names, IReadOnlySet<string> folders)
    {
        var way = line.Split("Allocations:")[0][Start.Length..];
        return Name().Matches(way).Select(static name => name.Value).Where(name => !IsKnown(name.Split('.')));

        bool IsKnown(string[] parts) => parts.Length == 1
            ? names.HasType(parts[0]) || folders.Contains(parts[0]) || Foreign.Contains(parts[0])
            : names.HasMember(parts[0], parts[1]);
    }

    [GeneratedRegex(@"(?<![\w.])[A-Z]\w*(?:\.[A-Z]\w*)*")]
    private static partial Regex Name();
}

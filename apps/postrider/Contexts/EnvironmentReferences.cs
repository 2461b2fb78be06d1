using System.Text.RegularExpressions;

namespace Postrider.CommandLine.Contexts;

/// <summary>References to environment variables in a path, written <c>$NAME</c> or <c>${NAME}</c>.</summary>
internal static partial class EnvironmentReferences
{
    /// <summary>The path with their values; a variable that is not set is empty.</summary>
    internal static string Expand(string path)
        => Reference().Replace(path, static match => Environment.GetEnvironmentVariable(match.Groups[1].Value) ?? "");

    [GeneratedRegex(@"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")]
    private static partial Regex Reference();
}

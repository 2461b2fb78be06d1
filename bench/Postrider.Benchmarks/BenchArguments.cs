namespace Postrider.Benchmarks;

/// <summary>The words behind a bench's name.</summary>
internal static class BenchArguments
{
    /// <summary>The word behind an option, or null.</summary>
    public static string? Option(string[] args, string name)
    {
        var at = Array.IndexOf(args, name);
        return at >= 0 && at + 1 < args.Length ? args[at + 1] : null;
    }

    /// <summary>Whether a text has the word behind an option in it; without the option any has.</summary>
    public static bool Matches(string[] args, string name, string text)
        => Option(args, name) is not { } wanted || text.Contains(wanted, StringComparison.OrdinalIgnoreCase);
}

namespace Postrider.UnitTests.Architecture;

/// <summary>The repository that these tests were built from.</summary>
internal static class Repository
{
    private static readonly HashSet<string> Produced = ["bin", "obj", "node_modules", "artifacts", ".git"];

    /// <summary>The folder of <c>Postrider.slnx</c>, with a separator at its end.</summary>
    public static string Root { get; } = Checkout.Root + Path.DirectorySeparatorChar;

    /// <summary>Where projects live, besides tests.</summary>
    public static IReadOnlyList<string> ProductFolders { get; } = ["src", "adapters", "apps", "bench", "samples", "tools"];

    /// <summary>Reads a file by its path from the root.</summary>
    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    /// <summary>Files below a folder with an extension, without what builds leave behind; paths from the root, sorted.</summary>
    public static IReadOnlyList<string> Files(string folder, string extension)
    {
        var start = Path.Combine(Root, folder);
        return Directory.Exists(start)
            ? [.. Walk(start).Where(file => file.EndsWith(extension, StringComparison.Ordinal)).Select(FromRoot).Order(StringComparer.Ordinal)]
            : [];
    }

    /// <summary>The path of a file or folder from the root, with forward slashes.</summary>
    public static string FromRoot(string path) => Path.GetRelativePath(Root, path).Replace('\\', '/');

    private static IEnumerable<string> Walk(string folder)
    {
        foreach (var file in Directory.EnumerateFiles(folder))
            yield return file;

        foreach (var inner in Directory.EnumerateDirectories(folder))
        {
            if (Produced.Contains(Path.GetFileName(inner)))
                continue;

            foreach (var file in Walk(inner))
                yield return file;
        }
    }
}

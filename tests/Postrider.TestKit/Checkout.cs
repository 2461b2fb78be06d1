namespace Postrider.TestKit;

/// <summary>The repository that the tests were built from.</summary>
public static class Checkout
{
    /// <summary>The folder of <c>Postrider.slnx</c>, without a separator at its end.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The full path of a file or folder below the root.</summary>
    public static string PathOf(params ReadOnlySpan<string> parts) => Path.Join([Root, .. parts]);

    private static string FindRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Join(folder.FullName, "Postrider.slnx")))
                return folder.FullName;
        }

        throw new InvalidOperationException($"No Postrider.slnx above {AppContext.BaseDirectory}.");
    }
}

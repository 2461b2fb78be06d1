namespace Postrider.CommandLine.Contexts;

/// <summary>The contexts of a user, stored where the <c>nats</c> tool keeps them: one file each, and one with the name of the selected one.</summary>
/// <param name="folder">The folder that holds <c>context.txt</c> and <c>context/</c>.</param>
internal sealed class ContextStore(string folder)
{
    private string Selection => Path.Combine(folder, "context.txt");

    private string Contexts => Path.Combine(folder, "context");

    /// <summary>The store of the user: <c>$XDG_CONFIG_HOME/nats</c>, or <c>~/.config/nats</c>.</summary>
    internal static ContextStore OfUser()
    {
        var root = Environment.GetEnvironmentVariable("XDG_CONFIG_HOME") is { Length: > 0 } configured
            ? configured
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".config");
        return new ContextStore(Path.Combine(root, "nats"));
    }

    /// <summary>Checks a name.</summary>
    /// <returns>The error, or null.</returns>
    internal static string? NameProblem(string name)
        => name.Length == 0 || name.Contains("..", StringComparison.Ordinal) || name.AsSpan().ContainsAny('/', '\\', '\0') || name.Any(char.IsWhiteSpace)
            ? $"'{name}' is not a valid context name: use a word without spaces, slashes and '..'."
            : null;

    /// <summary>The names, in order.</summary>
    internal IEnumerable<string> List() => Directory.Exists(Contexts)
        ? Directory.EnumerateFiles(Contexts, "*.json").Select(static file => Path.GetFileNameWithoutExtension(file)).Order(StringComparer.Ordinal)
        : [];

    internal bool Exists(string name) => NameProblem(name) is null && File.Exists(PathOf(name));

    /// <summary>Reads a context.</summary>
    /// <exception cref="ContextException">There is no context of this name, or it cannot be read.</exception>
    internal NatsContext Read(string name)
    {
        if (NameProblem(name) is { } problem) throw new ContextException(problem);
        if (!File.Exists(PathOf(name)))
            throw new ContextException($"Context '{name}' does not exist. {(List().ToList() is { Count: > 0 } known ? $"Contexts: {string.Join(", ", known)}." : "Add it with 'postrider context add'.")}");
        return NatsContext.Parse(name, File.ReadAllText(PathOf(name)));
    }

    /// <summary>Writes a context; only the owner can read its file, because it may contain a password.</summary>
    internal void Save(NatsContext context)
    {
        CreateFolders();
        Write(PathOf(context.Name), context.Write());
    }

    internal void Delete(string name) => File.Delete(PathOf(name));

    /// <summary>The selected context's name, or null.</summary>
    internal string? Selected() => File.Exists(Selection) && File.ReadAllText(Selection).Trim() is { Length: > 0 } name ? name : null;

    /// <summary>Selects a context; null selects none.</summary>
    internal void Select(string? name)
    {
        CreateFolders();
        if (Selected() is { } before) Write(Path.Combine(folder, "previous-context.txt"), before);
        Write(Selection, name ?? "");
    }

    private string PathOf(string name) => Path.Combine(Contexts, name + ".json");

    private void CreateFolders()
    {
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(Contexts);
        else Directory.CreateDirectory(Contexts, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    // Written to a temporary file and renamed: readers never see a partial file, and the mode is right from the start.
    private static void Write(string path, string text)
    {
        var beside = $"{path}.{Environment.ProcessId}.tmp";
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        using (var writer = new StreamWriter(beside, options))
            writer.Write(text);
        File.Move(beside, path, overwrite: true);
    }
}

namespace Postrider.CommandLine.Serving;

/// <summary>The name under which the program was started: as <c>nats-server</c> it behaves like that program.</summary>
internal static class ProgramName
{
    internal const string NatsServer = "nats-server";
    internal const string Postrider = "postrider";

    /// <summary>The file name of the path the program was started by, without <c>.exe</c>. A symbolic link keeps its own name.</summary>
    internal static string Current { get; } = Read();

    /// <summary>Whether that name is nats-server's.</summary>
    internal static bool IsNatsServer => Current is NatsServer;

    private static string Read()
    {
        var path = OperatingSystem.IsLinux() ? StartedBy() : Environment.ProcessPath;
        var name = Path.GetFileName(path ?? Postrider);
        if (name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase))
            name = name[..^4];
        // If the program is not published, or runs under the host "dotnet", the file's name is not useful.
        return name is "dotnet" or "Postrider.CommandLine" or "" ? Postrider : name;
    }

    // The runtime resolves links in every name it returns; the kernel keeps the name as the caller wrote it.
    private static string? StartedBy()
    {
        try
        {
            return File.ReadAllText("/proc/self/cmdline").Split('\0')[0];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return Environment.ProcessPath;
        }
    }
}

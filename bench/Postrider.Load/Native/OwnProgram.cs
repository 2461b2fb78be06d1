namespace Postrider.Load.Native;

/// <summary>How this program is started once more.</summary>
internal static class OwnProgram
{
    /// <summary>Program and first arguments: the host alone, or <c>dotnet</c> with the assembly.</summary>
    public static IReadOnlyList<string> Command { get; } =
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
            ? [Environment.ProcessPath!, typeof(OwnProgram).Assembly.Location]
            : [Environment.ProcessPath!];
}

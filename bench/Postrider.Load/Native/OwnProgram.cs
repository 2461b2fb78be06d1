using System.Diagnostics;

namespace Postrider.Load.Native;

/// <summary>How this program is started once more.</summary>
internal static class OwnProgram
{
    /// <summary>Program and first arguments: the host alone, or <c>dotnet</c> with the assembly.</summary>
    public static IReadOnlyList<string> Command { get; } =
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
            ? [Environment.ProcessPath!, typeof(OwnProgram).Assembly.Location]
            : [Environment.ProcessPath!];

    /// <summary>How to start it with these arguments; the output is redirected.</summary>
    public static ProcessStartInfo StartInfo(params string[] arguments) => new(Command[0], [.. Command.Skip(1), .. arguments]) { RedirectStandardOutput = true };
}

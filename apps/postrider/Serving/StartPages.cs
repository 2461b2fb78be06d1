using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.CommandLine.Serving;

/// <summary>The pages of the program's file that only its start needed.</summary>
/// <remarks>The kernel maps sixteen pages of a file for each one that is used, and keeps them: 10 MB of an idle server. Once they are
/// released, those that are used come back from the page cache, in less than a microsecond each. Only Linux, and only the native program: the file of
/// the trimmed one is a starter. Source: madvise(2), MADV_DONTNEED.</remarks>
internal static partial class StartPages
{
    private const string Mappings = "/proc/self/smaps";
    private const int DontNeed = 4;

    // The start of a server with many streams takes longer; its pages are then released while they are used, and come back.
    private static readonly TimeSpan s_delay = TimeSpan.FromSeconds(2);

    /// <summary>Releases them once, in a moment.</summary>
    /// <param name="time">The clock.</param>
    /// <returns>The timer.</returns>
    internal static ITimer ReleaseLater(TimeProvider time) => time.CreateTimer(static _ => Release(), null, s_delay, Timeout.InfiniteTimeSpan);

    /// <summary>Finds the mappings of a file that hold no changes: code and constants, but not what the loader has written.</summary>
    /// <param name="lines">Lines of proc(5)'s smaps.</param>
    /// <param name="file">The file's path.</param>
    /// <returns>The first address and the number of bytes of each.</returns>
    internal static IEnumerable<(nint Address, nuint Bytes)> FindUnchanged(IEnumerable<string> lines, string file)
    {
        (nint, nuint)? mapping = null;
        foreach (var line in lines)
        {
            if (line.Length > 0 && char.IsAsciiHexDigitLower(line[0]))
            {
                // 00aec000-01ae1000 r-xp 008eb000 fe:00 5833043    /usr/bin/postrider
                mapping = line.Split(' ', 6, StringSplitOptions.RemoveEmptyEntries) is [var range, ['r', '-', ..], _, _, _, var path] && path == file ? Parse(range) : null;
            }
            else if (line.StartsWith("Anonymous:", StringComparison.Ordinal) && mapping is { } found && line.EndsWith(" 0 kB", StringComparison.Ordinal))
                yield return found;
        }
    }

    private static (nint Address, nuint Bytes)? Parse(string range)
        => range.Split('-') is [var first, var end]
            && long.TryParse(first, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var from)
            && long.TryParse(end, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var to)
                ? ((nint)from, (nuint)(to - from))
                : null;

    private static void Release()
    {
        if (!OperatingSystem.IsLinux() || RuntimeFeature.IsDynamicCodeSupported || Environment.ProcessPath is not { } file) return;
        try
        {
            foreach (var (address, bytes) in FindUnchanged(File.ReadLines(Mappings), file))
                _ = Advise(address, bytes, DontNeed);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // No /proc: the pages stay.
        }
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(nint address, nuint length, int advice);
}

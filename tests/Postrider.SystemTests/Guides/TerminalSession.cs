using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;

namespace Postrider.SystemTests.CommandLine;

/// <summary>A guide's section with terminal sessions: commands, and what they print.</summary>
/// <remarks>A block is fenced as <c>console</c>; a line of it that begins with <c>$</c> is a command of a shell, the others are its output.
/// A block fenced as <c>console background</c> runs until the section ends, and has begun when it has written its first line.
/// <c>…</c> stands for any text of a line, and for any lines where it stands alone.</remarks>
internal sealed partial class TerminalSession
{
    private const string Any = "…";

    private readonly List<(bool IsBackground, List<(string Command, List<string> Expected)> Steps)> _blocks = [];

    /// <summary>The sections of a page that have sessions.</summary>
    internal static IReadOnlyList<string> Sections(string page)
        => [.. Section().Matches(page).Where(static section => section.Value.Contains("\n```console", StringComparison.Ordinal)).Select(static section => section.Groups["name"].Value)];

    /// <summary>The commands of a page's sessions.</summary>
    internal static IReadOnlyList<string> Commands(string page)
        => [.. Sections(page).SelectMany(section => Read(page, section)._blocks).SelectMany(static block => block.Steps).Select(static step => step.Command)];

    /// <summary>Reads a section.</summary>
    internal static TerminalSession Read(string page, string section)
    {
        var session = new TerminalSession();
        foreach (Match block in Block().Matches(Section().Matches(page).Single(found => found.Groups["name"].Value == section).Value))
        {
            var steps = new List<(string Command, List<string> Expected)>();
            foreach (var line in block.Groups["lines"].Value.TrimEnd('\n').Split('\n'))
            {
                if (line.StartsWith("$ ", StringComparison.Ordinal)) steps.Add((line[2..], []));
                else steps[^1].Expected.Add(line);
            }
            session._blocks.Add((block.Groups["background"].Success, steps));
        }
        return session;
    }

    /// <summary>Runs every command.</summary>
    /// <param name="shell">Starts one.</param>
    /// <returns>What was printed and differs from the page: the command, the page's lines, the lines that came.</returns>
    internal async Task<List<(string Command, string Expected, string Actual)>> RunAsync(Func<string, Process> shell)
    {
        var differences = new List<(string, string, string)>();
        var background = new List<(string Command, List<string> Expected, Process Process, Task<string> Output)>();
        foreach (var (isBackground, steps) in _blocks)
        {
            foreach (var (command, expected) in steps)
            {
                var process = shell(command);
                if (isBackground)
                {
                    var began = new TaskCompletionSource();
                    background.Add((command, expected, process, ReadAsync(process, began)));
                    await began.Task.WaitAsync(ServerProcess.Patience);
                }
                else
                {
                    Compare(command, expected, await ReadAsync(process, new TaskCompletionSource()).WaitAsync(ServerProcess.Patience), differences);
                    process.Dispose();
                }
            }
        }
        foreach (var (command, expected, process, output) in background)
        {
            Compare(command, expected, await output.WaitAsync(ServerProcess.Patience), differences);
            process.Dispose();
        }
        return differences;
    }

    /// <summary>Whether lines are those of a page, but for what differs from run to run.</summary>
    internal static bool Matches(IReadOnlyList<string> expected, IReadOnlyList<string> actual)
    {
        var pattern = new StringBuilder("^");
        foreach (var line in expected)
            pattern.Append(line.Trim() == Any ? "(.*\n)*?" : Regex.Escape(Normal(line)).Replace(Any, "[^\n]*", StringComparison.Ordinal) + "\n");
        return Regex.IsMatch(string.Concat(actual.Select(static line => Normal(line) + "\n")), pattern.Append('$').ToString(), RegexOptions.None, ServerProcess.Patience);
    }

    private static void Compare(string command, List<string> expected, string output, List<(string, string, string)> differences)
    {
        var actual = output.TrimEnd('\n').Split('\n').Select(static line => line.TrimEnd()).Where((line, i) => i > 0 || line.Length > 0).ToList();
        if (!Matches(expected, actual)) differences.Add((command, string.Join('\n', expected), string.Join('\n', actual)));
    }

    private static async Task<string> ReadAsync(Process process, TaskCompletionSource began)
    {
        var text = new StringBuilder();
        while (await process.StandardOutput.ReadLineAsync() is { } line)
        {
            text.Append(line).Append('\n');
            began.TrySetResult();
        }
        await process.WaitForExitAsync();
        began.TrySetResult();
        return text.ToString();
    }

    // Times, addresses and ids; the widths of columns follow from them.
    private static string Normal(string line)
    {
        line = Moment().Replace(line, "TIME");
        line = Clock().Replace(line, "CLOCK");
        line = Measured().Replace(line, "SPAN");
        line = Address().Replace(line, "ADDRESS");
        line = Id().Replace(line, "ID");
        return Blanks().Replace(line, " ").TrimEnd();
    }

    [GeneratedRegex(@"^## (?<name>[^\n]+)\n(?<text>(?:(?!^## ).*\n?)*)", RegexOptions.Multiline)]
    private static partial Regex Section();

    [GeneratedRegex("^```console(?<background> background)?\n(?<lines>.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();

    [GeneratedRegex(@"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")]
    private static partial Regex Moment();

    [GeneratedRegex(@"\b\d\d:\d\d:\d\d\b")]
    private static partial Regex Clock();

    [GeneratedRegex(@"\b\d+(\.\d+)? (µs|ms|s)\b")]
    private static partial Regex Measured();

    [GeneratedRegex(@"\b127\.0\.0\.1:\d+")]
    private static partial Regex Address();

    [GeneratedRegex(@"\b([A-Za-z0-9]{22}|[A-Z0-9]{56})\b")]
    private static partial Regex Id();

    [GeneratedRegex(" {2,}")]
    private static partial Regex Blanks();
}

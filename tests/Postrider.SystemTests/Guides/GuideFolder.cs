using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Guides;

/// <summary>The folder in which a page's commands run, with ports, keys and hashes of its own in the place of those that the page shows.</summary>
internal sealed partial class GuideFolder : IDisposable
{
    internal static readonly TimeSpan Patience = ServerProcess.Patience;

    // The folder's path in the pages.
    private const string ShownPath = "/home/ann/shop";

    private readonly Dictionary<string, string> _ports = [];
    private readonly Dictionary<string, string> _printedIds = [];

    /// <param name="blocks">The blocks whose ports of this machine are replaced by free ones; ports of other machines stay.</param>
    internal GuideFolder(IEnumerable<GuideBlock> blocks)
    {
        foreach (var port in blocks.SelectMany(static block => block.Lines).SelectMany(static line => Listener().Matches(line)).Select(static found => found.Groups["port"].Value))
            if (!_ports.ContainsKey(port)) _ports.Add(port, $"{FreePort.Find()}");
        ServerProcess.Link(PathOf("postrider"));
    }

    /// <summary>The folder.</summary>
    internal string Path { get; } = Directory.CreateTempSubdirectory("postrider-guide-").FullName;

    /// <summary>The path of a file in it.</summary>
    internal string PathOf(string name) => System.IO.Path.Join(Path, name);

    /// <summary>The port in the place of one that the page shows.</summary>
    internal int PortOf(string shown) => int.Parse(_ports[shown], CultureInfo.InvariantCulture);

    /// <summary>Writes a file that the page shows.</summary>
    internal void Write(string name, IEnumerable<string> lines)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(PathOf(name))!);
        File.WriteAllText(PathOf(name), Ours(string.Join('\n', lines) + "\n"));
    }

    /// <summary>Starts a command in a shell.</summary>
    /// <param name="command">The command, as the page shows it.</param>
    internal TerminalProgram Start(string command)
    {
        var start = new ProcessStartInfo("/bin/sh", ["-c", $"exec 2>&1\n{Ours(command)}"]) { WorkingDirectory = Path, RedirectStandardOutput = true, RedirectStandardInput = true };
        foreach (var name in start.Environment.Keys.Where(static name => name.StartsWith("NATS_", StringComparison.Ordinal) || name == "POSTRIDER_AUTH").ToList()) start.Environment.Remove(name);
        start.Environment["PATH"] = $"{Path}:{Environment.GetEnvironmentVariable("PATH")}";
        start.Environment["XDG_CONFIG_HOME"] = PathOf("config");
        if (_ports.TryGetValue("4222", out var port)) start.Environment["NATS_URL"] = $"nats://127.0.0.1:{port}";
        return new TerminalProgram(Process.Start(start)!, ShownPlaces);
    }

    /// <summary>What was printed, with the page's keys and hashes.</summary>
    internal List<string> Shown(IEnumerable<string> printed)
        => [.. printed.Select(line => _printedIds.Aggregate(line, static (text, id) => text.Replace(id.Value, id.Key, StringComparison.Ordinal)))];

    /// <summary>Remembers what was printed in the places where the page shows keys and hashes.</summary>
    /// <returns>Whether the same always came where the page shows the same.</returns>
    internal bool Learn(IReadOnlyList<string> expected, IReadOnlyList<string> printed)
    {
        var isSame = true;
        foreach (var (shown, came) in PrintedLines.Ids(expected, printed))
        {
            if (!_printedIds.TryAdd(shown, came)) isSame &= _printedIds[shown] == came;
        }
        return isSame;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);

    private string Ours(string text)
    {
        foreach (var (shown, came) in _printedIds) text = text.Replace(shown, came, StringComparison.Ordinal);
        return Port().Replace(text, found => _ports.GetValueOrDefault(found.Value, found.Value));
    }

    private string ShownPlaces(string line)
    {
        line = line.Replace(Path, ShownPath, StringComparison.Ordinal);
        foreach (var (shown, ours) in _ports) line = Regex.Replace(line, $@"(?<=:){ours}\b", shown);
        return line;
    }

    [GeneratedRegex(@"\b(127\.0\.0\.1|0\.0\.0\.0|localhost):(?<port>\d{4,5})\b")]
    private static partial Regex Listener();

    // In an address, as a flag and as a setting.
    [GeneratedRegex(@"(?<=\b(127\.0\.0\.1|0\.0\.0\.0|localhost):|(^|\s)-[pm] |\b(port|http|https|listen): )\d{4,5}\b", RegexOptions.Multiline)]
    private static partial Regex Port();
}

using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Postrider.SystemTests.CommandLine;

/// <summary>The program as a process of its own, in a folder of its own, started under a name.</summary>
internal sealed partial class ServerProcess : IDisposable
{
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // ./dev test names the published one: what users run is what is tested.
    private static readonly string Program = Environment.GetEnvironmentVariable("POSTRIDER_PROGRAM") is { Length: > 0 } named
        ? named
        : Path.Join(AppContext.BaseDirectory, "Postrider.CommandLine");

    private readonly Process _process;
    private readonly List<string> _errors = [];
    private readonly List<string> _output = [];

    private ServerProcess(string folder, Process process)
    {
        Folder = folder;
        _process = process;
        process.OutputDataReceived += (_, line) => Add(_output, line.Data);
        process.ErrorDataReceived += (_, line) => Add(_errors, line.Data);
        process.Start();
        // A program under test never asks the terminal of the one who runs the tests.
        process.StandardInput.Close();
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
    }

    internal string Folder { get; }

    internal int Id => _process.Id;

    internal string Errors => Text(_errors);

    internal string Output => Text(_output);

    internal static ServerProcess Start(string name, string folder, params string[] args) => Start(name, folder, [], args);

    /// <summary>Starts it without the caller's settings of NATS, and with the given variables.</summary>
    internal static ServerProcess Start(string name, string folder, IEnumerable<(string Name, string Value)> variables, string[] args)
    {
        var link = Path.Join(folder, name);
        Link(link);
        var start = new ProcessStartInfo(link, args) { WorkingDirectory = folder, RedirectStandardError = true, RedirectStandardOutput = true, RedirectStandardInput = true };
        foreach (var own in start.Environment.Keys.Where(static key => key.StartsWith("NATS_", StringComparison.Ordinal)).ToList()) start.Environment.Remove(own);
        start.Environment["XDG_CONFIG_HOME"] = Path.Join(folder, "config");
        foreach (var (variable, value) in variables) start.Environment[variable] = value;
        return new ServerProcess(folder, new Process { StartInfo = start });
    }

    /// <summary>Makes a path at which the program is found.</summary>
    internal static void Link(string path)
    {
        if (!File.Exists(path)) File.CreateSymbolicLink(path, Program);
    }

    internal static string NewFolder() => Directory.CreateTempSubdirectory("postrider-test-").FullName;

    /// <summary>The ports file, once it is there.</summary>
    internal async Task<JsonElement> PortsAsync(string name)
    {
        var file = Path.Join(Folder, $"{name}_{Id}.ports");
        await Eventually.HoldsAsync(() => File.Exists(file) || _process.HasExited);
        return JsonDocument.Parse(await File.ReadAllTextAsync(file)).RootElement;
    }

    /// <summary>Waits until the log has a text.</summary>
    internal async Task LoggedAsync(string text)
    {
        await Eventually.HoldsAsync(() => Errors.Contains(text, StringComparison.Ordinal) || _process.HasExited);
        Assert.Contains(text, Errors, StringComparison.Ordinal);
    }

    internal async Task SignalAsync(string signal)
    {
        using var kill = Process.Start("kill", ["-" + signal, Id.ToString()]);
        await kill.WaitForExitAsync();
        Assert.Equal(0, kill.ExitCode);
    }

    internal async Task<int> ExitAsync()
    {
        using var patience = new CancellationTokenSource(Patience);
        await _process.WaitForExitAsync(patience.Token);
        return _process.ExitCode;
    }

    /// <summary>Log lines without process id, time and what differs from run to run.</summary>
    internal static string[] Lines(string log) =>
        [.. log.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => LinePrefix().Replace(line, ""))];

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    private static void Add(List<string> lines, string? line)
    {
        lock (lines)
            if (line is not null)
                lines.Add(line);
    }

    private static string Text(List<string> lines)
    {
        lock (lines)
            return string.Join('\n', lines);
    }

    [GeneratedRegex(@"^\[\d+\] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6} ")]
    private static partial Regex LinePrefix();
}

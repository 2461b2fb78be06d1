using System.Diagnostics;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Shells;

/// <summary>The scripts of <c>postrider completion</c> in the shells that they are for.</summary>
public sealed class CompletionTests : IDisposable
{
    // zsh's own functions are there only while a line is edited: these print what the script offers.
    private const string Zsh = """
        compdef() { }
        compadd() { print -rl -- "${@[2,-1]}" }
        source <(postrider completion zsh)
        words=("${(@s: :)1}") CURRENT=${#words}
        _postrider
        """;

    private const string Fish = """
        postrider completion fish | source
        complete -C $argv[1]
        """;

    // PowerShell takes a second to start: one process completes all lines.
    private const string PowerShell = """
        postrider completion pwsh | Out-String | Invoke-Expression
        foreach ($line in $args) {
            "$line=> " + ((TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches.CompletionText -join ' ')
        }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-shells-").FullName;

    public CompletionTests() => File.CreateSymbolicLink(Path.Join(_folder, "postrider"), Tools.Postrider);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("postrider str", "stream")]
    [InlineData("postrider stream rep", "report")]
    [InlineData("postrider completion ", "fish")]
    [InlineData("postrider stream add S --max-a", "--max-age")]
    public async Task Zsh_completes_commands_and_flags(string line, string expected)
        => Assert.Contains(expected, await OfferedAsync("zsh", ["-f"], "completion.zsh", Zsh, line));

    [Theory]
    [InlineData("postrider str", "stream")]
    [InlineData("echo x; postrider stream rep", "report")]
    [InlineData("postrider completion ", "fish")]
    [InlineData("postrider stream add S --max-a", "--max-age")]
    public async Task Fish_completes_commands_and_flags(string line, string expected)
        => Assert.Contains(expected, await OfferedAsync("fish", ["--no-config"], "completion.fish", Fish, line));

    [Fact]
    public async Task PowerShell_completes_commands_and_flags()
    {
        var offered = await OfferedAsync(
            Tools.PowerShell, ["-NoProfile", "-NonInteractive", "-File"], "completion.ps1", PowerShell, "postrider str", "$x = 1; postrider stream rep", "postrider completion b", "postrider stream add S --max-a");

        Assert.Equal(
            ["postrider str=> stream", "$x = 1; postrider stream rep=> report", "postrider completion b=> bash", "postrider stream add S --max-a=> --max-age"],
            offered.Where(static line => line.Length > 0));
    }

    private async Task<string[]> OfferedAsync(string shell, string[] options, string name, string script, params string[] lines)
    {
        var file = Path.Join(_folder, name);
        await File.WriteAllTextAsync(file, script + "\n", TestContext.Current.CancellationToken);
        var start = new ProcessStartInfo(shell, [.. options, file, .. lines]) { RedirectStandardOutput = true, WorkingDirectory = _folder };
        start.Environment["PATH"] = $"{_folder}:{Environment.GetEnvironmentVariable("PATH")}";
        start.Environment["XDG_CONFIG_HOME"] = _folder;
        start.Environment["XDG_DATA_HOME"] = _folder;
        using var process = Process.Start(start)!;

        // fish puts a description behind a tab.
        return [.. (await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)).Split('\n').Select(static offered => offered.Split('\t')[0])];
    }
}

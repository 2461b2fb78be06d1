using System.Diagnostics;
using Postrider.CommandLine.Contexts;

namespace Postrider.SystemTests.CommandLine;

/// <summary><c>postrider completion</c> and <c>postrider help</c>.</summary>
public sealed class CompletionTests : IDisposable
{
    private readonly string _folder = ServerProcess.NewFolder();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("postrider str", "stream")]
    [InlineData("postrider stream rep", "report")]
    [InlineData("postrider server check ", "jetstream")]
    [InlineData("postrider completion ", "fish")]
    [InlineData("postrider stream add S --max-a", "--max-age")]
    [InlineData("postrider context select ", "prod")]
    [InlineData("postrider server request conn", "connections")]
    [InlineData("postrider object seal O ", "--force")]
    public async Task Bash_completes_commands_flags_and_names(string line, string expected)
    {
        new ContextStore(Path.Combine(_folder, "nats")).Save(NatsContext.Create("prod"));
        ServerProcess.Link(Path.Combine(_folder, "postrider"));
        var script = """
            source <(postrider completion bash)
            COMP_LINE=$1 COMP_POINT=${#1}
            read -ra COMP_WORDS <<< "$1"
            case $1 in *' ') COMP_WORDS+=('') ;; esac
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _postrider
            printf '%s\n' "${COMPREPLY[@]}"
            """;
        var start = new ProcessStartInfo("bash", ["-c", script, "bash", line]) { RedirectStandardOutput = true };
        start.Environment["PATH"] = $"{_folder}:{Environment.GetEnvironmentVariable("PATH")}";
        start.Environment["XDG_CONFIG_HOME"] = _folder;
        using var bash = Process.Start(start)!;

        var words = (await bash.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)).Split('\n');

        Assert.Contains(expected, words);
        Assert.DoesNotContain("serve", words);
        Assert.DoesNotContain("/?", words);
        Assert.DoesNotContain("/h", words);
    }

    [Theory]
    [InlineData("bash", "complete -F _postrider postrider")]
    [InlineData("zsh", "compdef _postrider postrider")]
    [InlineData("fish", "complete -c postrider")]
    [InlineData("pwsh", "Register-ArgumentCompleter -Native -CommandName postrider")]
    public async Task Every_shell_has_its_script(string shell, string registration)
    {
        var (code, output, _) = await RunAsync("completion", shell);

        Assert.Equal(0, code);
        Assert.Contains(registration, output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unknown_shell_is_refused()
    {
        var (code, _, errors) = await RunAsync("completion", "tcsh");

        Assert.Equal(1, code);
        Assert.Contains("tcsh", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_of_serve_lists_the_flags_of_the_server()
    {
        var (code, output, _) = await RunAsync("help", "serve");

        Assert.Equal(0, code);
        Assert.Contains("--store_dir", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_shows_a_command_and_refuses_an_unknown_one()
    {
        var (code, output, _) = await RunAsync("help", "stream", "add");
        var (all, commands, _) = await RunAsync("help");
        var (unknown, _, errors) = await RunAsync("help", "stream", "frobnicate");

        Assert.Equal((0, 0, 1), (code, all, unknown));
        Assert.Contains("postrider stream add <stream> [options]", output, StringComparison.Ordinal);
        Assert.Contains("completion", commands, StringComparison.Ordinal);
        Assert.StartsWith("postrider: 'frobnicate' is not a command of 'postrider stream'.", errors, StringComparison.Ordinal);
    }

    private static async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), args);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }
}

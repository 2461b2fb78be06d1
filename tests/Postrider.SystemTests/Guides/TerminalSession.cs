using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Guides;

/// <summary>Runs the commands of a page, or of a section, and compares what they print.</summary>
/// <remarks>A block fenced as <c>console</c> is a terminal: a line that begins with <c>$</c> is a command of a shell, the others are its output.
/// <c>console NAME</c> is another terminal, whose command goes on while the page does: it has begun when it has printed what the block shows,
/// a later block of this name without a command shows what it prints next, and <c>^C</c> ends it.
/// <c>console background</c> runs until the page ends, and its whole output is compared then. <c>export</c> applies to what follows in a terminal.
/// A block fenced as <c>conf NAME</c> is written to a file of that name; <c>conf</c> alone is a piece of a configuration, which the server has to accept.</remarks>
internal sealed class TerminalSession(IReadOnlyList<GuideBlock> blocks, GuideFolder folder) : IAsyncDisposable
{
    private const string Background = "background";
    private const string Interrupt = "^C";

    private readonly List<GuideDifference> _differences = [];
    private readonly List<(Step Step, TerminalProgram Program)> _background = [];
    private readonly Dictionary<string, (string Command, TerminalProgram Program)> _terminals = [];
    private readonly Dictionary<string, string> _exports = [];
    private int _pieces;

    /// <summary>The commands of a page's sessions.</summary>
    internal static IEnumerable<string> Commands(IEnumerable<GuideBlock> blocks)
        => blocks.Where(static block => block.Language == "console").SelectMany(Steps).Select(static step => step.Command).OfType<string>();

    /// <summary>Runs everything.</summary>
    /// <returns>What was printed and differs from the page.</returns>
    internal async Task<IReadOnlyList<GuideDifference>> RunAsync()
    {
        foreach (var block in blocks)
        {
            switch (block.Language)
            {
                case "conf" when block.Argument.Length > 0:
                    folder.Write(block.Argument, block.Lines);
                    break;
                case "conf":
                    await CheckPieceAsync(block);
                    break;
                case "console":
                    foreach (var step in Steps(block)) await RunAsync(step, block.Argument);
                    break;
            }
        }
        foreach (var (step, program) in _background) Compare(step, await program.EndsAsync());
        return _differences;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var (_, program) in _background) await program.DisposeAsync();
        foreach (var (_, program) in _terminals.Values) await program.DisposeAsync();
    }

    private async Task RunAsync(Step step, string terminal)
    {
        if (step.Command is null)
        {
            await ContinueAsync(step, terminal);
            return;
        }

        var exports = _exports.GetValueOrDefault(terminal, "");
        if (step.Command.StartsWith("export ", StringComparison.Ordinal)) _exports[terminal] = $"{exports}{step.Command}\n";
        else if (terminal.Length == 0)
        {
            await using var program = folder.Start(exports + step.Command);
            Compare(step, await program.EndsAsync());
        }
        else if (terminal == Background)
        {
            var program = folder.Start(exports + step.Command);
            _background.Add((step, program));
            await program.BeginsAsync();
        }
        else
        {
            await EndAsync(step, terminal);
            if (step.Command == Interrupt) return;
            _terminals.Add(terminal, (step.Command, folder.Start($"{exports}exec {step.Command}")));
            await ContinueAsync(step, terminal);
        }
    }

    // A command that is not interrupted has to end by itself before the next one, with nothing that the page does not show.
    private async Task EndAsync(Step step, string terminal)
    {
        if (!_terminals.Remove(terminal, out var former)) return;
        await using var program = former.Program;
        if (step.Command != Interrupt && await program.EndsAsync() is { Count: > 0 } rest)
            _differences.Add(new GuideDifference(former.Command, null, [], folder.Shown(rest)));
    }

    private async Task ContinueAsync(Step step, string terminal)
    {
        var (command, program) = _terminals[terminal];
        var (isShown, lines) = await program.PrintsAsync(step.Expected);
        if (!isShown || !folder.Learn(step.Expected, lines)) _differences.Add(new GuideDifference(command, step.FirstLine, step.Expected, folder.Shown(lines)));
    }

    private async Task CheckPieceAsync(GuideBlock block)
    {
        var name = $"piece-{++_pieces}.conf";
        folder.Write(name, block.Lines);
        var command = $"postrider serve -t -c {name}";
        await using var program = folder.Start(command);
        var printed = await program.EndsAsync();
        if (!printed.Exists(static line => line.Contains("is valid", StringComparison.Ordinal))) _differences.Add(new GuideDifference(command, null, block.Lines, printed));
    }

    private void Compare(Step step, List<string> printed)
    {
        if (!PrintedLines.Match(step.Expected, printed) || !folder.Learn(step.Expected, printed))
            _differences.Add(new GuideDifference(step.Command!, step.FirstLine, step.Expected, folder.Shown(printed)));
    }

    private static List<Step> Steps(GuideBlock block)
    {
        var steps = new List<Step>();
        for (var i = 0; i < block.Lines.Count; i++)
        {
            var line = block.Lines[i];
            if (line == Interrupt) steps.Add(new Step(Interrupt, block.FirstLine + i + 1, []));
            else if (line.StartsWith("$ ", StringComparison.Ordinal)) steps.Add(new Step(line[2..], block.FirstLine + i + 1, []));
            else if (steps.Count == 0) steps.Add(new Step(null, block.FirstLine + i, [line]));
            else steps[^1].Expected.Add(line);
        }
        return steps;
    }

    /// <summary>A command and its output; without a command, more of the output of the terminal's program.</summary>
    private sealed record Step(string? Command, int FirstLine, List<string> Expected);
}

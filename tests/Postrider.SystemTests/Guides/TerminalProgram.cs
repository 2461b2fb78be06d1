using System.Diagnostics;
using System.Threading.Channels;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Guides;

/// <summary>A running command and the lines that it prints.</summary>
internal sealed class TerminalProgram : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();
    private readonly List<string> _printed = [];

    /// <param name="process">The command's shell.</param>
    /// <param name="shown">Changes a line that it prints into the one that a page shows.</param>
    internal TerminalProgram(Process process, Func<string, string> shown)
    {
        _process = process;
        process.StandardInput.Close();
        _ = ReadAsync(shown);
    }

    /// <summary>Waits for its first line, or its end.</summary>
    internal async Task BeginsAsync()
    {
        using var patience = new CancellationTokenSource(GuideFolder.Patience);
        await _lines.Reader.WaitToReadAsync(patience.Token);
    }

    /// <summary>Waits for its end.</summary>
    /// <returns>The lines that were not taken yet, without an empty one at the beginning and those at the end.</returns>
    internal async Task<List<string>> EndsAsync()
    {
        using var patience = new CancellationTokenSource(GuideFolder.Patience);
        try
        {
            await foreach (var line in _lines.Reader.ReadAllAsync(patience.Token)) _printed.Add(line);
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"The command has not ended. It printed:\n{string.Join('\n', _printed)}");
        }
        while (_printed is [.., ""]) _printed.RemoveAt(_printed.Count - 1);
        if (_printed is ["", ..]) _printed.RemoveAt(0);
        return _printed;
    }

    /// <summary>Waits until it has printed what a page shows next, and takes these lines.</summary>
    /// <returns>The lines; if others came, whether they are the page's is false.</returns>
    internal async Task<(bool IsShown, List<string> Lines)> PrintsAsync(IReadOnlyList<string> expected)
    {
        using var patience = new CancellationTokenSource(GuideFolder.Patience);
        while (true)
        {
            if (PrintedLines.MatchBeginning(expected, _printed) is { } count)
            {
                var lines = _printed[..count];
                _printed.RemoveRange(0, count);
                return (true, lines);
            }
            try
            {
                if (!await _lines.Reader.WaitToReadAsync(patience.Token)) return (false, _printed);
            }
            catch (OperationCanceledException)
            {
                return (false, _printed);
            }
            while (_lines.Reader.TryRead(out var line)) _printed.Add(line);
        }
    }

    /// <summary>Stops it, as a reader does with Ctrl-C.</summary>
    public async ValueTask DisposeAsync()
    {
        using (_process)
        {
            // At the end of its output it ends by itself.
            if (!_lines.Reader.Completion.IsCompleted) await TerminateAsync();
            try
            {
                await _process.WaitForExitAsync().WaitAsync(GuideFolder.Patience);
            }
            catch (TimeoutException)
            {
                _process.Kill(entireProcessTree: true);
                throw;
            }
        }
    }

    private async Task ReadAsync(Func<string, string> shown)
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line) _lines.Writer.TryWrite(shown(line.TrimEnd()));
        _lines.Writer.Complete();
    }

    private async Task TerminateAsync()
    {
        using var kill = Process.Start("kill", ["-TERM", $"{_process.Id}"]);
        await kill.WaitForExitAsync();
    }
}

using System.Diagnostics;
using System.Threading.Channels;

namespace Postrider.InteropTests.Harness;

/// <summary>A program of somebody else's that runs and prints lines.</summary>
internal sealed class ForeignProgram : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // A whole story, a browser's with its many pages among them, beside all the other tests.
    private static readonly TimeSpan PatienceToEnd = TimeSpan.FromSeconds(150);

    private readonly Process _process;
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();
    private readonly Task _reading;
    private readonly Task<string> _errors;

    private ForeignProgram(Process process)
    {
        _process = process;
        _reading = ReadLinesAsync();
        _errors = process.StandardError.ReadToEndAsync();
    }

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    public static ForeignProgram Start(string program, params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);

        return new ForeignProgram(Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start."));
    }

    /// <summary>Runs to the end and gives every line that was printed; a status other than 0 is an error that shows what it wrote.</summary>
    public static async Task<string> RunAsync(string program, params IEnumerable<string> arguments)
    {
        await using var running = Start(program, arguments);
        return await running.ToEndAsync();
    }

    /// <summary>The next line, waited for; null when the program ended.</summary>
    public async Task<string?> NextLineOrEndAsync()
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            return await _lines.Reader.WaitToReadAsync(patience.Token) && _lines.Reader.TryRead(out var line) ? line : null;
        }
        catch (OperationCanceledException late)
        {
            throw new InvalidOperationException($"No further line within {Patience.TotalSeconds} s, and it still runs.", late);
        }
    }

    /// <summary>A line to the program's standard input.</summary>
    public async Task TellAsync(string line)
    {
        await _process.StandardInput.WriteLineAsync(line);
        await _process.StandardInput.FlushAsync();
    }

    /// <summary>Waits for the end and gives the lines that were not yet taken.</summary>
    public async Task<string> ToEndAsync()
    {
        using var patience = new CancellationTokenSource(PatienceToEnd);
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException late)
        {
            await KillAsync();
            throw new InvalidOperationException($"It still ran after {PatienceToEnd.TotalSeconds} s.\n{await OutputAsync()}\n{await _errors}", late);
        }

        var output = await OutputAsync();
        return _process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"Status {_process.ExitCode}.\n{output}\n{await _errors}");
    }

    /// <summary>Ends it at once.</summary>
    public async Task KillAsync()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);

        await _process.WaitForExitAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        await _reading;
        _process.Dispose();
    }

    // The lines that were not yet taken, of a program that has ended.
    private async Task<string> OutputAsync()
    {
        await _reading;
        var lines = new List<string>();
        while (_lines.Reader.TryRead(out var line)) lines.Add(line);
        return string.Join('\n', lines);
    }

    private async Task ReadLinesAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
            _lines.Writer.TryWrite(line);

        _lines.Writer.Complete();
    }
}

using System.Diagnostics;
using System.Threading.Channels;

namespace Postrider.SystemTests.Samples;

/// <summary>A sample as a process of its own: lines in, lines out, and an end by SIGKILL.</summary>
internal sealed class SampleProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();

    private SampleProcess(Process process)
    {
        _process = process;
        // The channel takes whatever comes, so that a process never waits for its reader.
        process.OutputDataReceived += (_, line) => Take(line.Data);
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
    }

    /// <summary>What it prints, without end until it ends.</summary>
    internal ChannelReader<string> Lines => _lines.Reader;

    internal static SampleProcess Start(string program, params string[] args)
        => new(Process.Start(new ProcessStartInfo(Path.Join(AppContext.BaseDirectory, program), args)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!);

    /// <summary>Tells it something; what it never reads because it was killed is lost.</summary>
    internal async Task TellAsync(string line)
    {
        try
        {
            await _process.StandardInput.WriteLineAsync(line);
            await _process.StandardInput.FlushAsync();
        }
        catch (IOException)
        {
            // It was killed: whoever waits for an answer learns of that.
        }
    }

    /// <summary>Ends it as kill -9 does.</summary>
    internal void Kill() => _process.Kill();

    public async ValueTask DisposeAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    private void Take(string? line)
    {
        if (line is null) _lines.Writer.TryComplete();
        else _lines.Writer.TryWrite(line);
    }
}

using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;

namespace Postrider.SystemTests.Packages;

/// <summary>A program that runs until it is disposed, and what it prints.</summary>
internal sealed class ProgramProcess : IDisposable
{
    // A program's start on a loaded machine.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private TaskCompletionSource _printed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private ProgramProcess(Process process)
    {
        _process = process;
        process.OutputDataReceived += (_, line) => Add(line.Data);
        process.ErrorDataReceived += (_, line) => Add(line.Data);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
    }

    internal static ProgramProcess Start(string program, params string[] arguments) => new(new Process
    {
        StartInfo = new ProcessStartInfo(program, arguments) { WorkingDirectory = Path.GetDirectoryName(program)!, RedirectStandardOutput = true, RedirectStandardError = true },
    });

    /// <summary>Waits until a text is printed.</summary>
    internal Task PrintsAsync(string text) => PrintsAsync(new Regex(Regex.Escape(text)));

    /// <summary>Waits until something is printed.</summary>
    internal async Task<Match> PrintsAsync(Regex pattern)
    {
        using var patience = new CancellationTokenSource(s_patience);
        while (true)
        {
            Task next;
            lock (_output)
            {
                if (pattern.Match(_output.ToString()) is { Success: true } match) return match;
                next = _printed.Task;
            }
            try
            {
                await next.WaitAsync(patience.Token);
            }
            catch (OperationCanceledException)
            {
                Assert.Fail($"'{pattern}' was not printed within {s_patience}:\n{_output}");
            }
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private void Add(string? line)
    {
        lock (_output)
        {
            _output.Append(line).Append('\n');
            _printed.TrySetResult();
            _printed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }
}

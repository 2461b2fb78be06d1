using System.Text;
using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Logging;

/// <summary>Log lines on the standard error stream, in colour when that is a terminal.</summary>
internal sealed class StandardErrorTarget : ILogTarget
{
    private readonly StreamWriter _writer = new(Console.OpenStandardError(), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };

    public bool HasColours { get; } = !Console.IsErrorRedirected;

    // The server continues without its log.
    public void WriteLine(LogLevel level, string line)
    {
        try
        {
            _writer.WriteLine(line);
        }
        catch (Exception error) when (StandardError.IsOfStream(error))
        {
        }
    }

    public void Dispose()
    {
        try
        {
            _writer.Dispose();
        }
        catch (Exception error) when (StandardError.IsOfStream(error))
        {
        }
    }
}

namespace Postrider.CommandLine.Logging;

/// <summary>Lines on the standard error stream, for programs that continue when nobody can read them.</summary>
internal static class StandardError
{
    /// <summary>Writes a line; it is lost if the stream is closed or its disk is full.</summary>
    internal static void TryWriteLine(string line)
    {
        try
        {
            Console.Error.WriteLine(line);
        }
        catch (Exception error) when (IsOfStream(error))
        {
        }
    }

    /// <summary>Whether an exception means that the stream cannot be written.</summary>
    internal static bool IsOfStream(Exception error) => error is IOException or UnauthorizedAccessException or ObjectDisposedException;
}

using System.CommandLine;

namespace Postrider.CommandLine.Terminal;

/// <summary>Asks for confirmation before data is lost for good.</summary>
internal static class Confirmation
{
    /// <summary>The option that confirms without a question.</summary>
    internal static Option<bool> Force() => new("--force", "-f") { Description = "Skip the confirmation" };

    /// <summary>Returns when it is confirmed.</summary>
    /// <param name="force">Whether it was confirmed on the command line.</param>
    /// <param name="action">What is about to happen, as the end of "Really ...?": <c>delete stream ORDERS</c>.</param>
    /// <exception cref="NotConfirmedException">The user did not confirm, or there is no terminal.</exception>
    internal static void Require(bool force, string action) => Require(force, action, Console.IsInputRedirected ? null : Console.In, Console.Error);

    /// <summary>The same with a terminal of the caller's.</summary>
    internal static void Require(bool force, string action, TextReader? terminal, TextWriter output)
    {
        if (force) return;
        if (terminal is null) throw new NotConfirmedException($"There is no terminal to confirm on: use --force to {action}.");
        output.Write($"Really {action}? [y/N] ");
        output.Flush();
        if (terminal.ReadLine()?.Trim().ToUpperInvariant() is not ("Y" or "YES")) throw new NotConfirmedException("Not confirmed; nothing was changed.");
    }
}

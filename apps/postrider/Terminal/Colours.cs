namespace Postrider.CommandLine.Terminal;

/// <summary>Colours of the text that people read: only on a terminal, and neither with <c>--no-color</c> nor with <c>$NO_COLOR</c>.</summary>
/// <remarks>Source: no-color.org.</remarks>
internal static class Colours
{
    private const string Reset = "\e[0m";

    /// <summary>Whether the output is coloured.</summary>
    internal static bool AreOn { get; private set; }

    /// <summary>The option that turns them off, of every command.</summary>
    internal static System.CommandLine.Option<bool> Off { get; } = new("--no-color") { Description = "No colours, also with $NO_COLOR", Recursive = true };

    /// <summary>Decides for this run of the program.</summary>
    internal static void Choose(bool isOff) => AreOn = Fit(isOff, Console.IsOutputRedirected, Environment.GetEnvironmentVariable("NO_COLOR"), Environment.GetEnvironmentVariable("TERM"));

    /// <summary>Whether colours fit.</summary>
    /// <param name="isOff">Whether they are turned off on the command line.</param>
    /// <param name="isRedirected">Whether the output is not a terminal.</param>
    /// <param name="noColor">The variable <c>NO_COLOR</c>: any text turns them off.</param>
    /// <param name="terminal">The kind of terminal.</param>
    internal static bool Fit(bool isOff, bool isRedirected, string? noColor, string? terminal)
        => !isOff && !isRedirected && string.IsNullOrEmpty(noColor) && terminal is not "dumb";

    /// <summary>A heading.</summary>
    internal static string Heading(string text) => $"\e[1m{text}{Reset}";

    /// <summary>A text in the colour of a state.</summary>
    internal static string Paint(string text, CellState state) => state switch
    {
        CellState.Good => $"\e[32m{text}{Reset}",
        CellState.Warning => $"\e[33m{text}{Reset}",
        CellState.Bad => $"\e[31m{text}{Reset}",
        _ => text,
    };
}

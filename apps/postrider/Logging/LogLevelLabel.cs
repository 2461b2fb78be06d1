using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Logging;

/// <summary>The three-letter abbreviations of the levels in nats-server's log lines.</summary>
internal static class LogLevelLabel
{
    private const string Reset = "\u001b[0m";

    internal static string Plain(LogLevel level) => $"[{Letters(level)}] ";

    internal static string Coloured(LogLevel level) => $"[\u001b[{Colour(level)}m{Letters(level)}{Reset}] ";

    private static string Letters(LogLevel level) => level switch
    {
        LogLevel.Trace => "TRC",
        LogLevel.Debug => "DBG",
        LogLevel.Warning => "WRN",
        LogLevel.Error => "ERR",
        LogLevel.Critical => "FTL",
        _ => "INF",
    };

    private static int Colour(LogLevel level) => level switch
    {
        LogLevel.Trace => 33,
        LogLevel.Debug => 36,
        LogLevel.Warning => 93,
        LogLevel.Error or LogLevel.Critical => 31,
        _ => 32,
    };
}

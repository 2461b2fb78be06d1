using System.Text;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Sessions;

/// <summary>Logs the frames of a client, as nats-server's trace does. Slow; off by default.</summary>
internal sealed partial class ProtocolTrace(ILogger logger, int maxMessageLength)
{
    /// <summary>Logs a received operation's line.</summary>
    public void In(string session, ReadOnlySpan<byte> line) => LogIn(logger, session, Text(line));

    /// <summary>Logs a sent operation's line.</summary>
    public void Out(string session, ReadOnlySpan<byte> line) => LogOut(logger, session, Text(line));

    /// <summary>Logs a received payload.</summary>
    public void Payload(string session, ReadOnlySpan<byte> payload)
    {
        var cut = maxMessageLength > 0 && payload.Length > maxMessageLength;
        var text = Encoding.UTF8.GetString(cut ? payload[..maxMessageLength] : payload);
        LogPayload(logger, session, cut ? text + "..." : text);
    }

    // Passwords and tokens are never logged.
    private static string Text(ReadOnlySpan<byte> line)
        => Redact(Redact(Encoding.UTF8.GetString(line.TrimEnd("\r\n"u8)), "\"pass\":\""), "\"auth_token\":\"");

    private static string Redact(string text, string key)
    {
        var start = text.IndexOf(key, StringComparison.Ordinal);
        if (start < 0) return text;
        start += key.Length;
        var end = text.IndexOf('"', start);
        return end < 0 ? text : string.Concat(text.AsSpan(0, start), "[REDACTED]", text.AsSpan(end));
    }

    [LoggerMessage(EventId = 151, Level = LogLevel.Trace, Message = "{Session} - <<- [{Line}]")]
    private static partial void LogIn(ILogger logger, string session, string line);

    [LoggerMessage(EventId = 152, Level = LogLevel.Trace, Message = "{Session} - ->> [{Line}]")]
    private static partial void LogOut(ILogger logger, string session, string line);

    [LoggerMessage(EventId = 153, Level = LogLevel.Trace, Message = "{Session} - <<- MSG_PAYLOAD: [\"{Payload}\"]")]
    private static partial void LogPayload(ILogger logger, string session, string payload);
}
